"""Names of CUDA that no translation exists for: why, and what to do about each."""

from __future__ import annotations

from typing import Final

from g2o.frontend.cuda.naming import prefixed, read_only, words

_CAPTURE = "this use of stream capture is not supported: begin and end it with one stream"
_GRAPHS = "this part of graphs is not supported: use nodes of kernels, copies and host functions"
_GRAPHICS = "graphics interoperability is not supported: copy through host memory"
_EXTERNAL = "external memory is not supported: copy through host memory"
_MIPMAPS = "mipmapped arrays are not supported: use one array for each level"
_POOLS = "memory pools are not supported: use cudaMallocAsync and cudaFreeAsync"
_SURFACES = "this use of surfaces is not supported: use a surface object"
_TEXTURES = "this texture fetch is not supported: use tex1Dfetch, tex1D, tex2D or tex3D"
_REFERENCES = "this use of texture references is not supported: use a texture object"
_SPACES = "address spaces are not supported: all memory is one address space"
_CLUSTERS = "clusters of blocks are not supported: synchronise with one block or with the grid"
_ONE_DEVICE = "there is one device: remove the call"
_GENERATOR = "this generator of cuRAND is not supported: use curandState or the Philox one"
_CURAND_HOST = "this part of cuRAND's host API is not supported: fill the array with <random>"

UNSUPPORTED: Final = read_only(
    {
        "cublas*": "this part of cuBLAS is not supported: call a CPU BLAS (cblas_*) in its place",
        "cusparse*": "this part of cuSPARSE is not supported: write the operation as a loop",
        "cusolver*": "this part of cuSOLVER is not supported: call LAPACK in its place",
        "cufft*": "this part of cuFFT is not supported: call FFTW in its place",
        "cudnn*": "cuDNN has no counterpart in g2o: call oneDNN in its place",
        "nccl*": "NCCL has no counterpart in g2o: there is one device, remove the exchange",
        "nvtx*": "this part of NVTX is not supported: it is for profilers, remove the call",
        "nvml*": "NVML reads the state of NVIDIA devices: remove the call",
        "wmma": "tensor-core fragments have no counterpart in g2o: write the product as a loop",
        "CURAND_*": _CURAND_HOST,
        **dict.fromkeys(prefixed("curandState", "MRG32k3a* Sobol* Scrambled* Mtgp32*"), _GENERATOR),
        "curandDirectionVector*": _GENERATOR,
        **dict.fromkeys(words("curand_discrete curand_poisson4"), _GENERATOR),
        **dict.fromkeys(words("skipahead_sequence curand_log_normal2_double"), _GENERATOR),
        **dict.fromkeys(
            prefixed(
                "curand",
                "Status* RngType* Ordering* Generator* DiscreteDistribution* Create* Destroy*"
                " Set* Generate* Get*",
            ),
            _CURAND_HOST,
        ),
        "cudaGraph*": _GRAPHS,
        **dict.fromkeys(
            prefixed("cudaStream", "BeginCaptureToGraph GetCaptureInfo* UpdateCapture* Capture*"),
            _CAPTURE,
        ),
        "cudaStreamTailLaunch": "a grid that waits for the one that launches it is not supported:"
        " launch it from the host, behind that kernel",
        "cudaIpc*": "memory of other processes is not supported: use the system's shared memory",
        **dict.fromkeys(prefixed("cuda", "Graphics* GL* VDPAU* EGL*"), _GRAPHICS),
        **dict.fromkeys(prefixed("cuda", "External* ImportExternal*"), _EXTERNAL),
        **dict.fromkeys(prefixed("cuda", "MemPool*"), _POOLS),
        **dict.fromkeys(
            prefixed(
                "cuda",
                "MipmappedArray* MallocMipmappedArray FreeMipmappedArray"
                " GetMipmappedArrayLevel ResourceView* ResViewFormat*",
            ),
            _MIPMAPS,
        ),
        **dict.fromkeys(
            prefixed(
                "cuda",
                "SurfaceType* BindSurfaceToArray FormatMode* SurfaceFormatMode"
                " GetSurfaceObjectResourceDesc GetSurfaceReference",
            ),
            _SURFACES,
        ),
        "surfaceReference": _SURFACES,
        **dict.fromkeys(
            words("cudaGetTextureReference cudaGetTextureAlignmentOffset textureReference"),
            _REFERENCES,
        ),
        "cudaTextureType*": _TEXTURES,
        "cudaLaunchAttribute*": "this attribute of launches is not supported: leave it out",
        **dict.fromkeys(
            words(
                """
                cudaLaunchCooperativeKernelMultiDevice cudaLaunchParams cudaSetValidDevices
                cudaMemcpy3DPeer cudaMemcpy3DPeerParms
                """
            ),
            _ONE_DEVICE,
        ),
        "cuTensorMap*": "tensor maps have no counterpart in g2o: copy with a loop",
        "__pipeline*": "asynchronous copies are not supported: copy with plain assignments",
        **dict.fromkeys(
            words(
                """
                __cvta* __isGlobal __isShared __isConstant __isLocal __isGridConstant
                __isClusterShared __isCtaShared
                """
            ),
            _SPACES,
        ),
        "__cluster*": _CLUSTERS,
        "__threadfence_cluster": _CLUSTERS,
        "__pm*": "counters of multiprocessors have no counterpart in g2o: remove the call",
    }
)
"""Name, or prefix with `*` -> why it is not translated and what to do about it."""
