/*
 * Prices of options under local volatility, by finite differences, and calibration to a market.
 *
 * The volatility is a surface over the logarithm of the price and time: cubic (Catmull and Rom) in the
 * price, linear in the root of time. Each contract is priced backwards from its payoff with a
 * theta scheme (Rannacher: two implicit half steps in front of Crank and Nicolson's), an upwind
 * term where drift dominates, and dividends of known dates, after which the values are interpolated.
 * American contracts are projected onto their payoff in every step, barriers knock out on days.
 *
 * A correction for jumps (Merton) is explicit: an integral over the density of the sizes of jumps.
 *
 * The objective is the weighted error of implied prices against quotes, and how rough the surface is.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef M_SQRT1_2
#define M_SQRT1_2 0.70710678118654752440
#endif

#define KNOTS 6 /* of the surface, in price */
#define DATES 3 /* and in time */
#define SPREAD 4.0 /* of the grid, in standard deviations */
#define JUMPS 9 /* points of the quadrature */

typedef enum contract_kind { CALL, PUT, STRADDLE, DIGITAL } ContractKind;

typedef struct contract {
    ContractKind kind;
    bool american;
    double strike, maturity;
    double barrier; /* above; 0 without */
    double quote, weight;
} Contract;

typedef struct surface {
    double level[DATES][KNOTS]; /* volatilities */
    double date[DATES];
    double low, high; /* logarithms of prices */
} Surface;

typedef struct market {
    double spot, rate, yield;
    double jump_rate, jump_mean, jump_width;
    double dividend, dividend_date;
} Market;

typedef struct scheme {
    int points, steps;
    int smoothing; /* implicit steps in front */
    double theta;
} Scheme;

typedef struct grid {
    int n;
    double x0, dx;
} Grid;

/* ---- the surface ---------------------------------------------------------------------------------- */

static inline double cubic(double a, double b, double c, double d, double w)
{
    return b + 0.5 * w * (c - a + w * (2.0 * a - 5.0 * b + 4.0 * c - d + w * (3.0 * (b - c) + d - a)));
}

static double along_price(const double *knot, double place)
{
    int k = (int)place;
    if (place <= 0.0)
        return knot[0];
    if (place >= KNOTS - 1)
        return knot[KNOTS - 1];
    k = k > KNOTS - 2 ? KNOTS - 2 : k;
    const double before = k > 0 ? knot[k - 1] : knot[0];
    const double after = k + 2 < KNOTS ? knot[k + 2] : knot[KNOTS - 1];
    return cubic(before, knot[k], knot[k + 1], after, place - k);
}

static double volatility(const Surface *s, double x, double time)
{
    const double place = (x - s->low) / (s->high - s->low) * (KNOTS - 1);
    int d = 0;
    for (; d < DATES - 2; ++d)
        if (time < s->date[d + 1])
            break;
    double w = (sqrt(time) - sqrt(s->date[d])) / (sqrt(s->date[d + 1]) - sqrt(s->date[d]));
    w = w < 0.0 ? 0.0 : w > 1.0 ? 1.0 : w;
    const double sigma = (1.0 - w) * along_price(s->level[d], place) +
                         w * along_price(s->level[d + 1], place);
    return sigma > 0.01 ? sigma : 0.01 * exp(sigma / 0.01 - 1.0); /* stays above zero, smoothly */
}

static double roughness(const Surface *s)
{
    double sum = 0.0;
#pragma omp parallel for collapse(2) reduction(+ : sum)
    for (int d = 0; d < DATES; ++d)
        for (int k = 1; k < KNOTS - 1; ++k) {
            const double bend = s->level[d][k - 1] - 2.0 * s->level[d][k] + s->level[d][k + 1];
            double turn = 0.0;
            if (d > 0)
                turn = (s->level[d][k] - s->level[d - 1][k]) / (s->date[d] - s->date[d - 1]);
            sum += bend * bend + 0.05 * turn * turn;
        }
    return sum;
}

/* ---- contracts ------------------------------------------------------------------------------------ */

static double normal(double x)
{
    return 0.5 * erfc(-x * M_SQRT1_2);
}

static double payoff(const Contract *c, double price, double width)
{
    switch (c->kind) {
    case CALL:
        return fmax(price - c->strike, 0.0);
    case PUT:
        return fmax(c->strike - price, 0.0);
    case STRADDLE:
        return fabs(price - c->strike);
    case DIGITAL: /* smeared over a cell */
        return normal((price - c->strike) / width);
    }
    return 0.0;
}

/* Black and Scholes's price: for the vega that the error is measured in. */
static double vega(const Market *m, const Contract *c, double sigma)
{
    const double root = sqrt(c->maturity);
    const double d1 = (log(m->spot / c->strike) + (m->rate - m->yield) * c->maturity) / (sigma * root) +
                      0.5 * sigma * root;
    return m->spot * exp(-m->yield * c->maturity) * exp(-0.5 * d1 * d1) * root * 0.39894228040143268;
}

/* ---- finite differences --------------------------------------------------------------------------- */

static double between(const Grid *g, const double *v, double x)
{
    const double place = (x - g->x0) / g->dx;
    if (place <= 0.0)
        return v[0];
    if (place >= g->n - 1)
        return v[g->n - 1];
    const int i = (int)place;
    return v[i] + (place - i) * (v[i + 1] - v[i]);
}

/* What jumps of normal size bring on average, less what is expected in the drift. */
static void jumps(const Grid *g, const Market *m, const double *v, double *gain)
{
    static const double node[JUMPS] = {-3.0, -2.25, -1.5, -0.75, 0.0, 0.75, 1.5, 2.25, 3.0};
    double weight[JUMPS], total = 0.0;
    for (int q = 0; q < JUMPS; ++q)
        total += weight[q] = exp(-0.5 * node[q] * node[q]);
    for (int i = 0; i < g->n; ++i) {
        const double x = g->x0 + i * g->dx;
        double sum = 0.0;
        for (int q = 0; q < JUMPS; ++q)
            sum += weight[q] / total * between(g, v, x + m->jump_mean + m->jump_width * node[q]);
        gain[i] = m->jump_rate * (sum - v[i]);
    }
}

/* A step backwards from `time` to `time - dt`. */
static void step_back(const Grid *g, const Market *m, const Surface *s, double time, double dt,
                      double theta, double *v, double *work)
{
    const int n = g->n;
    double *low = work, *mid = work + n, *up = work + 2 * n, *right = work + 3 * n;
    const double at = time - dt * theta, dx = g->dx;
    const double drawn = exp(m->jump_mean + 0.5 * m->jump_width * m->jump_width) - 1.0;

    jumps(g, m, v, right);
    for (int i = 1; i < n - 1; ++i) {
        const double sigma = volatility(s, g->x0 + i * dx, at > 0.0 ? at : 0.0);
        const double half = 0.5 * sigma * sigma;
        const double drift = m->rate - m->yield - m->jump_rate * drawn - half;
        const double second = half / (dx * dx);
        double a, c;
        if (fabs(drift) * dx <= 2.0 * half) {
            a = second - 0.5 * drift / dx;
            c = second + 0.5 * drift / dx;
        } else { /* upwind */
            a = second + (drift < 0.0 ? -drift / dx : 0.0);
            c = second + (drift > 0.0 ? drift / dx : 0.0);
        }
        const double b = -a - c - m->rate;
        right[i] = v[i] + dt * right[i] + (1.0 - theta) * dt * (a * v[i - 1] + b * v[i] + c * v[i + 1]);
        low[i] = -theta * dt * a;
        mid[i] = 1.0 - theta * dt * b;
        up[i] = -theta * dt * c;
    }
    /* linear in the logarithm outside: v[0] - 2 v[1] + v[2] = 0, put into the next row */
    mid[1] += 2.0 * low[1];
    up[1] -= low[1];
    mid[n - 2] += 2.0 * up[n - 2];
    low[n - 2] -= up[n - 2];
    for (int i = 2; i < n - 1; ++i) {
        const double w = low[i] / mid[i - 1];
        mid[i] -= w * up[i - 1];
        right[i] -= w * right[i - 1];
    }
    v[n - 2] = right[n - 2] / mid[n - 2];
    for (int i = n - 3; i > 0; --i)
        v[i] = (right[i] - up[i] * v[i + 1]) / mid[i];
    v[0] = 2.0 * v[1] - v[2];
    v[n - 1] = 2.0 * v[n - 2] - v[n - 3];
}

/* The price drops by the dividend: the value is that of a lower price. */
static void pay_dividend(const Grid *g, double dividend, double *v, double *before)
{
    memcpy(before, v, g->n * sizeof(double));
    for (int i = 0; i < g->n; ++i) {
        const double price = exp(g->x0 + i * g->dx);
        const double less = price > 2.0 * dividend ? price - dividend : 0.5 * price;
        v[i] = between(g, before, log(less));
    }
}

static double price(const Market *m, const Surface *s, const Scheme *scheme, const Contract *c,
                    double *work)
{
    const int n = scheme->points;
    double *v = work, *early = work + n, *rest = work + 2 * n;
    const double middle = along_price(s->level[DATES - 1], 0.5 * (KNOTS - 1));
    const double reach = SPREAD * middle * sqrt(c->maturity) + 0.1;
    const Grid grid = {n, log(m->spot) - reach, 2.0 * reach / (n - 1)};
    double time = c->maturity;

    for (int i = 0; i < n; ++i) {
        const double p = exp(grid.x0 + i * grid.dx);
        early[i] = v[i] = payoff(c, p, p * grid.dx);
    }
    for (int k = 0; k < scheme->steps; ++k) {
        const bool smooth = k < scheme->smoothing;
        const double dt = c->maturity / scheme->steps, until = time - dt;
        if (smooth) {
            step_back(&grid, m, s, time, 0.5 * dt, 1.0, v, rest);
            step_back(&grid, m, s, time - 0.5 * dt, 0.5 * dt, 1.0, v, rest);
        } else {
            step_back(&grid, m, s, time, dt, scheme->theta, v, rest);
        }
        if (m->dividend > 0.0 && m->dividend_date <= time && m->dividend_date > until)
            pay_dividend(&grid, m->dividend, v, rest);
        if (c->american)
            for (int i = 0; i < n; ++i)
                v[i] = fmax(v[i], early[i]);
        if (c->barrier > 0.0)
            for (int i = n - 1; i >= 0 && grid.x0 + i * grid.dx > log(c->barrier); --i)
                v[i] = 0.0;
        time = until;
    }
    return between(&grid, v, log(m->spot));
}

/* ---- calibration ---------------------------------------------------------------------------------- */

/* The error of the surface; prices are those that the model gives. */
#pragma g2o grad (calibrate, prices)/(market, surface, contracts, smoothness, prices)
#pragma g2o jvp (calibrate, prices)/(market, surface, contracts, smoothness, prices)
double calibrate(const Market *market, const Surface *surface, const Scheme *scheme, int count,
                 const Contract *contracts, double smoothness, double *prices, int talk)
{
    double error = 0.0, worst = 0.0;
#pragma omp parallel
    {
        double *work = malloc(7 * scheme->points * sizeof(double));
#pragma omp for schedule(dynamic, 1) nowait
        for (int k = 0; k < count; ++k)
            prices[k] = price(market, surface, scheme, contracts + k, work);
        free(work);
    }
#pragma omp parallel for reduction(+ : error) reduction(max : worst)
    for (int k = 0; k < count; ++k) {
        const Contract *c = contracts + k;
        const double unit = 0.01 * vega(market, c, 0.25) + 1e-2;
        const double misses = (prices[k] - c->quote) / unit;
        error += c->weight * log1p(misses * misses);
        if (fabs(misses) > worst)
            worst = fabs(misses);
    }
    if (talk) {
        for (int k = 0; k < count; ++k)
            printf("%3d  strike %7.2f  %5.2f years  price %9.4f  quote %9.4f\n", k,
                   contracts[k].strike, contracts[k].maturity, prices[k], contracts[k].quote);
        printf("worst: %.3f points of volatility\n", worst);
    }
    return error / count + smoothness * roughness(surface) + 0.01 * worst;
}

int main(int argc, char **argv)
{
    enum { COUNT = 12 };
    const Scheme scheme = {argc > 1 ? atoi(argv[1]) : 200, argc > 2 ? atoi(argv[2]) : 100, 2, 0.5};
    const Market market = {100.0, 0.03, 0.01, 0.2, -0.1, 0.15, 1.5, 0.4};
    Surface surface = {.date = {0.0, 0.5, 2.0}, .low = log(60.0), .high = log(160.0)};
    Contract contracts[COUNT];
    double prices[COUNT];

    for (int d = 0; d < DATES; ++d)
        for (int k = 0; k < KNOTS; ++k)
            surface.level[d][k] = 0.22 + 0.015 * (KNOTS - k) - 0.01 * d;
    for (int k = 0; k < COUNT; ++k) {
        const double maturity = 0.25 * (1 + k / 4), strike = 85.0 + 10.0 * (k % 4);
        contracts[k] = (Contract){(ContractKind)(k % 4), k % 3 == 0, strike, maturity,
                                  k == 8 ? 130.0 : 0.0,  8.0,        1.0};
    }
    printf("error %.9e\n", calibrate(&market, &surface, &scheme, COUNT, contracts, 0.1, prices, 1));
    return 0;
}
