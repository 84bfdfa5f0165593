// cuFFT: its types, and its functions.
#pragma once
#include <cstddef>

#include "cuComplex.h"

enum cufftResult {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_UNALIGNED_DATA = 9,
    CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
    CUFFT_INVALID_DEVICE = 11,
    CUFFT_PARSE_ERROR = 12,
    CUFFT_NO_WORKSPACE = 13,
    CUFFT_NOT_IMPLEMENTED = 14,
    CUFFT_LICENSE_ERROR = 15,
    CUFFT_NOT_SUPPORTED = 16
};
enum cufftType {
    CUFFT_C2C = 0x29,
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_Z2Z = 0x69,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c
};
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
typedef cufftResult cufftResult_t;
typedef cufftType cufftType_t;
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

cufftResult cufftCreate(cufftHandle *handle);
cufftResult cufftDestroy(cufftHandle handle);
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream);
cufftResult cufftGetVersion(int *version);
cufftResult cufftGetSize(cufftHandle handle, std::size_t *work);
cufftResult cufftSetAutoAllocation(cufftHandle handle, int automatic);
cufftResult cufftSetWorkArea(cufftHandle handle, void *work);
cufftResult cufftPlan1d(cufftHandle *handle, int nx, cufftType type, int batch);
cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch,
                            std::size_t *work);
cufftResult cufftPlan2d(cufftHandle *handle, int nx, int ny, cufftType type);
cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, std::size_t *work);
cufftResult cufftPlan3d(cufftHandle *handle, int nx, int ny, int nz, cufftType type);
cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type,
                            std::size_t *work);
cufftResult cufftPlanMany(cufftHandle *handle, int rank, int *n, int *inembed, int istride,
                          int idist, int *onembed, int ostride, int odist, cufftType type,
                          int batch);
cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch, std::size_t *work);
cufftResult cufftExecC2C(cufftHandle handle, cufftComplex *in, cufftComplex *out, int direction);
cufftResult cufftExecR2C(cufftHandle handle, cufftReal *in, cufftComplex *out);
cufftResult cufftExecC2R(cufftHandle handle, cufftComplex *in, cufftReal *out);
cufftResult cufftExecZ2Z(cufftHandle handle, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction);
cufftResult cufftExecD2Z(cufftHandle handle, cufftDoubleReal *in, cufftDoubleComplex *out);
cufftResult cufftExecZ2D(cufftHandle handle, cufftDoubleComplex *in, cufftDoubleReal *out);
