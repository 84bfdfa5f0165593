/* Compartments that exchange what they hold: a structure of the caller with arrays and members that
 * change, between Heun's steps. */
#include <math.h>

enum { PARTS = 4 };
typedef struct {
    double rate[PARTS][PARTS], loss[PARTS];
} Kinetics;
typedef struct {
    int steps;
    Kinetics k;
    double dose, *input;
    double (*seen)[PARTS];
    struct {
        double least, weight[PARTS];
    } cost;
} Model;

static void slopes(const Model *m, const double y[PARTS], double in, double dy[PARTS])
{
    for (int i = 0; i < PARTS; ++i) {
        dy[i] = -m->k.loss[i] * y[i] + (i == 0 ? m->dose * in : 0.0);
        for (int j = 0; j < PARTS; ++j)
            dy[i] += m->k.rate[i][j] * (y[j] - y[i]);
    }
}

#pragma g2o grad (misfit, m, y)/(m, y)
#pragma g2o jvp (misfit, m, y)/(m, y)
double misfit(Model *m, double y[PARTS], double h)
{
    double sum = 0.0, first[PARTS], then[PARTS], between[PARTS];
    for (int t = 0; t < m->steps; ++t) {
        slopes(m, y, m->input[t], first);
        for (int i = 0; i < PARTS; ++i)
            between[i] = y[i] + h * first[i];
        slopes(m, between, m->input[t], then);
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < PARTS; ++i) {
            y[i] += 0.5 * h * (first[i] + then[i]);
            const double off = y[i] - m->seen[t][i];
            sum += m->cost.weight[i] * sqrt(off * off + m->cost.least * m->cost.least);
        }
        m->dose *= 0.9;
    }
    return sum;
}
