"""`g2o.torch.function`: a CUDA kernel as a differentiable operator of PyTorch, on CPU tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, final

from g2o.interop.torch_library import torch
from g2o.interop.torch_operators import Launch, Operators
from g2o.interop.torch_tensors import all_of

forward_ad: Final[Any] = torch.autograd.forward_ad


def function(
    code: str,
    kernel: str,
    *,
    launch: Launch,
    grad: str = "",
    options: Iterable[str] = (),
    compiler: str | None = None,
    associative_math: bool = False,
) -> TorchFunction:
    """The kernel of a CUDA source as an operator.

    `kernel` is its name, with template arguments where it is a template: `fill<float>`. `launch`
    takes what the operator is called with, numbers for values, and returns grid and block, and the
    bytes of dynamic shared memory where there is some; it has to depend on nothing else. `grad` is
    a SPEC, `"saxpy(y)/(a, x)"`: dependents over independents; without it there are no gradients,
    and all that the kernel may write is returned. `options` are compiler flags.
    With `associative_math` real numbers may be added up in any order, which makes sums faster.

    The kernel is compiled now, or taken from the cache. Raises TranslationError, CompileError, and
    ValueError for a SPEC that does not fit.
    """
    flags = tuple(options)
    made = Operators(code, kernel, launch, grad, flags, compiler, associative_math)
    again = partial(function, launch=launch, grad=grad, options=flags, compiler=compiler)
    again = partial(again, associative_math=associative_math)
    return TorchFunction(made, partial(again, code, kernel))


@final
class TorchFunction:
    """An operator: called with the kernel's arguments in order, it returns what the kernel writes
    of the dependents, one tensor or a tuple. Tensors that it is given stay as they are.

    A value that is an independent may be a number or a tensor without axes, which gets a gradient.
    `operator` and `inplace_operator` are what PyTorch's registry has, for `torch.library.opcheck`.
    """

    def __init__(self, operators: Operators, again: Callable[[], TorchFunction]) -> None:
        self._operators = operators
        self._again = again
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

    def __copy__(self) -> TorchFunction:
        return self

    def __deepcopy__(self, memo: object) -> TorchFunction:
        return self

    def __reduce__(self) -> tuple[Callable[[], TorchFunction], tuple[()]]:
        """Another process makes it again; `launch` has to be what pickle takes."""
        return self._again, ()

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
        made = all_of(self.operator(*kept))
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
