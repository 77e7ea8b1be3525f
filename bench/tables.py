#!/usr/bin/env python3
"""Measures the rows that the pages show and writes their tables, or checks the form of existing tables.

usage: bench/tables.py BENCH [FLAG...]     (from the root of the checkout; flags of tgmap_bench, such as --quick)
       bench/tables.py --check

With the flag --only, tables stay as they are if not all of their rows were measured.

A table is between <!-- bench: PATTERN... --> and <!-- /bench -->. It has the rows whose names match a pattern, in which
`*` matches any text, below a line with the date and the machine.
"""

import datetime
import fnmatch
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

PAGES = (pathlib.Path("README.md"), pathlib.Path("docs/cost.md"))
BLOCK = re.compile(r"^<!-- bench: (?P<patterns>[^\n]*) -->\n(?P<body>.*?)^<!-- /bench -->$", re.MULTILINE | re.DOTALL)
MARKER = re.compile(r"<!-- /?bench\b")
MACHINE = re.compile(r"Measured \d{4}-\d\d-\d\d(, --quick)?: [^,]+, \d+ cores, Linux [^,]+, [^,]+ [\d.]+\.")
HEAD = "| row | measured | bar | floor |\n|---|---|---|---|\n"
LINE = re.compile(r"\| `(?P<name>[^`|]+)` \| [^|]*\d[^|]* \| [^|]+ \| [^|]+ \|")


def scaled(number, units, step):
    for unit in units[:-1]:
        if number < step:
            return f"{number:.3g} {unit}"
        number /= step
    return f"{number:.3g} {units[-1]}"


def time_text(nanoseconds):
    return scaled(nanoseconds, ("ns", "µs", "ms", "s"), 1000)


def number_text(of, number):
    if of == "time_ns":
        return time_text(number)
    return f"{number:.3g}" if of == "ratio" or number < 1e5 else scaled(number, ("B", "kB", "MB", "GB"), 1000)


def row_line(row):
    """Returns a line of a table: a number for each bar, in bold if the bar is missed."""
    measured, limits = [], []
    for bar in row.get("bars", []):
        text = number_text(bar["of"], bar["measured"])
        measured.append((text if bar["met"] else f"**{text}**") + ("" if bar["of"] in ("ratio", "time_ns") else
                        f" {row['value_is'] if bar['of'] == 'value' else bar['of']}"))
        limits.append(number_text(bar["of"], bar["limit"]))
    if not any(bar["of"] == "time_ns" for bar in row.get("bars", [])) and row["time_ns"] > 0:
        measured.append(f"{time_text(row['time_ns'])} per {row['unit']}")
    return f"| `{row['name']}` | {', '.join(measured)} | {', '.join(limits) or '–'} | {row.get('floor', '–')} |\n"


def machine_line(flags, compiler):
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    processor = " ".join((model[1] if model else platform.machine()).replace(",", " ").split())
    how = ", --quick" if "--quick" in flags else ""
    kernel = platform.release().partition("-")[0]
    return (f"Measured {datetime.date.today()}{how}: {processor}, {os.cpu_count()} cores, Linux {kernel}, "
            f"{compiler}.\n")


def fits(name, patterns):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns.split())


def form_faults(page, text):
    """Yields the mistakes in the form of a page's tables."""
    blocks = list(BLOCK.finditer(text))
    if len(MARKER.findall(text)) != 2 * len(blocks):
        yield f"{page}: a marker of a table has no counterpart"
    if not blocks:
        yield f"{page}: has no table"
    for block in blocks:
        here = f"{page}, bench: {block['patterns']}"
        machine, _, table = block["body"].partition("\n\n")
        if not MACHINE.fullmatch(machine):
            yield f"{here}: does not begin with the date and the machine"
        if not table.startswith(HEAD):
            yield f"{here}: does not have the columns of a table"
            continue
        lines = table.removeprefix(HEAD).splitlines()
        names = [match["name"] for line in lines if (match := LINE.fullmatch(line))]
        if not names or len(names) != len(lines):
            yield f"{here}: has a line that ./dev bench --tables does not write"
        yield from (f"{here}: {name} does not belong there" for name in names if not fits(name, block["patterns"]))


def check():
    faults = [fault for page in PAGES for fault in form_faults(page, page.read_text(encoding="utf-8"))]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"tables: {len(PAGES)} pages, {len(faults)} faults; ./dev bench --tables writes them")
    return 1 if faults else 0


def measure(bench, flags):
    """Returns all rows as the benchmarks print them. Fails if one is missing, because its table would lose it silently."""
    rows = []
    with subprocess.Popen([bench, "--json", *flags], stdout=subprocess.PIPE, text=True) as running:
        for line in running.stdout:
            rows.append(json.loads(line))
            print(rows[-1]["name"], file=sys.stderr)
    failed = [f"{row['name']}: {row['error']}" for row in rows if "error" in row]
    if running.returncode or failed:
        sys.exit("\n".join([*failed, "tables: not every row was measured, so nothing is written"]))
    return rows


def write(bench, flags):
    rows = measure(bench, flags)
    machine = machine_line(flags, rows[0]["compiler"])

    def table(block):
        shown = [row_line(row) for row in rows if fits(row["name"], block["patterns"])]
        known = {match["name"] for line in block["body"].splitlines() if (match := LINE.fullmatch(line))}
        if "--only" in flags and (not shown or not known <= {row["name"] for row in rows}):
            return block[0]
        return f"<!-- bench: {block['patterns']} -->\n{machine}\n{HEAD}{''.join(shown)}<!-- /bench -->"

    for page in PAGES:
        page.write_text(BLOCK.sub(table, page.read_text(encoding="utf-8")), encoding="utf-8")
    return check()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(check() if sys.argv[1] == "--check" else write(sys.argv[1], sys.argv[2:]))
