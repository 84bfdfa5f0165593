/* FFTW of sums over all numbers: what g2o_cufft.hpp calls of it. */
#include <assert.h>
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <stdlib.h>

/* Of one transform of at most three dimensions; a half has the numbers beside real ones. */
typedef struct {
    int n[3], in[3], out[3], istride, ostride, sign, from_real, to_real;
} Plan;

static int place(const int *embedded, const int *at, int stride)
{
    return ((at[0] * embedded[1] + at[1]) * embedded[2] + at[2]) * stride;
}

static Plan *planned(int rank, const int *n, int count, const int *inembed, int istride,
                     const int *onembed, int ostride, int sign, int from_real, int to_real)
{
    Plan *plan = calloc(1, sizeof(Plan));
    assert(rank <= 3 && count == 1);
    for (int d = 0; d < 3; ++d) {
        const int own = d - (3 - rank);
        plan->n[d] = own < 0 ? 1 : n[own];
        plan->in[d] = own < 0 ? 1 : inembed[own];
        plan->out[d] = own < 0 ? 1 : onembed[own];
    }
    plan->istride = istride;
    plan->ostride = ostride;
    plan->sign = sign;
    plan->from_real = from_real;
    plan->to_real = to_real;
    return plan;
}

#define FOR_EACH(at, n, last)                                                                      \
    for (at[0] = 0; at[0] < n[0]; ++at[0])                                                         \
        for (at[1] = 0; at[1] < n[1]; ++at[1])                                                     \
            for (at[2] = 0; at[2] < (last); ++at[2])

#define FUNCTIONS(x, R, Complex)                                                                   \
    static void x##_sums(const Plan *plan, const void *in, void *out)                              \
    {                                                                                              \
        const int *n = plan->n, half = n[2] / 2 + 1, total = n[0] * n[1] * n[2];                   \
        double complex *all = calloc((size_t)total, sizeof(double complex));                       \
        int at[3], to[3];                                                                          \
        FOR_EACH (at, n, n[2]) {                                                                   \
            const int mirrored = plan->to_real && at[2] >= half;                                   \
            const int from[3] = {mirrored ? (n[0] - at[0]) % n[0] : at[0],                         \
                                 mirrored ? (n[1] - at[1]) % n[1] : at[1],                         \
                                 mirrored ? n[2] - at[2] : at[2]};                                 \
            const int where = place(plan->in, from, plan->istride);                                \
            const double complex value =                                                           \
                plan->from_real ? ((const R *)in)[where] : ((const Complex *)in)[where];           \
            all[place(n, at, 1)] = mirrored ? conj(value) : value;                                 \
        }                                                                                          \
        FOR_EACH (to, n, plan->from_real ? half : n[2]) {                                          \
            double complex sum = 0;                                                                \
            FOR_EACH (at, n, n[2]) {                                                               \
                double turns = 0;                                                                  \
                for (int d = 0; d < 3; ++d)                                                        \
                    turns += (double)(at[d] * to[d] % n[d]) / n[d];                                \
                sum += all[place(n, at, 1)] *                                                      \
                       cexp(plan->sign * 2 * 3.14159265358979323846 * turns * I);                  \
            }                                                                                      \
            const int where = place(plan->out, to, plan->ostride);                                 \
            if (plan->to_real)                                                                     \
                ((R *)out)[where] = (R)creal(sum);                                                 \
            else                                                                                   \
                ((Complex *)out)[where] = (Complex)sum;                                            \
        }                                                                                          \
        free(all);                                                                                 \
    }                                                                                              \
    x##_plan x##_plan_many_dft(int rank, const int *n, int count, x##_complex *in,                 \
                               const int *inembed, int istride, int idist, x##_complex *out,       \
                               const int *onembed, int ostride, int odist, int sign,               \
                               unsigned flags)                                                     \
    {                                                                                              \
        (void)in, (void)out, (void)idist, (void)odist, (void)flags;                                \
        return (x##_plan)planned(rank, n, count, inembed, istride, onembed, ostride, sign, 0, 0);  \
    }                                                                                              \
    x##_plan x##_plan_many_dft_r2c(int rank, const int *n, int count, R *in, const int *inembed,   \
                                   int istride, int idist, x##_complex *out, const int *onembed,   \
                                   int ostride, int odist, unsigned flags)                         \
    {                                                                                              \
        (void)in, (void)out, (void)idist, (void)odist, (void)flags;                                \
        return (x##_plan)planned(rank, n, count, inembed, istride, onembed, ostride, -1, 1, 0);    \
    }                                                                                              \
    x##_plan x##_plan_many_dft_c2r(int rank, const int *n, int count, x##_complex *in,             \
                                   const int *inembed, int istride, int idist, R *out,             \
                                   const int *onembed, int ostride, int odist, unsigned flags)     \
    {                                                                                              \
        (void)in, (void)out, (void)idist, (void)odist, (void)flags;                                \
        return (x##_plan)planned(rank, n, count, inembed, istride, onembed, ostride, 1, 0, 1);     \
    }                                                                                              \
    void x##_execute_dft(const x##_plan plan, x##_complex *in, x##_complex *out)                   \
    {                                                                                              \
        x##_sums((const Plan *)plan, in, out);                                                     \
    }                                                                                              \
    void x##_execute_dft_r2c(const x##_plan plan, R *in, x##_complex *out)                         \
    {                                                                                              \
        x##_sums((const Plan *)plan, in, out);                                                     \
    }                                                                                              \
    void x##_execute_dft_c2r(const x##_plan plan, x##_complex *in, R *out)                         \
    {                                                                                              \
        x##_sums((const Plan *)plan, in, out);                                                     \
    }                                                                                              \
    int x##_alignment_of(R *array) { return (int)((size_t)array % 16); }                           \
    void x##_destroy_plan(x##_plan plan) { free(plan); }

FUNCTIONS(fftwf, float, float complex)
FUNCTIONS(fftw, double, double complex)
