/* A network of dense layers, trained by gradient descent on a batch. */
#include <math.h>
#include <stdlib.h>

#define LAYERS 3

typedef struct {
    int inputs, outputs;
    double *weights; /* outputs x inputs */
    double *bias;
} Layer;

static double activate(double z) { return z > 0.0 ? z : 0.1 * z; }

static void dense(int batch, int inputs, int outputs, const double *restrict weights,
                  const double *restrict bias, const double *restrict in, double *restrict out)
{
#pragma omp parallel for collapse(2)
    for (int b = 0; b < batch; ++b)
        for (int o = 0; o < outputs; ++o) {
            double sum = bias[o];
            for (int i = 0; i < inputs; ++i)
                sum += weights[o * inputs + i] * in[b * inputs + i];
            out[b * outputs + o] = activate(sum);
        }
}

static double cross_entropy(int batch, int classes, const double *scores, const int *labels)
{
    double loss = 0.0;
#pragma omp parallel for reduction(+ : loss)
    for (int b = 0; b < batch; ++b) {
        double most = scores[b * classes];
        for (int c = 1; c < classes; ++c)
            most = fmax(most, scores[b * classes + c]);
        double sum = 0.0;
        for (int c = 0; c < classes; ++c)
            sum += exp(scores[b * classes + c] - most);
        loss += log(sum) + most - scores[b * classes + labels[b]];
    }
    return loss / batch;
}

#pragma g2o grad (loss)/(w1, b1, w2, b2, data)
#pragma g2o jvp (loss)/(w1, b1, w2, b2, data)
double loss(int batch, int inputs, int hidden, int classes, const double *w1, const double *b1,
            const double *w2, const double *b2, const double *data, const int *labels)
{
    double *h = malloc(sizeof(double) * batch * hidden);
    double *scores = malloc(sizeof(double) * batch * classes);
    dense(batch, inputs, hidden, w1, b1, data, h);
    dense(batch, hidden, classes, w2, b2, h, scores);
    double result = cross_entropy(batch, classes, scores, labels);
    for (int i = 0; i < hidden * inputs; ++i)
        result += 1e-3 * w1[i] * w1[i];
    free(h);
    free(scores);
    return result;
}
