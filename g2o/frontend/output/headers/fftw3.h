// FFTW as far as g2o_cufft.hpp calls it: what is written is read without a library.
#ifndef FFTW3_H
#define FFTW3_H

#ifdef __cplusplus
extern "C" {
#endif

#define FFTW_FORWARD (-1)
#define FFTW_BACKWARD (+1)
#define FFTW_UNALIGNED (1U << 1)
#define FFTW_PRESERVE_INPUT (1U << 4)
#define FFTW_ESTIMATE (1U << 6)

#define G2O_FFTW(x, R)                                                                             \
    typedef R x##_complex[2];                                                                      \
    typedef struct x##_plan_s *x##_plan;                                                           \
    x##_plan x##_plan_many_dft(int, const int *, int, x##_complex *, const int *, int, int,        \
                               x##_complex *, const int *, int, int, int, unsigned);               \
    x##_plan x##_plan_many_dft_r2c(int, const int *, int, R *, const int *, int, int,              \
                                   x##_complex *, const int *, int, int, unsigned);                \
    x##_plan x##_plan_many_dft_c2r(int, const int *, int, x##_complex *, const int *, int, int,    \
                                   R *, const int *, int, int, unsigned);                          \
    void x##_execute_dft(const x##_plan, x##_complex *, x##_complex *);                            \
    void x##_execute_dft_r2c(const x##_plan, R *, x##_complex *);                                  \
    void x##_execute_dft_c2r(const x##_plan, x##_complex *, R *);                                  \
    int x##_alignment_of(R *);                                                                     \
    void x##_destroy_plan(x##_plan);
G2O_FFTW(fftwf, float)
G2O_FFTW(fftw, double)
#undef G2O_FFTW

#ifdef __cplusplus
}
#endif
#endif // FFTW3_H
