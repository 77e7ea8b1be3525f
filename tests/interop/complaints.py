"""Warnings of the reference's package about our files, and their reasons in complaints.json."""

import collections
import fnmatch
import json
import pathlib


class Complaints:
    def __init__(self):
        self.entries = json.loads((pathlib.Path(__file__).parent / "complaints.json").read_text(encoding="utf-8"))
        self.needed, self.unexplained = collections.Counter(), collections.Counter()

    def add(self, layout, group, code, text):
        for number, entry in enumerate(self.entries):
            if (fnmatch.fnmatchcase(layout, entry["layout"]) and fnmatch.fnmatchcase(group, entry["group"])
                    and entry["code"] == code and fnmatch.fnmatchcase(text, entry["text"])):
                self.needed[number] += 1
                return
        self.unexplained[layout, group, code, text] += 1

    def tell(self, whole=True):
        """Prints all warnings. Returns the number of warnings without a reason and, for a `whole` run, of unused reasons."""
        for (layout, group, code, text), times in list(self.unexplained.items())[:40]:
            print(f"COMPLAINT: {layout}, {group}: {code}: {text} ({times} times)")
        for number, entry in enumerate(self.entries):
            if self.needed[number]:
                print(f"{self.needed[number]:6}  {entry['code']}, {entry['layout']}, {entry['group']}: {entry['why']}")
            elif whole:
                print(f"NEEDED NO MORE: {entry}")
        return len(self.unexplained) + whole * sum(not self.needed[number] for number in range(len(self.entries)))
