#!/usr/bin/env bash
# Every check of the sources that runs no test. LLVM holds the suffix of the LLVM tools, such as -14.
# usage: tests/lint/run.sh BUILD_DIRECTORY BUILD_DIRECTORY
# Both are configured with clang, whose compile commands are read: in the first each source is a unit, in the second
# several are.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
alone=$1 together=$2 llvm=${LLVM-}

python3 tests/lint/arrows.py
python3 tests/lint/shape.py

mapfile -t sources < <(find include src tests fuzz bench -name '*.[ch]pp' | sort)
"clang-format$llvm" --dry-run --Werror "${sources[@]}"
echo "format: ${#sources[@]} files"

# Each source includes what it needs, and hides no name of its own.
python3 tests/lint/units.py --check "$alone"

# The library and the command. Tests are left out: what Boost.Test's macros expand to is not ours to mend.
mapfile -t units < <(python3 tests/lint/units.py "$together")
printf '%s\0' "${units[@]}" | xargs -0 -n 1 -P "$(nproc)" "clang-tidy$llvm" -p "$together" --quiet 2>&1 |
  { grep -v 'warnings generated' || true; }  # counts of what system headers were spared
echo "tidy: ${#units[@]} units"
