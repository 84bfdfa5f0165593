"""`g2o.torch.function`: a CUDA kernel as a differentiable operator of PyTorch, on CPU tensors.

Three operators stand behind it, each of which PyTorch sees as one call that it cannot look into:
the kernel, which writes to copies; its adjoint, the backward of that; and the tangent of the
adjoint, the backward of the adjoint. The Hessian of what the seeds weigh is symmetric: so its
product with the cotangents of the gradients is their derivative, in the direction of these, and the
tangents of what the kernel writes are the derivative for the seeds.
"""

from __future__ import annotations

import hashlib
import keyword
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, final

from g2o.interop.arguments import Packer, Parameter
from g2o.interop.kernel_function import run
from g2o.interop.library import Build, Entry, Function, loaded
from g2o.interop.torch_library import torch
from g2o.spec import Spec, parse_spec

forward_ad: Final[Any] = torch.autograd.forward_ad
Tensor = Any
Launch = Callable[..., Sequence[Any]]

_DTYPES: Final = {
    **{("f", 4): torch.float32, ("f", 8): torch.float64, ("b", 1): torch.bool},
    **{("i", 1): torch.int8, ("i", 2): torch.int16, ("i", 4): torch.int32, ("i", 8): torch.int64},
    **{("u", 1): torch.uint8, ("u", 2): torch.uint16, ("u", 4): torch.uint32},
    ("u", 8): torch.uint64,
}
_LARGEST_NAME: Final = 40


def function(
    code: str,
    kernel: str,
    *,
    launch: Launch,
    grad: str = "",
    options: Iterable[str] = (),
    compiler: str | None = None,
) -> TorchFunction:
    """The kernel of a CUDA source as an operator.

    `kernel` is its name, with template arguments where it is a template: `fill<float>`. `launch`
    takes what the operator is called with, numbers for values, and returns grid and block, and the
    bytes of dynamic shared memory where there is some; it has to depend on nothing else. `grad` is
    a SPEC, `"saxpy(y)/(a, x)"`: dependents over independents; without it there are no gradients,
    and all that the kernel may write is returned. `options` are compiler flags.

    The kernel is compiled now, or taken from the cache. Raises TranslationError, CompileError, and
    ValueError for a SPEC that does not fit.
    """
    return TorchFunction(Operators(code, kernel, launch, grad, tuple(options), compiler))


@final
class TorchFunction:
    """An operator: called with the kernel's arguments in order, it returns what the kernel writes
    of the dependents, one tensor or a tuple. Tensors that it is given stay as they are.

    A value that is an independent may be a number or a tensor without axes, which gets a gradient.
    `operator` and `inplace_operator` are what PyTorch's registry has, for `torch.library.opcheck`.
    """

    def __init__(self, operators: Operators) -> None:
        self._operators = operators
        self.operator = operators.forward
        self.inplace_operator = operators.in_place
        self._names = operators.names
        self._constants = operators.constants
        self._independents = operators.independents
        self._dependents = operators.dependents
        self._written = operators.written
        self._arrays = tuple(
            index for index, one in enumerate(operators.parameters) if one.is_pointer
        )
        self._values = operators.values
        self._tensor_values = operators.tensor_values
        self._kernel = operators.kernel
        self.__name__ = operators.kernel

    def __repr__(self) -> str:
        return f"<g2o.torch.function {self._kernel!r}>"

    def __call__(self, *args: Any) -> Any:
        """Raises TypeError and ValueError for arguments that do not fit, before anything runs."""
        return self.operator(*self._given(args))

    def inplace(self, *args: Any) -> Any:
        """Call the kernel on the tensors themselves, and return those of the dependents.

        Where a gradient is wanted it runs on copies, which are copied back.
        """
        given = self._given(args)
        if torch.is_grad_enabled() and any(given[i].requires_grad for i in self._independents):
            self._with_gradients(given)
        else:
            self._refuse_history(given)
            self.inplace_operator(*given)
        found = tuple(given[index] for index in self._dependents)
        return found[0] if len(found) == 1 else found

    def _refuse_forward_mode(self, given: list[Any]) -> None:
        """PyTorch would take tangents that an operator has no rule for as 0."""
        for name, value in zip(self._names, given, strict=True):
            if torch.is_tensor(value) and forward_ad.unpack_dual(value).tangent is not None:
                message = f"'{name}' of {self._kernel} has a tangent: there is no forward mode"
                raise NotImplementedError(f"{message}, take torch.autograd.grad")

    def _with_gradients(self, given: list[Any]) -> None:
        """Call the operator on copies of what it writes to, and copy its results back."""
        kept = [
            value.clone() if index in self._written else value for index, value in enumerate(given)
        ]
        made = _all_of(self.operator(*kept))
        if set(self._written) != set(self._dependents):  # the others get what the kernel writes
            with torch.no_grad():
                once_more = [
                    value.clone() if index in self._dependents else given[index]
                    for index, value in enumerate(kept)
                ]
                self.inplace_operator(*once_more)
        for index, value in zip(self._dependents, made, strict=True):
            given[index].copy_(value)

    def _refuse_history(self, given: list[Any]) -> None:
        """What the kernel writes has no gradient that would be lost."""
        for index in self._written if torch.is_grad_enabled() else ():
            if given[index].requires_grad:
                message = f"'{self._names[index]}' of {self._kernel} requires a gradient"
                raise ValueError(f"{message}, and is overwritten by what has none: detach it")

    def _given(self, args: tuple[Any, ...]) -> list[Any]:
        """The arguments as the operators take them."""
        if len(args) != len(self._names):
            raise TypeError(f"{self._kernel} takes {len(self._names)} arguments, not {len(args)}")
        given = list(args)
        for index in self._arrays:
            if not torch.is_tensor(given[index]):
                what = f"'{self._names[index]}' of {self._kernel}"
                raise TypeError(f"{what} is a {type(given[index]).__name__}; expected a tensor")
        if forward_ad._current_level >= 0:
            self._refuse_forward_mode(given)
        if torch.is_grad_enabled():
            for index in self._constants:
                if torch.is_tensor(given[index]) and given[index].requires_grad:
                    name = self._names[index]
                    message = f"'{name}' of {self._kernel} requires a gradient and is none of the"
                    raise ValueError(f"{message} independents: add it to these, or detach it")
        for index, dtype in self._tensor_values:
            if not torch.is_tensor(given[index]):
                given[index] = torch.tensor(given[index], dtype=dtype)
        for index in self._values:
            if torch.is_tensor(given[index]):
                given[index] = given[index].item()
        return given


@final
class Operators:
    """The operators of a kernel, as PyTorch's registry has them."""

    def __init__(
        self,
        code: str,
        kernel: str,
        launch: Launch,
        grad: str,
        options: tuple[str, ...],
        compiler: str | None,
    ) -> None:
        spec = _spec_of(kernel, grad)
        self._specs = () if spec is None else (spec.of_instance(kernel),)
        suffixes = ("", "grad") if grad else ("",)
        entries = tuple(Entry(kernel, suffix) for suffix in suffixes)
        self._second = Build(code, options, (Entry(kernel, "hvp"),), compiler, hvps=self._specs)
        found = loaded(Build(code, options, entries, compiler, grads=self._specs))
        self.kernel = kernel
        self._launch = launch
        self._primal = _Caller(found[0])
        self._adjoint = _Caller(found[1]) if grad else None
        self._tangent: _Caller | None = None
        self.parameters = found[0].parameters
        self.names = found[0].signature.names
        self._refuse_structs()
        self.written = tuple(
            index
            for index, one in enumerate(self.parameters)
            if one.is_pointer and not one.is_const
        )
        self.shadows = tuple(self.names.index(one) for one in found[-1].signature.shadows)
        self.dependents = self._dependents_of(spec)
        self.independents = self._independents_of(spec)
        self.values = tuple(
            index
            for index, one in enumerate(self.parameters)
            if not one.is_pointer and index not in self.independents
        )
        self.tensor_values = tuple(
            (index, _DTYPES["f", self.parameters[index].size])
            for index in self.independents
            if not self.parameters[index].is_pointer
        )
        self.constants = (
            tuple(index for index in range(len(self.names)) if index not in self.independents)
            if grad
            else ()
        )
        identity = repr((code, kernel, grad, options, _identity(launch)))
        self._name = _free_name(kernel, hashlib.sha256(identity.encode()).hexdigest()[:12])
        self.forward = self._define_forward()
        self.in_place = self._define_in_place()

    def _refuse_structs(self) -> None:
        for name, one in zip(self.names, self.parameters, strict=True):
            if one.is_pointer and one.element == "v":
                raise ValueError(f"'{name}' of {self.kernel} points to no numbers")
            if (one.component, one.component_size) not in _DTYPES or one.kind == "s":
                raise ValueError(f"'{name}' of {self.kernel} is no number or array of numbers")

    def _dependents_of(self, spec: Spec | None) -> tuple[int, ...]:
        if spec is None:
            found = self.written
        elif spec.dependents is None:
            found = tuple(one for one in self.shadows if one in self.written)
        else:
            found = self._positions(spec.dependents)
        for one in found:
            if one not in self.written:
                message = f"'{self.names[one]}' of {self.kernel} is a dependent of the SPEC"
                raise ValueError(f"{message}, and the kernel cannot write to it")
        if not found:
            raise ValueError(f"{self.kernel} writes to nothing that could be returned")
        return found

    def _independents_of(self, spec: Spec | None) -> tuple[int, ...]:
        if spec is None:
            return ()
        if spec.independents is None:
            return self.shadows
        return self._positions(spec.independents)

    def _positions(self, names: Iterable[str]) -> tuple[int, ...]:
        return tuple(self.names.index(one) for one in names)

    def _schema(self, mutated: Sequence[int] = ()) -> list[str]:
        """The parameters of the operators, as PyTorch spells them."""
        words: list[str] = []
        for index, (name, one) in enumerate(zip(self.names, self.parameters, strict=True)):
            known = name if name.isidentifier() and not keyword.iskeyword(name) else f"p{index}"
            if index in mutated:
                kind = f"Tensor(a{index}!)"
            elif one.is_pointer or index in self.independents:
                kind = "Tensor"
            else:
                kind = {"f": "float", "b": "bool"}.get(one.kind, "SymInt")
            words.append(f"{kind} {known}")
        return words

    def _define_forward(self) -> Any:
        outputs = _results(len(self.dependents))
        schema = f"({', '.join(self._schema())}) -> {outputs}"
        forward = torch.library.custom_op(
            self._name, self._run_forward, mutates_args=(), schema=schema
        )
        forward.register_fake(self._fake_forward)
        forward.register_vmap(_one_by_one(forward, len(self.dependents)))
        if self._adjoint is None:
            return _overload(self._name)
        seeds = [f"Tensor seed_{index}" for index in self.dependents]
        results = _results(len(self.independents))
        schema = f"({', '.join((*self._schema(), *seeds))}) -> {results}"
        backward = torch.library.custom_op(
            f"{self._name}_backward", self._run_backward, mutates_args=(), schema=schema
        )
        backward.register_fake(self._fake_backward)
        backward.register_vmap(_one_by_one(backward, len(self.independents)))
        backward_call = _overload(f"{self._name}_backward")
        forward.register_autograd(self._backward_through(backward_call), setup_context=_save_inputs)
        cotangents = [f"Tensor cotangent_{index}" for index in self.independents]
        count = len(self.dependents) + len(self.independents)
        words = (*self._schema(), *seeds, *cotangents)
        schema = f"({', '.join(words)}) -> {_results(count)}"
        second = torch.library.custom_op(
            f"{self._name}_backward_backward", self._run_second, mutates_args=(), schema=schema
        )
        second.register_fake(self._fake_second)
        second.register_vmap(_one_by_one(second, count))
        second_call = _overload(f"{self._name}_backward_backward")
        backward.register_autograd(self._second_through(second_call), setup_context=_save_inputs)
        return _overload(self._name)

    def _define_in_place(self) -> Any:
        name = f"{self._name}_inplace"
        schema = f"({', '.join(self._schema(self.written))}) -> ()"
        mutated = tuple(word.split()[1] for word in self._schema(self.written) if "!" in word)
        torch.library.custom_op(name, self._run_in_place, mutates_args=mutated, schema=schema)
        return _overload(name)

    def _run_in_place(self, *args: Any) -> None:
        _refuse_overlaps(self.kernel, self.names, self.written, args)
        self._primal(self._sizes(args), self._numbers(args))

    def _run_forward(self, *args: Any) -> Any:
        copies = self._copies(args)
        self._primal(self._sizes(args), copies)
        return _one_or_all(copies[index] for index in self.dependents)

    def _run_backward(self, *args: Any) -> Any:
        assert self._adjoint is not None
        count = len(self.names)
        inputs, seeds = args[:count], dict(zip(self.dependents, args[count:], strict=True))
        shadows = self._shadows(inputs, seeds)
        self._adjoint(self._sizes(inputs), [*self._copies(inputs), *shadows.values()])
        return _one_or_all(shadows[one].view_as(inputs[one]) for one in self.independents)

    def _run_second(self, *args: Any) -> Any:
        if self._tangent is None:
            self._tangent = _Caller(loaded(self._second)[0])
        count = len(self.names)
        inputs, rest = args[:count], args[count:]
        seeds = dict(zip(self.dependents, rest[: len(self.dependents)], strict=True))
        cotangents = dict(zip(self.independents, rest[len(self.dependents) :], strict=True))
        shadows = self._shadows(inputs, seeds)
        tangents = self._shadows(inputs, cotangents)
        seconds = self._shadows(inputs, {})
        given = [*shadows.values(), *tangents.values(), *seconds.values()]
        self._tangent(self._sizes(inputs), [*self._copies(inputs), *given])
        return (
            *(tangents[one].view_as(inputs[one]) for one in self.dependents),
            *(seconds[one].view_as(inputs[one]) for one in self.independents),
        )

    def _fake_forward(self, *args: Any) -> Any:
        return _one_or_all(torch.empty_like(args[index]) for index in self.dependents)

    def _fake_backward(self, *args: Any) -> Any:
        return _one_or_all(torch.empty_like(args[index]) for index in self.independents)

    def _fake_second(self, *args: Any) -> Any:
        both = (*self.dependents, *self.independents)
        return tuple(torch.empty_like(args[index]) for index in both)

    def _backward_through(self, call: Any) -> Callable[..., Any]:
        def backward(ctx: Any, *seeds: Any) -> Any:
            inputs = _saved(ctx)
            grads = call(*inputs, *_whole(seeds, (inputs[i] for i in self.dependents)))
            found = dict(zip(self.independents, _all_of(grads), strict=True))
            return tuple(found.get(index) for index in range(len(inputs)))

        return backward

    def _second_through(self, call: Any) -> Callable[..., Any]:
        def backward(ctx: Any, *cotangents: Any) -> Any:
            inputs = _saved(ctx)
            whole = _whole(cotangents, (inputs[i] for i in self.independents))
            found = call(*inputs, *whole)
            for_seeds = found[: len(self.dependents)]
            rest = found[len(self.dependents) :]
            for_inputs = dict(zip(self.independents, rest, strict=True))
            own = (for_inputs.get(index) for index in range(len(self.names)))
            return (*own, *for_seeds)

        return backward

    def _shadows(self, inputs: Sequence[Any], given: dict[int, Tensor]) -> dict[int, Tensor]:
        """A tensor for each parameter that has a shadow: a copy of what is given, or zero."""
        made: dict[int, Tensor] = {}
        for index in self.shadows:
            like = inputs[index] if torch.is_tensor(inputs[index]) else torch.tensor(0.0)
            one = self.parameters[index]
            dtype = _DTYPES[one.component, one.component_size]
            shadow = torch.zeros(like.shape, dtype=dtype)
            if index in given:
                shadow.copy_(given[index])
            made[index] = shadow
        return made

    def _copies(self, args: Sequence[Any]) -> list[Any]:
        """The arguments of a call that leaves tensors as they are."""
        numbers = self._numbers(args)
        for index in self.written:
            numbers[index] = numbers[index].clone() if torch.is_tensor(args[index]) else None
        return numbers

    def _numbers(self, args: Sequence[Any]) -> list[Any]:
        """The arguments, with numbers in place of tensors that are values."""
        numbers = list(args)
        for index, _ in self.tensor_values:
            if args[index].dim():
                message = f"'{self.names[index]}' of {self.kernel} has {args[index].dim()} axes"
                raise TypeError(f"{message}; expected a number")
            numbers[index] = args[index].item()
        return numbers

    def _sizes(self, args: Sequence[Any]) -> tuple[Any, Any, int]:
        found = tuple(self._launch(*self._numbers(args)))
        if len(found) not in (2, 3):
            raise TypeError(f"launch of {self.kernel} returns {len(found)} things; expected 2 or 3")
        return found[0], found[1], int(found[2]) if len(found) == 3 else 0


@final
class _Caller:
    """A function of a library, called on tensors."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._pack = Packer(function.entry.kernel, function.parameters, _address_of)

    def __call__(self, launch: tuple[Any, Any, int], args: Sequence[Any]) -> None:
        run(self._function, self._pack(*launch, args))


def _address_of(what: str, parameter: Parameter) -> Callable[[Any], int]:
    """What takes the address of a tensor."""
    dtype = _DTYPES[parameter.component, parameter.component_size]
    numbers = parameter.element_size // parameter.component_size
    alignment = parameter.alignment

    def convert(value: Any) -> int:
        if not torch.is_tensor(value):
            raise TypeError(f"{what} is a {type(value).__name__}; expected a tensor")
        if value.dtype is not dtype:
            raise TypeError(f"{what} is a tensor of {value.dtype}; expected {dtype}")
        if value.device.type != "cpu" or value.layout is not torch.strided:
            raise TypeError(f"{what} lies on {value.device} as {value.layout}; expected cpu")
        if not value.is_contiguous() or value.is_neg():
            raise ValueError(f"{what} is not contiguous: pass its contiguous()")
        if numbers > 1 and value.numel() % numbers:
            raise ValueError(f"{what} has {value.numel()} numbers, {numbers} for each element")
        address = value.data_ptr()
        if address % alignment:
            raise ValueError(f"{what} does not begin at a multiple of {alignment} bytes")
        return address

    return convert


def _refuse_overlaps(
    kernel: str, names: Sequence[str], written: Iterable[int], args: Sequence[Any]
) -> None:
    """What is written to shares no memory with another tensor."""
    places = {
        index: (one.data_ptr(), one.data_ptr() + one.numel() * one.element_size())
        for index, one in enumerate(args)
        if torch.is_tensor(one)
    }
    for index in written:
        begin, end = places[index]
        for other, (first, last) in places.items():
            if other != index and first < end and begin < last:
                message = f"'{names[index]}' and '{names[other]}' of {kernel} overlap"
                raise ValueError(f"{message}, and the kernel writes to '{names[index]}'")


def _save_inputs(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    del output
    ctx.save_for_backward(*(one for one in inputs if torch.is_tensor(one)))
    ctx.others = tuple(None if torch.is_tensor(one) else one for one in inputs)
    ctx.are_tensors = tuple(torch.is_tensor(one) for one in inputs)


def _saved(ctx: Any) -> list[Any]:
    tensors = iter(ctx.saved_tensors)
    return [
        next(tensors) if is_tensor else other
        for is_tensor, other in zip(ctx.are_tensors, ctx.others, strict=True)
    ]


def _whole(grads: Iterable[Any], like: Iterable[Any]) -> list[Tensor]:
    """Gradients of all outputs: 0 of those that nothing depends on."""
    return [
        torch.zeros_like(one) if grad is None else grad
        for grad, one in zip(grads, like, strict=True)
    ]


def _one_by_one(operator: Any, count: int) -> Callable[..., Any]:
    """The rule of vmap: the operator for each of the batch."""

    def batched(info: Any, in_dims: tuple[int | None, ...], *args: Any) -> Any:
        moved = [
            value if axis is None else value.movedim(axis, 0)
            for value, axis in zip(args, in_dims, strict=True)
        ]
        made = [
            _all_of(
                operator(
                    *(
                        value if axis is None else value[index].contiguous()
                        for value, axis in zip(moved, in_dims, strict=True)
                    )
                )
            )
            for index in range(info.batch_size)
        ]
        stacked = tuple(torch.stack(one) for one in zip(*made, strict=True))
        if count == 1:
            return stacked[0], 0
        return stacked, (0,) * count

    return batched


def _results(count: int) -> str:
    return "Tensor" if count == 1 else f"({', '.join(['Tensor'] * count)})"


def _one_or_all(tensors: Iterable[Tensor]) -> Any:
    found = tuple(tensors)
    return found[0] if len(found) == 1 else found


def _all_of(made: Any) -> tuple[Tensor, ...]:
    return (made,) if torch.is_tensor(made) else tuple(made)


def _overload(name: str) -> Any:
    return getattr(torch.ops.g2o, name.partition("::")[2]).default


def _spec_of(kernel: str, grad: str) -> Spec | None:
    if not grad:
        return None
    spec = parse_spec(grad)
    plain = kernel.partition("<")[0].strip()
    if spec is None:
        raise ValueError(f"'{grad}' is no SPEC: expected 'kernel(y, ...)/(x, ...)'")
    if spec.kernel not in (plain, plain.rpartition("::")[2]):
        raise ValueError(f"'{grad}' is of another kernel than '{plain}'")
    return spec


def _identity(launch: Launch) -> object:
    """What tells one launch from another, the same in every process."""
    code = getattr(launch, "__code__", None)
    return repr(type(launch)) if code is None else (code.co_code, repr(code.co_consts))


def _free_name(kernel: str, digest: str) -> str:
    plain = kernel.partition("<")[0].rpartition("::")[2].strip()[:_LARGEST_NAME]
    name = f"{plain}_{digest}"
    count = _taken.get(name, 0)
    _taken[name] = count + 1
    return f"g2o::{name}" if not count else f"g2o::{name}_{count}"


_taken: Final[dict[str, int]] = {}
