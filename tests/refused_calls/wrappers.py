#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the source of a library that is preloaded and makes the n-th system call of a program fail, or end it.

    wrappers.py OUTPUT BINARY...

The calls are found, not listed: the functions that the binaries import and that are system calls by name.
"""

import pathlib
import re
import subprocess
import sys

# Functions of the C library that make a system call of another name.
ALIASES = {"fstatat": "newfstatat", "posix_fadvise": "fadvise64", "preadv64v2": "preadv2", "opendir": "openat",
           "readdir": "getdents64", "mkostemp": "openat", "fdopendir": "fcntl"}

# These cannot fail, or end the process by design.
INFALLIBLE = {"getpid", "getppid", "gettid", "getuid", "geteuid", "getgid", "getegid", "exit", "_exit", "umask", "alarm",
              "pause", "sched_yield", "munmap", "time", "clock_gettime", "gettimeofday"}

# These return a pointer.
POINTERS = {"opendir", "fdopendir", "readdir", "readdir64", "getcwd"}

FRAME = """\
// Made by wrappers.py.
#include <dlfcn.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

extern "C" long syscall(long number, ...);

namespace {

constexpr long sys_write = 1, sys_kill = 62, sys_getpid = 39, sys_openat = 257;

std::atomic<bool> armed{false};
std::atomic<long> made{0};
long chosen = -1, error = 0;  // error 0: the process is killed
int log_file = -1;

__attribute__((constructor)) void begin() {
  if (const char* const to = std::getenv("TGMAP_CALLS"))
    log_file = static_cast<int>(syscall(sys_openat, -100, to, 02000 | 0100 | 1 | 02000000, 0600));
  if (const char* const which = std::getenv("TGMAP_REFUSE")) {
    chosen = std::strtol(which, nullptr, 10);
    error = std::strtol(std::strchr(which, ':') + 1, nullptr, 10);
  }
  armed = std::getenv("TGMAP_REFUSE_LATER") == nullptr;
}

bool is_refused(const char* name) {
  if (!armed) return false;
  const long n = made++;
  if (log_file >= 0) {
    syscall(sys_write, log_file, name, std::strlen(name));
    syscall(sys_write, log_file, "\\n", 1L);
  }
  if (n != chosen) return false;
  if (error == 0) syscall(sys_kill, syscall(sys_getpid), SIGKILL);
  errno = static_cast<int>(error);
  return true;
}

using call = long (*)(long, long, long, long, long, long);

}  // namespace

/// Begins to count, for programs that start with calls of their own.
extern "C" __attribute__((visibility("default"))) void arm_refusals() { armed = true; }

"""

# `close` closes the file although it reports an error, as the kernel does.
CLOSED = """{
    const int why = errno;
    real(a, b, c, d, e, f);
    errno = why;
  }
  """

WRAPPER = """\
extern "C" __attribute__((visibility("default"))) long wrapper_{i}(long, long, long, long, long, long) __asm__("{name}");
long wrapper_{i}(long a, long b, long c, long d, long e, long f) {{
  static const call real = reinterpret_cast<call>(::dlsym(RTLD_NEXT, "{name}"));
  if (!is_refused("{name}")) return real(a, b, c, d, e, f);
  {before}return {failed};
}}

"""


def imported(binary):
    listed = subprocess.run(["nm", "-D", "--undefined-only", binary], stdout=subprocess.PIPE, text=True, check=True)
    return {line.split()[-1].partition("@")[0] for line in listed.stdout.splitlines()}


def system_calls():
    """The names of the system calls of this machine."""
    source = "#include <asm/unistd.h>\n"
    macros = subprocess.run(["cc", "-E", "-dM", "-"], input=source, stdout=subprocess.PIPE, text=True, check=True).stdout
    return set(re.findall(r"^#define __NR_(\w+)", macros, re.MULTILINE))


def is_call(name, known):
    plain = name.removesuffix("64")
    return {name, plain, name + "64", ALIASES.get(name, ""), ALIASES.get(plain, "")} & known and plain not in INFALLIBLE


def main():
    output, *binaries = sys.argv[1:]
    known = system_calls()
    names = sorted({n for binary in binaries for n in imported(binary) if is_call(n, known)})
    text = FRAME
    for i, name in enumerate(names):
        before = CLOSED if name == "close" else ""
        text += WRAPPER.format(i=i, name=name, before=before, failed="0" if name in POINTERS else "-1")
    pathlib.Path(output).write_text(text, encoding="utf-8")
    print(f"{len(names)} calls: {' '.join(names)}")


if __name__ == "__main__":
    main()
