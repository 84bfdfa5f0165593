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
        "loads and stores kept",
        """
        A shared array stays memory: threads use elements of others, or g2o could not show that each
        uses its own alone. The notes name accesses that are the reason.
        """,
        """
        Nothing, if the threads exchange values. Else index the array in the same way wherever it is
        used; `__restrict__` or `--assume-noalias` promises that pointers do not overlap.
        """,
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
        "fact taken from the launches",
        """
        Every launch in the input gives a dimension the same value, which the translation asserts;
        or gives pointers memory of their own, which `__restrict__` promises.
        """,
        "Nothing.",
    ),
    Code(
        "G2O0308",
        "data race in the source",
        """
        Two threads of a block access the same location between two barriers, one of them writes,
        and neither is atomic. The witness names the threads and the location. In C these are two
        iterations of a loop that OpenMP shares out.
        """,
        """
        Put a barrier between the two accesses, or make them atomic. In C, name variables that are
        no business of other iterations in `private`, and sums in `reduction`.
        """,
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
        the last 32 elements without barriers). g2o keeps that order between the statements. That
        goes for shared memory, and for global memory where the launches show that the threads that
        meet there are of one warp. `g2o verify` emulates such a program in step.
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
    Code(
        "G2O0317",
        "questions about a kernel were too hard",
        """
        Whether two threads meet at one location is decided with integer arithmetic, and the work
        spent on one kernel is bounded. Where that was not enough, the threads count as meeting:
        barriers, loads and stores may be kept without need, and races reported as possible that
        cannot happen. The translation is right all the same.
        """,
        """
        State what is always true, so that less has to be found out: launch with a constant block
        size or give `__launch_bounds__`, use named constants for extents and strides, say
        `assert(n > 0 && n % 32 == 0);` at the begin of the kernel, mark pointers `__restrict__`.
        """,
    ),
    Code(
        "G2O0318",
        "threads that wait at different barriers",
        """
        Threads of a block take different ways, and each way has a `__syncthreads()` of its own.
        GPUs count the warps that arrive, wherever they do, so that the first barrier of one way
        meets the first of the other, and this is what is translated. So are barriers at the end of
        a kernel that some warps do not come to, which have nothing left to do: threads that have
        left are not waited for. The CUDA C++ Programming Guide leaves both undefined, and lanes of
        one warp that take different ways may not do so.
        """,
        "Put one barrier behind the condition where that is possible.",
        "if (threadIdx.x < 32) { load(); __syncthreads(); } else { __syncthreads(); use(); }",
    ),
    Code(
        "G2O0319",
        "races are not looked for",
        """
        A remark: what the iterations of a loop of C share is not known. Its head does not count
        by steps of one size, it has `critical` or calls of functions that may lock, its region is
        in another function, or pragmas are not understood. Only the iterations of loops are
        compared: not what threads of a region do besides, nor sections, nor tasks.
        """,
        "Nothing.",
    ),
    Code(
        "G2O0320",
        "not looked at to its end for lanes in step",
        """
        Programs from before Volta rely on the threads of a warp running in lockstep. Where they do
        is found by stepping through the kernel, and the work spent on that is bounded. Behind the
        part that was looked at, lanes are not kept in step. The translation of a kernel that waits
        wherever its threads meet is right all the same.
        """,
        """
        Say `__syncwarp()` or `__syncthreads()` where threads meet; `g2o verify` shows whether the
        results are those of the GPU.
        """,
    ),
)

GRADIENT_CODES = (
    Code(
        "G2O0401",
        "calls that differentiation cannot follow",
        """
        Device functions that handle real numbers are inlined to be differentiated. A function that
        calls itself has no end.
        """,
        "Write the recursion as a loop, or bound it by a template parameter.",
        """
        __device__ float f(float x, int n) { return n == 0 ? x : f(x * x, n - 1); }
        """,
    ),
    Code(
        "G2O0402",
        "no such kernel or parameter",
        "A SPEC names a kernel or a parameter that the file does not have.",
        "Compare the names with the kernel's declaration. The message lists what there is.",
        'g2o translate saxpy.cu --grad "saxpy(z)/(x)"',
    ),
    Code(
        "G2O0403",
        "no derivative",
        """
        Values that carry derivatives go through something that has no rule: a function without a
        body, the bits of a number, a pointer that moves, an atomic that is no sum. A derivative of
        0 would be silently wrong, so there is none.
        """,
        """
        Write the construct in a way that can be differentiated, or name only those parameters in
        the SPEC that do not depend on it.
        """,
        "y[i] = __int_as_float(__float_as_int(x[i]) ^ 1);",
    ),
    Code(
        "G2O0404",
        "derivatives through memory that is not named",
        """
        With a SPEC only the parameters that it names have shadows. Here an active value goes into
        memory that is not among them, and something active comes out of it: its derivative would
        be lost there. Without a SPEC, which asks for everything, results must not go into memory
        that cannot have a shadow, nor depend on real numbers there: a variable of the file, or what
        pointers lead to that lie behind pointers.
        """,
        """
        Name the parameter in the SPEC, on either side; a structure `p` with pointers has a shadow
        `d_p`, whose pointers lead to the shadows. A SPEC also says that all else is constant.
        """,
        'g2o translate k.cu --grad "k(y)/(x)"    # x -> scratch -> y',
    ),
    Code(
        "G2O0405",
        "what an adjoint keeps",
        """
        A remark: the reverse sweep needs a value that is overwritten by then and cannot be computed
        again, so the forward sweep keeps it in a variable, or on a tape where a loop makes many.
        """,
        "Nothing, or declare values in the loop that makes them instead of overwriting one.",
    ),
    Code(
        "G2O0406",
        "atomic increment of a shadow",
        """
        A remark: several threads may add to one element of a shadow, or g2o cannot prove that they
        do not, so the addition is atomic.
        """,
        "`__restrict__` and bounds of indices that the kernel checks can help the proof.",
    ),
    Code(
        "G2O0407",
        "adjoint that is not complete",
        """
        g2o looks at every adjoint before it writes it: a statement that hands on values that carry
        derivatives has a part in the reverse sweep, and no two threads meet in a shadow with no
        barrier in between. This adjoint is not so. It would be silently wrong, so there is none.
        """,
        "Please report it, with the input: this is a bug in g2o.",
    ),
    Code(
        "G2O0411",
        "pragma with a derivative that is not understood",
        """
        A pragma of a C file has a clause `g2o(...)` or `enzyme(...)`, and g2o knows no derivative
        of its construct, does not know one of its clauses, or cannot read the clause itself.
        """,
        """
        Write `#pragma omp parallel for g2o(reverse, shadow(x : d_x, y : d_y))` in front of the
        loop, or `forward` for its tangent.
        """,
        "#pragma omp parallel for lastprivate(t) g2o(reverse, shadow(x : d_x))",
    ),
    Code(
        "G2O0412",
        "C loop without a derivative",
        """
        The loop behind the pragma has no form that g2o can differentiate: its head does not count
        up by one, it is left from inside, its iterations write one variable, or it
        uses a variable of a type that has no derivative.
        """,
        """
        Write `for (int i = 0; i < n; ++i)`; declare variables of an iteration inside of it, and
        name sums in `reduction(+ : sum)`.
        """,
        "for (int i = n; i > 0; --i)",
    ),
    Code(
        "G2O0413",
        "derivative that cannot be said in C",
        """
        The derivative of the loop needs something that g2o writes in C++ alone, a tape of values of
        a type without a name, or a tape in an iteration that ends early.
        """,
        "Give the type a name with `typedef`, and write `if` in place of `continue`.",
    ),
    Code(
        "G2O0414",
        "C that does not compile",
        """
        g2o has clang parse the C that it writes, with OpenMP, and clang found an error that the
        source does not have: often a shadow that is not declared, or has another type than what it
        is the shadow of.
        """,
        "Declare the shadows in front of the loop. If they are, please report it, with the input.",
    ),
    Code(
        "G2O0415",
        "error estimate that leaves something out",
        """
        An error estimate adds up what small changes of numbers do to the results. Where a number
        that is rounded decides which way a condition goes, or becomes a whole number, a small
        change may make a large difference, which the estimate knows nothing of.
        """,
        """
        Look at the condition: where the results of both branches meet, as those of `x > 0 ? x : 0`
        do, nothing is missing. The report of the estimate lists these places, too.
        """,
        "if (residual < 1e-6f) break;",
    ),
)

TARGET_CODES = (
    Code(
        "G2O0501",
        "target is not supported yet",
        "This version of g2o does not write that for the target.",
        "Use `--target cpu`, which is the default.",
        "g2o translate saxpy.cu --target offload --grad",
    ),
    Code(
        "G2O0502",
        "the host would need the memory of the device",
        """
        A kernel that synchronises its grid becomes several target constructs, with the host going
        from one to the next. What decides which comes next, or happens only once in between, would
        have to be read from the memory of the device.
        """,
        """
        Split the kernel into several and let the program copy what decides to the host, or use
        `--target cpu`.
        """,
        """
        grid.sync();
        if (*changed == 0) break;
        """,
    ),
    Code(
        "G2O0503",
        "not available on a device",
        """
        The construct is translated for the CPU, where host and device share one memory, but not for
        a device with memory of its own: variables of the device in unnamed namespaces or that are
        templates, pointers to functions as parameters, and packs of parameters.
        """,
        """
        Use named namespaces and function objects instead, or `--target cpu`.
        """,
        "namespace { __constant__ float weights[4]; }",
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
    Code(
        "G2O0606",
        "gradient is wrong",
        """
        `g2o verify --grad` ran a kernel, its adjoint and its tangent, and they do not belong
        together: adjoint and tangent differ, the tangent is not what finite differences of the
        kernel give, one of them leaves other results than the kernel, or something depends on the
        number of threads.
        """,
        """
        Please report it, with the launch: a wrong gradient is a bug in g2o. Where only finite
        differences disagree, look first whether the kernel has a kink or a jump at these arguments,
        or numbers of very different size; `--launch` gives others.
        """,
    ),
    Code(
        "G2O0607",
        "gradient check could not be built or run",
        "The program that runs kernels and their derivatives did not compile, or did not end well.",
        """
        A program that ends by a signal has mostly been given buffers that are too small: say with
        `--launch` how large they are. Derivatives in headers are made, but not run: put the kernel,
        or a copy of it, into a source of its own to check them. Loops of C are checked where they
        are all of a function, which leaves the shadows to g2o: `g2o(reverse, shadow)`.
        """,
    ),
    Code(
        "G2O0608",
        "launch to check cannot be read",
        """
        A launch of `--launch` or of a `g2o-verify:` comment is not one, names parameters that the
        kernel does not have, or a kernel that is a template needs one to say its arguments.
        """,
        """
        Write `kernel<<<grid, block>>>(name = value, buffer = [count : low .. high])`, and of a
        function of C `function(name = value, buffer = [count : low .. high])`.
        """,
    ),
    Code(
        "G2O0609",
        "result depends on the order of threads",
        """
        `g2o verify` ran the emulated CUDA source again, with blocks, warps and lanes in another
        order, and the output differs. Threads exchange something without waiting for each other,
        perhaps through an index that no analysis knows. GPUs may hide that, as lanes of a warp
        mostly run in step. Where the translation prints something else from there on, too, nobody
        can tell whether it is right.
        """,
        """
        `g2o analyze` tells which accesses may race: put a barrier between them, or a launch.
        Nothing is wrong where a program prints the order in which threads came to something.
        """,
    ),
)
