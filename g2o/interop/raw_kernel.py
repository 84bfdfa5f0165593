"""`g2o.RawKernel`: a CUDA kernel that is called on numpy arrays, as CuPy's is on its own.

    saxpy = g2o.RawKernel(source, "saxpy")
    saxpy((blocks,), (threads,), (n, a, x, y))

The source is translated, compiled by the host's C++ compiler into a library, and called in this
process. Arrays are used where they lie; nothing is copied.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, final

import numpy as np

from g2o.interop.arguments import Parameter, packed, read_parameters
from g2o.interop.translate import checked, translate
from g2o.runtime.headers import all_headers

_COMPILERS: Final = ("g++", "clang++", "c++")
_FLAGS: Final = ("-std=c++17", "-O3", "-march=native", "-fopenmp", "-shared", "-fPIC", "-w")
_ENTRY: Final = "g2o_raw_kernel_call"
_LAST_NAME: Final = re.compile(r"(\w+)(?:\*/)?(?:\[[^\]]*\])*\s*(?:,|$)")

# What Python calls: all arguments by address, so that their types only matter to the compiler.
_WRAPPER: Final = """
#include <cstddef>
#include <type_traits>
#include <utility>

namespace g2o_raw_kernel {

// What a parameter is: p pointer, i signed, u unsigned, f floating, b boolean, s anything else.
template <typename T> constexpr char kind()
{
    return std::is_pointer_v<T> ? 'p'
           : std::is_same_v<T, bool> ? 'b'
           : std::is_floating_point_v<T> ? 'f'
           : std::is_enum_v<T> ? 'i'
           : std::is_integral_v<T> ? (std::is_signed_v<T> ? 'i' : 'u')
                                   : 's';
}

struct Type {
    char kind;
    char element; // of a pointer; v where that is void or a function
    std::size_t size;
    std::size_t element_size;
};

template <typename T> constexpr Type type()
{
    using Value = std::remove_cv_t<std::remove_reference_t<T>>;
    using Element = std::remove_cv_t<std::remove_pointer_t<Value>>;
    if constexpr (std::is_void_v<Element> || std::is_function_v<Element>)
        return {kind<Value>(), 'v', sizeof(Value), 0};
    else
        return {kind<Value>(), kind<Element>(), sizeof(Value), sizeof(Element)};
}

template <typename... P, std::size_t... I>
void call(void (*kernel)(dim3, dim3, @SHARED_TYPE@P...), const unsigned *sizes, std::size_t shared,
          void **arguments, std::index_sequence<I...>)
{
    (void)shared;
    kernel(dim3(sizes[0], sizes[1], sizes[2]), dim3(sizes[3], sizes[4], sizes[5]), @SHARED@
           *static_cast<std::remove_reference_t<P> *>(arguments[I])...);
}

template <typename... P>
void launch(void (*kernel)(dim3, dim3, @SHARED_TYPE@P...), const unsigned *sizes,
            std::size_t shared, void **arguments)
{
    call(kernel, sizes, shared, arguments, std::index_sequence_for<P...>());
}

template <typename... P>
std::size_t describe(void (*)(dim3, dim3, @SHARED_TYPE@P...), Type *types)
{
    const Type found[] = {type<P>()..., Type()};
    for (std::size_t i = 0; types != nullptr && i < sizeof...(P); ++i)
        types[i] = found[i];
    return sizeof...(P);
}

} // namespace g2o_raw_kernel

extern "C" void g2o_raw_kernel_call(const unsigned *sizes, std::size_t shared, void **arguments)
{
    g2o_raw_kernel::launch(@NAME@, sizes, shared, arguments);
}

extern "C" std::size_t g2o_raw_kernel_describe(g2o_raw_kernel::Type *types)
{
    return g2o_raw_kernel::describe(@NAME@, types);
}
"""


class CompileError(Exception):
    """Raised where the host compiler does not take a translation; the message is its output."""


@final
class RawKernel:
    """One kernel of a CUDA source.

    `name` is the kernel's, with template arguments where it is a template: `fill<float>`. `options`
    are compiler flags (`-D`, `-I`, `-std`). `compiler` is a C++ compiler with OpenMP; by default
    `$CXX`, or the first there is. With `derivative="grad"` the adjoint is called instead of the
    kernel. Nothing happens before the first call, or `compile`.
    """

    def __init__(
        self,
        code: str,
        name: str,
        options: Iterable[str] = (),
        *,
        compiler: str | None = None,
        derivative: str = "",
    ) -> None:
        self.code = code
        self.name = name
        self.options = tuple(options)
        self._compiler = compiler
        self._library: ctypes.CDLL | None = None
        self._parameters: tuple[Parameter, ...] = ()
        self._translated = ""
        self._derivative = derivative
        self._adjoint: RawKernel | None = None

    def __repr__(self) -> str:
        return f"RawKernel({self.name!r})"

    @property
    def translation(self) -> str:
        """The C++ text that is run. Raises TranslationError."""
        if not self._translated:
            with tempfile.TemporaryDirectory(prefix="g2o-") as folder:
                source = Path(folder) / "kernel.cu"
                source.write_text(self.code, encoding="utf-8")
                plain = self.name.split("<", 1)[0].strip()
                grads = [plain] if self._derivative else []
                result = translate(source, grad=grads, flags=self.options)
                self._translated = checked(result).code
        return self._translated

    def compile(self) -> None:
        """Translate and compile now. Raises TranslationError and CompileError."""
        if self._library is None:
            self._library = self._load()
            self._parameters = read_parameters(self._library)

    def __call__(
        self,
        grid: Sequence[int] | int,
        block: Sequence[int] | int,
        args: Sequence[object],
        *,
        shared_mem: int = 0,
    ) -> None:
        """Run the kernel on `grid` blocks of `block` threads (x, y, z; what is missing is 1).

        A pointer takes a numpy array with elements of its type and is passed the address of the
        first; None is the null pointer. A value takes a Python or numpy scalar, a struct a numpy
        scalar or array of its size. `shared_mem` are the bytes of `extern __shared__` memory.
        Returns when the kernel has finished. Raises TypeError for arguments that do not fit.
        """
        self.compile()
        assert self._library is not None
        sizes = (ctypes.c_uint * 6)(*_sizes(grid, "grid"), *_sizes(block, "block"))
        values = packed(self.name, self._parameters, args)
        addresses = (ctypes.c_void_p * max(1, len(values)))(*(v.ctypes.data for v in values))
        self._library[_ENTRY](sizes, ctypes.c_size_t(shared_mem), addresses)

    def grad(
        self,
        grid: Sequence[int] | int,
        block: Sequence[int] | int,
        args: Sequence[object],
        shadows: Sequence[object],
        *,
        shared_mem: int = 0,
    ) -> None:
        """Run the kernel and its reverse sweep: shadows of what it reads are incremented, those of
        what it overwrites consumed.

        `shadows` has an array for each parameter with floating numbers, in the order of the
        parameters, of the same layout; for a value an array of one element. Shadows of values may
        be left away: arrays for the pointers alone will do. Raises TranslationError where there is
        no adjoint, and what calls raise.
        """
        if self._adjoint is None:
            self._adjoint = RawKernel(
                self.code, self.name, self.options, compiler=self._compiler, derivative="grad"
            )
        adjoint = self._adjoint
        adjoint.compile()
        given = _with_values(self.name, adjoint, len(args), shadows)
        adjoint(grid, block, (*args, *given), shared_mem=shared_mem)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What the function that is called takes, once it is compiled."""
        return self._parameters

    def _load(self) -> ctypes.CDLL:
        text = self.translation
        plain, bracket, arguments = self.name.partition("<")
        suffix = f"_{self._derivative}" if self._derivative else ""
        entry = f"{plain.strip()}{suffix}{bracket}{arguments}"
        shared = _takes_shared_bytes(text, entry)
        wrapper = _WRAPPER.replace("@NAME@", entry)
        wrapper = wrapper.replace("@SHARED_TYPE@", "std::size_t, " if shared else "")
        wrapper = wrapper.replace("@SHARED@", "shared, " if shared else "")
        with tempfile.TemporaryDirectory(prefix="g2o-") as name:
            folder = Path(name)
            (folder / "kernel.cpp").write_text(text + wrapper, encoding="utf-8")
            for header, contents in all_headers("cpu").items():
                (folder / header).write_bytes(contents)
            self._compile(folder)
            return ctypes.CDLL(str(folder / "kernel.so"))  # stays mapped when the file is gone

    def _compile(self, folder: Path) -> None:
        command = [_compiler(self._compiler), *_FLAGS, *self.options]
        command += [str(folder / "kernel.cpp"), "-o", str(folder / "kernel.so")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise CompileError(done.stderr or done.stdout)


def _with_values(
    name: str, adjoint: RawKernel, primal: int, shadows: Sequence[object]
) -> list[object]:
    """`shadows`, with scratch for those of values where only those of pointers are given.

    The adjoint takes the arguments of the kernel, of which there are `primal`, and its shadows.
    """
    expected = adjoint.parameters[primal:]
    if len(shadows) == len(expected):
        return list(shadows)
    owners = _owners(adjoint.translation, f"{name.partition('<')[0].strip()}_grad", primal)
    is_value = [adjoint.parameters[owner].kind != "p" for owner in owners]
    if len(shadows) != is_value.count(False):
        pointers = is_value.count(False)
        message = (
            f"{name}.grad takes {len(expected)} shadows, or {pointers} without those of values"
        )
        raise TypeError(f"{message}, not {len(shadows)}")
    rest = iter(shadows)
    return [
        np.zeros(parameter.element_size, np.uint8).view(f"f{parameter.element_size}")
        if value and parameter.element == "f"
        else np.zeros(parameter.element_size, np.uint8).view(f"V{parameter.element_size}")
        if value
        else next(rest)
        for parameter, value in zip(expected, is_value, strict=True)
    ]


def _owners(text: str, function: str, primal: int) -> list[int]:
    """The positions of the parameters that the shadows of an adjoint belong to."""
    found = re.search(rf"\b{re.escape(function)}\(([^{{]*)\)\s*{{", text)
    names = [] if found is None else _LAST_NAME.findall(found[1])
    listed = [one for one in names if one not in ("grid", "block", "shared_bytes")]
    return [listed.index(one.removeprefix("d_")) for one in listed[primal:]]


def _compiler(wish: str | None) -> str:
    wish = wish or os.environ.get("CXX")
    found = wish or next((name for name in _COMPILERS if shutil.which(name)), None)
    if found is None:
        raise CompileError(f"there is no C++ compiler: none of {', '.join(_COMPILERS)}")
    return found


def _takes_shared_bytes(text: str, name: str) -> bool:
    """Whether the translation of the kernel has a parameter for the bytes of shared memory."""
    plain = name.split("<", 1)[0].rsplit("::", 1)[-1].strip()
    at = text.find(f"{plain}(dim3")
    return "shared_bytes" in text[at : text.find(")", at)] if at >= 0 else False


def _sizes(sizes: Sequence[int] | int, what: str) -> tuple[int, int, int]:
    given = (sizes,) if isinstance(sizes, (int, np.integer)) else tuple(sizes)
    if not 1 <= len(given) <= 3:
        raise TypeError(f"{what} has {len(given)} sizes; expected one to three")
    x, y, z = (*(int(size) for size in given), 1, 1)[:3]
    return x, y, z
