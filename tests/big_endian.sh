#!/usr/bin/env bash
# Tests of everything that turns bytes into numbers without other libraries, on a big-endian machine: an emulated s390x.
# usage: tests/big_endian.sh BUILD_DIRECTORY
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1 compiler=s390x-linux-gnu-g++ emulator=qemu-s390x-static

for tool in "$compiler" "$emulator"; do
  command -v "$tool" >/dev/null || { echo "big_endian: $tool is missing, so nothing was tested" >&2; exit 1; }
done

mkdir -p "$build/include" "$build/objects"
# Boost's headers alone: the compiler must not see the rest of this machine's.
boost=$(printf '#include <boost/version.hpp>\n' | "${CXX:-g++}" -E -x c++ - |
  sed -n 's|^# 1 "\(.*/boost\)/version.hpp".*|\1|p')
[[ $boost ]] || { echo "big_endian: Boost's headers are missing, so nothing was tested" >&2; exit 1; }
ln -sfn "$boost" "$build/include/boost"
mkdir -p "$build/include/tgmap"
sed 's/@PROJECT_VERSION[A-Z_]*@/0/' src/version.hpp.in >"$build/include/tgmap/version.hpp"
printf '#define BOOST_TEST_MODULE big_endian\n#include <boost/test/included/unit_test.hpp>\n' >"$build/main.cpp"
cat >"$build/order_test.cpp" <<'CPP'
#include <bit>
static_assert(std::endian::native == std::endian::big);
CPP

sources=(
  "$build/main.cpp" "$build/order_test.cpp"
  tests/wire/*_test.cpp tests/cbor/{head,text_reader}_test.cpp tests/cbor/value_*_test.cpp
  tests/support/{cbor,guarded}.cpp
  src/cbor/{index_frame,scalar,skip,text,value,walk}.cpp src/core/{bus_guard,dtype,error,names,phrases}.cpp)
flags="-std=c++20 -O1 -Wall -Wextra -Werror -DTGMAP_STATIC -Iinclude -Isrc -Itests -isystem $build/include"
export compiler flags build
compile() { $compiler $flags -c "$1" -o "$build/objects/$(tr / _ <<<"$1").o"; }
export -f compile
rm -f "$build"/objects/*
printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'compile "$1"' _
"$compiler" -static "$build"/objects/*.o -o "$build/big_endian_test"
"$emulator" "$build/big_endian_test" --report_level=short --color_output=no
