#!/usr/bin/env bash
# Installs a build into an empty directory, then builds and runs a consumer against it, through the CMake package and
# through pkg-config. A shared build must be enough by itself; a static one names what else to link.
# usage: tests/install/check.sh BUILD_DIRECTORY
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "$1" && pwd)
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
prefixes=$(sed -n 's/^CMAKE_PREFIX_PATH:[A-Z]*=//p' "$build/CMakeCache.txt")  # where what a static one links may be
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
cmake --install "$build" --prefix "$temporary/first" >/dev/null
mv "$temporary/first" "$temporary/prefix"  # nothing may remember where it was installed
prefix=$temporary/prefix

libraries=$(dirname "$(find "$prefix" -name 'libtgmap.*' | head -n 1)")
export PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries
kind=static
[[ ! -e $libraries/libtgmap.so ]] || kind=shared

must_print() {  # EXPECTED COMMAND...
  local expected=$1 printed
  shift
  printed=$("$@")
  [[ $printed == *"$expected"* ]] || { echo "$* printed '$printed' instead of '$expected'" >&2; exit 1; }
}

cmake -G Ninja -S "$here" -B "$temporary/consumer" -DCMAKE_PREFIX_PATH="$prefix;$prefixes" -DCMAKE_CXX_COMPILER="$compiler" \
  >/dev/null
cmake --build "$temporary/consumer" >/dev/null
must_print "$version" "$temporary/consumer/consumer"
echo "$kind, CMake package: tgmap $version"
if [[ -d $prefix/include/tgmap/constant ]]; then
  must_print '3 {"type":"tensor<float>(key{},x[3])","blocks":{"abc":[1,2,3]}}' "$temporary/consumer/constant_consumer"
  echo "$kind, CMake package: the component constant"
fi
if [[ -d $prefix/include/tgmap/zio ]]; then
  must_print '"shape":[3]' "$temporary/consumer/zio_consumer"
  echo "$kind, CMake package: the component zio"
fi

flags=(--cflags --libs)
[[ $kind == shared ]] || flags+=(--static)
# shellcheck disable=SC2046  # the flags are words
"$compiler" -std=c++20 "$here/main.cpp" -o "$temporary/by_pkg_config" $(pkg-config "${flags[@]}" tgmap)
must_print "$version" "$temporary/by_pkg_config"
echo "$kind, pkg-config: tgmap $(pkg-config --modversion tgmap)"

if [[ -x $prefix/bin/tgmap ]]; then
  must_print "$version" env -u LD_LIBRARY_PATH "$prefix/bin/tgmap" --version
  for page in man/man1/tgmap.1 man/man1/tgmap-ls.1 man/man5/tgmap-format.5 man/man7/tgmap-where.7 \
    bash-completion/completions/tgmap zsh/site-functions/_tgmap fish/vendor_completions.d/tgmap.fish; do
    [[ -s $prefix/share/$page ]] || { echo "$page was not installed" >&2; exit 1; }
  done
  echo "$kind, command: $("$prefix/bin/tgmap" --version | head -n 1), with its manual"
fi
