#!/usr/bin/env bash
# Every check of the sources that runs no test. LLVM holds the suffix of the LLVM tools, such as -14.
# usage: tests/lint/run.sh BUILD_DIRECTORY   (one configured with clang: its compile commands are read)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$1 llvm=${LLVM-}

python3 tests/lint/arrows.py
python3 tests/lint/shape.py

mapfile -t sources < <(find include src tests fuzz bench -name '*.[ch]pp' | sort)
"clang-format$llvm" --dry-run --Werror "${sources[@]}"
echo "format: ${#sources[@]} files"

# The library and the command. Tests are left out: what Boost.Test's macros expand to is not ours to mend.
mapfile -t units < <(find src -name '*.cpp' | sort)
printf '%s\0' "${units[@]}" | xargs -0 -n 1 -P "$(nproc)" "clang-tidy$llvm" -p "$build" --quiet 2>&1 |
  { grep -v 'warnings generated' || true; }  # counts of what system headers were spared
echo "tidy: ${#units[@]} files"
