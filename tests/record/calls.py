"""The calls of the command that are recorded.

A form is a command line with {f} for an archive, and is called for each archive of tests/data that `archives` chooses.
Other calls come from the command's help: each page, and each option with a wrong value.
"""

import dataclasses
import functools
import re
import shlex
import subprocess

# Archives that are left out, because they differ from another one only in the width of a dtype, in values of metadata
# or in one choice of the writer.
LEFT_OUT = re.compile(
    r"w0\.24\.0_(one_(float16|float64|complex64|complex128|int8|int32|int64|uint16|uint32|uint64)|meta_(deeper|reserved_like)"
    r"|packing_(lz4_none|zstd_shuffle|szip_none)|streamed_payload_postamble|empty|ranks|bitmask_rle)\.tgm"
    r"|w0\.16\.1_(one_float32|objects_0|ranks|streamed_payload_both)\.tgm"
    r"|v2_preceders_buffered\.tgm|arranged_both_metadata\.tgm|cbor_n64\.tgm|mask_nan_only\.tgm|mixed_v3_then_v2\.tgm")

READING = """
info {f}
info --json --codecs {f}
ls {f}
ls --json -p version,name,mars.step,shape,@offset,@length {f}
ls --objects --json --typed -p name,dtype,shape,compression,@stored {f}
ls --objects -w 'has name and dtype~^[fiu]' --sort name:desc --limit 3 {f}
get -p @offset,@length,version {f}
get --objects -p name,shape,encoding {f}
count --objects --json {f}
stats {f}
stats --json {f}:0
show {f}:0:0
show --json {f}:-1:0
diff {f} mixed_0.tgm
diff --json --objects --limit 5 {f} w0.24.0_scalars.tgm
dump {f}
dump --json --typed {f}
dump --frames {f}
dump --frames --json {f}
dump --hex 0..47 {f}:-1
du {f}
du --json --by dtype {f}
validate --full --canonical --offsets {f}
validate --json --full {f}
explain {f}:0:0
explain --json --lookup walk {f}:0
extract --format raw {f}:0:0 -o -
""".strip().splitlines()

FROM_STANDARD_INPUT = ["info --json -", "dump --io read -"]

# Each runs in its own folder, with copies of the archives that it names.
WRITING = """
extract --json {f} -o all/
extract {f}:0:0 -o one.npy
extract --stored {f} -o '[@message]_[@object]'
create --reproducible --json --dtype uint8 --shape {size} out.tgm {f}
copy {f} out.tgm
copy --objects --json {f} '[dtype].tgm'
split --json --count 1 {f} -o part.tgm
set --json -s zz:i=5,name=x {f} out.tgm
rehash --json {f} out.tgm
rehash --remove --keep-damage {f} out.tgm
reindex --index footer {f} out.tgm
reshuffle --json {f} -o out.tgm
merge --reproducible --strategy first {f} -o out.tgm
append --json {f} w0.24.0_one_float32.tgm
upgrade --verify {f} out.tgm
convert --json --allow-nan --allow-inf --filter shuffle --compression zstd {f} out.tgm
convert --widen --encoding simple_packing --bits 12 {f} out.tgm
tens export --json --granule 1 {f} -o '[index].frame'
constant export --dims x {f}:0:0
""".strip().splitlines()

AT_A_TERMINAL = """
info {f}
ls {f}
ls --objects {f}
stats {f}
show {f}:0:0
du {f}
dump {f}
explain {f}:0:0
validate --full {f}
""".strip().splitlines()

FRAMES = ["tens show {f}", "tens show --json {f}", "tens import --json {f} -o out.tgm"]
CONSTANTS = """
constant check --all {f}
constant check --json {f}
constant cells {f}
constant get --json {f} key=abc x=1
constant import --json {f} -o out.tgm
constant export --form long {f}
""".strip().splitlines()

# Errors and options that depend on no archive in particular.
ONCE = """
--version
nonsense
ls w0.24.0_scalars.tgm:9
ls w0.24.0_scalars.tgm:0:99
ls w0.24.0_scalars.tgm@7
ls w0.24.0_scalars.tgm:0..:1..2
ls absent.tgm w0.24.0_scalars.tgm
ls .
ls -w 'mars.param=' mixed_0.tgm
ls -w 'dtype~(' mixed_0.tgm
ls -w 'name=a and' mixed_0.tgm
ls --sort nokey mixed_0.tgm
ls --typed mixed_0.tgm
ls --color always mixed_0.tgm
get mixed_0.tgm
get -p name mixed_0.tgm w0.24.0_scalars.tgm
get -p nokey mixed_0.tgm
count mixed_0.tgm truncated_last.tgm gap_between.tgm
info mixed_0.tgm truncated_last.tgm
info README.md
stats -w dtype=float32 w0.24.0_scalars.tgm
show mixed_0.tgm
show --slice '[0:2]' w0.24.0_one_float32.tgm
show --slice '[99:]' w0.24.0_one_float32.tgm
show --width 60 --height 12 --cmap ember --range 0,1 w0.24.0_one_float32.tgm
show -o picture.png --size 64x48 w0.24.0_one_float32.tgm
extract mixed_0.tgm -o one.npy
extract 'w0.24.0_one_float32.tgm:0:0[::2]' -o part.npy
extract 'w0.24.0_one_float32.tgm:0:0[' -o part.npy
extract w0.24.0_scalars.tgm -o all.npz
extract w0.24.0_one_float32.tgm -o w0.24.0_one_float32.tgm
extract w0.24.0_one_float32.tgm -o no/such/folder.npy
extract --no-clobber w0.24.0_one_float32.tgm -o mixed_0.tgm
create out.tgm mixed_0.tgm
create --shape 3 --dtype float32 out.tgm README.md
create --meta '{' out.tgm README.md
copy mixed_0.tgm
copy mixed_0.tgm mixed_0.tgm
copy --dry-run mixed_0.tgm out.tgm
copy --no-clobber mixed_0.tgm w0.24.0_scalars.tgm
copy mixed_0.tgm '[nokey].tgm'
split --by version --dry-run mixed_v2_then_v3.tgm -o '[version].tgm'
split mixed_0.tgm -o part.tgm
set -s name mixed_0.tgm out.tgm
set -s _reserved_.x=1 mixed_0.tgm out.tgm
set --rename name=title --delete version mixed_0.tgm mixed_0.tgm
rehash mixed_0.tgm absent/out.tgm
reindex mixed_0.tgm out.tgm
merge mixed_0.tgm w0.24.0_scalars.tgm --reproducible -o out.tgm
append --no-create out.tgm mixed_0.tgm
append --repair --json truncated_last.tgm w0.24.0_one_float32.tgm
upgrade --dry-run mixed_0.tgm out.tgm
convert --compression nonsense mixed_0.tgm out.tgm
convert --compression szip w0.24.0_one_float32.tgm out.tgm
convert --compression lz4 --dry-run --json mixed_0.tgm out.tgm
diff mixed_0.tgm
diff --key name mixed_0.tgm w0.24.0_scalars.tgm
diff --ignore name --metadata-only mixed_v2_then_v3.tgm mixed_v3_then_v2.tgm
diff mixed_0.tgm mixed_0.tgm
dump --hex 9..1 mixed_0.tgm:0
dump --hex 0..8 mixed_0.tgm
du mixed_0.tgm w0.24.0_scalars.tgm
du --by nokey mixed_0.tgm
validate mixed_0.tgm truncated_last.tgm
validate --quick --full mixed_0.tgm
explain mixed_0.tgm
completion bash
completion fish
completion zsh
help nonsense
help tens nonsense
send --to nonsense mixed_0.tgm
send --timeout 0 --to ipc://nobody mixed_0.tgm
recv --timeout 0 --from ipc://nobody -o out.tgm
recv --from tcp://*:1 --bind -o out.tgm
tens export mixed_0.tgm -o one.frame
index create -
index create mixed_0.tgm --index README.md
index update mixed_0.tgm
index check mixed_0.tgm
index show mixed_0.tgm
index drop mixed_0.tgm
index check --cache mixed_0.tgm
index create --cache --index x mixed_0.tgm
index drop mixed_0.tgm --index README.md
index nonsense
tens keys README.md/x
constant sample -t 'tensor<float>(key{},x[3])'
constant sample -t 'tensor(x[2],y[2])' --form long
constant sample -t 'tensor(x['
constant get constants/table.json key=nokey
constant get constants/table.json nokey=1
constant export --form hex constants/table.json
constant import constants/table.json constants/labels.json --cell-type bfloat16 -o out.tgm
constant check --type 'tensor(x[3])' constants/table.json
""".strip().splitlines()

# Verbs of which only calls with their own options are recorded, with the reason.
NO_FORM = {
    "import": "its keys depend on the version of ecCodes; its own tests hold what it prints",
    "export": "it needs an archive that import made",
    "doctor": "it describes the machine",
    "cube": "it runs Python, whose tests hold what it prints",
    "help": "every page is recorded",
    "send": "what goes over sockets comes with the time it was sent; tests/cli holds it",
    "recv": "the same",
}
# Verbs that are not called with wrong files and option values.
NOT_TRIED = {"doctor"}


@dataclasses.dataclass(frozen=True)
class Call:
    section: str  # the form, or what the calls have in common
    name: str  # the archive, or the whole call
    arguments: tuple
    terminal: bool = False
    input: str = ""  # an archive on standard input
    writes: bool = False  # runs in a folder of its own

    @property
    def key(self):
        return self.section, self.name


def archives(data):
    return sorted(path.name for path in data.glob("*.tgm") if not LEFT_OUT.fullmatch(path.name))


def of_each(forms, names, data, **kind):
    where = " at a terminal" if kind.get("terminal") else " < {f}" if kind.get("input") else ""
    for form in forms:
        for name in names:
            words = [word.replace("{f}", name).replace("{size}", str((data / name).stat().st_size))
                     for word in shlex.split(form)]
            call = Call(f"tgmap {form}{where}", name, tuple(words), **kind)
            yield dataclasses.replace(call, input=name) if kind.get("input") else call


@functools.lru_cache(maxsize=None)
def page(command, *words):
    return subprocess.run([command, "help", *words], capture_output=True, text=True, check=True).stdout


def listed(command, words, heading):
    """Returns the names below a heading of a help page."""
    part = re.search(rf"^{heading}\n((?:  .*\n|\n(?=  ))+)", page(command, *words), re.MULTILINE)
    return re.findall(r"^  ([a-z][a-z-]*)  ", part.group(1), re.MULTILINE) if part else []


def verbs(command):
    """Returns every verb as a list of words, including verbs below another verb."""
    for verb in listed(command, [], "Verbs"):
        yield [verb]
        yield from ([verb, below] for below in listed(command, [verb], "Verbs"))


def options_with_values(command, words):
    part = re.search(r"^Options\n((?:  .*\n)+)", page(command, *words), re.MULTILINE)
    return re.findall(r"^  (?:-\w, )?(--[a-z0-9-]+) [A-Za-z\[]", part.group(1), re.MULTILINE) if part else []


def misuses(command, words):
    """Returns wrong calls of a verb."""
    below = listed(command, words, "Verbs") if len(words) == 1 else []
    yield words
    yield [*words, "--no-such-option"]
    if below or words[0] in NOT_TRIED:
        return
    yield [*words, "absent.tgm"]
    yield [*words, "absent.tgm", "-o", "out"]
    for option in options_with_values(command, words):
        yield [*words, option, "?", "w0.24.0_one_float32.tgm"]


def by_itself(section, words, **kind):
    return Call(section, shlex.join(words), tuple(words), **kind)


def pages(command):
    for words in [[], *verbs(command)]:
        yield by_itself("help", ["help", *words])
    for topic in listed(command, [], "Topics"):
        yield by_itself("help", ["help", topic])


def all_calls(command, data):
    names = archives(data)
    yield from of_each(READING, names, data)
    yield from of_each(FROM_STANDARD_INPUT, names[::4], data, input="{f}")
    yield from of_each(WRITING, names, data, writes=True)
    yield from of_each(AT_A_TERMINAL, names[::2], data, terminal=True)
    frames = [f"tens/{path.name}" for path in sorted(data.glob("tens/*.frame"))]
    yield from of_each(FRAMES, frames, data, writes=True)
    constants = [f"constants/{path.name}" for path in sorted(data.glob("constants/*.json"))]
    yield from of_each(CONSTANTS, constants, data, writes=True)
    for line in ONCE:
        yield by_itself("calls by themselves", shlex.split(line), writes=True)
    yield from pages(command)
    for words in verbs(command):
        for each in misuses(command, words):
            yield by_itself("misuse", each, writes=True)


def uncovered(command, calls):
    """Returns the verbs that no form calls."""
    called = {call.arguments[:n] for call in calls if call.section not in ("help", "misuse") for n in (1, 2)}
    return [" ".join(words) for words in verbs(command) if tuple(words) not in called and words[0] not in NO_FORM]
