#!/usr/bin/env python3
"""Makes small wrong changes to the sources, one at a time, and checks that a test fails.

Prints a line of JSON for each mutant, then the share that was noticed; fails below --least per cent. Run by
`./dev mutants`.
"""

import argparse
import collections
import json
import multiprocessing
import os
import pathlib
import random
import sys
import time

from mutate import mutants_of
from workshop import Workshop

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=["src/wire", "src/archive"], help="or files")
    parser.add_argument("--sample", type=int, default=200, metavar="N", help="of all mutants; 0: every one")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--after", type=int, default=0, metavar="N", help="leave out the first N of the sample, which "
                        "an earlier run tried")
    parser.add_argument("--only", metavar="FILE:LINE", help="the mutants of one line")
    parser.add_argument("--list", action="store_true", help="name the mutants, build nothing")
    parser.add_argument("--least", type=float, default=85, metavar="PERCENT")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="mutants tried at a time, each in a "
                        "copy of its own. Default: one for each core")
    parser.add_argument("--build", type=pathlib.Path, default=CHECKOUT / "build" / "mutants", metavar="FOLDER")
    return parser.parse_args()


def chosen(asked):
    """The mutants to try, in order of place: adjacent ones share built objects."""
    folders = [asked.only.rpartition(":")[0]] if asked.only else asked.folders
    files = []
    for folder in map(CHECKOUT.joinpath, folders):
        files += [folder] if folder.is_file() else sorted(folder.rglob("*.[ch]pp"))
    everything = []
    for file in files:
        everything += mutants_of(file.relative_to(CHECKOUT).as_posix(), file.read_text(encoding="utf-8"))
    if asked.only:
        return [m for m in everything if m.line == int(asked.only.rpartition(":")[2])]
    if not 0 < asked.sample < len(everything):
        return everything[asked.after:]
    places = sorted(random.Random(asked.seed).sample(range(len(everything)), asked.sample))
    return [everything[i] for i in places[asked.after:]]


def workshop_of(build, number):
    return Workshop(CHECKOUT, build.resolve() / str(number))


def start(build, numbers):
    """Gives each process its own copy of the sources."""
    global workshop
    workshop = workshop_of(build, numbers.get())
    workshop.resume()


def try_out(mutant):
    begin = time.monotonic()
    verdict, by = workshop.verdict(mutant)
    return mutant, verdict, by, time.monotonic() - begin


def main():
    asked = options()
    mutants = chosen(asked)
    if not mutants:
        sys.exit("no mutants there")
    if asked.list:
        print(*(m.name for m in mutants), sep="\n")
        return 0

    for number in range(asked.jobs):
        workshop_of(asked.build, number).prepare()
    numbers = multiprocessing.Queue()
    for number in range(asked.jobs):
        numbers.put(number)
    verdicts, survivors = collections.Counter(), []
    with multiprocessing.Pool(asked.jobs, start, (asked.build, numbers)) as pool:
        for mutant, verdict, by, seconds in pool.imap(try_out, mutants):
            verdicts[verdict] += 1
            if verdict == "survived":
                survivors.append(mutant)
            print(json.dumps({"file": mutant.file, "line": mutant.line, "kind": mutant.kind, "old": mutant.old,
                              "new": mutant.new, "verdict": verdict, "by": by, "seconds": round(seconds, 1)}), flush=True)

    living = verdicts["killed"] + verdicts["survived"]
    if not living:
        sys.exit("none of them compiles")
    share = 100 * verdicts["killed"] / living
    print(*(f"survived: {m.name}" for m in survivors), sep="\n", end="\n" if survivors else "", file=sys.stderr)
    print(f"mutants: {verdicts['killed']} of {living} killed, {share:.1f} % (at least {asked.least:g} %); "
          f"{verdicts['stillborn']} more do not compile", file=sys.stderr)
    return 0 if share >= asked.least else 1


if __name__ == "__main__":
    sys.exit(main())
