"""Inline PTX of simple kinds as CUDA C++ (PTX ISA, "Instruction Set").

asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(p), "r"(n));
    ->    r = ((unsigned long long)(x) >> (p)) & ((1ULL << (n)) - 1);

Several instructions work on copies of their operands, since an early result may not change a later
input.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, final

from g2o.frontend.cuda.brackets import closing_bracket
from g2o.frontend.cuda.lexer import LexedFile, Token, TokenKind

ASM: Final = frozenset(("asm", "__asm", "__asm__"))
_TYPES: Final = {
    "u8": "unsigned char", "s8": "signed char", "b8": "unsigned char",
    "u16": "unsigned short", "s16": "short", "b16": "unsigned short",
    "u32": "unsigned", "s32": "int", "b32": "unsigned",
    "u64": "unsigned long long", "s64": "long long", "b64": "unsigned long long",
    "f32": "float", "f64": "double",
}  # fmt: skip
_WIDE: Final = {"u16": "u32", "s16": "s32", "u32": "u64", "s32": "s64"}
_HIGH: Final = {"u32": "__umulhi", "s32": "__mulhi", "u64": "__umul64hi", "s64": "__mul64hi"}
_HALVES: Final = {
    "b64": ("unsigned long long", "unsigned", 32), "b32": ("unsigned", "unsigned short", 16),
}  # fmt: skip
_CONSTRAINTS: Final = {
    "h": "unsigned short", "r": "unsigned", "l": "unsigned long long", "f": "float", "d": "double",
}  # fmt: skip
_IGNORED: Final = frozenset(
    {"lo", "rn", "ftz", "approx", "full", "rni", "to", "nc", "volatile", "relaxed", "weak", "cta",
     "gpu", "sys", "gl", "global", "ca", "cg", "cs", "cv", "lu", "wb", "wt", "sync", "aligned"}
)  # fmt: skip
_RANK: Final = "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z))"
_LANE: Final = f"({_RANK} % 32)"
_SPECIAL: Final = {
    "%laneid": _LANE,
    "%warpid": f"({_RANK} / 32)",
    "%lanemask_eq": f"(1u << {_LANE})",
    "%lanemask_lt": f"((1u << {_LANE}) - 1)",
    "%lanemask_le": f"((2u << {_LANE}) - 1)",
    "%lanemask_gt": f"~((2u << {_LANE}) - 1)",
    "%lanemask_ge": f"~((1u << {_LANE}) - 1)",
    "%smid": "0u",
    "%clock": "(unsigned)clock64()",
    "%clock64": "(unsigned long long)clock64()",
    "%globaltimer": "(unsigned long long)clock64()",
} | {
    f"%{short}.{axis}": f"{name}.{axis}"
    for short, name in (
        ("tid", "threadIdx"), ("ntid", "blockDim"), ("ctaid", "blockIdx"), ("nctaid", "gridDim"),
    )
    for axis in "xyz"
}  # fmt: skip
_BINARY: Final = {"add": "+", "sub": "-", "div": "/", "rem": "%", "and": "&", "or": "|", "xor": "^"}
_CALLS: Final = {
    "ex2": "exp2f", "lg2": "log2f", "sin": "sinf", "cos": "cosf", "tanh": "tanhf",
    "rsqrt": "rsqrtf",
}  # fmt: skip
_STATEMENTS: Final = {
    "membar": "__threadfence()", "fence": "__threadfence()", "trap": "__trap()",
    "bar.sync": "__syncthreads()", "barrier.sync": "__syncthreads()", "prefetch": "",
}  # fmt: skip
_INSTRUCTION: Final = re.compile(r"([a-z][a-z0-9]*)((?:[.:]+[a-z0-9_]+)*)\s*(.*)", re.DOTALL)
_CARRY: Final = re.compile(
    r"(?=addc|subc|madc|\w+\.(?:(?:lo|hi)\.)?cc\.)(?P<name>add|sub|mad)(?P<reads>c)?"
    r"(?:\.(?P<part>lo|hi))?(?P<sets>\.cc)?\.[us](?P<bits>32|64)\s+(?P<operands>.*)",
    re.DOTALL,
)
_REGISTERS: Final = re.compile(r"\.reg\s*\.(\w+)\s+([\w,\s]+)")
_MEMORY: Final = re.compile(r"\[\s*([%\w]+)\s*(?:\+\s*(\d+)\s*)?\]")
_NUMBER: Final = re.compile(r"-?(?:0x[0-9a-fA-F]+|\d+)U?")
_HEX_FLOAT: Final = re.compile(r"0[fF]([0-9a-fA-F]{8})")


@final
@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of `asm`: what it is, and the expression that it is bound to."""

    constraint: str
    text: str

    @property
    def ctype(self) -> str | None:
        return _CONSTRAINTS.get(self.constraint.lstrip("=+&"))


class _UnknownError(Exception):
    """Something that has no translation here."""


def assembly_end(tokens: Sequence[Token], at: int) -> int | None:
    """The index behind the `;` of the `asm` statement whose keyword is at `at`."""
    opening = _opening(tokens, at)
    closing = None if opening is None else closing_bracket(tokens, opening)
    if closing is None or closing + 1 >= len(tokens) or tokens[closing + 1].text != ";":
        return None
    return closing + 2


def translated_assembly(text: str, tokens: Sequence[Token], at: int) -> str | None:
    """CUDA C++ for the `asm` statement whose keyword is at `at`, on as many lines; None where it
    has none."""
    opening, end = _opening(tokens, at), assembly_end(tokens, at)
    if opening is None or end is None:
        return None
    sections = _sections(text, tokens, opening, end - 2)
    if sections is None:
        return None
    template, outputs, inputs = sections
    try:
        code = _statements(template, outputs, inputs)
    except _UnknownError:
        return None
    return code + "\n" * text.count("\n", tokens[at].begin, tokens[end - 1].end)


def assembly_expansions(
    lexed: LexedFile, ranges: Sequence[tuple[int, int]]
) -> list[tuple[int, int, str]]:
    """The `asm` statements in the byte ranges of a file that have a form in C++, with that."""
    found: list[tuple[int, int, str]] = []
    tokens = lexed.code
    for index, token in enumerate(tokens):
        if token.text not in ASM or not any(a <= token.begin < b for a, b in ranges):
            continue
        end, code = assembly_end(tokens, index), translated_assembly(lexed.text, tokens, index)
        if end is not None and code is not None:
            found.append((token.begin, tokens[end - 1].end, code))
    return found


def _opening(tokens: Sequence[Token], at: int) -> int | None:
    index = at + 1
    while index < len(tokens) and tokens[index].text in ("volatile", "__volatile__", "__volatile"):
        index += 1
    return index if index < len(tokens) and tokens[index].text == "(" else None


def _sections(
    text: str, tokens: Sequence[Token], opening: int, closing: int
) -> tuple[str, list[Operand], list[Operand]] | None:
    """The instructions, the outputs and the inputs."""
    index, strings = opening + 1, list[str]()
    while index < closing and tokens[index].kind is TokenKind.STRING:
        strings.append(tokens[index].text[1:-1])
        index += 1
    lists: list[list[Operand]] = []
    while index < closing:
        if tokens[index].text == "::":
            lists.append([])
        elif tokens[index].text != ":":
            return None
        index += 1
        operands: list[Operand] = []
        while index < closing and tokens[index].kind is TokenKind.STRING:
            constraint = tokens[index].text[1:-1]
            index += 1
            if index < closing and tokens[index].text == "(":
                end = closing_bracket(tokens, index)
                if end is None:
                    return None
                inner = text[tokens[index].end : tokens[end].begin]
                operands.append(Operand(constraint, inner.strip()))
                index = end + 1
            if index < closing and tokens[index].text == ",":
                index += 1
        lists.append(operands)
    outputs, inputs = (*lists, list[Operand](), list[Operand]())[:2]
    if not strings:
        return None
    template = "".join(strings).replace("\\n", "\n").replace("\\t", " ").replace("\\r", "")
    return template, outputs, inputs


def _statements(template: str, outputs: list[Operand], inputs: list[Operand]) -> str:
    template = re.sub(r"//[^\n]*|/\*.*?\*/", "", template, flags=re.DOTALL)
    operands_apart = re.sub(r"\{([^{};]*)\}", r"<\1>", template)  # `{a, b}`, not a scope
    lines = (line.strip(" \n{}") for line in operands_apart.split(";"))
    instructions = [line.replace("<", "{").replace(">", "}") for line in lines if line]
    operands = [*outputs, *inputs]
    changed = any(one.constraint.startswith("+") for one in operands)
    carries = any(_CARRY.match(line) for line in instructions)
    if len(instructions) <= 1 and not changed and len(outputs) <= 1 and not carries:
        names = {f"%{i}": _parenthesised(one.text) for i, one in enumerate(operands)}
        return " ".join(_instruction(one, names, {}) for one in instructions) or ";"
    registers: dict[str, str] = {}
    code: list[str] = []
    names: dict[str, str] = {}
    for index, one in enumerate(operands):
        if one.ctype is None:
            raise _UnknownError
        name = f"ptx_{index}"
        names[f"%{index}"] = name
        known = index >= len(outputs) or one.constraint.startswith("+")
        code.append(f"{one.ctype} {name}{f' = {one.text}' if known else ''};")
    if carries:
        code.append("unsigned ptx_carry = 0;")
    known_carry = False
    for instruction in instructions:
        if _CARRY.match(instruction) is not None:
            code.append(_carried(instruction, names, registers, known_carry))
            known_carry = True
            continue
        declared = _REGISTERS.fullmatch(instruction)
        if declared is not None:
            if declared.group(1) not in _TYPES:
                raise _UnknownError
            for name in re.split(r"[,\s]+", declared.group(2).strip()):
                registers[name] = f"ptx_{name}"
                code.append(f"{_TYPES[declared.group(1)]} ptx_{name};")
            continue
        code.append(_instruction(instruction, names, registers))
    code += [f"{one.text} = ptx_{index};" for index, one in enumerate(outputs)]
    return "{ " + " ".join(code) + " }"


def _parenthesised(text: str) -> str:
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def _instruction(line: str, names: dict[str, str], registers: dict[str, str]) -> str:
    """One instruction as a statement."""
    match = _INSTRUCTION.fullmatch(line.strip())
    if match is None or line.startswith("@"):
        raise _UnknownError
    name, suffix, rest = match.group(1), match.group(2).replace("::", "."), match.group(3).strip()
    modifiers = [part for part in suffix.split(".") if part]
    first = f"{name}.{modifiers[0]}" if modifiers else name
    if name in _STATEMENTS or (first in _STATEMENTS and rest in ("0", "")):
        statement = _STATEMENTS.get(first, _STATEMENTS.get(name, ""))
        return f"{statement};"
    types = [part for part in modifiers if part in _TYPES]
    unknown = [part for part in modifiers if part not in _TYPES and part not in _IGNORED]

    def operand(text: str) -> str:
        return _operand(text, names, registers)

    if not types:
        raise _UnknownError
    kind = types[-1]
    ctype = _TYPES[kind]
    if name == "mov" and "{" in rest:
        return _packed(rest, kind, operand)
    texts = [part.strip() for part in rest.split(",")]
    if name in ("ld", "st"):
        if unknown or len(texts) != 2:
            raise _UnknownError
        memory = _MEMORY.fullmatch(texts[1 if name == "ld" else 0])
        if memory is None:
            raise _UnknownError
        offset = f" + {memory.group(2)}" if memory.group(2) else ""
        base = operand(memory.group(1))
        place = f"*(volatile {ctype} *)((char *){base}{offset})"
        if "volatile" not in modifiers:
            place = place.replace("volatile ", "")
        if name == "st":
            return f"{place} = {operand(texts[1])};"
        return f"{operand(texts[0])} = {place};"
    target, *values = [operand(text) for text in texts]
    value = _value(name, kind, ctype, values, types, unknown)
    return f"{target} = {value};"


def _carried(line: str, names: dict[str, str], registers: dict[str, str], known: bool) -> str:
    """An instruction of a sum in several words: it reads what the one before has carried, sets
    that, or both. The carry of another `asm` is not known."""
    match = _CARRY.fullmatch(line.strip())
    if match is None or (match["reads"] and not known):
        raise _UnknownError
    texts = [_operand(part, names, registers) for part in match["operands"].split(",")]
    name, bits, part = match["name"], int(match["bits"]), match["part"]
    if len(texts) != (4 if name == "mad" else 3) or (name == "mad") != bool(part):
        raise _UnknownError
    word, wide = _TYPES[f"u{bits}"], "unsigned long long" if bits == 32 else "unsigned __int128"
    target, *values = texts
    terms = [f"({wide})({word})({value})" for value in values]
    if name == "mad":
        product = f"{terms[0]} * ({word})({values[1]})"
        half = f"({product}) >> {bits}" if part == "hi" else product
        terms = [f"({wide})({word})({half})", terms[2]]
    total = f" {'-' if name == 'sub' else '+'} ".join(terms)
    if match["reads"]:
        total += f" {'-' if name == 'sub' else '+'} ptx_carry"
    carry = f" ptx_carry = (unsigned)(ptx_total >> {bits}) & 1u;" if match["sets"] else ""
    return f"{{ const {wide} ptx_total = {total}; {target} = ({word})ptx_total;{carry} }}"


def _value(
    name: str, kind: str, ctype: str, values: list[str], types: list[str], unknown: list[str]
) -> str:
    """What an instruction computes from its operands."""
    cast = [f"({ctype})({value})" if kind[0] != "b" else value for value in values]
    floating = kind[0] == "f"
    match name, values, unknown:
        case "mov", [a], []:
            return a
        case "cvt", [a], []:
            if len(types) != 2 or (types[1][0] == "f" and types[0][0] != "f"):
                raise _UnknownError
            return f"({_TYPES[types[0]]})({_TYPES[types[1]]})({a})"
        case "add" | "sub" | "div" | "rem" | "and" | "or" | "xor", [_, _], []:
            return f"({ctype})({cast[0]} {_BINARY[name]} {cast[1]})"
        case "mul", [_, _], []:
            return f"({ctype})({cast[0]} * {cast[1]})"
        case "mul", [_, _], ["hi"] if kind in _HIGH:
            return f"{_HIGH[kind]}({cast[0]}, {cast[1]})"
        case "mul", [_, _], ["wide"] if kind in _WIDE:
            return f"({_TYPES[_WIDE[kind]]}){cast[0]} * {cast[1]}"
        case "mad", [_, _, _], []:
            return f"({ctype})({cast[0]} * {cast[1]} + {cast[2]})"
        case "mad", [_, _, c], ["wide"] if kind in _WIDE:
            wide = _TYPES[_WIDE[kind]]
            return f"({wide}){cast[0]} * {cast[1]} + ({wide})({c})"
        case "fma", [_, _, _], [] if floating:
            return f"{'fmaf' if kind == 'f32' else 'fma'}({', '.join(cast)})"
        case "min" | "max", [_, _], []:
            function = f"f{name}{'f' if kind == 'f32' else ''}" if floating else name
            return f"{function}({cast[0]}, {cast[1]})"
        case "not", [a], []:
            return f"({ctype})~({a})"
        case "neg", [_], []:
            return f"-({cast[0]})"
        case "abs", [_], []:
            return f"{'fabsf' if kind == 'f32' else 'fabs' if floating else 'abs'}({cast[0]})"
        case "shl" | "shr", [_, b], [] if kind[1:] in ("32", "64"):
            op, bits = ("<<" if name == "shl" else ">>"), int(kind[1:])
            left = f"({ctype})({values[0]})"
            if b.isdigit() and int(b) < bits:
                return f"{left} {op} {b}"
            if kind[0] == "s":  # longer shifts leave the sign
                return f"{left} {op} min((unsigned)({b}), {bits - 1}u)"
            return f"(unsigned)({b}) < {bits} ? {left} {op} ({b}) : 0"
        case "rcp", [_], [] if floating:
            return f"{'1.0f' if kind == 'f32' else '1.0'} / {cast[0]}"
        case "sqrt", [_], [] if floating:
            return f"{'sqrtf' if kind == 'f32' else 'sqrt'}({cast[0]})"
        case "ex2" | "lg2" | "sin" | "cos" | "tanh" | "rsqrt", [_], [] if kind == "f32":
            return f"{_CALLS[name]}({cast[0]})"
        case "popc" | "clz" | "brev", [a], [] if kind in ("b32", "b64"):
            return f"__{name}{'ll' if kind == 'b64' else ''}({a})"
        case "bfe", [a, b, c], [] if kind == "u32":
            at, bits = map(_field, (b, c))
            return f"((unsigned long long)(unsigned)({a}) >> ({at})) & ((1ULL << ({bits})) - 1)"
        case "bfe", [a, b, c], [] if kind == "s32":
            at, bits = map(_field, (b, c))
            moved = f"(unsigned long long)((long long)(int)({a}) >> ({at})) << (64 - ({bits}))"
            field = f"(int)((long long)({moved}) >> (64 - ({bits})))"
            return f"({bits}) == 0 ? 0 : {field}"
        case "bfi", [a, b, c, d], [] if kind == "b32":
            at, bits = map(_field, (c, d))
            mask = f"(((1ULL << ({bits})) - 1) << ({at}))"
            return f"(({b}) & ~{mask}) | (((unsigned long long)({a}) << ({at})) & {mask})"
        case "prmt", [a, b, c], [] if kind == "b32":
            return f"__byte_perm({a}, {b}, {c})"
        case "lop3", [a, b, c, table], [] if kind == "b32":
            return _table(int(table, 0), a, b, c)
        case _:
            raise _UnknownError


def _field(value: str) -> str:
    """A place in a word, or a number of its bits: PTX looks at the last byte."""
    if value.isdigit():
        return str(min(int(value) & 255, 32))
    return f"min((unsigned)({value}) & 255u, 32u)"


def _table(bits: int, a: str, b: str, c: str) -> str:
    """A logical function of three operands by its truth table."""
    known = {
        0x96: f"{a} ^ {b} ^ {c}",
        0xE8: f"({a} & {b}) | ({a} & {c}) | ({b} & {c})",
        0xCA: f"({a} & {b}) | (~{a} & {c})",
        0x80: f"{a} & {b} & {c}",
        0xFE: f"{a} | {b} | {c}",
    }
    if bits in known:
        return known[bits]
    places = ((2, a), (1, b), (0, c))
    terms = [
        " & ".join(f"{'' if row >> place & 1 else '~'}{one}" for place, one in places)
        for row in range(8)
        if bits >> row & 1
    ]
    return " | ".join(f"({term})" for term in terms) or "0"


def _operand(text: str, names: dict[str, str], registers: dict[str, str]) -> str:
    text = text.strip()
    known = names.get(text) or registers.get(text) or _SPECIAL.get(text.replace("%%", "%"))
    if known is not None:
        return known
    hexadecimal = _HEX_FLOAT.fullmatch(text)
    if hexadecimal is not None:
        return f"__int_as_float(0x{hexadecimal.group(1)})"
    if _NUMBER.fullmatch(text):
        return text.rstrip("U")
    raise _UnknownError


def _packed(rest: str, kind: str, operand: Callable[[str], str]) -> str:
    """`mov.b64 %0, {%1, %2};` and `mov.b64 {%0, %1}, %2;`"""
    if kind not in _HALVES:
        raise _UnknownError
    whole, half, bits = _HALVES[kind]
    match = re.fullmatch(r"([^{},]+),\s*\{([^{},]+),([^{},]+)\}", rest)
    if match is not None:
        target, low, high = (operand(part) for part in match.groups())
        return f"{target} = ({whole})({half})({low}) | (({whole})({half})({high}) << {bits});"
    match = re.fullmatch(r"\{([^{},]+),([^{},]+)\},\s*([^{},]+)", rest)
    if match is None:
        raise _UnknownError
    low, high, source = (operand(part) for part in match.groups())
    return f"{low} = ({half})({source}); {high} = ({half})(({whole})({source}) >> {bits});"
