"""G2O02xx: kernels and CUDA constructs that are not translated."""

from __future__ import annotations

from g2o.diagnostics.catalogue.entry import Code

KERNEL_CODES = (
    Code(
        "G2O0201",
        "CUDA construct that is not supported",
        """
        The construct has a meaning on a GPU for which g2o has no translation. g2o never drops a
        construct without a word: the file is refused, or with `--keep-going` the kernel becomes
        `#error` with the reason.
        """,
        "Rewrite the construct in C++ and CUDA that g2o knows.",
        """
        __global__ void k(float *x) {
            __nanosleep(100);
        }
        """,
    ),
    Code(
        "G2O0202",
        "inline PTX assembly",
        """
        `asm` holds instructions of an NVIDIA GPU, as text. Arithmetic, bit fields, moves, special
        registers, plain loads and stores become C++; others have no translation.
        """,
        """
        Write it in C++. To keep the PTX for the GPU, move it into a header of its own that is
        included under `#ifdef __CUDA_ARCH__`, with the C++ form under `#else`.
        """,
        """
        __device__ unsigned add(unsigned a, unsigned b) {
            unsigned sum;
            asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
            return sum;
        }
        """,
    ),
    Code(
        "G2O0203",
        "barrier under thread-dependent control flow",
        """
        `__syncthreads()` has to be reached by every thread of a block. Here it stands under a
        condition, a loop or behind a `return` that can differ between the threads of one block.
        CUDA calls that undefined; on a GPU it hangs or passes by accident. The note points at what
        makes the condition depend on the thread.
        """,
        "Move the barrier out of the condition, so that all threads reach it.",
        """
        if (tid < s) {
            buf[tid] += buf[tid + s];
            __syncthreads();          // not reached by threads with tid >= s
        }

        if (tid < s) buf[tid] += buf[tid + s];
        __syncthreads();              // right
        """,
    ),
    Code(
        "G2O0204",
        "dynamic parallelism",
        """
        A kernel launches a kernel. For CPUs that becomes a call where the launch stands, which is
        one of the orders that CUDA allows. It is refused where it does not say which kernel it
        launches and with which sizes, where a call gives its stream, and for devices, whose target
        regions do not nest.
        """,
        "Write the launch out, launch from the host, or call its body as a device function.",
        """
        __global__ void parent(int *x) {
            child<<<1, 32, 0, stream_of(x)>>>(x);
        }
        """,
    ),
    Code(
        "G2O0205",
        "warp operation that cannot be lowered",
        """
        Shuffles, votes and `__syncwarp` become exchanges between the lanes of a group of 32 loop
        iterations. That needs control flow that is the same for all lanes that take part, and a
        mask that g2o can follow.
        """,
        "Call it under uniform control flow with the full mask, `0xffffffff`.",
        """
        if (lane > 3)
            v += __shfl_down_sync(__activemask(), v, 1);
        """,
    ),
    Code(
        "G2O0206",
        "library that is not supported",
        """
        The program calls a library of the CUDA toolkit (cuDNN, NCCL, NPP, ...), or a part of
        cuBLAS, cuFFT, Thrust or CUB that the headers beside the translation do not have. g2o
        translates your source, not NVIDIA's libraries.
        """,
        """
        Replace the call by a library for CPUs or by a loop: `thrust::shuffle` by `std::shuffle`,
        for instance. To keep it for the GPU, move it into a file that is not translated.
        """,
        "#include <thrust/shuffle.h>",
    ),
    Code(
        "G2O0207",
        "goto across a barrier",
        """
        A `goto` jumps from one side of a barrier to the other. Thread loops are cut at barriers, so
        a jump would leave one loop and enter the middle of another. The same holds in a `switch`
        with a barrier for a `break` from the middle of a case.
        """,
        "Use structured control flow: `if`, `for`, `while` and `break`.",
        """
        again:
            buf[t] = f(buf[t]);
            __syncthreads();
            if (changed) goto again;
        """,
    ),
    Code(
        "G2O0208",
        "recursion with a barrier",
        """
        A device function that contains a barrier calls itself. Functions with barriers are
        expanded where they are called, which for a recursive one does not end.
        """,
        "Turn the recursion into a loop.",
        """
        __device__ void scan(float *s, int n) {
            __syncthreads();
            if (n > 1) scan(s, n / 2);
        }
        """,
    ),
    Code(
        "G2O0209",
        "surface reference",
        """
        Surface references (`surface<void, 2> out;` at file scope) were removed in CUDA 12, and g2o
        has no surfaces: device memory is ordinary memory.
        """,
        "Write through a pointer to linear memory.",
        "surface<void, 2> out;",
    ),
    Code(
        "G2O0210",
        "device function pointer with thread context",
        """
        A pointer to a device function that uses `threadIdx`, `blockIdx`, shared memory or a barrier
        is taken or called. Such functions get the indices as further parameters in the
        translation, which a pointer of the original type cannot pass on. Nor can the constructor
        of an object, or a member that only an instance of a template calls, where that instance
        cannot stand behind its template: the class comes later, or is a lambda.
        """,
        "Call the function directly, pass a functor as a template argument, or pass the index.",
        """
        __device__ float own(const float *x) { return x[threadIdx.x]; }
        __device__ float (*f)(const float *) = own;
        """,
    ),
    Code(
        "G2O0211",
        "unknown CUDA identifier",
        """
        The identifier belongs to CUDA by its name (`cuda...`, `cu...`, `__...`) and g2o has no
        translation for it. Leaving it in the output would leave CUDA in the output.
        """,
        """
        Replace it, or move it into a file that is not translated. Please report runtime functions
        that you miss.
        """,
        "cudaGraphLaunch(graph, stream);",
    ),
    Code(
        "G2O0212",
        "unsupported cooperative-group operation",
        """
        g2o knows `this_thread_block`, `this_grid`, `tiled_partition<N>`, `coalesced_threads`,
        `labeled_partition` and `binary_partition` of a warp, and their `sync`, `thread_rank`,
        `size`, votes and shuffles. This operation or this kind of group is not among them.
        """,
        "Use one of those, or `__syncthreads()` and `__shfl_*_sync`.",
        "auto cluster = cg::this_cluster();",
    ),
    Code(
        "G2O0213",
        "indirect call that may reach a barrier",
        """
        A virtual function, or a call through a pointer, may execute a barrier. Thread loops are cut
        at barriers, so g2o has to know which function is called.
        """,
        "Call the function directly, or through a template parameter.",
        """
        struct Op { __device__ virtual void run(float *s) { __syncthreads(); } };
        """,
    ),
    Code(
        "G2O0214",
        "launch that cannot be translated",
        """
        The launch is written through a form that g2o cannot rewrite in the text: a macro that
        composes `<<<` `>>>` from pieces, or `cudaLaunchKernel` with an argument array whose
        contents are not visible. Or there is no launch: a kernel is called through a pointer as
        functions are, which compiles but starts no thread.
        """,
        "Write the launch as `kernel<<<grid, block, shared, stream>>>(...)`.",
        """
        #define OPEN <<<
        kernel OPEN 1, 32 >>>(x);
        """,
    ),
    Code(
        "G2O0215",
        "CUDA left in the translation",
        """
        The translation still has a name that only CUDA knows. g2o looks for them before it reports
        success. The place is one of the output, which was not written.
        """,
        "Please report it, with the input: this is a bug in g2o.",
    ),
    Code(
        "G2O0216",
        "code for `__CUDA_ARCH__` left out",
        """
        `__CUDA_ARCH__` is the architecture that nvcc generates code for. Functions that only a
        device runs are translated as for compute capability 8.0 (`G2O_CUDA_ARCH` in the
        translation), but for branches with instructions of a device where there are others.
        Elsewhere the macro is not defined, neither while the source is read nor while the
        translation is compiled, so that branches for hosts are taken, unless that for the device
        does what only threads do (positions, barriers, exchanges, atomics): hosts that call such
        a function do the same. The code of the branch at this place is not in the translation,
        which may therefore do less than the CUDA program, or something else on the host.
        """,
        """
        Write the condition so that a host takes the right branch: `#if !defined(__CUDA_ARCH__) ||
        __CUDA_ARCH__ >= 900`.
        """,
        """
        __global__ void k(float *x) {
        #if __CUDA_ARCH__ >= 900
            x[threadIdx.x] = 1.0f;    // not in the translation
        #endif
        }
        """,
    ),
    Code(
        "G2O0217",
        "code under `_OPENMP` is left out",
        """
        nvcc does not define `_OPENMP` unless it is told to, and neither did g2o while it read the
        source. The translation is compiled with OpenMP, so that it asks for `G2O_SOURCE_OPENMP`
        instead, which nobody defines: its compiler takes the branches that nvcc takes.
        """,
        """
        Where nvcc is given `-Xcompiler -fopenmp`, give g2o `-- -fopenmp`. Elsewhere nothing has to
        be done.
        """,
        """
        #ifdef _OPENMP
            omp_set_num_threads(1);
        #endif
        """,
    ),
    Code(
        "G2O0218",
        "variable that is not declared where the translation uses it",
        """
        A pass of g2o has left a variable outside of the scope that declares it. The kernel is not
        translated: a compiler would not accept it. The message names the pass.
        """,
        "Please report it, with the input: this is a bug in g2o.",
    ),
    Code(
        "G2O0219",
        "device code that was skipped",
        """
        The preprocessor skips this branch with the flags that g2o was given, so that its kernels
        and device functions are not read. The translation has an `#error` in their place: it is
        complete for these flags, and a compiler that is given others says what is missing.
        """,
        "Give the macros that the condition depends on with -D, or leave it at that.",
        """
        #ifdef CHECK
        __global__ void check(const int *x) { assert(x[threadIdx.x] >= 0); }
        #endif
        """,
    ),
    Code(
        "G2O0220",
        "threads that wait for each other in a loop",
        """
        The loop ends when another thread has written what it looks at. A GPU runs many blocks at a
        time; in the translation each CPU thread runs its blocks one after the other, and the
        threads of a block up to the next barrier: who is waited for may never run. Translated are
        locks that are taken and given back by one thread, and waits for blocks that come first: of
        a lower `blockIdx`, or with a lower number from `atomicAdd(&next, 1)`. Of those a warning
        tells where it is `blockIdx`, as the blocks then run one after the other.
        """,
        """
        Let blocks meet by `cooperative_groups::this_grid().sync()` or at the end of a kernel, and
        threads of a block by `__syncthreads()`. In a scan, wait for `status[blockIdx.x - 1]` where
        every block sets `status[blockIdx.x]`.
        """,
        """
        if (threadIdx.x == 0) {
            atomicAdd(&arrived, 1);
            while (atomicAdd(&arrived, 0) < gridDim.x)
                ;
        }
        __syncthreads();
        """,
    ),
    Code(
        "G2O0221",
        "method of a header with variables of each source",
        """
        CUDA compiles the device code of every source apart: a `__constant__` or `__device__`
        variable of a header exists once for each source that includes it. Functions of the header
        that use it become `static`, so that each source has its own. A method of a class cannot:
        the linker keeps one, which uses the variable of one of the sources. That makes a difference
        where sources give the variable different values.
        """,
        "Declare the variable `extern` in the header, and define it in one source.",
        """
        __constant__ float k;
        struct Scale { __device__ float operator()(float x) const { return k * x; } };
        """,
    ),
    Code(
        "G2O0222",
        "class that sources define differently",
        """
        CUDA compiles the device code of every source apart, so that two sources may each have a
        class of the same name with other methods for devices. A host linker takes methods of the
        same name to be the same, and keeps those of one source.
        """,
        "Give the classes different names, or put them into unnamed namespaces.",
        """
        struct Scale { __device__ float operator()(float x) const { return 2 * x; } };  // here
        struct Scale { __device__ float operator()(float x) const { return 3 * x; } };  // elsewhere
        """,
    ),
    Code(
        "G2O0223",
        "asynchronous copy or barrier that is not translated",
        """
        g2o makes copies that a thread or a group starts (`memcpy_async`, `__pipeline_memcpy_async`)
        at once, and turns waits for barriers and pipelines that all threads of the block share into
        barriers of the block. Barriers of other numbers of threads, threads that arrive and wait
        elsewhere, and threads that only produce or only consume have no such form.
        """,
        "Let all threads of the block arrive and wait, or use `__syncthreads()`.",
        "init(&ready, blockDim.x / 2);",
    ),
    Code(
        "G2O0224",
        "call in a template that may mean a function of CUDA's or of the program",
        """
        The program has a function of the name of one of CUDA's, for another type, and a template
        calls it with values of its parameter. Which one is called is decided by the type of each
        instance; in C++ without CUDA the program's own would take them all. A kernel that makes
        such a call itself becomes one kernel for each instance. This is not possible for device
        functions, and where not all instances can be named.
        """,
        "Give the program's function another name, or make it a template for all types.",
        """
        __device__ short max(short a, short b) { return a > b ? a : b; }
        template <class T> __device__ T positive(T x) { return max(x, T(0)); }
        """,
    ),
)
