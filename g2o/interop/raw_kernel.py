"""`g2o.RawKernel`: a CUDA kernel that is called on arrays, as CuPy's is on its own.

    saxpy = g2o.RawKernel(source, "saxpy")
    saxpy((blocks,), (threads,), (n, a, x, y))

The source is translated, compiled by the host's C++ compiler into a library, and called in this
process. Arrays are used where they lie; nothing is copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, final

from g2o.interop.arguments import Array, Parameter, Sizes, read_variable
from g2o.interop.kernel_function import KernelFunction
from g2o.interop.library import Build, CompileError, Entry, Function, loaded, translated
from g2o.spec import Spec, parse_spec

__all__ = ["CompileError", "RawKernel", "RawModule"]


@final
class RawKernel:
    """One kernel of a CUDA source.

    `name` is the kernel's, with template arguments where it is a template: `fill<float>`. `options`
    are compiler flags (`-D`, `-I`, `-std`). `compiler` is a C++ compiler with OpenMP; by default
    `$CXX`, or the first there is. `grad` says what derivatives are of, as on the command line:
    `"saxpy(y)/(a, x)"`; by default of all parameters with real numbers. With `associative_math`
    real numbers may be added up in any order, which makes sums faster. What else CuPy's takes is
    taken, and changes nothing. Nothing happens before the first call, or `compile`.
    """

    def __init__(
        self,
        code: str,
        name: str,
        options: Iterable[str] = (),
        backend: str = "nvrtc",
        translate_cucomplex: bool = False,
        *,
        enable_cooperative_groups: bool = False,
        jitify: bool = False,
        compiler: str | None = None,
        grad: str = "",
        associative_math: bool = False,
    ) -> None:
        del backend, translate_cucomplex, enable_cooperative_groups, jitify
        self.code = code
        self.name = name
        self.options = tuple(options)
        self._compiler = compiler
        self._spec = grad
        self._associative = associative_math
        self._functions: dict[str, KernelFunction] = {}
        self._module: RawModule | None = None

    def __repr__(self) -> str:
        return f"RawKernel({self.name!r})"

    def __reduce__(self) -> tuple[Callable[..., RawKernel], tuple[str, ...]]:
        """Another process compiles it again, or finds it in the cache."""
        if self._module is not None:
            return self._module.get_function, (self.name,)
        own = partial(RawKernel, options=self.options, compiler=self._compiler, grad=self._spec)
        return partial(own, associative_math=self._associative), (self.code, self.name)

    @property
    def translation(self) -> str:
        """The C++ text that is run. Raises TranslationError."""
        return translated(self._build("")).code

    def compile(self) -> None:
        """Translate and compile now. Raises TranslationError and CompileError."""
        self.derivative("")

    def __call__(
        self, grid: Sizes, block: Sizes, args: Sequence[object], *, shared_mem: int = 0
    ) -> None:
        """Run the kernel on `grid` blocks of `block` threads (x, y, z; what is missing is 1).

        A pointer takes an array with elements of its type (numpy's, or any that exports
        `__array_interface__` or DLPack) and is passed the address of the first; None is the null
        pointer. A value takes a Python or numpy scalar, a struct a numpy scalar or array of its
        size. `shared_mem` are the bytes of `extern __shared__` memory. Returns when the kernel has
        finished. Raises TypeError and ValueError for what does not fit, before anything runs.
        """
        self.derivative("")(grid, block, args, shared_mem)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What the kernel takes."""
        return self.derivative("").parameters

    def grad(
        self,
        grid: Sizes,
        block: Sizes,
        args: Sequence[object],
        shadows: Sequence[object] | None = None,
        *,
        shared_mem: int = 0,
    ) -> tuple[Any, ...]:
        """Run the kernel and its reverse sweep: shadows of what it reads are incremented, those of
        what it overwrites consumed.

        `shadows` has an array for each parameter with floating numbers, in the order of the
        parameters, of the same layout; for a value an array of one element. Shadows of values may
        be left away: arrays for the pointers alone will do. Without `shadows` they are made, 1 for
        what the kernel may write (the derivative is that of its sum) and 0 for the rest. Returns
        the shadows. Raises TranslationError where there is no adjoint, and what calls raise.
        """
        function = self.derivative("grad")
        if shadows is not None:
            given = function.with_values(args, shadows)
            function(grid, block, (*args, *given), shared_mem)
            return tuple(shadows)
        made = function.new_shadows(args)
        for owner, shadow in zip(function.owners, made, strict=True):
            if function.may_write(owner):
                shadow.fill(1)
        function(grid, block, (*args, *made), shared_mem)
        return tuple(made)

    def vjp(
        self,
        grid: Sizes,
        block: Sizes,
        args: Sequence[object],
        seeds: Sequence[object],
        *,
        shared_mem: int = 0,
    ) -> tuple[Array, ...]:
        """Run the kernel, and give `seeds` times its Jacobian: an array for each parameter that has
        a shadow, in their order; what is only written has 0.

        `seeds` has an array for each of those that the kernel may write; they stay as they are.
        """
        function = self.derivative("grad")
        made = function.new_shadows(args)
        written = [
            shadow
            for owner, shadow in zip(function.owners, made, strict=True)
            if function.may_write(owner)
        ]
        function.fill(written, seeds, "seeds")
        function(grid, block, (*args, *made), shared_mem)
        return tuple(made)

    def jvp(
        self,
        grid: Sizes,
        block: Sizes,
        args: Sequence[object],
        tangents: Sequence[object] | None = None,
        *,
        shared_mem: int = 0,
    ) -> tuple[Array, ...]:
        """Run the kernel, and give its Jacobian times `tangents`: an array for each parameter that
        has a shadow, in their order, as it is behind the kernel.

        `tangents` has one for each of them, a number for a value; they stay as they are. Without
        them, all are 1.
        """
        function = self.derivative("jvp")
        made = function.new_shadows(args)
        if tangents is None:
            for shadow in made:
                shadow.fill(1)
        else:
            function.fill(made, tangents, "tangents")
        given = [
            shadow if function.parameters[owner].is_pointer else shadow[0]
            for owner, shadow in zip(function.owners, made, strict=True)
        ]
        function(grid, block, (*args, *given), shared_mem)
        return tuple(made)

    def hvp(
        self,
        grid: Sizes,
        block: Sizes,
        args: Sequence[object],
        shadows: Sequence[object],
        tangents: Sequence[object],
        shadow_tangents: Sequence[object] | None = None,
        *,
        shared_mem: int = 0,
    ) -> tuple[Array, ...]:
        """Do what `grad` does with `shadows`, and carry tangents along: `tangents` of the values,
        and those of the shadows, which are 0 where they are not given.

        All have an array for each parameter with a shadow, and are changed in place. Returns the
        tangents of the shadows: with seeds in `shadows`, the second derivative times `tangents`.
        """
        function = self.derivative("hvp")
        made = function.new_shadows(args)
        if shadow_tangents is not None:
            function.fill(made, shadow_tangents, "shadow_tangents")
        function(grid, block, (*args, *shadows, *tangents, *made), shared_mem)
        return tuple(made)

    def in_module(self, module: RawModule) -> RawKernel:
        """This kernel, as one of a module."""
        self._module = module
        return self

    def _build(self, suffix: str) -> Build:
        plain = self.name.partition("<")[0].rpartition("::")[2].strip()
        spec = _parsed(self._spec or plain).of_instance(self.name)
        entry = Entry(self.name, suffix)
        return Build(
            self.code,
            self.options,
            (entry,),
            self._compiler,
            grads=(spec,) if suffix == "grad" else (),
            jvps=(spec,) if suffix == "jvp" else (),
            hvps=(spec,) if suffix == "hvp" else (),
            associative_math=self._associative,
        )

    def derivative(self, suffix: str) -> KernelFunction:
        """The kernel, or its derivative: `grad`, `jvp` or `hvp`. Raises as `compile` does."""
        known = self._functions.get(suffix)
        if known is None:
            own = self._module
            found = own.function(self.name, suffix) if own else loaded(self._build(suffix))[0]
            known = KernelFunction(found)
            self._functions[suffix] = known
        return known


@final
class RawModule:
    """Kernels of one CUDA source, which share its `__constant__` and `__device__` variables.

    `name_expressions` are the instances of templates that are wanted, `fill<float>`; `grad`, `jvp`
    and `hvp` the SPECs of derivatives, as on the command line: `""` is of every kernel that has
    one and is no template. All is compiled together, at the first use. Modules of the same source
    and options share their variables. What else CuPy's takes is taken, and changes nothing.
    """

    def __init__(
        self,
        code: str,
        options: Iterable[str] = (),
        *,
        name_expressions: Iterable[str] = (),
        grad: Iterable[str] = (),
        jvp: Iterable[str] = (),
        hvp: Iterable[str] = (),
        compiler: str | None = None,
        associative_math: bool = False,
        backend: str = "nvrtc",
        translate_cucomplex: bool = False,
        enable_cooperative_groups: bool = False,
        jitify: bool = False,
    ) -> None:
        del backend, translate_cucomplex, enable_cooperative_groups, jitify
        self.code = code
        self.options = tuple(options)
        self._compiler = compiler
        self._associative = associative_math
        self._wanted = tuple(name_expressions)
        self._specs = {"grad": _listed(grad), "jvp": _listed(jvp), "hvp": _listed(hvp)}
        self._functions: dict[tuple[str, str], Function] = {}

    def __reduce__(self) -> tuple[Callable[..., RawModule], tuple[str, ...]]:
        own = partial(RawModule, options=self.options, name_expressions=self._wanted)
        own = partial(own, associative_math=self._associative)
        return partial(own, compiler=self._compiler, **self._specs), (self.code,)

    def compile(self) -> None:
        """Translate and compile now. Raises TranslationError and CompileError."""
        if self._functions:
            return
        for one in loaded(self._build()):
            self._functions[one.entry.kernel, one.entry.suffix] = one

    @property
    def translation(self) -> str:
        """The C++ text that is run, with the derivatives. Raises TranslationError."""
        return translated(self._build()).code

    @property
    def kernels(self) -> tuple[str, ...]:
        """The names that `get_function` takes. Raises as `compile` does."""
        self.compile()
        return tuple(kernel for kernel, suffix in self._functions if not suffix)

    def _build(self) -> Build:
        derived: list[Entry] = []
        specs: dict[str, list[str]] = {suffix: [] for suffix in self._specs}
        for suffix, given in self._specs.items():
            for text in given:
                if not text:
                    specs[suffix].append("")
                    continue
                spec = _parsed(text)
                for kernel in self._instances_of(spec):
                    derived.append(Entry(kernel, suffix))
                    specs[suffix].append(spec.of_instance(kernel))
        return Build(
            self.code,
            self.options,
            (*map(Entry, self._wanted), *derived),
            self._compiler,
            grads=tuple(specs["grad"]),
            jvps=tuple(specs["jvp"]),
            hvps=tuple(specs["hvp"]),
            has_all=True,
            associative_math=self._associative,
        )

    def get_function(self, name: str) -> RawKernel:
        """A kernel of the module. Raises KeyError for one that it does not have."""
        self.function(name, "")
        return RawKernel(self.code, name, self.options).in_module(self)

    def get_global(self, name: str) -> Array:
        """A variable of the device as an array, where it lies. Raises KeyError."""
        self.compile()
        found = [one.variables for one in self._functions.values()][:1]
        variables = found[0] if found else dict[str, Callable[..., None]]()
        if name not in variables:
            raise KeyError(f"no variable '{name}'; those of the device: {', '.join(variables)}")
        return read_variable(variables[name])

    def function(self, name: str, suffix: str) -> Function:
        """A kernel or its derivative. Raises KeyError for one that the module does not have."""
        self.compile()
        found = self._functions.get((name, suffix))
        if found is None and suffix:
            raise KeyError(f"the module was made without {suffix}=['{name}']")
        if found is None:
            raise KeyError(f"no kernel '{name}'; the module has {', '.join(self.kernels)}")
        return found

    def _instances_of(self, spec: Spec) -> tuple[str, ...]:
        """The kernels that a SPEC is of: instances of a template, or one that is none."""
        if spec.arguments:
            return (f"{spec.kernel}{spec.arguments}",)
        wanted = (one for one in self._wanted if one.partition("<")[0].strip() == spec.kernel)
        return tuple(wanted) or (spec.kernel,)


def _parsed(text: str) -> Spec:
    spec = parse_spec(text)
    if spec is None or not spec.kernel:
        raise ValueError(f"'{text}' is no SPEC: expected 'kernel(y, ...)/(x, ...)'")
    return spec


def _listed(specs: str | Iterable[str]) -> tuple[str, ...]:
    return (specs,) if isinstance(specs, str) else tuple(specs)
