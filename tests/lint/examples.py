#!/usr/bin/env python3
"""Checks that the code in the pages equals docs/examples, and that the guide lists each example with its first line.

usage: tests/lint/examples.py [--write]    (from the root of the checkout; --write: updates the pages)

A block fenced as ```cpp examples/NAME.cpp holds the whole program. A list item [`NAME.cpp`](examples/NAME.cpp) goes on
with the first line of the program, which is a comment of one sentence.
"""

import pathlib
import re
import sys

DOCS = pathlib.Path("docs")
GUIDE = DOCS / "guide.md"
BLOCK = re.compile(r"^```cpp (?P<name>examples/\w+\.cpp)\n.*?^```$", re.MULTILINE | re.DOTALL)
ITEM = re.compile(r"^- \[`(?P<file>\w+\.cpp)`\].*$", re.MULTILINE)
LINK = re.compile(r"\((?:docs/)?examples/(\w+\.cpp)\)")


def program(name):
    return (DOCS / name).read_text(encoding="utf-8")


def sentence(file):
    return program(f"examples/{file}").partition("\n")[0].removeprefix("// ")


def current(text):
    """The page with up-to-date examples."""
    text = BLOCK.sub(lambda m: f"```cpp {m['name']}\n{program(m['name'])}```", text)
    return ITEM.sub(lambda m: f"- [`{m['file']}`](examples/{m['file']}): {sentence(m['file'])}", text)


def main():
    names = sorted(path.name for path in (DOCS / "examples").glob("*.cpp"))
    faults, shown = [], 0
    for page in [pathlib.Path("README.md"), *sorted(DOCS.glob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        try:
            wanted = current(text)
        except FileNotFoundError as e:
            faults.append(f"{page}: shows {e.filename}, which does not exist")
            continue
        shown += len(BLOCK.findall(text))
        faults += [f"{page}: links to {name}, which does not exist" for name in LINK.findall(text) if name not in names]
        if wanted != text and "--write" in sys.argv:
            page.write_text(wanted, encoding="utf-8")
        elif wanted != text:
            faults.append(f"{page}: an example is not as docs/examples has it; run tests/lint/examples.py --write")
    listed = [match["file"] for match in ITEM.finditer(GUIDE.read_text(encoding="utf-8"))]
    faults += [f"{GUIDE}: does not list {name}" for name in names if name not in listed]
    faults += [f"{DOCS}/examples/{name}: does not begin with a comment of one sentence" for name in names
               if not re.fullmatch(r"// [A-Z].*\.\n", program(f"examples/{name}").partition("\n")[0] + "\n")]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"examples: {len(names)} programs, {shown} shown, {len(faults)} faults")
    return 1 if faults or not names else 0


if __name__ == "__main__":
    sys.exit(main())
