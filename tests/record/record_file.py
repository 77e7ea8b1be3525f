"""The record as text: a section for each form, a line for each call, which a diff shows.

A line has the archive or the call, ` => `, the exit status, standard output, `!` and standard error if there is any, and
`>` with name, size and hash for each written file. A short text is complete; of others the line has hash, size and
beginning. A line equal to an earlier one of its section names that one instead: `=> = other.tgm`.
"""

from run_call import digest

INLINE = 300  # bytes of a text that is shown whole
BEGINNING = 60
FILES = 4  # that a line lists one by one

ARROW = " => "


def quoted(data):
    """Returns the text on one line, in printable ASCII. Quotes are not escaped, because nothing parses it."""
    text = data.decode("utf-8", "surrogateescape").replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
    return '"' + "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in text) + '"'


def shown(data):
    if len(data) <= INLINE:
        return quoted(data)
    return f"#{digest(data)} {len(data)} {quoted(data.split(bytes([10]), 1)[0][:BEGINNING])}"


def line_of(outcome):
    words = [str(outcome.status), shown(outcome.out)]
    if outcome.err:
        words.append("!" + shown(outcome.err))
    words += [f">{name} {size} {digest(data)}" for name, size, data in outcome.files[:FILES]]
    rest = outcome.files[FILES:]
    if rest:
        together = b"".join(name.encode() + b"\0" + data + b"\0" for name, _, data in rest)
        words.append(f">{len(rest)} more {digest(together)}")
    return " ".join(words)


def write(path, lines, heading):
    """Writes `lines`, a map from (section, name) to the outcome, in order."""
    out, section, before = [heading], None, {}
    for (of, name), seen in lines.items():
        if of != section:
            section, before = of, {}
            out.append(f"\n## {section}")
        same = before.setdefault(seen, name)
        out.append(f"{name}{ARROW}" + (f"= {same}" if same != name and len(same) + 2 < len(seen) else seen))
    path.write_text("\n".join(out) + "\n", encoding="utf-8")


def read(path):
    out, section = {}, None
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line[3:]
        elif section and line:
            name, seen = line.split(ARROW, 1)
            out[section, name] = out[section, seen[2:]] if seen.startswith("= ") else seen
    return out
