"""Makes mutants of C++ source: small wrong changes, each of which a test should detect.

Works on text formatted by clang-format: binary operators are between spaces, template brackets are not. The caller discards
mutants that do not compile.
"""

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    line: int  # from 1
    kind: str
    begin: int  # replaces text[begin:end]
    end: int
    old: str
    new: str

    def apply(self, text):
        assert text[self.begin:self.end] == self.old
        return text[:self.begin] + self.new + text[self.end:]

    @property
    def name(self):
        return " ".join(f"{self.file}:{self.line}: {self.kind}: {self.old} -> {self.new}".split())


SWAPS = {
    "relation": {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == "},
    "arithmetic": {" + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ", " % ": " / ", " << ": " >> ", " >> ": " << ",
                   " & ": " | ", " | ": " & ", " += ": " -= ", " -= ": " += ", " |= ": " &= ", " &= ": " |= "},
    "logic": {" && ": " || ", " || ": " && "},
    "result": {"return true;": "return false;", "return false;": "return true;", "return why;": "return {};"},
}
STEP = re.compile(r"(?<![+\w])(\+\+|--)(?=[a-z])|(?<=[a-z\]])(\+\+|--)(?![+\w])")
NUMBER = re.compile(r"(?<![\w.'])(0x[0-9a-fA-F]+|[0-9]+)(u?)(?![\w.'])")
FAILED = re.compile(r"return (?:fail\(|rejected\(|\{\.code)[^;]*;")
CONDITION = re.compile(r"\bif \(")
# One whole statement except declarations: a call, an assignment, an increment, a jump.
PLACE = r"[\w.:\->\[\]*]+"
STATEMENT = re.compile(rf"(?:{PLACE}(?:\([^;{{}}]*\))+|{PLACE} [-+|&]?= [^;]*|(?:\+\+|--){PLACE}|continue|break);")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


HIDDEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*'
    r"|\bstatic_assert\s*\([^;]*;|\[\[[^\]]*\]\]|^template <[^\n]*|^[ \t]*friend [^;]*;|= default;|= delete;",
    re.DOTALL | re.MULTILINE)


def visible(text):
    """The text with comments, literals and directives blanked out, of the same length."""
    return HIDDEN.sub(blank, text)


def closing(code, opening):
    """Returns the position of the parenthesis that closes the one at `opening`."""
    depth = 0
    for at in range(opening, len(code)):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        if depth == 0:
            return at
    return len(code)


def is_declaration(condition):
    """Returns true if the condition of `if (…)` is a declaration, as in `if (failure why = f())`."""
    head = condition.partition("=")
    return bool(head[1]) and not re.search(r"[=!<>]$", head[0].rstrip(" ") or " ") and \
        not head[2].startswith("=") and re.search(r"[\w>&\]*] *[\w\[\], &]+$", head[0]) and " " in head[0].strip()


def number_of(literal):
    """The value of an integer of C++."""
    return int(literal, 8 if re.fullmatch("0[0-7]+", literal) else 0)


def changes(code, text):
    """(kind, begin, end, new) for every mutant."""
    for kind, swaps in SWAPS.items():
        for old, new in swaps.items():
            at = code.find(old)
            while at >= 0:
                yield kind, at, at + len(old), new
                at = code.find(old, at + 1)
    for match in STEP.finditer(code):
        yield "step", *match.span(), "--" if match.group() == "++" else "++"
    for match in NUMBER.finditer(code):
        value = number_of(match.group(1))
        yield "constant", *match.span(), f"{value + 1}{match.group(2)}"
        if value > 1:
            yield "constant", *match.span(), f"{value - 1}{match.group(2)}"
    for match in FAILED.finditer(code):
        yield "result", *match.span(), "return {};"
    for match in CONDITION.finditer(code):
        begin, end = match.end(), closing(code, match.end() - 1)
        begin += code[begin:end].rfind("; ") + 2 if "; " in code[begin:end] else 0
        simple = re.fullmatch(r"[^|&]* [!=]= [^|&]*", code[begin:end])  # its relation is inverted by another mutant
        if not simple and not is_declaration(code[begin:end]):
            yield "condition", begin, end, f"!({text[begin:end]})"
    for match in re.finditer(r"^ +(?:if \(.*\) |else |for \(.*\) )?(?=\S)", code, re.MULTILINE):
        statement = STATEMENT.match(code, match.end())
        fresh = code[:match.start()].rstrip()[-1:] in tuple(";{}):")  # not a continued line of a statement
        hint = statement and re.search(r"\.reserve\(", statement.group())  # without it the program is only slower
        if statement and fresh and not hint and code[statement.end():].partition("\n")[0].strip() in {"", "}"}:
            yield "removed", *statement.span(), ";"


def mutants_of(file, text):
    """Every mutant of a file, in order of place."""
    found = {}
    for kind, begin, end, new in changes(visible(text), text):
        mutant = Mutant(file, text.count("\n", 0, begin) + 1, kind, begin, end, text[begin:end], new)
        found.setdefault((begin, end, new), mutant)
    return [found[key] for key in sorted(found)]
