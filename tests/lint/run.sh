#!/usr/bin/env bash
# Runs all checks of the sources, but no tests. LLVM is the suffix of the LLVM tools, such as -14.
# usage: tests/lint/run.sh BUILD_DIRECTORY [SOURCES]
# The build is configured with clang and without unity builds. SOURCES: number of sources, those changed last, for clang-tidy;
# `all` takes half an hour on two cores.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$1 most=${2:-16} llvm=${LLVM-}

python3 tests/lint/arrows.py
python3 tests/lint/shape.py
python3 tests/lint/includes.py
python3 tests/lint/hashes.py
python3 tests/lint/examples.py
python3 bench/tables.py --check

mapfile -t sources < <(find include src python tests docs fuzz bench -name '*.[ch]pp' | sort)
"clang-format$llvm" --dry-run --Werror "${sources[@]}"
echo "format: ${#sources[@]} files"

python3 tests/lint/alone.py "$build"

# clang-tidy checks the library and the command, not the tests: it reports expansions of Boost.Test's macros. It also reports
# sources that do not compile alone because of missing includes.
recent=(--recent "$most")
[[ $most != all ]] || recent=()
mapfile -t units < <(python3 tests/lint/units.py "$build" "${recent[@]}")
printf '%s\0' "${units[@]}" | xargs -0 -n 1 -P "$(nproc)" "clang-tidy$llvm" -p "$build" --quiet 2>&1 |
  { grep -v 'warnings generated' || true; }  # counts of suppressed warnings
echo "tidy: ${#units[@]} sources"
