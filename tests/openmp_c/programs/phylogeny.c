/*
 * The likelihood of a phylogenetic tree for aligned sequences of DNA (Felsenstein's pruning), with a
 * general reversible model of substitution, rates that differ between sites after discrete classes,
 * invariant sites, and lengths of branches that are smoothed in a few rounds.
 *
 * Transition matrices are exponentials by scaling and squaring of Pade's approximant. Partial
 * likelihoods are scaled where they become small, by their largest, which is counted in logarithms.
 * Sites with the same pattern are counted once. Tips may be ambiguous, and sequencing errors soften
 * what was read.
 *
 * The objective is minus the logarithm of the posterior: priors are exponential for lengths of
 * branches, Dirichlet for frequencies, gamma for exchangeabilities, and a relaxed clock penalises
 * rates that change between parent and child.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { A, C, G, T, STATES };
#define EXCHANGES (STATES * (STATES - 1) / 2)
#define CLASSES 3
#define SMALL 1e-3 /* partial likelihoods below are scaled */
#define SQUARINGS 3
#define NOBODY (-1)

typedef double Matrix[STATES][STATES];

typedef struct {
    int left, right, parent; /* NOBODY at tips, and above the root */
} Node;

/* Nodes lie in postorder: tips first, children before their parents, the root last. */
typedef struct {
    int tips, nodes;
    const Node *node;
} Tree;

typedef struct {
    int patterns;
    const unsigned char *code; /* tips times patterns; a bit for each nucleotide */
    const double *count;       /* sites of each pattern */
} Alignment;

typedef struct {
    double exchange[EXCHANGES];
    double frequency[STATES]; /* not normalised */
    double rate[CLASSES];     /* as well */
    double weight[CLASSES];
    double invariant; /* logit of the part of sites that never change */
    double error;     /* of reading */
} Model;

typedef struct {
    double mean_length;
    double concentration;
    double shape, scale;
    double clock;
} Priors;

/* ---- matrices ------------------------------------------------------------------------------------- */

static void multiply(Matrix a, Matrix b, Matrix product)
{
    for (int i = 0; i < STATES; i++)
        for (int j = 0; j < STATES; j++) {
            product[i][j] = 0.0;
            for (int k = 0; k < STATES; k++)
                product[i][j] += a[i][k] * b[k][j];
        }
}

/* x = inverse(a) b, by Gauss with pivots; both are overwritten. */
static void solve(Matrix a, Matrix b, Matrix x)
{
    for (int k = 0; k < STATES; k++) {
        int pivot = k;
        for (int i = k + 1; i < STATES; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k]))
                pivot = i;
        if (pivot != k)
            for (int j = 0; j < STATES; j++) {
                double swap = a[k][j];
                a[k][j] = a[pivot][j];
                a[pivot][j] = swap;
                swap = b[k][j];
                b[k][j] = b[pivot][j];
                b[pivot][j] = swap;
            }
        for (int i = k + 1; i < STATES; i++) {
            const double factor = a[i][k] / a[k][k];
            for (int j = k; j < STATES; j++)
                a[i][j] -= factor * a[k][j];
            for (int j = 0; j < STATES; j++)
                b[i][j] -= factor * b[k][j];
        }
    }
    for (int j = 0; j < STATES; j++)
        for (int i = STATES - 1; i >= 0; i--) {
            double sum = b[i][j];
            for (int k = i + 1; k < STATES; k++)
                sum -= a[i][k] * x[k][j];
            x[i][j] = sum / a[i][i];
        }
}

/* exp(t q): (1 + z/2 + z^2/12) / (1 - z/2 + z^2/12), squared a few times. */
static void exponential(Matrix q, double t, Matrix p)
{
    Matrix z, z2, above, below;
    const double scale = t / (1 << SQUARINGS);
    for (int i = 0; i < STATES; i++)
        for (int j = 0; j < STATES; j++)
            z[i][j] = scale * q[i][j];
    multiply(z, z, z2);
    for (int i = 0; i < STATES; i++)
        for (int j = 0; j < STATES; j++) {
            const double even = (i == j) + z2[i][j] / 12.0, odd = 0.5 * z[i][j];
            above[i][j] = even + odd;
            below[i][j] = even - odd;
        }
    solve(below, above, p);
    for (int s = 0; s < SQUARINGS; s++) {
        multiply(p, p, z);
        memcpy(p, z, sizeof(Matrix));
    }
}

/* ---- the model ------------------------------------------------------------------------------------ */

/* Rates of substitution, with one of them a unit of time on average; gives back frequencies. */
static void rates(const Model *m, Matrix q, double *frequency)
{
    double total = 0.0, mean = 0.0;
    int e = 0;
    for (int i = 0; i < STATES; i++)
        total += m->frequency[i];
    for (int i = 0; i < STATES; i++) {
        frequency[i] = m->frequency[i] / total;
        q[i][i] = 0.0;
    }
    for (int i = 0; i < STATES; i++)
        for (int j = i + 1; j < STATES; j++, e++) {
            q[i][j] = m->exchange[e] * frequency[j];
            q[j][i] = m->exchange[e] * frequency[i];
            q[i][i] -= q[i][j];
            q[j][j] -= q[j][i];
        }
    for (int i = 0; i < STATES; i++)
        mean -= frequency[i] * q[i][i];
    for (int i = 0; i < STATES; i++)
        for (int j = 0; j < STATES; j++)
            q[i][j] /= mean;
}

static void classes(const Model *m, double *rate, double *weight)
{
    double mean = 0.0, total = 0.0;
    for (int k = 0; k < CLASSES; k++)
        total += exp(m->weight[k]);
    for (int k = 0; k < CLASSES; k++) {
        weight[k] = exp(m->weight[k]) / total;
        mean += weight[k] * m->rate[k];
    }
    for (int k = 0; k < CLASSES; k++)
        rate[k] = m->rate[k] / mean;
}

/* ---- pruning -------------------------------------------------------------------------------------- */

static double seen(unsigned char code, int state, double error)
{
    const int bits = (code & 1) + (code >> 1 & 1) + (code >> 2 & 1) + (code >> 3 & 1);
    return code >> state & 1 ? 1.0 - error * (STATES - bits) / 3.0 : error * bits / 3.0;
}

/* The logarithm of what a pattern is in one class, for all classes; `partial` is memory for nodes. */
static void prune(const Tree *tree, const Alignment *data, const Model *m, int pattern,
                  Matrix *transition, const double *frequency, double *partial,
                  double *logs)
{
    for (int k = 0; k < CLASSES; k++) {
        double scaled = 0.0, sum = 0.0;
        for (int v = 0; v < tree->nodes; v++) {
            const Node *node = tree->node + v;
            double largest = 0.0;
            if (v < tree->tips) {
                const unsigned char code = data->code[v * data->patterns + pattern];
                for (int s = 0; s < STATES; s++)
                    partial[v * STATES + s] = seen(code, s, m->error);
                continue;
            }
            for (int s = 0; s < STATES; s++) {
                double left = 0.0, right = 0.0;
                for (int r = 0; r < STATES; r++) {
                    left += transition[node->left * CLASSES + k][s][r] *
                            partial[node->left * STATES + r];
                    right += transition[node->right * CLASSES + k][s][r] *
                             partial[node->right * STATES + r];
                }
                partial[v * STATES + s] = left * right;
                if (partial[v * STATES + s] > largest)
                    largest = partial[v * STATES + s];
            }
            if (largest < SMALL) {
                for (int s = 0; s < STATES; s++)
                    partial[v * STATES + s] /= largest;
                scaled += log(largest);
            }
        }
        for (int s = 0; s < STATES; s++)
            sum += frequency[s] * partial[(tree->nodes - 1) * STATES + s];
        logs[k] = log(sum) + scaled;
    }
}

/* The frequency of what all tips agree in, or 0. */
static double constant(const Tree *tree, const Alignment *data, int pattern, const double *frequency)
{
    unsigned char all = 15;
    double sum = 0.0;
    for (int v = 0; v < tree->tips; v++)
        all &= data->code[v * data->patterns + pattern];
    for (int s = 0; s < STATES; s++)
        if (all & 1 << s)
            sum += frequency[s];
    return sum;
}

static double log_likelihood(const Tree *tree, int branches, const Alignment *data, const Model *m,
                             const double *length)
{
    double frequency[STATES], rate[CLASSES], weight[CLASSES], sum = 0.0;
    const double still = 1.0 / (1.0 + exp(-m->invariant));
    Matrix q;
    Matrix *transition = malloc(branches * CLASSES * sizeof(Matrix));

    rates(m, q, frequency);
    classes(m, rate, weight);
#pragma omp parallel
    {
        double *partial = malloc(tree->nodes * STATES * sizeof *partial);
        double mine = 0.0;
#pragma omp for collapse(2)
        for (int b = 0; b < branches; b++)
            for (int k = 0; k < CLASSES; k++)
                exponential(q, length[b] * rate[k] / (1.0 - still), transition[b * CLASSES + k]);
#pragma omp for schedule(dynamic, 2) nowait
        for (int p = 0; p < data->patterns; p++) {
            double logs[CLASSES], most = -DBL_MAX, all = 0.0;
            prune(tree, data, m, p, transition, frequency, partial, logs);
            for (int k = 0; k < CLASSES; k++)
                most = fmax(most, logs[k]);
            for (int k = 0; k < CLASSES; k++)
                all += weight[k] * exp(logs[k] - most);
            all = (1.0 - still) * all + still * constant(tree, data, p, frequency) * exp(-most);
            mine += data->count[p] * (most + log(all));
        }
#pragma omp critical(add)
        sum += mine;
        free(partial);
    }
    free(transition);
    return sum;
}

/* ---- priors --------------------------------------------------------------------------------------- */

/* Stirling's series, after the recurrence has made `x` large. */
static double log_gamma(double x)
{
    double product = 1.0;
    while (x < 8.0)
        product *= x++;
    const double inverse = 1.0 / x, square = inverse * inverse;
    const double series = inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260)));
    return (x - 0.5) * log(x) - x + 0.91893853320467274178 + series - log(product);
}

static double log_prior(const Tree *tree, const Model *m, const Priors *priors, const double *length)
{
    double lengths = 0.0, clock = 0.0, others = 0.0, total = 0.0;
#pragma omp parallel for reduction(- : lengths) reduction(+ : clock)
    for (int v = 0; v < tree->nodes - 1; v++) {
        const int parent = tree->node[v].parent;
        lengths -= length[v] / priors->mean_length + log(priors->mean_length);
        if (parent != tree->nodes - 1) {
            const double change = log(length[v] / length[parent]);
            clock += change * change;
        }
    }
    for (int e = 0; e < EXCHANGES; e++)
        others += (priors->shape - 1.0) * log(m->exchange[e]) - m->exchange[e] / priors->scale -
                  log_gamma(priors->shape) - priors->shape * log(priors->scale);
    for (int s = 0; s < STATES; s++)
        total += m->frequency[s];
    for (int s = 0; s < STATES; s++)
        others += (priors->concentration - 1.0) * log(m->frequency[s] / total);
    return lengths + others - 0.5 * priors->clock * clock;
}

/* ---- the program ---------------------------------------------------------------------------------- */

/* The lengths go towards their mean in each round; the posterior is that of all rounds on average. */
#pragma g2o grad (posterior, length)/(count, model, priors, length)
#pragma g2o jvp (posterior, length)/(count, model, priors, length)
double posterior(const Tree *tree, int patterns, const unsigned char *code, const double *count,
                 const Model *model, const Priors *priors, int rounds, double *length, int verbose)
{
    const Alignment data = {patterns, code, count};
    const int branches = tree->nodes - 1;
    double sum = 0.0;
    for (int round = 0; round < rounds; round++) {
        double mean = 0.0;
        const double likelihood = log_likelihood(tree, branches, &data, model, length);
        const double prior = log_prior(tree, model, priors, length);
        sum -= likelihood + prior;
        if (verbose)
            printf("%3d  likelihood %.6f  prior %.6f\n", round, likelihood, prior);
#pragma omp parallel
        {
#pragma omp for reduction(+ : mean)
            for (int b = 0; b < branches; b++)
                mean += length[b] / branches;
#pragma omp for
            for (int b = 0; b < branches; b++)
                length[b] = sqrt(length[b] * mean);
        }
    }
    return sum / rounds;
}

int main(int argc, char **argv)
{
    enum { TIPS = 16, NODES = 2 * TIPS - 1 };
    const int patterns = argc > 1 ? atoi(argv[1]) : 500;
    unsigned char *code = malloc((size_t)TIPS * patterns);
    double *count = malloc(patterns * sizeof(double)), length[NODES - 1];
    const Model model = {{1, 3, 1, 1, 3, 1}, {3, 2, 2, 3}, {0.2, 0.8, 2}, {0, 0, 0}, -2.0, 0.01};
    const Priors priors = {0.1, 2.0, 2.0, 1.0, 0.3};
    Node node[NODES];
    for (int v = 0; v < NODES; v++) {
        const int inner = v - TIPS;
        node[v].left = inner < 0 ? NOBODY : 2 * inner;
        node[v].right = inner < 0 ? NOBODY : 2 * inner + 1;
        node[v].parent = v == NODES - 1 ? NOBODY : TIPS + v / 2;
    }
    for (int v = 0; v < NODES - 1; v++)
        length[v] = 0.05 + 0.02 * (v % 5);
    for (int p = 0; p < patterns; p++) {
        count[p] = 1.0 + p % 7;
        for (int v = 0; v < TIPS; v++)
            code[v * patterns + p] = p % 11 == v ? 15 : 1 << (p * (p + v / 4) + v / 8 * p) % STATES;
    }
    const Tree tree = {TIPS, NODES, node};
    printf("posterior %.9e\n", posterior(&tree, patterns, code, count, &model, &priors, 3, length, 1));
    free(code);
    free(count);
    return 0;
}
