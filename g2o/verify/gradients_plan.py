"""Which gradients of a source are checked, and with which launches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

from g2o.verify.gradients_driver import CheckedLaunch, default_launch
from g2o.verify.gradients_launch import Launch
from g2o.verify.gradients_signature import CheckedKernel


class NoLaunchError(ValueError):
    """A kernel that cannot be launched without more being said; the message says what."""


@final
@dataclass(frozen=True, slots=True)
class WantedGradient:
    """A kernel whose gradient is checked. `spec` is as `--grad` takes it.

    `active` are the parameters that it names, None for all that can be active; `twice`: so is the
    tangent of its adjoint.
    """

    kernel: CheckedKernel
    spec: str
    active: frozenset[str] | None
    twice: bool = False


def wanted_gradients(
    kernels: Iterable[CheckedKernel], specs: Sequence[str], twice: Sequence[str] = ()
) -> tuple[WantedGradient, ...]:
    """The kernels that `specs` ask for, and second derivatives those of them that `twice` ask for;
    "" asks for all, as their pragmas say.

    A SPEC for a kernel overrides its pragma.
    """
    explicit = {_name_of(spec): spec for spec in (*specs, *twice) if spec}
    named_twice = {_name_of(spec) for spec in twice}
    found: list[WantedGradient] = []
    for kernel in kernels:
        spec = explicit.get(kernel.name)
        if spec is None and "" not in (*specs, *twice):
            continue
        spec = spec or f"{kernel.name}{kernel.pragma}"
        _, bracket, named = spec.partition("(")
        active = frozenset(re.findall(r"\w+", named)) if bracket else None
        is_twice = not named_twice.isdisjoint((kernel.name, ""))
        found.append(WantedGradient(kernel, spec, active, is_twice))
    return tuple(found)


def checked_launches(
    wanted: WantedGradient, launches: Sequence[Launch]
) -> tuple[CheckedLaunch, ...]:
    """The launches to check: those of `launches` that are of this kernel, else a usual one.

    Raises NoLaunchError for a template of which no launch says the arguments, for launches with
    arguments that the kernel has not, and for classes with pointers that nobody can fill.
    """
    kernel = wanted.kernel
    if kernel.closed:
        raise NoLaunchError(
            f"'{kernel.closed[0]}' of '{kernel.name}' has private pointers, which the check "
            f"cannot fill: check a kernel that takes them as parameters"
        )
    own = [launch for launch in launches if launch.name == kernel.name]
    for launch in own:
        roots = {name: name.partition(".")[0] for name in launch.arguments}
        unknown = sorted(name for name, root in roots.items() if root not in kernel.parameters)
        if unknown:
            raise NoLaunchError(f"'{kernel.name}' has no parameter '{unknown[0]}'")
    if not own and kernel.is_template:
        example = f"{kernel.name}<...><<<2, 32>>>()"
        raise NoLaunchError(f"'{kernel.name}' is a template: say --launch '{example}'")
    made = own or [default_launch(kernel)]
    results = set(re.findall(r"\w+", wanted.spec.partition("(")[2].partition("/")[0]))
    if kernel.is_function and kernel.name in results:
        results.add(kernel.parameters[-1])
    return tuple(
        CheckedLaunch(launch, kernel, wanted.active, wanted.twice, frozenset(results))
        for launch in made
    )


def specs_of(wanted: WantedGradient, launches: Iterable[CheckedLaunch]) -> tuple[str, ...]:
    """The SPECs that ask for the gradient: of a template for every instance that is launched."""
    spec, name = wanted.spec, wanted.kernel.name
    _, bracket, named = spec.partition("(")
    chosen = dict.fromkeys(one.launch.template for one in launches if one.kernel == wanted.kernel)
    return tuple(
        f"{name}{template}{bracket}{named}" if template and "(" not in template else spec
        for template in chosen
    )


def _name_of(spec: str) -> str:
    return re.split(r"[(<]", spec, maxsplit=1)[0].strip().rpartition("::")[2]
