"""G2O03xx to G2O06xx: remarks of passes, gradients, targets and verification."""

from __future__ import annotations

from g2o.diagnostics.catalogue.entry import Code

REMARK_CODES = (
    Code(
        "G2O0301",
        "barrier removed",
        """
        No two accesses of different threads, one before and one after this barrier, touch the same
        memory with a write among them. The barrier orders nothing and is left out.
        """,
        "Nothing. `-O0` keeps it.",
        """
        s[t] = x[i];
        __syncthreads();     // every thread reads what it wrote itself
        y[i] = 2 * s[t];
        """,
    ),
    Code(
        "G2O0302",
        "barrier kept",
        """
        Accesses of different threads meet across this barrier, or g2o could not show that they do
        not. The notes name the two accesses.
        """,
        "Nothing, the barrier is needed; an access with an unknown index may be the reason.",
        """
        s[t] = x[i];
        __syncthreads();
        y[i] = s[t + 1];     // written by another thread
        """,
    ),
    Code(
        "G2O0303",
        "load or store removed",
        "The value is known in a register of the same thread, or is overwritten unread.",
        "Nothing. `-O0` keeps it.",
    ),
    Code(
        "G2O0304",
        "load or store kept",
        "Another thread may write the location in between, or two pointers may overlap.",
        "`__restrict__` or `--assume-noalias` promises that pointers do not overlap.",
    ),
    Code(
        "G2O0305",
        "computation moved out of a loop",
        """
        The value does not depend on the thread (or block) and nothing writes what it reads, so it
        is computed once before the loop.
        """,
        "Nothing.",
    ),
    Code(
        "G2O0306",
        "value kept across a barrier",
        """
        A local of a thread is used on both sides of a barrier that was kept. It became an array
        with one element for each thread of the block, or is computed again behind the barrier.
        """,
        "Nothing; fewer values that live across barriers make faster code.",
    ),
    Code(
        "G2O0307",
        "launch dimension taken as constant",
        "Every launch in the file gives the same value. The translation asserts it.",
        "Nothing.",
    ),
    Code(
        "G2O0308",
        "data race in the CUDA source",
        """
        Two threads of a block access the same location between two barriers, one of them writes,
        and neither is atomic. The witness names the threads and the location.
        """,
        "Put a barrier between the two accesses, or make them atomic.",
        """
        s[t] = x[i];
        y[i] = s[t + 1];     // no barrier in between
        """,
    ),
    Code(
        "G2O0309",
        "lockstep assumed",
        """
        The code relies on the threads of a warp running in lockstep (for instance a reduction of
        the last 32 elements without barriers). g2o keeps that order between the statements.
        """,
        "Use `__syncwarp()` to say so; compilers for current GPUs do not promise lockstep.",
    ),
    Code(
        "G2O0310",
        "call without effect on a CPU",
        """
        The call only gives the GPU a hint (cache configuration, prefetch, persisting lines) and has
        nothing to do on a CPU.
        """,
        "Nothing.",
        "cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);",
    ),
    Code(
        "G2O0311",
        "thread loop",
        "How the threads of a block are run: one `simd` loop, several, or one after another.",
        "Nothing.",
    ),
    Code(
        "G2O0312",
        "guard became a loop bound",
        "Threads for which the condition does not hold do nothing, so the loop leaves them out.",
        "Nothing.",
        "if (i >= n) return;",
    ),
    Code(
        "G2O0313",
        "one loop over the threads of all blocks",
        """
        The kernel looks at `blockIdx`, `blockDim` and `threadIdx` only to number its threads, and
        they never wait for each other. Blocks are not seen in the translation.
        """,
        "Nothing.",
        "int i = blockIdx.x * blockDim.x + threadIdx.x;",
    ),
    Code(
        "G2O0314",
        "warps in a block",
        """
        Threads of a warp exchange values. The block runs warp by warp, and the lanes of each warp
        run in loops of their own between exchanges.
        """,
        "Nothing.",
    ),
    Code(
        "G2O0315",
        "device function inlined",
        """
        The function asks for the place of the thread in the launch, or waits for other threads.
        Its body has been put in the place of the call.
        """,
        "Pass the thread's index to the function, so that it can stay a function.",
    ),
    Code(
        "G2O0316",
        "loop without vector instructions demanded",
        """
        The iterations of the loop over threads are independent, but `omp simd` is not demanded:
        compilers would warn that they cannot do it, or it would not pay.
        """,
        "Nothing. The compiler may still vectorise the loop by itself.",
    ),
)

GRADIENT_CODES = (
    Code(
        "G2O0401",
        "gradients are not supported yet",
        "This version of g2o translates kernels but does not differentiate them.",
        "Leave `--grad` and `--jvp` away.",
        "g2o translate saxpy.cu --grad",
    ),
    Code(
        "G2O0402",
        "no such kernel or parameter",
        "A SPEC of `--grad` or `--jvp` names a kernel or a parameter that the file does not have.",
        "Compare the names with the kernel's declaration. The message lists what there is.",
        'g2o translate saxpy.cu --grad "saxpy(z)/(x)"',
    ),
)

TARGET_CODES = (
    Code(
        "G2O0501",
        "target is not supported yet",
        "This version of g2o writes code for the `cpu` target only.",
        "Use `--target cpu`, which is the default.",
        "g2o translate saxpy.cu --target offload",
    ),
)

VERIFY_CODES = (
    Code(
        "G2O0601",
        "translation differs from the CUDA source",
        """
        `g2o verify` ran the emulated CUDA source and the translation on the same arguments, and
        their output, exit status or files differ.
        """,
        "Please report it, with the input: a wrong translation is a bug in g2o.",
    ),
    Code(
        "G2O0602",
        "emulation could not be built or run",
        "The CUDA source, run thread by thread on the CPU, did not compile or ended with an error.",
        "Check the arguments given with `--args`, and that the program needs no other sources.",
    ),
    Code(
        "G2O0603",
        "translation could not be built or run",
        "The compiler rejected the translation, or the program it built ended with an error.",
        "Please report it, with the input: a translation that does not compile is a bug in g2o.",
    ),
    Code(
        "G2O0604",
        "no compiler found",
        "`g2o verify` builds programs with `g++` and found no such command in PATH.",
        "Install g++ 9 or later, or name another compiler with `--compiler`.",
    ),
    Code(
        "G2O0605",
        "nothing to compare",
        "The program printed nothing and wrote no known files: only exit codes were compared.",
        "Let the program print results, or name its files with `--output-file`.",
    ),
)
