#!/usr/bin/env bash
# Installs a build into an empty directory, moves that, and puts the build and the fetched codecs out of reach; then builds
# and runs a consumer through the CMake package and through pkg-config. Only the prefix and the distribution's
# packages may be needed, and no installed text may name another folder.
# usage: tests/install/check.sh BUILD_DIRECTORY
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sources=$(cd "$here/../.." && pwd)

# Directories that are renamed during the check. A run that was killed has left them renamed.
hidden=()
hide() { [[ ! -d $1 ]] || { mv "$1" "$1.hidden_by_check" && hidden+=("$1"); }; }
put_back() { [[ -e $1 || ! -e $1.hidden_by_check ]] || mv "$1.hidden_by_check" "$1"; }

put_back "${1%/}"
put_back "$sources/build/codecs"
build=$(cd "$1" && pwd)
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }
compiler=$(cached CMAKE_CXX_COMPILER)
version=$(cached CMAKE_PROJECT_VERSION)
blosc2=$(cached Blosc2_DIR)

temporary=$(mktemp -d)
clean_up() {
  local directory
  for directory in "${hidden[@]}"; do put_back "$directory"; done
  rm -rf "$temporary"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

fail() { echo "$*" >&2; exit 1; }

cmake --install "$build" --prefix "$temporary/first" >/dev/null
mv "$temporary/first" "$temporary/prefix"
prefix=$temporary/prefix
hide "$build"
hide "$sources/build/codecs"

if grep -rIlF -e "$temporary" -e "$build" -e "$sources" "$prefix"; then
  fail "the files above name a path outside the prefix"
fi
[[ -s $prefix/share/doc/tgmap/LICENSE ]] || fail "the license was not installed"

libraries=$(dirname "$(find "$prefix" -name 'libtgmap.*' | head -n 1)")
export PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries
unset CMAKE_PREFIX_PATH CPATH LIBRARY_PATH
kind=static
[[ ! -e $libraries/libtgmap.so ]] || kind=shared
# Licenses of fetched libraries are installed; the library itself only if tgmap is static.
if [[ $blosc2 == "$sources"/* ]]; then
  [[ -s $prefix/share/doc/tgmap/licenses/blosc2/LICENSE.txt ]] || fail "the license of blosc2 was not installed"
  [[ $kind == shared || -s $libraries/libtgmap_blosc2.a ]] || fail "blosc2 was not installed"
fi

must_print() {  # EXPECTED COMMAND...
  local expected=$1 printed
  shift
  printed=$("$@")
  [[ $printed == *"$expected"* ]] || fail "$* printed '$printed' instead of '$expected'"
}

run_quietly() { "$@" >"$temporary/log" 2>&1 || { cat "$temporary/log" >&2; fail "$* failed"; }; }

run_quietly cmake -G Ninja -S "$here" -B "$temporary/consumer" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_CXX_COMPILER="$compiler"
run_quietly cmake --build "$temporary/consumer"
must_print "$version" "$temporary/consumer/consumer"
echo "$kind, CMake package: tgmap $version"

# A plugin with hidden symbols exports its own function, and nothing of a tgmap that is linked into it.
must_export_nothing() {  # PLUGIN
  local exported
  exported=$(nm --dynamic --defined-only --format=just-symbols "$1")
  grep -qx plugin_version <<<"$exported" || fail "$1 does not export its function"
  ! grep -E 'tgmap|blosc|cbor_|XXH' <<<"$exported" >"$temporary/log" ||
    fail "$1 exports $(wc -l <"$temporary/log") symbols of tgmap, such as $(head -n 1 "$temporary/log")"
}
must_export_nothing "$temporary/consumer/plugin.so"
echo "$kind, CMake package: a plugin exports nothing of tgmap"

# consumer NAME ARGUMENT...: configures the consumer with further arguments of CMake.
consumer() {
  cmake -G Ninja -S "$here" -B "$temporary/$1" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" "${@:2}" \
    >"$temporary/log" 2>&1
}

# The core needs no library of a component, and each component only its own.
consumer core -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON -DCMAKE_DISABLE_FIND_PACKAGE_simdjson=ON || {
  cat "$temporary/log" >&2
  fail "find_package(tgmap) needs Boost or simdjson"
}
for component in bridge constant tools zio; do
  [[ -d $prefix/include/tgmap/$component ]] || continue
  run_quietly consumer "$component" -DCONSUMER_COMPONENTS="$component" -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON
  grep -q "${component}_consumer" "$temporary/$component/build.ninja" || fail "$component alone was not found"
  [[ $component != tools && $component != bridge && $kind == static && -d $prefix/include/tgmap/constant ]] || continue  # simdjson is needed
  ! consumer "$component-absent" -DCONSUMER_COMPONENTS="$component" -DCMAKE_DISABLE_FIND_PACKAGE_simdjson=ON ||
    fail "$component was found without simdjson"
  grep -q "the component $component needs simdjson" "$temporary/log" || fail "CMake did not say that simdjson is missing"
done
! consumer unknown -DCONSUMER_COMPONENTS=unknown || fail "an unknown component was found"
echo "$kind, CMake package: each component alone, and without the libraries of others"
if [[ -d $prefix/include/tgmap/bridge ]]; then
  must_print "truncated GRIB message" "$temporary/consumer/bridge_consumer"
  echo "$kind, CMake package: the component bridge"
fi
if [[ -d $prefix/include/tgmap/constant ]]; then
  must_print '3 {"type":"tensor<float>(key{},x[3])","blocks":{"abc":[1,2,3]}}' "$temporary/consumer/constant_consumer"
  echo "$kind, CMake package: the component constant"
fi
must_print $'values 1\n1' "$temporary/consumer/tools_consumer"
echo "$kind, CMake package: the component tools"
if [[ -d $prefix/include/tgmap/zio ]]; then
  must_print '"shape":[3]' "$temporary/consumer/zio_consumer"
  echo "$kind, CMake package: the component zio"
fi

for flags in "--cflags --libs" "--cflags --libs --static"; do
  [[ $kind == static || $flags != *--static ]] || continue  # of a shared library, dependencies are not needed
  # shellcheck disable=SC2046,SC2086  # the flags are words
  run_quietly "$compiler" -std=c++20 -Wall -Wextra -Wconversion -Wshadow -Werror "$here/main.cpp" \
    -o "$temporary/by_pkg_config" $(pkg-config $flags tgmap)
  must_print "$version" "$temporary/by_pkg_config"
done
# shellcheck disable=SC2046
run_quietly "$compiler" -std=c++20 -fvisibility=hidden -fvisibility-inlines-hidden -fPIC -shared "$here/plugin.cpp" \
  -o "$temporary/plugin.so" $(pkg-config --cflags --libs tgmap)
must_export_nothing "$temporary/plugin.so"
echo "$kind, pkg-config: tgmap $(pkg-config --modversion tgmap)"

if [[ -x $prefix/bin/tgmap ]]; then
  must_print "$version" env -u LD_LIBRARY_PATH "$prefix/bin/tgmap" --version
  for page in man/man1/tgmap.1 man/man1/tgmap-ls.1 man/man5/tgmap-format.5 man/man7/tgmap-where.7 \
    bash-completion/completions/tgmap zsh/site-functions/_tgmap fish/vendor_completions.d/tgmap.fish; do
    [[ -s $prefix/share/$page ]] || fail "$page was not installed"
  done
  echo "$kind, command: $("$prefix/bin/tgmap" --version | head -n 1), with its manual"
fi
