/* LAPACKE of plain loops: what g2o_cusolver.hpp calls of it in the tests, by columns. */
#include <assert.h>
#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#define AT(a, i, j) a[(size_t)(j) * (size_t)ld##a + (size_t)(i)]

/* Eigenvalues of a Hermitian matrix by rotations, which are gathered in its place. */
static void rotate_all(int n, double complex *a, int lda, double *w)
{
    double complex *v = calloc((size_t)(n * n), sizeof(*v));
    const int ldv = n;
    for (int i = 0; i < n; ++i)
        AT(v, i, i) = 1;
    for (int sweep = 0; sweep < 60; ++sweep)
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q) {
                const double complex off = AT(a, p, q);
                if (cabs(off) < 1e-300)
                    continue;
                const double turn = creal(AT(a, q, q)) - creal(AT(a, p, p));
                const double angle = 0.5 * atan2(2 * cabs(off), turn);
                const double complex c = cos(angle), s = sin(angle) * off / cabs(off);
                for (int k = 0; k < n; ++k) { /* columns, then rows */
                    const double complex x = AT(a, k, p), y = AT(a, k, q);
                    const double complex f = AT(v, k, p), g = AT(v, k, q);
                    AT(a, k, p) = c * x - conj(s) * y;
                    AT(a, k, q) = s * x + c * y;
                    AT(v, k, p) = c * f - conj(s) * g;
                    AT(v, k, q) = s * f + c * g;
                }
                for (int k = 0; k < n; ++k) {
                    const double complex x = AT(a, p, k), y = AT(a, q, k);
                    AT(a, p, k) = c * x - s * y;
                    AT(a, q, k) = conj(s) * x + c * y;
                }
            }
    char *taken = calloc((size_t)n, 1);
    double complex *kept = malloc(sizeof(*kept) * (size_t)(n * n));
    const int ldkept = n;
    for (int j = 0; j < n; ++j) {
        int least = -1;
        for (int i = 0; i < n; ++i)
            if (!taken[i] && (least < 0 || creal(AT(a, i, i)) < creal(AT(a, least, least))))
                least = i;
        taken[least] = 1;
        w[j] = creal(AT(a, least, least));
        for (int i = 0; i < n; ++i)
            AT(kept, i, j) = AT(v, i, least);
    }
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            AT(a, i, j) = AT(kept, i, j);
    free(kept);
    free(taken);
    free(v);
}

int LAPACKE_zheevd(int layout, char job, char triangle, int n, double complex *a, int lda, double *w)
{
    assert(layout == LAPACK_COL_MAJOR && (job == 'N' || job == 'V'));
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < j; ++i)
            if (triangle == 'L')
                AT(a, i, j) = conj(AT(a, j, i));
            else
                AT(a, j, i) = conj(AT(a, i, j));
    rotate_all(n, a, lda, w);
    return 0;
}

int LAPACKE_dsyevd(int layout, char job, char triangle, int n, double *a, int lda, double *w)
{
    double complex *copy = malloc(sizeof(*copy) * (size_t)(n * n));
    const int ldcopy = n;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            AT(copy, i, j) = AT(a, i, j);
    const int info = LAPACKE_zheevd(layout, job, triangle, n, copy, n, w);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            AT(a, i, j) = creal(AT(copy, i, j));
    free(copy);
    return info;
}

/* From the eigenvectors of transposed(a) * a. */
int LAPACKE_sgesvd(int layout, char jobu, char jobvt, int m, int n, float *a, int lda, float *s,
                   float *u, int ldu, float *vt, int ldvt, float *super)
{
    assert(layout == LAPACK_COL_MAJOR && jobu == 'S' && jobvt == 'S' && m >= n && super);
    double *gram = malloc(sizeof(*gram) * (size_t)(n * n)), *w = malloc(sizeof(*w) * (size_t)n);
    const int ldgram = n;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            AT(gram, i, j) = 0;
            for (int k = 0; k < m; ++k)
                AT(gram, i, j) += (double)AT(a, k, i) * (double)AT(a, k, j);
        }
    LAPACKE_dsyevd(layout, 'V', 'L', n, gram, n, w);
    for (int j = 0; j < n; ++j) {
        s[j] = (float)sqrt(w[n - 1 - j]);
        for (int i = 0; i < n; ++i)
            AT(vt, j, i) = (float)AT(gram, i, n - 1 - j);
        for (int i = 0; i < m; ++i) {
            double sum = 0;
            for (int k = 0; k < n; ++k)
                sum += (double)AT(a, i, k) * AT(gram, k, n - 1 - j);
            AT(u, i, j) = (float)(sum / (double)s[j]);
        }
    }
    free(gram);
    free(w);
    return 0;
}

int LAPACKE_dpotrf(int layout, char triangle, int n, double *a, int lda)
{
    assert(layout == LAPACK_COL_MAJOR && triangle == 'L');
    for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i) {
            for (int k = 0; k < j; ++k)
                AT(a, i, j) -= AT(a, i, k) * AT(a, j, k);
            if (i == j && AT(a, j, j) <= 0)
                return j + 1;
            AT(a, i, j) = i == j ? sqrt(AT(a, j, j)) : AT(a, i, j) / AT(a, j, j);
        }
    return 0;
}

int LAPACKE_dpotrs(int layout, char triangle, int n, int columns, const double *a, int lda,
                   double *b, int ldb)
{
    assert(layout == LAPACK_COL_MAJOR && triangle == 'L');
    for (int c = 0; c < columns; ++c) {
        for (int i = 0; i < n; ++i) {
            for (int k = 0; k < i; ++k)
                AT(b, i, c) -= AT(a, i, k) * AT(b, k, c);
            AT(b, i, c) /= AT(a, i, i);
        }
        for (int i = n - 1; i >= 0; --i) {
            for (int k = i + 1; k < n; ++k)
                AT(b, i, c) -= AT(a, k, i) * AT(b, k, c);
            AT(b, i, c) /= AT(a, i, i);
        }
    }
    return 0;
}

int LAPACKE_sgetrf(int layout, int m, int n, float *a, int lda, int *pivots)
{
    assert(layout == LAPACK_COL_MAJOR && m == n);
    for (int k = 0; k < n; ++k) {
        int most = k;
        for (int i = k; i < n; ++i)
            most = fabsf(AT(a, i, k)) > fabsf(AT(a, most, k)) ? i : most;
        pivots[k] = most + 1;
        for (int j = 0; j < n; ++j) {
            const float old = AT(a, k, j);
            AT(a, k, j) = AT(a, most, j);
            AT(a, most, j) = old;
        }
        for (int i = k + 1; i < n; ++i) {
            AT(a, i, k) /= AT(a, k, k);
            for (int j = k + 1; j < n; ++j)
                AT(a, i, j) -= AT(a, i, k) * AT(a, k, j);
        }
    }
    return 0;
}

int LAPACKE_sgetrs(int layout, char turned, int n, int columns, const float *a, int lda,
                   const int *pivots, float *b, int ldb)
{
    assert(layout == LAPACK_COL_MAJOR && turned == 'T' && columns == 1);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k)
            AT(b, i, 0) -= AT(a, k, i) * AT(b, k, 0);
        AT(b, i, 0) /= AT(a, i, i);
    }
    for (int i = n - 1; i >= 0; --i)
        for (int k = i + 1; k < n; ++k)
            AT(b, i, 0) -= AT(a, k, i) * AT(b, k, 0);
    for (int i = n - 1; i >= 0; --i) {
        const float old = AT(b, i, 0);
        AT(b, i, 0) = AT(b, pivots[i] - 1, 0);
        AT(b, pivots[i] - 1, 0) = old;
    }
    return 0;
}

/* c -= tau v (transposed(v) c), where v is column k of a below a 1 at its place k. */
static void reflect(int m, int k, const double *a, int lda, double tau, double *c)
{
    double sum = c[k];
    for (int i = k + 1; i < m; ++i)
        sum += AT(a, i, k) * c[i];
    c[k] -= tau * sum;
    for (int i = k + 1; i < m; ++i)
        c[i] -= tau * sum * AT(a, i, k);
}

int LAPACKE_dgeqrf(int layout, int m, int n, double *a, int lda, double *tau)
{
    assert(layout == LAPACK_COL_MAJOR && m >= n);
    for (int k = 0; k < n; ++k) {
        double norm = 0;
        for (int i = k; i < m; ++i)
            norm += AT(a, i, k) * AT(a, i, k);
        norm = AT(a, k, k) > 0 ? -sqrt(norm) : sqrt(norm);
        tau[k] = (norm - AT(a, k, k)) / norm;
        for (int i = k + 1; i < m; ++i)
            AT(a, i, k) /= AT(a, k, k) - norm;
        AT(a, k, k) = norm;
        for (int j = k + 1; j < n; ++j)
            reflect(m, k, a, lda, tau[k], &AT(a, 0, j));
    }
    return 0;
}

int LAPACKE_dormqr(int layout, char side, char turned, int m, int n, int k, const double *a,
                   int lda, const double *tau, double *c, int ldc)
{
    assert(layout == LAPACK_COL_MAJOR && side == 'L' && turned == 'T');
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < k; ++i)
            reflect(m, i, a, lda, tau[i], &AT(c, 0, j));
    return 0;
}

int LAPACKE_dorgqr(int layout, int m, int n, int k, double *a, int lda, const double *tau)
{
    assert(layout == LAPACK_COL_MAJOR);
    double *q = calloc((size_t)(m * n), sizeof(*q));
    const int ldq = m;
    for (int j = 0; j < n; ++j) {
        AT(q, j, j) = 1;
        for (int i = k - 1; i >= 0; --i)
            reflect(m, i, a, lda, tau[i], &AT(q, 0, j));
    }
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
            AT(a, i, j) = AT(q, i, j);
    free(q);
    return 0;
}
