"""A copy of the checkout in which one source at a time is changed, built as far as needed, and tested."""

import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import time

# Quick to compile and to run. Assertions of the standard library detect some mutants.
CONFIGURATION = {
    "CMAKE_BUILD_TYPE": "RelWithDebInfo",
    "CMAKE_CXX_FLAGS_RELWITHDEBINFO": "-O1 -D_GLIBCXX_ASSERTIONS",
    "CMAKE_UNITY_BUILD": "ON",
    "CMAKE_UNITY_BUILD_BATCH_SIZE": "24",
    "TGMAP_SINGLE_SOURCES": "ON",  # of the library: each mutant compiles one
    "CMAKE_LINK_DEPENDS_NO_SHARED": "ON",  # a changed library does not relink its users
    "BUILD_SHARED_LIBS": "ON",
    "TGMAP_BUILD_CLI": "OFF",
}
# Folders of tests: those that read, decode and write archives. Other tests use the same code, but take longer.
TESTS = {"archive", "cbor", "core", "decode", "encode", "hostile", "index", "io", "query", "validate", "view", "wire",
         "write"}
LEAST_TIMEOUT = 5  # seconds, and the factor for the time of the test without a mutant


def limit():
    """Limits memory, file sizes and core dumps of mutants."""
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (80 << 30, 80 << 30))  # a test makes a sparse file of 64 GiB
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def property_of(entry, name):
    """A property of a test, as CTest lists it. None: it has none."""
    return next((p["value"] for p in entry["properties"] if p["name"] == name), None)


class Test:
    def __init__(self, entry, build):
        self.name, self.command = entry["name"], entry["command"]
        self.folder = property_of(entry, "WORKING_DIRECTORY") or str(build)
        self.environment = dict(os.environ)  # as CTest changes it
        if "TMPDIR=unset:" in (property_of(entry, "ENVIRONMENT_MODIFICATION") or []):
            self.environment.pop("TMPDIR", None)
        self.program = pathlib.Path(self.command[0]).relative_to(build).as_posix()
        self.seconds = 0.0

    def passes(self, timeout):
        """Returns (passed, reason of the failure)."""
        try:
            done = subprocess.run(self.command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, env=self.environment, timeout=timeout, preexec_fn=limit,
                                  check=False)
        except subprocess.TimeoutExpired:
            return False, "timeout"
        return done.returncode == 0, f"status {done.returncode}"


class Workshop:
    def __init__(self, checkout, folder):
        self.checkout, self.tree, self.build = checkout, folder / "tree", folder / "build"
        self.times = folder / "times.json"
        self.tests = []

    def prepare(self):
        """Copies, builds and tests the unchanged sources. Raises if a test fails."""
        names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=self.checkout,
                               stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
        for stale in set(p for p in self.tree.rglob("*") if p.is_file()) - {self.tree / name for name in names}:
            stale.unlink()
        for name in names:
            source, copy = self.checkout / name, self.tree / name
            if source.is_symlink():
                if not copy.is_symlink():
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    copy.symlink_to(source.readlink())
            elif source.is_file():
                self.write(name, source.read_bytes())
        settings = [f"-D{key}={value}" for key, value in CONFIGURATION.items()]
        subprocess.run(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", *settings], check=True,
                       stdout=subprocess.DEVNULL)
        # CTest prints the commands of tests only after they were built.
        rules = subprocess.run(["ninja", "-C", self.build, "-t", "targets", "all"], stdout=subprocess.PIPE, text=True,
                               check=True).stdout
        programs = re.findall(r"^(\S+): CXX_EXECUTABLE_LINKER", rules, re.MULTILINE)
        subprocess.run(["ninja", "-C", self.build, *(p for p in programs if TESTS & set(p.split("/")))],
                       check=True, stdout=subprocess.DEVNULL)
        self.list_tests()
        for test in self.tests:
            begin = time.monotonic()
            passed, why = test.passes(600)
            test.seconds = time.monotonic() - begin
            if not passed:
                raise RuntimeError(f"{test.name} fails without any change: {why}")
        self.times.write_text(json.dumps({test.name: test.seconds for test in self.tests}), encoding="utf-8")

    def resume(self):
        """Reads what prepare() found, in another process."""
        self.list_tests()
        seconds = json.loads(self.times.read_text(encoding="utf-8"))
        for test in self.tests:
            test.seconds = seconds[test.name]

    def list_tests(self):
        listed = subprocess.run(["ctest", "--test-dir", self.build, "--show-only=json-v1"], stdout=subprocess.PIPE,
                                check=True).stdout
        ours = [entry for entry in json.loads(listed)["tests"]
                if entry.get("command", [""])[0].startswith(f"{self.build}/")
                and "slow" not in (property_of(entry, "LABELS") or [])
                and TESTS & set(pathlib.Path(entry["command"][0]).relative_to(self.build).parts)]
        self.tests = [Test(entry, self.build) for entry in ours]

    def write(self, name, contents):
        """Writes only changed files, so that only they are built."""
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_bytes() != contents:
            path.write_bytes(contents)

    def ninja(self, *targets):
        """Returns the step that failed, or None."""
        done = subprocess.run(["ninja", "-C", self.build, *targets], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        failed = re.search(r"^FAILED: (\S+)", done.stdout, re.MULTILINE)
        return None if done.returncode == 0 else failed.group(1) if failed else "the build"

    def compiles(self, name):
        """Checks that the changed file compiles; a header together with the others of its folder, which use it."""
        if name.endswith(".cpp"):
            return self.ninja(f"src/CMakeFiles/tgmap_objects.dir/{name.removeprefix('src/')}.o") is None
        source = self.build / "header.cpp"
        headers = sorted((self.tree / name).parent.glob("*.hpp"))
        source.write_text("".join(f'#include "{h.relative_to(self.tree / "src")}"\n' for h in headers), encoding="utf-8")
        known = json.loads((self.build / "compile_commands.json").read_text(encoding="utf-8"))
        command = shlex.split(next(u["command"] for u in known if "tgmap_objects.dir" in u["command"]))
        flags = [f for f in command if f.startswith(("-I", "-std", "-D"))]
        done = subprocess.run([command[0], *flags, "-fsyntax-only", source], stderr=subprocess.DEVNULL, check=False)
        return done.returncode == 0

    def link_alone(self, test):
        """Builds a test's own objects and links them with the library as it was before: enough for a test that uses
        only the header. Returns the object that failed, or None."""
        steps = subprocess.run(["ninja", "-C", self.build, "-t", "commands", test.program], stdout=subprocess.PIPE,
                               text=True, check=True).stdout.splitlines()
        own = f"{pathlib.Path(test.program).parent.as_posix()}/CMakeFiles/{pathlib.Path(test.program).name}.dir/"
        objects = sorted(set(re.findall(rf"-o ({re.escape(own)}\S+\.o)", "\n".join(steps))))
        failed = self.ninja(*objects)
        if not failed:
            subprocess.run(steps[-1], shell=True, cwd=self.build, check=True, stdout=subprocess.DEVNULL)
        return failed

    def verdict(self, mutant):
        """("killed", by what), ("survived", "") or ("stillborn", "")"""
        original = (self.tree / mutant.file).read_text(encoding="utf-8")
        self.write(mutant.file, mutant.apply(original).encode())
        try:
            if not self.compiles(mutant.file):
                return "stillborn", ""
            folder = mutant.file.split("/")[1]
            header_alone = mutant.file.endswith(".hpp") and folder == "wire"
            for test in sorted(self.tests, key=lambda t: (not t.name.startswith(folder), t.seconds)):
                alone = header_alone and test.name == folder
                failed = self.link_alone(test) if alone else self.ninja(test.program)
                if failed:
                    return ("stillborn", "") if failed.startswith("src/") else ("killed", f"compiling {test.name}")
                passed, why = test.passes(LEAST_TIMEOUT * (1 + test.seconds))
                if not passed:
                    return "killed", f"{test.name}, {why}"
            return "survived", ""
        finally:
            self.write(mutant.file, original.encode())
