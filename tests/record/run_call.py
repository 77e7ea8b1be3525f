"""Runs one call of the command in a fixed environment, and masks output that still differs from run to run."""

import dataclasses
import errno
import fcntl
import hashlib
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import termios

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/nonexistent",
    "TMPDIR": "/tmp",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "COLUMNS": "100",
    "LINES": "30",
    "SOURCE_DATE_EPOCH": "1700000000",
    "TENSOGRAM_THREADS": "1",
    "TGMAP_PROGRESS_DELAY": "3600000",
    "TGMAP_PYTHON": "/nonexistent/python3",  # the package may be installed, or not
}
TERMINAL = {name: text for name, text in ENVIRONMENT.items() if name not in ("COLUMNS", "LINES")} | {"TERM": "xterm"}
SIZE_OF_TERMINAL = (30, 100)  # lines, columns
SECONDS = 120

STEP = r"(open|find|layout|object|descriptor|metadata|payload)"
# Output that differs from run to run, or between machines, by verb: the pattern, its replacement, and the reason.
MASKS = [
    ("--version", r"\d+\.\d+\.\d+", "<version>", "the version changes at each release"),
    ("doctor", r'\b(GNU|Clang) [\d.]+', "<compiler>", "each build is tested"),
    ("info", r'read in +\S+ m?s|"elapsed_ms":[\d.e-]+', "<time>", "time"),
    ("explain", r'"(nanoseconds|minor_faults|major_faults|cached)":\d+', r'"\1":<n>', "time, and what the kernel holds"),
    ("explain", rf"(?m)^{STEP}\s+[\d.]+\s+(\d+)\s+(\d+)\s+\d+\s+\d+\s+([\d-]+)\s+[\d-]+\s+(.*)$",
     r"\1 <us> \2 \3 <minor> <major> \4 <cached> \5", "time, and what the kernel holds"),
    ("explain", r"step +us +reads +bytes +minor +major +pages +cached +within", "step us …", "as wide as what is below"),
    ("tens", r"the public key .{40}", "the public key <key>", "random"),
    ("recv", r'"seconds":[\d.e+-]+|in [\d.]+ [mu]?s, .*(?=\n)', "<time>", "time"),
    ("send", r'"seconds":[\d.e+-]+|in [\d.]+ [mu]?s, .*(?=\n)', "<time>", "time"),
]
# Of files: an identifier of random digits, and the digest of the frame in which it is.
IDENTIFIER = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(.*?).{8}ENDF", re.DOTALL)
WITH_IDENTIFIER = {"constant", "merge", "recv", "tens"}


@dataclasses.dataclass
class Outcome:
    status: int
    out: bytes
    err: bytes
    files: list  # (name, size, bytes with the mask) of each file that was written


def plain(command):
    return subprocess.run(command, capture_output=True, check=True, env=ENVIRONMENT, timeout=SECONDS).stdout


def masked(verb, text, folder):
    text = text.replace(str(folder).encode(), b"<folder>")
    for of_verb, pattern, instead, _ in MASKS:
        if of_verb == verb:
            text = re.sub(pattern.encode(), instead.encode(), text)
    return text


def masked_file(words, data):
    if words[:2] == ("tens", "keys"):
        return b"<keys>"  # random
    if words[:2] == ("index", "create") and data.startswith(b"TGMINDEX"):
        return b"<index>"  # with random numbers
    return IDENTIFIER.sub(rb"<identifier>\1<digest>", data) if words[0] in WITH_IDENTIFIER else data


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def read_all(terminal):
    """Returns the bytes written to a terminal, until the other end is closed."""
    out = b""
    while True:
        try:
            got = os.read(terminal, 65536)
        except OSError as why:
            if why.errno != errno.EIO:
                raise
            return out
        if not got:
            return out
        out += got


def at_terminal(command, folder):
    """Returns the exit status, and both outputs together."""
    ours, theirs = os.openpty()
    try:
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE_OF_TERMINAL, 0, 0))
        child = subprocess.Popen(command, cwd=folder, env=TERMINAL, stdin=subprocess.DEVNULL, stdout=theirs,
                                 stderr=theirs)
    finally:
        os.close(theirs)
    try:
        out = read_all(ours)
        return child.wait(SECONDS), out.replace(b"\r\n", b"\n")
    finally:
        os.close(ours)


class Runner:
    def __init__(self, command, data, folder):
        self.command = command
        self.folder = folder
        self.data = folder / "data"
        shutil.copytree(data, self.data)
        self.before = contents(self.data)

    def check_data_untouched(self):
        if contents(self.data) != self.before:
            raise RuntimeError("a call that only reads changed the archives")

    def run(self, call):
        """Returns the outcome with masks."""
        if not call.writes:
            return self.masked(call, self.start(call, self.data), self.data)
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        named = {name for name in self.before if any(re.match(re.escape(name) + r"($|[:@])", word)
                                                     for word in call.arguments)}
        for name in named:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(self.before[name])
        outcome = self.start(call, folder)
        outcome.files = [(name, len(data), masked_file(call.arguments, data)) for name, data in contents(folder).items()
                         if data != self.before.get(name)]
        shutil.rmtree(folder)
        return self.masked(call, outcome, folder)

    def start(self, call, folder):
        command = [self.command, *call.arguments]
        if call.terminal:
            return Outcome(*at_terminal(command, folder), b"", [])
        done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, check=False, timeout=SECONDS,
                              input=(folder / call.input).read_bytes() if call.input else b"")
        if done.returncode in (126, 127):
            raise RuntimeError(f"{self.command} does not start: {done.stderr.decode()}")
        return Outcome(done.returncode, done.stdout, done.stderr, [])

    @staticmethod
    def masked(call, outcome, folder):
        verb = call.arguments[0] if call.arguments else ""
        outcome.out = masked(verb, outcome.out, folder)
        outcome.err = masked(verb, outcome.err, folder)
        return outcome


def digest(data):
    return hashlib.sha256(data).hexdigest()[:12]
