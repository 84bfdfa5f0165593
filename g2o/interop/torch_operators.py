"""The operators behind `g2o.torch.function`, as PyTorch's registry has them.

There are three, each of which PyTorch sees as one call that it cannot look into: the kernel, which
writes to copies; its adjoint, the backward of that; and the tangent of the adjoint, the backward of
the adjoint. The Hessian of what the seeds weigh is symmetric: so its product with the cotangents of
the gradients is their derivative, in the direction of these, and the tangents of what the kernel
writes are the derivative for the seeds. A fourth is the kernel in place.
"""

from __future__ import annotations

import hashlib
import keyword
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, final

from g2o.interop.library import Build, Entry, loaded
from g2o.interop.torch_library import torch
from g2o.interop.torch_tensors import (
    DTYPES,
    Tensor,
    TensorCaller,
    all_of,
    one_by_one,
    one_or_all,
    overload,
    refuse_overlaps,
    results_of,
    save_inputs,
    saved_inputs,
    whole,
)
from g2o.spec import Spec, parse_spec

Launch = Callable[..., Sequence[Any]]

_LARGEST_NAME: Final = 40
_taken: Final[dict[str, int]] = {}


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
        associative_math: bool,
    ) -> None:
        spec = _spec_of(kernel, grad)
        self._specs = () if spec is None else (spec.of_instance(kernel),)
        suffixes = ("", "grad") if grad else ("",)
        entries = tuple(Entry(kernel, suffix) for suffix in suffixes)
        build = Build(
            code, options, entries, compiler, self._specs, associative_math=associative_math
        )
        self._second = replace(build, entries=(Entry(kernel, "hvp"),), grads=(), hvps=self._specs)
        found = loaded(build)
        self.kernel = kernel
        self._launch = launch
        self._primal = TensorCaller(found[0])
        self._adjoint = TensorCaller(found[1]) if grad else None
        self._tangent: TensorCaller | None = None
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
            (index, DTYPES["f", self.parameters[index].size])
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
            if (one.component, one.component_size) not in DTYPES or one.kind in "sc":
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
                kind = {"f": "float", "h": "float", "b": "bool"}.get(one.kind, "SymInt")
            words.append(f"{kind} {known}")
        return words

    def _define_forward(self) -> Any:
        outputs = results_of(len(self.dependents))
        schema = f"({', '.join(self._schema())}) -> {outputs}"
        forward = torch.library.custom_op(
            self._name, self._run_forward, mutates_args=(), schema=schema
        )
        forward.register_fake(self._fake_forward)
        forward.register_vmap(one_by_one(forward, len(self.dependents)))
        if self._adjoint is None:
            return overload(self._name)
        seeds = [f"Tensor seed_{index}" for index in self.dependents]
        results = results_of(len(self.independents))
        schema = f"({', '.join((*self._schema(), *seeds))}) -> {results}"
        backward = torch.library.custom_op(
            f"{self._name}_backward", self._run_backward, mutates_args=(), schema=schema
        )
        backward.register_fake(self._fake_backward)
        backward.register_vmap(one_by_one(backward, len(self.independents)))
        backward_call = overload(f"{self._name}_backward")
        forward.register_autograd(self._backward_through(backward_call), setup_context=save_inputs)
        cotangents = [f"Tensor cotangent_{index}" for index in self.independents]
        count = len(self.dependents) + len(self.independents)
        words = (*self._schema(), *seeds, *cotangents)
        schema = f"({', '.join(words)}) -> {results_of(count)}"
        second = torch.library.custom_op(
            f"{self._name}_backward_backward", self._run_second, mutates_args=(), schema=schema
        )
        second.register_fake(self._fake_second)
        second.register_vmap(one_by_one(second, count))
        second_call = overload(f"{self._name}_backward_backward")
        backward.register_autograd(self._second_through(second_call), setup_context=save_inputs)
        return overload(self._name)

    def _define_in_place(self) -> Any:
        name = f"{self._name}_inplace"
        schema = f"({', '.join(self._schema(self.written))}) -> ()"
        mutated = tuple(word.split()[1] for word in self._schema(self.written) if "!" in word)
        torch.library.custom_op(name, self._run_in_place, mutates_args=mutated, schema=schema)
        return overload(name)

    def _run_in_place(self, *args: Any) -> None:
        refuse_overlaps(self.kernel, self.names, self.written, args)
        self._primal(self._sizes(args), self._numbers(args))

    def _run_forward(self, *args: Any) -> Any:
        copies = self._copies(args)
        self._primal(self._sizes(args), copies)
        return one_or_all(copies[index] for index in self.dependents)

    def _run_backward(self, *args: Any) -> Any:
        assert self._adjoint is not None
        count = len(self.names)
        inputs, seeds = args[:count], dict(zip(self.dependents, args[count:], strict=True))
        shadows = self._shadows(inputs, seeds)
        self._adjoint(self._sizes(inputs), [*self._copies(inputs), *shadows.values()])
        return one_or_all(shadows[one].view_as(inputs[one]) for one in self.independents)

    def _run_second(self, *args: Any) -> Any:
        if self._tangent is None:
            self._tangent = TensorCaller(loaded(self._second)[0])
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
        return one_or_all(torch.empty_like(args[index]) for index in self.dependents)

    def _fake_backward(self, *args: Any) -> Any:
        return one_or_all(torch.empty_like(args[index]) for index in self.independents)

    def _fake_second(self, *args: Any) -> Any:
        both = (*self.dependents, *self.independents)
        return tuple(torch.empty_like(args[index]) for index in both)

    def _backward_through(self, call: Any) -> Callable[..., Any]:
        def backward(ctx: Any, *seeds: Any) -> Any:
            inputs = saved_inputs(ctx)
            grads = call(*inputs, *whole(seeds, (inputs[i] for i in self.dependents)))
            found = dict(zip(self.independents, all_of(grads), strict=True))
            return tuple(found.get(index) for index in range(len(inputs)))

        return backward

    def _second_through(self, call: Any) -> Callable[..., Any]:
        def backward(ctx: Any, *cotangents: Any) -> Any:
            inputs = saved_inputs(ctx)
            both = whole(cotangents, (inputs[i] for i in self.independents))
            found = call(*inputs, *both)
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
            dtype = DTYPES[one.component, one.component_size]
            shadow = torch.zeros(like.shape, dtype=like.dtype if like.is_complex() else dtype)
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
