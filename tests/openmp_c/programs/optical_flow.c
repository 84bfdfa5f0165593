/*
 * Optical flow between two images: a pyramid from coarse to fine, warping by bilinear interpolation,
 * and a variational energy, which is minimised on each level.
 *
 *     E(u, v) = sum psi(I2(x + u, y + v) - I1(x, y)) + gamma psi(differences of gradients)
 *               + alpha psi(|grad u|^2 + |grad v|^2),      psi(s^2) = sqrt(s^2 + epsilon^2)
 *
 * On each level images are warped a few times; for each warp the weights of psi are held (lagged) and
 * the linear equations relaxed by Jacobi's method. Before all that images are smoothed by a Gaussian,
 * and may be corrected by gains and offsets. Landmarks pull the flow where the motion is known.
 *
 * The objective tells how well parameters do: the error of the flow's ends against ground truth, and
 * the energy that is left. Its derivatives train alpha, gamma, epsilon, and show which pixels matter.
 */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RADIUS 2 /* of the Gaussian */

typedef double real;

typedef struct {
    size_t width, height;
    real *pixel; /* row by row */
} Image;

typedef struct {
    real alpha, gamma, epsilon;
    real sigma; /* of the smoothing in front */
    real gain, offset; /* of the second image */
} Parameters;

typedef struct {
    int levels, warps, jacobi;
    unsigned flags;
} Options;

enum { MEDIAN = 1u << 0, LANDMARKS = 1u << 1, SAY = 1u << 2 };

typedef struct {
    uint16_t x, y;
    real u, v, weight;
} Landmark;

/* ---- images --------------------------------------------------------------------------------------- */

static Image image_new(size_t width, size_t height)
{
    Image image = {width, height, calloc(width * height, sizeof(real))};
    if (image.pixel == NULL)
        abort();
    return image;
}

static void image_free(Image *image)
{
    free(image->pixel);
    image->pixel = NULL;
}

/* All levels of a pyramid lie one behind the other in one piece of memory. */
static Image level(const Image *pyramid, int l)
{
    size_t width = pyramid->width, height = pyramid->height, start = 0;
    for (int k = 0; k < l; ++k) {
        start += width * height;
        width /= 2, height /= 2;
    }
    return (Image){width, height, pyramid->pixel + start};
}

static Image pyramid_new(size_t width, size_t height)
{
    Image pyramid = image_new(width, 2 * height);
    pyramid.height = height;
    return pyramid;
}

static inline long clamp(long i, long most)
{
    return i < 0 ? 0 : i > most ? most : i;
}

/* Pixels outside are those of the border. */
static inline real pixel(const Image *image, long x, long y)
{
    return image->pixel[clamp(y, (long)image->height - 1) * image->width +
                        clamp(x, (long)image->width - 1)];
}

static real sample(const Image *image, real x, real y)
{
    const real left = floor(x), top = floor(y);
    const real a = x - left, b = y - top;
    const long i = (long)left, j = (long)top;
    const real upper = (1 - a) * pixel(image, i, j) + a * pixel(image, i + 1, j);
    const real lower = (1 - a) * pixel(image, i, j + 1) + a * pixel(image, i + 1, j + 1);
    return (1 - b) * upper + b * lower;
}

/* A Gaussian of the given sigma, first along rows, then along columns. */
static void smooth(const Image *from, Image *to, real sigma)
{
    const long width = from->width, height = from->height;
    real kernel[2 * RADIUS + 1], sum = 0;
    Image rows = image_new(width, height);
    for (int k = -RADIUS; k <= RADIUS; ++k) {
        kernel[k + RADIUS] = exp(-0.5 * k * k / (sigma * sigma));
        sum += kernel[k + RADIUS];
    }
    for (int k = 0; k < 2 * RADIUS + 1; ++k)
        kernel[k] /= sum;

#pragma omp parallel shared(kernel)
    {
#pragma omp for
        for (long y = 0; y < height; ++y)
            for (long x = 0; x < width; ++x) {
                real value = 0;
                for (int k = -RADIUS; k <= RADIUS; ++k)
                    value += kernel[k + RADIUS] * pixel(from, x + k, y);
                rows.pixel[y * width + x] = value;
            }
#pragma omp for
        for (long x = 0; x < width; ++x)
            for (long y = 0; y < height; ++y) {
                real value = 0;
                for (int k = -RADIUS; k <= RADIUS; ++k)
                    value += kernel[k + RADIUS] * pixel(&rows, x, y + k);
                to->pixel[y * width + x] = value;
            }
    }
    image_free(&rows);
}

/* Half of the size: means of four pixels. */
static void halve(const Image *fine, Image *coarse)
{
#pragma omp parallel for collapse(2) schedule(static)
    for (size_t y = 0; y < coarse->height; ++y)
        for (size_t x = 0; x < coarse->width; ++x) {
            real sum = 0;
            for (int k = 0; k < 4; ++k)
                sum += pixel(fine, 2 * x + (k & 1), 2 * y + (k >> 1));
            coarse->pixel[y * coarse->width + x] = sum / 4;
        }
}

/* The flow of a coarse level is the guess on the fine one, in pixels that are half as large. */
static void enlarge(const Image *coarse, Image *fine)
{
    const real sx = (real)coarse->width / fine->width, sy = (real)coarse->height / fine->height;
#pragma omp parallel for
    for (size_t y = 0; y < fine->height; ++y)
        for (size_t x = 0; x < fine->width; ++x)
            fine->pixel[y * fine->width + x] =
                2 * sample(coarse, sx * (x + 0.5) - 0.5, sy * (y + 0.5) - 0.5);
}

static real at_x(const Image *image, long x, long y)
{
    return (pixel(image, x + 1, y) - pixel(image, x - 1, y)) / 2;
}

static real at_y(const Image *image, long x, long y)
{
    return (pixel(image, x, y + 1) - pixel(image, x, y - 1)) / 2;
}

static real median_of_three(real a, real b, real c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* Takes out single peaks along rows. */
static void median_filter(Image *image)
{
    const long width = image->width;
#pragma omp parallel for
    for (size_t y = 0; y < image->height; ++y) {
        real *row = image->pixel + y * width;
        real before = row[0];
        for (long x = 1; x < width - 1; ++x) {
            const real here = row[x];
            row[x] = median_of_three(before, here, row[x + 1]);
            before = here;
        }
    }
}

/* ---- the equations -------------------------------------------------------------------------------- */

/* Two by two for each pixel: J11 J12 J22, and the right-hand side; weights of smoothness. */
typedef struct {
    real *j11, *j12, *j22, *b1, *b2, *smoothness;
} Equations;

static void linearise(const Image *first, const Image *second, const Image *u, const Image *v,
                      const Parameters *p, Image *warped, Equations *e)
{
    const long width = first->width, height = first->height;
    const real epsilon2 = p->epsilon * p->epsilon;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (long y = 0; y < height; ++y)
            for (long x = 0; x < width; ++x) {
                const long at = y * width + x;
                warped->pixel[at] = sample(second, x + u->pixel[at], y + v->pixel[at]);
            }
#pragma omp for schedule(dynamic)
        for (long y = 0; y < height; ++y)
            for (long x = 0; x < width; ++x) {
                const long at = y * width + x;
                const real ix = 0.5 * (at_x(warped, x, y) + at_x(first, x, y));
                const real iy = 0.5 * (at_y(warped, x, y) + at_y(first, x, y));
                const real it = warped->pixel[at] - first->pixel[at];
                const real gx = at_x(warped, x, y) - at_x(first, x, y);
                const real gy = at_y(warped, x, y) - at_y(first, x, y);
                const real data = 1 / sqrt(it * it + p->gamma * (gx * gx + gy * gy) + epsilon2);
                const real ux = at_x(u, x, y), uy = at_y(u, x, y);
                const real vx = at_x(v, x, y), vy = at_y(v, x, y);
                const real square = ux * ux + uy * uy + vx * vx + vy * vy;
                e->j11[at] = data * ix * ix;
                e->j12[at] = data * ix * iy;
                e->j22[at] = data * iy * iy;
                e->b1[at] = data * ix * (ix * u->pixel[at] + iy * v->pixel[at] - it);
                e->b2[at] = data * iy * (ix * u->pixel[at] + iy * v->pixel[at] - it);
                e->smoothness[at] = p->alpha / sqrt(square + epsilon2);
            }
    }
}

static void add_landmarks(int count, const Landmark *marks, real factor, long width, Equations *e)
{
    for (const Landmark *m = marks; m < marks + count; ++m) {
        const long at = (long)(m->y * factor) * width + (long)(m->x * factor);
        e->j11[at] += m->weight;
        e->j22[at] += m->weight;
        e->b1[at] += m->weight * m->u * factor;
        e->b2[at] += m->weight * m->v * factor;
    }
}

static void sweep(const Image *u, const Image *v, const Equations *e, Image *next_u, Image *next_v)
{
    static const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
    const long width = u->width, height = u->height;
#pragma omp parallel for collapse(2)
    for (long y = 0; y < height; ++y)
        for (long x = 0; x < width; ++x) {
            const long at = y * width + x;
            real sum = 0, su = 0, sv = 0;
            for (int d = 0; d < 4; ++d) {
                const long i = x + dx[d], j = y + dy[d];
                if (i < 0 || j < 0 || i >= width || j >= height)
                    continue;
                const long other = j * width + i;
                const real w = 0.5 * (e->smoothness[at] + e->smoothness[other]);
                sum += w;
                su += w * u->pixel[other];
                sv += w * v->pixel[other];
            }
            const real a = e->j11[at] + sum, b = e->j12[at], c = e->j22[at] + sum;
            const real r = e->b1[at] + su, s = e->b2[at] + sv, det = a * c - b * b;
            next_u->pixel[at] = (c * r - b * s) / det;
            next_v->pixel[at] = (a * s - b * r) / det;
        }
}

/* ---- what comes out ------------------------------------------------------------------------------- */

static real energy(const Image *first, const Image *second, const Image *u, const Image *v,
                   const Parameters *p)
{
    real data = 0, smoothness = 0;
    const real epsilon2 = p->epsilon * p->epsilon;
#pragma omp parallel for reduction(+ : data, smoothness)
    for (size_t y = 0; y < first->height; ++y)
        for (size_t x = 0; x < first->width; ++x) {
            const size_t at = y * first->width + x;
            const real it = sample(second, x + u->pixel[at], y + v->pixel[at]) - first->pixel[at];
            const real ux = at_x(u, x, y), uy = at_y(u, x, y);
            const real vx = at_x(v, x, y), vy = at_y(v, x, y);
            data += sqrt(it * it + epsilon2);
            smoothness += sqrt(ux * ux + uy * uy + vx * vx + vy * vy + epsilon2);
        }
    return (data + p->alpha * smoothness) / (first->width * first->height);
}

static real end_point_error(const Image *u, const Image *v, const real *true_u, const real *true_v)
{
    const size_t pixels = u->width * u->height;
    real sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (size_t at = 0; at < pixels; ++at) {
        const real du = u->pixel[at] - true_u[at], dv = v->pixel[at] - true_v[at];
        sum += sqrt(du * du + dv * dv + 1e-6);
    }
    return sum / pixels;
}

/* ---- the program ---------------------------------------------------------------------------------- */

#pragma g2o grad (flow, out_u, out_v)/(one, two, parameters, marks, true_u, true_v, out_u, out_v)
#pragma g2o jvp (flow, out_u, out_v)/(one, two, parameters, marks, true_u, true_v, out_u, out_v)
real flow(size_t width, size_t height, real *one, real *two, const Parameters *parameters,
          const Options *options, int count, const Landmark *marks, const real *true_u,
          const real *true_v, real *out_u, real *out_v)
{
    const int levels = options->levels;
    const Image from_one = {width, height, one}, from_two = {width, height, two};
    Image firsts = pyramid_new(width, height), seconds = pyramid_new(width, height);
    Image us = pyramid_new(width, height), vs = pyramid_new(width, height);
    Image next_u = image_new(width, height), next_v = image_new(width, height);
    Image warped = image_new(width, height);
    const size_t pixels = width * height;
    real *work = malloc(6 * pixels * sizeof(real));
    Equations e = {work,              work + pixels,     work + 2 * pixels,
                   work + 3 * pixels, work + 4 * pixels, work + 5 * pixels};
    real cost = 0;

    smooth(&from_one, &firsts, parameters->sigma);
    smooth(&from_two, &seconds, parameters->sigma);
    for (size_t at = 0; at < pixels; ++at)
        seconds.pixel[at] = parameters->gain * seconds.pixel[at] + parameters->offset;
    for (int l = 1; l < levels; ++l) {
        const Image first = level(&firsts, l - 1), second = level(&seconds, l - 1);
        Image half_first = level(&firsts, l), half_second = level(&seconds, l);
        halve(&first, &half_first);
        halve(&second, &half_second);
    }
    for (int l = levels - 1; l >= 0; --l) {
        const Image first = level(&firsts, l), second = level(&seconds, l);
        Image u = level(&us, l), v = level(&vs, l);
        if (l < levels - 1) {
            const Image coarse_u = level(&us, l + 1), coarse_v = level(&vs, l + 1);
            enlarge(&coarse_u, &u);
            enlarge(&coarse_v, &v);
        }
        warped.width = next_u.width = next_v.width = first.width;
        warped.height = next_u.height = next_v.height = first.height;
        for (int w = 0; w < options->warps; ++w) {
            linearise(&first, &second, &u, &v, parameters, &warped, &e);
            if (options->flags & LANDMARKS)
                add_landmarks(count, marks, 1.0 / (1 << l), first.width, &e);
            for (int k = 0; k < options->jacobi; k += 2) {
                sweep(&u, &v, &e, &next_u, &next_v);
                sweep(&next_u, &next_v, &e, &u, &v);
            }
            if (options->flags & MEDIAN) {
                median_filter(&u);
                median_filter(&v);
            }
        }
        const real left = energy(&first, &second, &u, &v, parameters);
        cost += 0.1 * left;
        if (options->flags & SAY)
            printf("%3zu x %3zu pixels: energy %.6f\n", first.width, first.height, left);
    }
    cost += end_point_error(&us, &vs, true_u, true_v);
    memcpy(out_u, us.pixel, pixels * sizeof(real));
    memcpy(out_v, vs.pixel, pixels * sizeof(real));
    image_free(&firsts);
    image_free(&seconds);
    image_free(&us);
    image_free(&vs);
    image_free(&next_u);
    image_free(&next_v);
    image_free(&warped);
    free(work);
    return cost;
}

static real scene(real x, real y)
{
    return 0.5 + 0.25 * sin(0.35 * x) * cos(0.28 * y) + 0.2 * sin(0.11 * x + 0.17 * y);
}

int main(int argc, char **argv)
{
    const size_t side = argc > 1 ? strtoul(argv[1], NULL, 10) : 64;
    real *memory = calloc(6 * side * side, sizeof(real)), *array[6];
    const Parameters parameters = {0.05, 0.5, 1e-2, 0.8, 1.0, 0.0};
    const Options options = {3, 4, 40, MEDIAN | LANDMARKS | SAY};
    const Landmark mark = {(uint16_t)(side / 2), (uint16_t)(side / 2), 1.3, -0.7, 0.5};
    if (memory == NULL)
        return 1;
    for (int k = 0; k < 6; ++k)
        array[k] = memory + k * side * side;
    for (size_t at = 0; at < side * side; ++at) {
        const real x = at % side, y = at / side;
        array[0][at] = scene(x, y);
        array[1][at] = scene(x - 1.3, y + 0.7);
        array[2][at] = 1.3;
        array[3][at] = -0.7;
    }
    printf("cost %.9e\n", flow(side, side, array[0], array[1], &parameters, &options, 1, &mark,
                               array[2], array[3], array[4], array[5]));
    free(memory);
    return 0;
}
