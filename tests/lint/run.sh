#!/usr/bin/env bash
# Every check of the sources that runs no test. LLVM holds the suffix of the LLVM tools, such as -14.
# usage: tests/lint/run.sh BUILD_DIRECTORY [SOURCES]
# The build is configured by clang, and each source is a unit in it. SOURCES: how many sources, those changed last, each is
# compiled by itself and read by clang-tidy; `all` takes half an hour on two cores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$1 most=${2:-16} llvm=${LLVM-}

python3 tests/lint/arrows.py
python3 tests/lint/shape.py
python3 tests/lint/includes.py
python3 tests/lint/examples.py
python3 bench/tables.py --check

mapfile -t sources < <(find include src tests docs fuzz bench -name '*.[ch]pp' | sort)
"clang-format$llvm" --dry-run --Werror "${sources[@]}"
echo "format: ${#sources[@]} files"

python3 tests/lint/alone.py "$build"

# The library and the command. Tests are left out: what Boost.Test's macros expand to is not ours to mend. A source that
# includes too little, or hides a name of its own, does not compile by itself: clang-tidy says so, too.
recent=(--recent "$most")
[[ $most != all ]] || recent=()
mapfile -t units < <(python3 tests/lint/units.py "$build" "${recent[@]}")
printf '%s\0' "${units[@]}" | xargs -0 -n 1 -P "$(nproc)" "clang-tidy$llvm" -p "$build" --quiet 2>&1 |
  { grep -v 'warnings generated' || true; }  # counts of what system headers were spared
echo "tidy: ${#units[@]} sources"
