"""Statements of random kernels of groups: what threads have, and how it is combined and used."""

from __future__ import annotations

from typing import Final

from tests.properties.cxx.tree import Simple, Statement
from tests.properties.groups.values import ALL, REALS, Value, Writer

_FUNCTIONS: Final = {"add": "sum", "max": "max"}


def fresh(w: Writer) -> Statement:
    """A new value of each thread."""
    kind = w.last = w.random.choice(["add", "add", "max", "min"])
    name = w.new("v")
    i = w.new("i")
    first, step = w.number("t", "t", "t", "g"), w.wide()
    if not w.whole and w.has_warps and w.chance(0.5):
        first, step = "t % 32", "32"
    end = w.number("n", "m", str(3 * w.threads), str(w.threads), "200")
    if first == "g":
        end = str(w.threads * w.blocks + 30)
    element, size = w.element(i)
    choice = w.random.random()
    all_have = choice > 0.35 and w.whole and first == "t" and end not in ("n", "m")
    start, bound, extreme = w.start(kind, all_have=all_have and w.threads <= 200)
    declared = f"{w.type} {name} = {start};\n"
    if choice < 0.2:
        load, size = w.element("g")
        text = f"{w.type} {name} = {load};\n"
        bound, extreme = size, ""
    elif choice < 0.35:
        load, size = w.element("g")
        limit = w.random.choice([w.threads - 3, w.threads // 2, 1, 5])
        text = w.random.choice(
            [
                f"{w.type} {name} = t < {limit} ? "
                f"{_converted(w, load)} : {_converted(w, start)};\n",
                f"{declared}if (t < {limit})\n    {name} = {load};\n",
            ]
        )
        bound = max(size, bound)
    else:
        if kind == "add" and w.type in ("int", "long long") and w.chance(0.15):
            element = f"{element} * 0.5f" if " - " not in element else element
        body = w.combined(kind, name, element)
        if len(body) > 30 and w.chance(0.5):
            body = f"{{\n    {w.type} e = {element};\n    {w.combined(kind, name, 'e')}\n}}"
        text = f"{declared}for (int {i} = {first}; {i} < {end}; {i} += {step})\n    {body}\n"
        bound = max(size, bound) * (30 if kind == "add" else 1)
    value = Value(name, bound, extreme=extreme, of=kind)
    text += w.small(value, kind="")
    w.values.append(value)
    return Simple(text.rstrip())


def _converted(w: Writer, text: str) -> str:
    return f"({w.type})({text})"


def ladder(w: Writer) -> Statement:
    """Shuffles."""
    value, kind, d = w.value(), w.kind(), w.new("d")
    name, bad = value.name, w.chance(0.04)
    text = w.small(value, 64 if bad else None, kind)
    width = w.random.choice([32, 32, 32, 32, 16, 8])
    how = w.random.choice(["xor", "xor", "down", "down", "up"])
    top = width // 2
    if w.chance(0.06):
        top //= 2
    other = f"__shfl_{how}_sync({ALL}, {name}, {d}{'' if width == 32 else f', {width}'})"
    if width == 32 and w.chance(0.1):
        other = f"__shfl_{how}_sync({ALL}, {name}, {d}, 32)"
    if kind != "add" or w.chance(0.3):
        o = w.new("o")
        body = f"{{\n    {w.type} {o} = {other};\n    {w.combined(kind, name, o)}\n}}"
    else:
        body = w.combined(kind, name, other)
    loop = w.random.choice(
        [
            f"for (int {d} = {top}; {d} > 0; {d} /= 2)",
            f"for (int {d} = {top}; {d} >= 1; {d} >>= 1)",
            f"for (int {d} = 1; {d} < {2 * top}; {d} *= 2)",
            f"#pragma unroll\nfor (int {d} = {top}; {d}; {d} >>= 1)",
        ]
    )
    if bad:
        loop = f"for (int {d} = {top}; {d} > 0; --{d})"
        w.grown(value, kind, 1 << 11)
    text += f"{loop} {body}\n"
    w.grown(value, kind, 32)
    value.has = "lanes" if how == "xor" else "lane"
    if w.chance(0.15):
        text += f"{name} = __shfl_sync({ALL}, {name}, {w.number('0', '0', '0', '3')});\n"
        value.has, value.of = "lanes", "any"
    text += w.small(value, w.limit, "")
    return Simple(text.rstrip())


def tile(w: Writer) -> Statement:
    """Tiles of cooperative groups."""
    value, kind, tile = w.value(), w.kind(), w.new("tile")
    text = w.small(value, kind=kind)
    width = w.random.choice([32, 32, 16])
    text += f"auto {tile} = cg::tiled_partition<{width}>(cg::this_thread_block());\n"
    name, spelled = value.name, w.type
    if w.chance(0.5):
        operation = {"add": "plus", "max": "greater", "min": "less"}[kind]
        text += f"{name} = cg::reduce({tile}, {name}, cg::{operation}<{spelled}>());\n"
    else:
        d, o = w.new("d"), w.new("o")
        how = w.random.choice(["xor", "down"])
        text += (
            f"for (int {d} = {tile}.size() / 2; {d} > 0; {d} /= 2) {{\n"
            f"    {spelled} {o} = {tile}.shfl_{how}({name}, {d});\n"
            f"    {w.combined(kind, name, o)}\n}}\n"
        )
    w.grown(value, kind, 32)
    value.has = "lane"
    return Simple(text + w.small(value, w.limit, "").rstrip())


def called(w: Writer) -> Statement:
    """Functions."""
    value = w.value()
    kind = w.random.choice(["add", "max"])
    text = w.small(value, kind=kind)
    result = Value(w.new("r"), value.bound, extreme=value.extreme, of=value.of)
    if w.whole and w.chance(0.6):
        array, before = w.array("part", 32)
        text += before
        text += f"{w.type} {result.name} = block_{_FUNCTIONS[kind]}<{w.type}, {w.threads}>"
        text += f"({value.name}, {array}, t);\n"
        result.has = "all"
        w.grown(result, kind, w.threads, everywhere=True)
    else:
        text += f"{w.type} {result.name} = warp_{_FUNCTIONS[kind]}({value.name});\n"
        result.has = "lane"
        w.grown(result, kind, 32)
    w.values.append(result)
    return Simple(text + w.small(result, w.limit, "").rstrip())


def tree(w: Writer) -> Statement:
    """A tree in a shared array."""
    value, kind, k = w.value(), w.kind(), w.new("k")
    array, before = w.array(w.number("s", "s", "q"), w.threads)
    text = w.small(value, kind=kind) + before
    text += f"{array}[t] = {value.name};\n__syncthreads();\n"
    step = w.combined(kind, f"{array}[t]", f"{array}[t + {k}]")
    if w.threads & (w.threads - 1):
        text += (
            f"for (int {k} = 1; {k} < {w.threads}; {k} *= 2) {{\n"
            f"    if (t % (2 * {k}) == 0 && t + {k} < {w.threads})\n        {step}\n"
            "    __syncthreads();\n}\n"
        )
    else:
        half = w.threads // (4 if w.chance(0.06) else 2)
        text += (
            f"for (int {k} = {half}; {k} > 0; {k} /= 2) {{\n"
            f"    if (t < {k})\n        {step}\n    __syncthreads();\n}}\n"
        )
    return Simple(text + _taken(w, value, kind, array).rstrip())


def _taken(w: Writer, value: Value, kind: str, array: str) -> str:
    """The first element of an array as a value, or where it is used."""
    bound, extreme = value.bound, value.extreme
    w.grown(value, kind, w.threads, everywhere=True)
    if w.chance(0.3) and not value.extreme and value.bound <= 2_000_000:
        where = w.number("t == 0", "t == 0", "t < 3", "t == 1")
        at = "0" if extreme else w.number("0", "0", "t", "1")
        value.bound, value.extreme = bound, extreme
        if where == "t == 0":
            return f"if (t == 0)\n    rows[blockIdx.x * 16] += {array}[{at}];\n"
        return f"if ({where})\n    out[g] += {array}[{at}];\n"
    place = w.number("0", "0", "0", "0", "t / 2")
    name, kept = value.name, value.extreme if place == "0" else extreme
    if w.chance(0.3):
        result = Value(w.new("r"), value.bound, "all", kept, "any")
        value.bound, value.extreme = bound, extreme
        w.values.append(result)
        return f"{w.type} {result.name} = {array}[{place}];\n" + w.small(result, w.limit, "")
    guard = "if (t == 0)\n    " if w.chance(0.1) else ""
    value.has, value.extreme, value.of = "all", extreme if guard else kept, "any"
    return f"{guard}{name} = {array}[{place}];\n" + w.small(value, w.limit, "")


def rows_of_warps(w: Writer) -> Statement:
    """A shared array in which each warp works on its own."""
    value, kind, k = w.value(), w.kind(), w.new("k")
    array, before = w.array(w.number("s", "q"), w.threads)
    text = w.small(value, kind=kind) + before
    text += f"{array}[t] = {value.name};\n__syncwarp();\n"
    step = w.combined(kind, f"{array}[t]", f"{array}[t + {k}]")
    text += (
        f"for (int {k} = 16; {k} > 0; {k} /= 2) {{\n"
        f"    if (t % 32 < {k})\n        {step}\n    __syncwarp();\n}}\n"
    )
    w.grown(value, kind, 32)
    text += f"{value.name} = {array}[{w.number('t', 't / 32 * 32')}];\n"
    value.has = "lane"
    return Simple(text + w.small(value, w.limit, "").rstrip())


def slots(w: Writer) -> Statement:
    """A ladder of each warp, whose results are combined through shared memory."""
    value, kind, d, k = w.value(), w.kind(), w.new("d"), w.new("k")
    array, before = w.array("part", 32)
    name, spelled, warps = value.name, w.type, w.threads // 32
    text = w.small(value, kind=kind)
    how, o = w.random.choice(["xor", "down"]), w.new("o")
    ladder = (
        f"for (int {d} = 16; {d} > 0; {d} /= 2) {{\n"
        f"    {spelled} {o} = __shfl_{how}_sync({ALL}, {name}, {d});\n"
        f"    {w.combined(kind, name, o)}\n}}\n"
    )
    text += ladder + before
    text += f"if (t % 32 == 0)\n    {array}[t / 32] = {name};\n__syncthreads();\n"
    result = name
    choice = w.random.random()
    w.grown(value, kind, 32)
    start, _, extreme = w.start(kind)
    if choice < 0.4:
        if w.chance(0.5):
            result = w.new("r")
            w.values.append(Value(result, value.bound, "own", value.extreme, value.of))
            text += f"{spelled} {result} = {start};\n"
        else:
            text += f"{name} = {start};\n"
        most = warps - (1 if w.chance(0.08) else 0)
        text += f"for (int {k} = 0; {k} < {most}; ++{k})\n"
        text += f"    {w.combined(kind, result, f'{array}[{k}]')}\n"
    elif choice < 0.7:
        text += (
            f"{name} = t < {warps} ? {array}[t % 32] : ({spelled})({start});\n"
            f"if (t < 32) {{\n{ladder}}}\n"
        )
    else:
        text += (
            f"if (t < 32) {{\n{name} = t < {warps} ? {array}[t] : ({spelled})({start});\n{ladder}"
            f"if (t == 0)\n    {array}[0] = {name};\n}}\n__syncthreads();\n"
            f"{name} = {array}[0];\n"
        )
    found = next(one for one in w.values if one.name == result)
    found.bound = max(value.bound, 1000) * (w.threads if kind == "add" else 1)
    found.has = "all" if choice < 0.4 or choice >= 0.7 else "first"
    w.grown(found, kind, 1, everywhere=found.has == "all")
    if found.has == "first" and extreme:
        found.extreme, found.of = extreme, "any"
    if w.loops:
        return Simple(text + w.small(found, 2000).rstrip())
    return Simple(text + w.small(found, 2000, "").rstrip())


def serial(w: Writer) -> Statement:
    """All elements of a shared array, by one thread or by each."""
    value, kind, k = w.value(), w.kind(), w.new("k")
    array, before = w.array(w.number("s", "q"), w.threads)
    text = w.small(value, kind=kind) + before
    text += f"{array}[t] = {value.name};\n__syncthreads();\n"
    first, end = w.number("0", "1", "1"), str(w.threads - (1 if w.chance(0.1) else 0))
    if first == "1" and w.chance(0.5):
        text += (
            f"if (t == 0)\n    for (int {k} = 1; {k} < {end}; ++{k})\n"
            f"        {w.combined(kind, f'{array}[0]', f'{array}[{k}]')}\n__syncthreads();\n"
        )
        return Simple(text + _taken(w, value, kind, array).rstrip())
    start, _, _ = w.start(kind)
    begin = f"{array}[0]" if first == "1" else start
    result = w.new("r")
    text += f"{w.type} {result} = {begin};\nfor (int {k} = {first}; {k} < {end}; ++{k})\n"
    text += f"    {w.combined(kind, result, f'{array}[{k}]')}\n"
    bound = max(value.bound, 1000) * (w.threads if kind == "add" else 1)
    made = Value(result, bound, "all", value.extreme, value.of)
    w.grown(made, kind, 1, everywhere=True)
    w.values.append(made)
    return Simple(text + w.small(made, 2000, "").rstrip())


def atomics(w: Writer) -> Statement:
    """A variable of the block that all add to."""
    value, kind = w.value(), w.kind()
    if w.type in REALS:
        kind = "add"
    elif w.type == "long long" and kind == "add":
        kind = "max"
    name = w.new("all")
    tag = w.type
    w.shared[name] = f"__shared__ {tag} {name};"
    text = w.small(value, kind=kind)
    start = {"add": "0", "max": "-3", "min": "70"}[kind]
    guard = "" if w.chance(0.7) else f"if (t < {w.threads // 2 + 1})\n    "
    operation = {"add": "atomicAdd", "max": "atomicMax", "min": "atomicMin"}[kind]
    text += (
        f"__syncthreads();\nif (t == 0)\n    {name} = {start};\n__syncthreads();\n"
        f"{guard}{operation}(&{name}, {value.name});\n__syncthreads();\n"
    )
    w.dirty.clear()
    w.grown(value, kind, w.threads, everywhere=True)
    value.bound, value.has = max(value.bound, 70), "all"
    text += f"{value.name} = {name};\n__syncthreads();\n"
    return Simple(text + w.small(value, w.limit, "").rstrip())


def vote(w: Writer) -> Statement:
    value, count = w.value(), w.new("c")
    forms = [f"__syncthreads_count({value.name} > 1)", f"__syncthreads_or({value.name} > 30)"]
    forms += [f"__syncthreads_and({value.name} < 30)"]
    forms = forms if w.whole else []
    if w.has_warps:
        forms += [f"__popc(__ballot_sync({ALL}, {value.name} > 2))"]
        forms += [
            f"__any_sync({ALL}, {value.name} > 20)",
            f"__all_sync({ALL}, {value.name} > 0)",
        ]
    form = w.random.choice(forms)
    w.dirty -= w.dirty if "threads" in form else set()
    return Simple(f"int {count} = {form};\nout[g] += ({w.type}){count};")


def place(w: Writer) -> Statement:
    """The place of an extreme, with its value."""
    kind = w.random.choice(["max", "min"])
    sign = ">" if kind == "max" else "<"
    spelled, v, p, i = w.type, w.new("e"), w.new("p"), w.new("i")
    start, bound, extreme = w.start(kind)
    element, size = w.element(i)
    tie = w.chance(0.8)
    text = f"{spelled} {v} = {start};\nint {p} = {w.number('-1', '0', '9999')};\n"
    text += (
        f"for (int {i} = t; {i} < {w.number('n', '150', 'm')}; {i} += {w.wide()}) {{\n"
        f"    {spelled} e = {element};\n    if (e {sign} {v}) {{\n"
        f"        {v} = e;\n        {p} = {i};\n"
        "    }\n}\n"
    )

    def joined(other: str, at: str) -> str:
        ties = f" || ({other} == {v} && {at} < {p})" if tie else ""
        return f"if ({other} {sign} {v}{ties}) {{\n    {v} = {other};\n    {p} = {at};\n}}\n"

    if w.has_warps and w.lanes and (not w.whole or w.chance(0.5)):
        o, q, d = w.new("o"), w.new("q"), w.new("d")
        how = w.random.choice(["xor", "down"])
        text += (
            f"for (int {d} = 16; {d} > 0; {d} /= 2) {{\n"
            f"    {spelled} {o} = __shfl_{how}_sync({ALL}, {v}, {d});\n"
            f"    int {q} = __shfl_{how}_sync({ALL}, {p}, {d});\n{joined(o, q)}}}\n"
        )
        text += f"if (t % 32 == 0)\n    at[blockIdx.x * 16 + t / 32] = {p};\n"
    else:
        s, before = w.array("s", w.threads)
        text += before
        q, more = w.array("place", w.threads, "int")
        text += more
        k = w.new("k")
        step = (
            f"if ({s}[t + {k}] {sign} {s}[t]"
            + (f" || ({s}[t + {k}] == {s}[t] && {q}[t + {k}] < {q}[t])" if tie else "")
            + f") {{\n    {s}[t] = {s}[t + {k}];\n    {q}[t] = {q}[t + {k}];\n}}\n"
        )
        text += (
            f"{s}[t] = {v};\n{q}[t] = {p};\n__syncthreads();\n"
            f"for (int {k} = 1; {k} < {w.threads}; {k} *= 2) {{\n"
            f"if (t % (2 * {k}) == 0 && t + {k} < {w.threads}) {{\n{step}}}\n"
            "__syncthreads();\n}\n"
            f"if (t == 0)\n    at[blockIdx.x * 16 + 9] = {q}[0];\n"
        )
    value = Value(v, max(bound, size), "own", extreme, "any")
    w.values.append(value)
    return Simple(text.rstrip())


def scan(w: Writer) -> Statement:
    """Sums of all lanes up to each."""
    value, d, o = w.value(), w.new("d"), w.new("o")
    text = w.small(value)
    text += (
        f"for (int {d} = 1; {d} < 32; {d} *= 2) {{\n"
        f"    {w.type} {o} = __shfl_up_sync({ALL}, {value.name}, {d});\n"
        f"    if (t % 32 >= {d})\n        {value.name} += {o};\n}}\n"
    )
    w.grown(value, "add", 32)
    value.has = "own"
    return Simple(text + w.small(value, w.limit).rstrip())


def use(w: Writer) -> Statement:
    """Something is made of a value."""
    value = w.value()
    name = value.name
    text = w.small(value, 2000)
    forms = [
        f"out[g] += {name};",
        f"if (t == 0)\n    rows[blockIdx.x * 16 + {w.random.randrange(4)}] += {name};",
        f"if (t < {w.random.choice([1, 3, 40])})\n    out[g] += {name};",
        f"if (t == {w.random.choice([0, 1, w.threads - 1])})\n    out[g] += {name};",
    ]
    if w.has_warps:
        forms.append(f"if (t % 32 == 0)\n    out[g] += {name};")
    if value.has == "all" or value.has == "lanes":
        forms += [forms[0]] * 4
    elif value.has == "lane" and w.has_warps:
        forms += [forms[-1]] * 4
    elif value.has == "first":
        forms += [forms[1]] * 4
    if not w.whole:
        forms = [one for one in forms if "rows" not in one] or forms[:1]
    return Simple(text + w.random.choice(forms))


def change(w: Writer) -> Statement:
    """A value is changed, or another one is made of it."""
    value = w.value()
    name = value.name
    text = w.small(value, 2000)
    if w.chance(0.4):
        other = Value(w.new("v"), value.bound + 41, value.has)
        w.values.append(other)
        return Simple(text + f"{w.type} {other.name} = {name}{w.number('', ' + x[g]')};")
    value.bound = 2 * value.bound + 41
    forms = [
        f"{name} += x[g];",
        f"{name} = {name} * 2;",
        f"{name} = x[g + 3];",
        f"{name} += 1;",
    ]
    forms += [f"if (t == 0)\n    {name} += 1;"]
    return Simple(text + w.random.choice(forms))


def spread(w: Writer) -> Statement:
    """What one thread has is given to all."""
    value = w.value()
    array, before = w.array("got", 1)
    value.has, value.of = "all", "any"
    thread = w.number("0", "0", str(w.threads - 1))
    text = f"if (t == {thread})\n    {array}[0] = {value.name};\n"
    return Simple(f"{before}{text}__syncthreads();\n{value.name} = {array}[0];")


def bounded(w: Writer) -> Statement:
    """A value, or that of some threads, is also compared with a number."""
    value, kind = w.value(), w.random.choice(["max", "min"])
    number = w.number("30", "7", "x[2]", "x[g]")
    joined = w.combined(kind, value.name, number if number[0] == "x" else _converted(w, number))
    value.bound = max(value.bound, 41)
    guard = w.number("", "", f"if (t > {w.random.randrange(w.threads)})\n    ")
    return Simple(f"{guard}{joined}" if guard == "" else f"{guard}{{\n{joined}\n}}")


def named_elsewhere(w: Writer) -> Statement:
    """A value gets a second name, which is used later."""
    value, name = w.value(), w.new("z")
    text = w.small(value, 2000)
    forms = {
        f"{w.type} *{name} = &{value.name};": f"*{name}",
        f"const {w.type} &{name} = {value.name};": name,
    }
    form = w.random.choice(list(forms))
    w.names.append((forms[form], value))
    return Simple(text + form)


def named_use(w: Writer) -> Statement:
    """What a second name stands for is used."""
    if not w.names:
        return named_elsewhere(w)
    form, value = w.random.choice(w.names)
    return Simple(w.small(value, 2000) + f"out[g] += {form};")
