/*
 * A recurrent network that reads sequences of symbols: embedding, one-dimensional convolution with
 * max-pooling in time, layers of gated recurrent units with layer normalisation, and a softmax over
 * classes. The loss is the mean cross entropy of a batch, with a penalty on weights; the batch is
 * shared out among threads.
 *
 *     symbols -> embedding -> convolution, pool -> GRU -> ... -> GRU -> dense -> softmax -> loss
 *
 * All weights are in one array; `lay_out` says which part belongs to what.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LAYERS 4
#define KERNEL 3
#define POOL 2
#define EPS 1e-5

#define ROW(matrix, row, columns) ((matrix) + (size_t)(row) * (columns))

typedef enum { TANH, RELU, GELU, SOFTPLUS } Activation;

typedef struct {
    int symbols, embedding, channels, hidden, layers, classes;
    Activation activation;
    double dropout; /* part of the hidden state that is left out in training */
} Shape;

typedef struct {
    int wz, wr, wh; /* from below */
    int uz, ur, uh; /* from the step before */
    int bz, br, bh;
    int gain, shift; /* of the normalisation */
} GruOffsets;

typedef struct {
    int embedding, kernel, bias;
    GruOffsets gru[MAX_LAYERS];
    int dense, dense_bias;
    int count;
} Offsets;

typedef struct {
    int size, length;
    const int *symbols; /* length for each sequence */
    const int *lengths; /* how many of these there are */
    const int *label;
} Batch;

/* ---- layout --------------------------------------------------------------------------------------- */

static int take(int *next, int count)
{
    const int first = *next;
    *next += count;
    return first;
}

static Offsets lay_out(const Shape *s)
{
    Offsets o;
    int next = 0;
    o.embedding = take(&next, s->symbols * s->embedding);
    o.kernel = take(&next, s->channels * KERNEL * s->embedding);
    o.bias = take(&next, s->channels);
    for (int layer = 0; layer < s->layers; layer++) {
        const int below = layer == 0 ? s->channels : s->hidden;
        GruOffsets *g = &o.gru[layer];
        g->wz = take(&next, s->hidden * below);
        g->wr = take(&next, s->hidden * below);
        g->wh = take(&next, s->hidden * below);
        g->uz = take(&next, s->hidden * s->hidden);
        g->ur = take(&next, s->hidden * s->hidden);
        g->uh = take(&next, s->hidden * s->hidden);
        g->bz = take(&next, s->hidden);
        g->br = take(&next, s->hidden);
        g->bh = take(&next, s->hidden);
        g->gain = take(&next, s->hidden);
        g->shift = take(&next, s->hidden);
    }
    o.dense = take(&next, s->classes * s->hidden);
    o.dense_bias = take(&next, s->classes);
    o.count = next;
    return o;
}

/* ---- operations ----------------------------------------------------------------------------------- */

static inline double sigmoid(double x)
{
    if (x >= 0.0)
        return 1.0 / (1.0 + exp(-x));
    const double e = exp(x);
    return e / (1.0 + e);
}

static double activate(Activation activation, double x)
{
    switch (activation) {
    case TANH:
        return tanh(x);
    case RELU:
        return x > 0.0 ? x : 0.0;
    case GELU:
        return 0.5 * x * (1.0 + erf(x / sqrt(2.0)));
    case SOFTPLUS:
        return x > 30.0 ? x : log1p(exp(x));
    }
    return x;
}

/* y = W x + b, or y += W x where there is no b. */
static void affine(int rows, int columns, const double *restrict w, const double *restrict b,
                   const double *restrict x, double *restrict y)
{
    for (int i = 0; i < rows; i++) {
        const double *row = ROW(w, i, columns);
        double sum = b ? b[i] : y[i];
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < columns; j++)
            sum += row[j] * x[j];
        y[i] = sum;
    }
}

static void normalise(int n, const double *gain, const double *shift, double *x)
{
    double mean = 0.0, variance = 0.0;
    for (int i = 0; i < n; i++)
        mean += x[i];
    mean /= n;
    for (int i = 0; i < n; i++)
        variance += (x[i] - mean) * (x[i] - mean);
    const double scale = 1.0 / sqrt(variance / n + EPS);
    for (int i = 0; i < n; i++)
        x[i] = gain[i] * (x[i] - mean) * scale + shift[i];
}

/* Features of a sequence: convolution with what lies outside taken as 0, then the largest of POOL. */
static int convolve(const Shape *s, const Offsets *o, const double *w, const int *symbols, int length,
                    double *restrict features)
{
    const int steps = (length + POOL - 1) / POOL;
    for (int t = 0; t < steps; t++)
        for (int c = 0; c < s->channels; c++) {
            double most = -1e30;
            for (int p = 0; p < POOL && t * POOL + p < length; p++) {
                const int middle = t * POOL + p;
                double sum = w[o->bias + c];
                for (int k = 0; k < KERNEL; k++) {
                    const int at = middle + k - KERNEL / 2;
                    if (at < 0 || at >= length)
                        continue;
                    const double *e = ROW(w + o->embedding, symbols[at], s->embedding);
                    const double *kernel = w + o->kernel + (c * KERNEL + k) * s->embedding;
                    for (int d = 0; d < s->embedding; d++)
                        sum += kernel[d] * e[d];
                }
                if (sum > most)
                    most = sum;
            }
            features[t * s->channels + c] = activate(s->activation, most);
        }
    return steps;
}

/* One step of a gated recurrent unit; `work` has room for three vectors. */
static void gru_step(int below, int hidden, const GruOffsets *g, const double *w, const double *x,
                     double *h, double *work)
{
    double *z = work, *r = work + hidden, *candidate = work + 2 * hidden;
    affine(hidden, below, w + g->wz, w + g->bz, x, z);
    affine(hidden, hidden, w + g->uz, NULL, h, z);
    affine(hidden, below, w + g->wr, w + g->br, x, r);
    affine(hidden, hidden, w + g->ur, NULL, h, r);
    for (int i = 0; i < hidden; i++) {
        z[i] = sigmoid(z[i]);
        r[i] = sigmoid(r[i]) * h[i];
    }
    affine(hidden, below, w + g->wh, w + g->bh, x, candidate);
    affine(hidden, hidden, w + g->uh, NULL, r, candidate);
    for (int i = 0; i < hidden; i++)
        h[i] = (1.0 - z[i]) * h[i] + z[i] * tanh(candidate[i]);
    normalise(hidden, w + g->gain, w + g->shift, h);
}

/* Whether a unit is left out; the same for all who ask. */
static int is_dropped(double rate, int sample, int unit)
{
    unsigned hash = 2654435761u * (unsigned)(sample + 1) ^ 40503u * (unsigned)(unit + 7);
    hash ^= hash >> 13;
    hash *= 1540483477u;
    hash ^= hash >> 15;
    return (hash & 0xffff) < rate * 65536.0;
}

static double log_sum_exp(int n, const double *x)
{
    double most = x[0], sum = 0.0;
    for (int i = 1; i < n; i++)
        most = fmax(most, x[i]);
    for (int i = 0; i < n; i++)
        sum += exp(x[i] - most);
    return most + log(sum);
}

/* ---- the network ---------------------------------------------------------------------------------- */

static double sample_loss(const Shape *s, const Offsets *o, const double *w, const int *symbols,
                          int length, int label, int sample, double *work, double *scores)
{
    double *features = work, *state = features + (length + 1) * s->channels;
    double *gates = state + s->layers * s->hidden;
    const int steps = convolve(s, o, w, symbols, length, features);

    for (int i = 0; i < s->layers * s->hidden; i++)
        state[i] = 0.0;
    for (int t = 0; t < steps; t++) {
        const double *x = features + t * s->channels;
        int below = s->channels;
        for (int layer = 0; layer < s->layers; layer++) {
            double *h = state + layer * s->hidden;
            gru_step(below, s->hidden, &o->gru[layer], w, x, h, gates);
            x = h;
            below = s->hidden;
        }
    }
    double *top = state + (s->layers - 1) * s->hidden;
    if (s->dropout > 0.0)
        for (int i = 0; i < s->hidden; i++)
            top[i] = is_dropped(s->dropout, sample, i) ? 0.0 : top[i] / (1.0 - s->dropout);
    affine(s->classes, s->hidden, w + o->dense, w + o->dense_bias, top, scores);
    return log_sum_exp(s->classes, scores) - scores[label];
}

static double penalty(int count, const double *w)
{
    double sum = 0.0;
#pragma omp parallel for simd reduction(+ : sum)
    for (int i = 0; i < count; i++)
        sum += w[i] * w[i];
    return sum;
}

/* How many of the batch are classified rightly. */
static int correct_ones(const Shape *s, const Batch *batch, const double *scores)
{
    int right = 0;
#pragma omp parallel for reduction(+ : right)
    for (int b = 0; b < batch->size; b++) {
        int best = 0;
        for (int c = 1; c < s->classes; c++)
            if (scores[b * s->classes + c] > scores[b * s->classes + best])
                best = c;
        right += best == batch->label[b];
    }
    return right;
}

/* The loss of a batch; `scores` are those of all classes for each sequence. */
#pragma g2o grad (batch_loss, scores)/(weights, scores, decay)
#pragma g2o jvp (batch_loss, scores)/(weights, scores, decay)
double batch_loss(Shape shape, const Batch *batch, const double *weights, double decay, double *scores,
                  int *restrict right)
{
    const Offsets offsets = lay_out(&shape);
    const int features = (batch->length + 1) * shape.channels;
    const int room = features + (shape.layers + 3) * shape.hidden;
    double loss = 0.0;

#pragma omp parallel reduction(+ : loss)
    {
        double *work = malloc(room * sizeof(double));
#pragma omp for schedule(dynamic, 1)
        for (int b = 0; b < batch->size; b++) {
            const int *symbols = batch->symbols + b * batch->length;
            const double one = sample_loss(&shape, &offsets, weights, symbols, batch->lengths[b],
                                           batch->label[b], b, work, scores + b * shape.classes);
            loss += one / batch->size;
        }
        free(work);
    }
    loss += 0.5 * decay * penalty(offsets.count, weights);
    if (right != NULL)
        *right = correct_ones(&shape, batch, scores);
    return loss;
}

int main(void)
{
    enum { SIZE_OF_BATCH = 16, LENGTH = 12 };
    const Shape shape = {8, 4, 6, 8, 2, 3, GELU, 0.1};
    const Offsets offsets = lay_out(&shape);
    double *weights = malloc(offsets.count * sizeof(double));
    double scores[SIZE_OF_BATCH * 3];
    int symbols[SIZE_OF_BATCH * LENGTH], lengths[SIZE_OF_BATCH], labels[SIZE_OF_BATCH], right = 0;
    for (int i = 0; i < offsets.count; i++)
        weights[i] = 0.5 * sin(1.7 * i);
    for (int b = 0; b < SIZE_OF_BATCH; b++) {
        lengths[b] = LENGTH - b % 5;
        labels[b] = b % 3;
        for (int t = 0; t < LENGTH; t++)
            symbols[b * LENGTH + t] = (b * 5 + t * t) % 8;
    }
    const Batch batch = {SIZE_OF_BATCH, LENGTH, symbols, lengths, labels};
    const double loss = batch_loss(shape, &batch, weights, 1e-3, scores, &right);
    printf("%d weights, loss %.9f, %d of %d right\n", offsets.count, loss, right, SIZE_OF_BATCH);
    free(weights);
    return 0;
}
