enum { WIDTH = 8, HEIGHT = 8, PIXELS = WIDTH * HEIGHT, COUNT = 2, PLAIN = 6 * PIXELS };
enum { MARKS = PLAIN + 6, GIVEN = MARKS + 3 * COUNT, SIZE = GIVEN + 1 };
static double given[GIVEN], shadow[GIVEN];
static Landmark marks[COUNT], d_marks[COUNT];
static const Options options = {2, 2, 4, MEDIAN | LANDMARKS};
/* Two images, true flow in both directions, flow in both directions; parameters; landmarks. */
static double base(int i)
{
    static const double others[6 + 3 * COUNT] = {0.05, 0.5, 0.05, 0.8, 1.05, 0.02,
                                                 0.6,  0.4, 0.5,  0.3, -0.2, 0.2};
    const double x = i % WIDTH, y = i % PIXELS / WIDTH;
    if (i >= PLAIN)
        return others[i - PLAIN];
    switch (i / PIXELS) {
    case 0:
        return scene(2.0 * x, 2.0 * y);
    case 1:
        return scene(2.0 * x - 1.0, 2.0 * y + 0.6);
    default:
        return i / PIXELS % 2 == 0 ? 0.5 : -0.3;
    }
}
static double scale(int i)
{
    return 0.03 * fabs(base(i));
}
static void mark(const double *p, Landmark *of)
{
    of[0] = (Landmark){3, 2, p[MARKS], p[MARKS + 1], p[MARKS + 2]};
    of[1] = (Landmark){6, 5, p[MARKS + 3], p[MARKS + 4], p[MARKS + 5]};
}
static void fill(const double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        given[i] = base(i) + scale(i) * z[i];
    mark(given, marks);
}
static void left(double *z)
{
    for (int i = 0; i < GIVEN; ++i)
        z[i] = (given[i] - base(i)) / scale(i);
}
#define IMAGES(p) p, p + PIXELS
#define FLOWS(p) p + 2 * PIXELS, p + 3 * PIXELS, p + 4 * PIXELS, p + 5 * PIXELS
#define PLAIN_OF(p) (Parameters *)((p) + PLAIN)
#define PLACE WIDTH, HEIGHT, IMAGES(given), PLAIN_OF(given), &options, COUNT, marks, FLOWS(given)
#define SHADOWS IMAGES(shadow), PLAIN_OF(shadow), d_marks, FLOWS(shadow)
static void run(double *z)
{
    fill(z);
    const double result = flow(PLACE);
    left(z);
    z[SIZE - 1] = result;
}
static void forward(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = scale(i) * d[i];
    mark(shadow, d_marks);
    const double result = flow_jvp(PLACE, SHADOWS, d + SIZE - 1);
    for (int i = 0; i < GIVEN; ++i)
        d[i] = shadow[i] / scale(i);
    left(z);
    z[SIZE - 1] = result;
}
static void reverse(double *z, double *d)
{
    fill(z);
    for (int i = 0; i < GIVEN; ++i)
        shadow[i] = d[i] / scale(i);
    mark(shadow, d_marks);
    const double result = flow_grad(PLACE, SHADOWS, d[SIZE - 1]);
    for (int k = 0; k < COUNT; ++k) {
        shadow[MARKS + 3 * k] = d_marks[k].u;
        shadow[MARKS + 3 * k + 1] = d_marks[k].v;
        shadow[MARKS + 3 * k + 2] = d_marks[k].weight;
    }
    for (int i = 0; i < GIVEN; ++i)
        d[i] = scale(i) * shadow[i];
    left(z);
    z[SIZE - 1] = result;
}
