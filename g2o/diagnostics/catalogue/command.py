"""G2O00xx: the command line and the files it names."""

from __future__ import annotations

from g2o.diagnostics.catalogue.entry import Code

COMMAND_CODES = (
    Code(
        "G2O0001",
        "internal error",
        """
        g2o met a state its authors did not expect. No file was changed. This is a bug in g2o, not
        in your program.
        """,
        """
        Please report it with the input file and the command. `G2O_TRACEBACK=1` in the environment
        prints where it happened.
        """,
    ),
    Code(
        "G2O0002",
        "no such file",
        "An input file, or the directory given to an option, does not exist.",
        "Check the spelling, and that the path is relative to the current directory.",
        "g2o translate sxapy.cu",
    ),
    Code(
        "G2O0003",
        "input is a directory",
        "A directory stands for the `.cu` and `.cuh` files below it, and this one has none.",
        "Name the files that are called otherwise: `g2o translate src/*.cpp`.",
        "g2o translate src/",
    ),
    Code(
        "G2O0004",
        "input cannot be read",
        "The operating system refused to read the file. The message gives its reason.",
        "Check the permissions of the file and of the directories above it.",
    ),
    Code(
        "G2O0005",
        "input is not text",
        """
        The file contains NUL bytes, so it is an object file, an archive, an image or UTF-16 text.
        g2o reads CUDA C++ source in any encoding that extends ASCII (UTF-8, Latin-1, ...).
        """,
        "Name the source file, or convert it: `iconv -f UTF-16 -t UTF-8`.",
        "g2o translate a.out",
    ),
    Code(
        "G2O0006",
        "input is empty",
        """
        The file has no text at all. Its translation is written (it has none either), with this
        warning, since an empty file is mostly the trace of a failed copy.
        """,
        "Restore the file, or leave it off the command line.",
    ),
    Code(
        "G2O0007",
        "output cannot be written",
        """
        The directory of the output does not exist, is not writable, or the output is a directory.
        Outputs are written to a temporary file beside their destination and renamed, so existing
        files are as they were. Nothing else of the command was written either.
        """,
        "Create the directory, or choose another place with `-o` or `--out-root`.",
        "g2o translate saxpy.cu -o missing/saxpy.cpp",
    ),
    Code(
        "G2O0008",
        "output would overwrite an input",
        "g2o never overwrites a file that it reads in the same command.",
        "Choose another output with `-o` or `--out-root`.",
        "g2o translate saxpy.cu -o saxpy.cu",
    ),
    Code(
        "G2O0009",
        "two inputs with the same output",
        """
        Two input files would be written to the same place. Beside `util.omp.hpp`, which `util.cuh`
        becomes, `util.h` becomes `util.h.omp.hpp`; but an input `util.h.cuh` becomes that as well.
        """,
        "Translate them by two commands with `-o`, or rename one.",
        "g2o translate util.cuh util.h util.h.cuh",
    ),
    Code(
        "G2O0010",
        "malformed SPEC",
        """
        The SPEC of `--grad`, `--jvp` and `--hvp` is `kernel`, or `kernel(y, ...)/(x, ...)`:
        dependents over independents. Kernel and parameter names are identifiers; a kernel may be
        qualified.
        """,
        "Write it in quotes, so that the shell leaves the parentheses alone.",
        'g2o translate saxpy.cu --grad "saxpy(y)/(x)"',
    ),
    Code(
        "G2O0011",
        "input outside --in-root",
        "`--out-root` mirrors the tree below `--in-root`, so every input has to lie below it.",
        "Give an `--in-root` that contains all inputs.",
        "g2o translate ../common/util.cu --in-root . --out-root omp",
    ),
    Code(
        "G2O0012",
        "unusable compile_commands.json",
        """
        The directory of `-p` has no `compile_commands.json`, or it is not the JSON that CMake
        writes with `CMAKE_EXPORT_COMPILE_COMMANDS=ON`.
        """,
        "Point `-p` at the build directory, and configure the build first.",
        "g2o translate saxpy.cu -p build",
    ),
    Code(
        "G2O0013",
        "file is not in compile_commands.json",
        """
        The database of `-p` has no entry for this file, so it is translated with the flags of the
        command line alone. Headers never have one; they take the flags of the first input that has.
        """,
        "Add the file to the build, or give its flags with `-I` and `-D`.",
    ),
    Code(
        "G2O0014",
        "output is stale",
        """
        `g2o check` translated the file again and the result differs from the file on disk: the
        CUDA source was changed since, the output was edited by hand, the options differ, or g2o
        itself is another version. The difference is printed.
        """,
        "Run `g2o translate` with the same options and commit the result.",
    ),
    Code(
        "G2O0015",
        "output is missing",
        "`g2o check` found no translation where `g2o translate` would have written it.",
        "Run `g2o translate` with the same options and commit the result.",
    ),
    Code(
        "G2O0016",
        "included file is not translated",
        """
        An input includes a file that has CUDA in it, or that includes one of the inputs, but is not
        itself an input. The translation would include CUDA, and no host compiler would accept it.
        Such files are translated with the inputs: beside themselves, with `-o` and `--out-root` at
        their place below the directory of the output (`../common/x.h` as `common/x.omp.hpp`). Only
        `-o -` has no place for them.
        """,
        """
        Write to a file, or add the included file to the command line: headers and fragments (`.h`,
        `.cuh`, `.inl`, a `.cu` that is included) are translated like any other file, and includes
        of them follow.
        """,
        'g2o translate main.cu -o -       # which has #include "kernel.cuh"',
    ),
    Code(
        "G2O0017",
        "C file in a command for CUDA",
        """
        C files (`.c`) get derivatives of their functions and OpenMP loops, and are given
        to commands without CUDA files beside them.
        """,
        """
        Give the C files to a command of their own. Where they are CUDA C++ for `nvcc -x cu`, say so
        by `-std=c++17`.
        """,
        "g2o translate kernel.cu loops.c",
    ),
)
