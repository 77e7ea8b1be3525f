#!/usr/bin/env python3
"""Writes each ```cpp block of the given Markdown pages as a C++ file and prints the files' paths, one a line.

usage: extract_snippets.py OUTPUT_DIRECTORY PAGE...

A block is a whole file, unless its first line is `// fragment` or its fence says ```cpp fragment: then it is the body of
a function, after its own #include lines. The body of a ```cpp continued block follows that of the fragment before it.
A block that is not meant to compile is fenced as ```c++.
"""

import pathlib
import re
import sys

FENCE = re.compile(r"^(?P<indent> *)```cpp *(?P<word>\w*)[^\n]*\n(?P<body>.*?)^(?P=indent)```", re.MULTILINE | re.DOTALL)
INCLUDE = re.compile(r"^ *#include.*$", re.MULTILINE)


class Snippet:
    def __init__(self, page, line, body, whole):
        self.page, self.line, self.whole = page, line, whole
        self.parts = [(line, body)]

    def text(self):
        if self.whole:
            return "".join(self.located(body, line) for line, body in self.parts)
        includes = [found.strip() for _, body in self.parts for found in INCLUDE.findall(body)]
        head = "\n".join(dict.fromkeys(["#include <tgmap/tgmap.hpp>", *includes]))
        # Emptied, not removed, so that the compiler's line numbers are those of the page.
        body = "".join(self.located(INCLUDE.sub("", body), line) for line, body in self.parts)
        return f"{head}\n[[maybe_unused]] static void example() {{\n{body}}}\n"

    def located(self, body, line):
        return f'#line {line} "{self.page.name}"\n{body}'


def snippets_of(page):
    text = page.read_text(encoding="utf-8")
    found = []
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start("body")) + 1
        word, body = match["word"], match["body"]
        if word == "continued":
            if not found or found[-1].whole:
                raise SystemExit(f"{page.name}:{line}: nothing to continue")
            found[-1].parts.append((line, body))
        else:
            fragment = word == "fragment" or body.lstrip().startswith("// fragment")
            found.append(Snippet(page, line, body, whole=not fragment))
    return found


def main(output, pages):
    output.mkdir(parents=True, exist_ok=True)
    for page in pages:
        for number, snippet in enumerate(snippets_of(page), start=1):
            file = output / f"{page.stem}_{number}.cpp"
            text = snippet.text()
            if not file.exists() or file.read_text(encoding="utf-8") != text:  # else it would be compiled again
                file.write_text(text, encoding="utf-8")
            print(file)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), [pathlib.Path(argument) for argument in sys.argv[2:]])
