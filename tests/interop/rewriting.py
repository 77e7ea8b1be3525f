#!/usr/bin/env python3
"""Rewrites archives by the reference implementation's command and by ours, and compares the outputs.

usage: tests/interop/rewriting.py REFERENCE_COMMAND OUR_COMMAND DIRECTORY...

Uses the files that compare.py uses. The reference must validate our output, its `dump -j` must print the same for both
outputs, and our `diff` must find the same elements in both, except where the reference has lost some by encoding them again.
Bytes need not be equal: the reference encodes elements again that we copy. Files that the reference refuses to write are
counted and skipped; a file that we refuse is an error.
"""

import collections
import pathlib
import sys
import tempfile

from compare import cases_of, documents, run

CALLS = {
    "set, new key": (["set", "-s", "zz.new=text"], "IN OUT"),
    "set, message-wide": (["set", "-s", "extra.zz=text,_extra_.more=x"], "IN OUT"),
    "set, descriptor": (["set", "-s", "objects.0.zz=text"], "IN OUT"),
    "merge": (["merge"], "IN -o OUT"),
    "merge, last": (["merge", "--strategy", "last"], "IN IN -o OUT"),
    "reshuffle": (["reshuffle"], "IN -o OUT"),
}
# By default the reference drops masks; tgmap never reads elements here.
REFERENCE_FLAGS = ["--allow-nan", "--allow-inf"]

# Lossy codecs: encoding them again changes elements.
LOSSY = ("zfp_", "sz3_")

# The exit status of our diff if it cannot compare some elements, for example those with strides that are not in C order. It
# cannot compare them in the input, either.
NOT_COMPARED = 4


def difference(reference, ours, folder, file, left, right):
    """Returns the differences in the written files, or nothing."""
    status, text = run(reference, folder, "validate", right)
    if status != 0 and run(reference, folder, "validate", file)[0] == 0:
        return "the reference finds fault with ours: " + text
    told = [documents(run(reference, folder, "dump", "-j", name)[1]) for name in (left, right)]
    if told[0] != told[1]:
        return f"the reference shows\\n  {told[0]}\\nof its own, and\\n  {told[1]}\\nof ours"
    if any(key.startswith(LOSSY) for document in told[1] for each in document["objects"] for key in each):
        return None
    status, text = run(ours, folder, "diff", left, right)
    return "elements: " + text if status not in (0, NOT_COMPARED) else None


def main():
    reference, ours = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3])
    compared, refused, different = collections.Counter(), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for directory in map(pathlib.Path, sys.argv[3:]):
            for case in cases_of(directory, ours):
                file = str((directory / case["file"]).resolve())
                for name, (verb, places) in CALLS.items():
                    def written(command, out, flags, verb=verb, places=places, file=file):
                        words = [{"IN": file, "OUT": out}.get(word, word) for word in places.split()]
                        return run(command, folder, *flags, *verb, *words)

                    if written(reference, "reference.tgm", REFERENCE_FLAGS)[0] != 0:
                        refused[name] += 1
                        continue
                    compared[name] += 1
                    status, text = written(ours, "ours.tgm", ["-q"])
                    why = text or "we do not write it" if status != 0 else difference(
                        reference, ours, folder, file, "reference.tgm", "ours.tgm")
                    if why:
                        different += 1
                        print(f"{file}: {name}: {why}")
    print("the same, but for those above: " + ", ".join(f"{name} {count}" for name, count in compared.items()))
    print("the reference refused: " + (", ".join(f"{name} {count}" for name, count in refused.items()) or "nothing"))
    return 1 if different or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
