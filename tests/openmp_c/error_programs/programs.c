// Functions whose variables have types of their own: `real_x` is that of `x`, `real_u_v` of both.
#include <math.h>

// A chain of springs: two loops in each step, and a sum.
double springs(int n, int steps, real_a a, const real_start *start, real_x *x, real_v *v)
{
    real_energy energy = 0;
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        x[i] = start[i];
        v[i] = 0;
    }
    for (int t = 0; t < steps; ++t) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; ++i)
            v[i] += a * (x[i - 1] - 2 * x[i] + x[i + 1]);
#pragma omp parallel for
        for (int i = 1; i < n - 1; ++i)
            x[i] += v[i];
    }
#pragma omp parallel for reduction(+ : energy)
    for (int i = 0; i < n; ++i)
        energy += v[i] * v[i] + a * x[i] * x[i];
    return energy;
}

// The mean and the variance of numbers.
double variance(int n, const real_x *x)
{
    real_mean mean = 0;
#pragma omp parallel for reduction(+ : mean)
    for (int i = 0; i < n; ++i)
        mean += x[i];
    mean /= n;
    real_sum sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i) {
        real_off off = x[i] - mean;
        sum += off * off;
    }
    return sum / n;
}

// Bodies pull at each other: a function of the file, numbers that are private to iterations.
static real_dx_dy_d2 force(real_dx_dy_d2 dx, real_dx_dy_d2 dy)
{
    real_dx_dy_d2 d2 = dx * dx + dy * dy + (real_dx_dy_d2)0.25;
    return 1 / (d2 * sqrt(d2));
}

double bodies(int n, const real_px_py *px, const real_px_py *py, const real_m *m, real_ax_total *ax)
{
    real_ax_total total = 0;
#pragma omp parallel for schedule(dynamic, 3)
    for (int i = 0; i < n; ++i) {
        real_sum sum = 0;
        for (int j = 0; j < n; ++j) {
            real_dx_dy_d2 dx = px[j] - px[i], dy = py[j] - py[i];
            sum += m[j] * force(dx, dy) * dx;
        }
        ax[i] = sum;
    }
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; ++i)
        total += m[i] * ax[i] * ax[i];
    return total;
}

// Some steps of conjugate gradients, with a matrix in rows of nonzeros.
double gradients(int n, int steps, const int *row, const int *column, const real_a_b *a,
                 const real_a_b *b, real_x_r_p *x, real_x_r_p *r, real_x_r_p *p, real_q_sum *q)
{
    real_rho_pq_alpha_beta_next rho = 0;
#pragma omp parallel for reduction(+ : rho)
    for (int i = 0; i < n; ++i) {
        x[i] = 0;
        r[i] = b[i];
        p[i] = b[i];
        rho += b[i] * b[i];
    }
    for (int step = 0; step < steps; ++step) {
        real_rho_pq_alpha_beta_next pq = 0;
#pragma omp parallel for
        for (int i = 0; i < n; ++i) {
            real_q_sum sum = 0;
            for (int k = row[i]; k < row[i + 1]; ++k)
                sum += a[k] * p[column[k]];
            q[i] = sum;
        }
#pragma omp parallel for reduction(+ : pq)
        for (int i = 0; i < n; ++i)
            pq += p[i] * q[i];
        real_rho_pq_alpha_beta_next alpha = rho / pq;
        real_rho_pq_alpha_beta_next next = 0;
#pragma omp parallel for reduction(+ : next)
        for (int i = 0; i < n; ++i) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
            next += r[i] * r[i];
        }
        real_rho_pq_alpha_beta_next beta = next / rho;
        rho = next;
#pragma omp parallel for
        for (int i = 0; i < n; ++i)
            p[i] = r[i] + beta * p[i];
    }
    real_result result = 0;
#pragma omp parallel for reduction(+ : result)
    for (int i = 0; i < n; ++i)
        result += b[i] * x[i];
    return result;
}

// A layer of neurons, and how far its outcome is from what was wanted.
double layer(int n, const real_w *w, const real_bias_in *bias, const real_bias_in *in, const real_want_miss *want,
             real_sum_out *out)
{
    real_loss loss = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; ++i) {
            real_sum_out sum = bias[i];
            for (int j = 0; j < n; ++j)
                sum += w[i * n + j] * in[j];
            out[i] = tanh(sum);
        }
#pragma omp for reduction(+ : loss)
        for (int i = 0; i < n; ++i) {
            real_want_miss miss = out[i] - want[i];
            loss += miss * miss;
        }
    }
    return loss / n;
}

// The logarithm of a sum of exponentials.
double logarithm(int n, const real_x *x, const real_scale scale)
{
    real_sum sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i)
        sum += exp(scale * x[i]);
    return log(sum);
}

// Shallow water in a ring: fluxes, then heights and speeds.
double water(int n, int steps, real_dt dt, const real_start *start, real_h_u *h, real_h_u *u,
             real_fh_fu *fh, real_fh_fu *fu)
{
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        h[i] = 1 + start[i] * start[i];
        u[i] = start[i] / 4;
    }
    for (int t = 0; t < steps; ++t) {
#pragma omp parallel for
        for (int i = 0; i < n; ++i) {
            fh[i] = h[i] * u[i];
            fu[i] = u[i] * u[i] / 2 + h[i];
        }
#pragma omp parallel for
        for (int i = 0; i < n; ++i) {
            int next = i + 1 < n ? i + 1 : 0, last = i > 0 ? i - 1 : n - 1;
            h[i] -= dt * (fh[next] - fh[last]);
            u[i] -= dt * (fu[next] - fu[last]);
        }
    }
    real_energy energy = 0;
#pragma omp parallel for reduction(+ : energy)
    for (int i = 0; i < n; ++i)
        energy += h[i] * u[i] * u[i] + h[i] * h[i];
    return energy;
}

// A polynomial by Horner's rule, and products of what threads have.
double products(int n, const real_c *c, const real_x *x)
{
    real_sum sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(guided)
    for (int i = 0; i < n; ++i) {
        real_value value = 0;
        for (int k = 0; k < 8; ++k)
            value = value * x[i] + c[k];
        sum += value / (1 + x[i] * x[i]);
    }
    return sum;
}
