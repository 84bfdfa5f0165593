"""The working copy of a program: translated sources lie in it beside everything else it has."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import final

from .process import run_process
from .programs import Program, Unit
from .settings import Edit, SettingsError
from .sources import read_text

_NEVER_COPIED = frozenset({".o", ".obj", ".a", ".so", ".omp"})
_MAX_COPIED_BYTES = 64 << 20


@final
@dataclass(frozen=True, slots=True)
class Workspace:
    """`base` mirrors `program.root`; `logs` has what the stages printed."""

    program: Program
    base: Path
    logs: Path

    @property
    def folder(self) -> Path:
        """The mirror of the program's folder: where it is built and run."""
        return self.mirror(self.program.folder)

    def mirror(self, path: Path) -> Path:
        """Where a path of the program lies in the working copy."""
        if not path.is_relative_to(self.program.root):
            return path
        return self.base / path.relative_to(self.program.root)

    def compiled_source(self, unit: Unit) -> Path:
        """What is compiled for a unit: its translation, or itself where it has no CUDA."""
        own = self.mirror(unit.source)
        translated = own.with_name(own.stem + ".omp.cpp")
        return translated if translated.is_file() else own

    def include_dirs(self, unit: Unit) -> tuple[Path, ...]:
        """Where a unit's includes are looked for: in the copy first, then where they came from."""
        copies = (self.mirror(path) for path in unit.include_dirs)
        return tuple(dict.fromkeys((*copies, *unit.include_dirs)))

    def argument(self, word: str) -> str:
        """An argument as the copy needs it: paths that lead out of the program become absolute."""
        if "/" not in word or (self.folder / word).exists():
            return word
        original = self.program.folder / word
        return str(original.resolve()) if original.exists() else word

    def set_up(self, limit: float) -> None:
        """What the args file says is to be done before a run."""
        if self.program.settings.setup is not None:
            command = ["sh", "-c", self.program.settings.setup]
            run_process(command, self.folder, limit, self.logs / "setup")


def make_workspace(program: Program, directory: Path) -> Workspace:
    """Copy all that a program has into `directory`; build products stay behind."""
    base = directory / "tree"
    logs = directory / "logs"
    logs.mkdir(parents=True)
    workspace = Workspace(program, base, logs)
    shutil.copytree(
        program.folder,
        workspace.folder,
        ignore=_ignored,
        dirs_exist_ok=True,
        ignore_dangling_symlinks=True,
    )
    for file in program.files:
        target = workspace.mirror(file)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    for edit in program.settings.edits:
        _apply(edit, workspace.folder / edit.file)
    return workspace


def _apply(edit: Edit, file: Path) -> None:
    if not file.is_file():
        raise SettingsError(f"there is no {edit.file} to edit")
    text = read_text(file)
    if edit.old not in text:
        raise SettingsError(f"{file.name} has no '{edit.old}' to replace")
    file.write_text(text.replace(edit.old, edit.new), encoding="utf-8")


def _ignored(directory: str, names: list[str]) -> set[str]:
    return {
        name
        for name in names
        if Path(name).suffix in _NEVER_COPIED or _is_large(Path(directory) / name)
    }


def _is_large(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > _MAX_COPIED_BYTES
