#!/usr/bin/env bash
# Fetches the compression libraries that distributions do not package, each by exact version and SHA-256.
#
# usage: src/cmake/fetch_codecs.sh FOLDER
#
# Makes prefixes for CMake: FOLDER/blosc2, the contents of its Python wheel, and FOLDER/sz3, headers; the licenses
# of each are in share/licenses. Libraries that are installed or were fetched before are not fetched. Prints a line if a library cannot be
# fetched, which is not an error; unexpected bytes are one.
set -euo pipefail

mkdir -p "$1"
folder=$(cd "$1" && pwd)

say() { printf '%s\n' "$*" >&2; }

check_sum() {  # FILE SHA256
  sha256sum --check --quiet --strict <<<"$2  $1" >&2 || { say "$1 is not what was expected"; exit 1; }
}

installs_packages() { python3 -m pip --version >/dev/null 2>&1 || python3 -c 'import ensurepip' 2>/dev/null; }

pip() {
  if python3 -m pip --version >/dev/null 2>&1; then
    python3 -m pip "$@"
  else
    [[ -x $folder/pip/bin/pip ]] || python3 -m venv "$folder/pip"
    "$folder/pip/bin/pip" "$@"
  fi
}

# ---- c-blosc2 3.3.5 --------------------------------------------------------------------------------

wheel_version=4.14.1

wheel_sum() {  # PROCESSOR
  case $1 in
    x86_64) echo d5e65efe80740651c3b39a9fd98478f073c57bed51f7eebe1fdfe248dc259e37 ;;
    aarch64) echo 411d9fa31c559f0b016c16611101ccd0e03d38dc89ab1bc94178aa3757ce756a ;;
  esac
}

fetch_blosc2() {
  local processor sum unpacked=$folder/blosc2.new wheel
  [[ ! -d $folder/blosc2/share/licenses ]] || return 0
  ! pkg-config --exists 'blosc2 >= 2.10' 2>/dev/null || return 0
  processor=$(uname -m) sum=$(wheel_sum "$processor")
  [[ $sum ]] || { say "blosc2: not fetched, for there is no wheel for $processor"; return 0; }
  installs_packages || { say "blosc2: not fetched, for there is no pip"; return 0; }
  rm -rf "$unpacked"
  # The wheel is only unpacked, so the version of Python does not matter.
  pip --quiet --disable-pip-version-check download --no-deps --only-binary=:all: --retries 1 --timeout 20 \
    --python-version 3.11 --implementation cp --abi abi3 --platform "manylinux_2_28_$processor" \
    --dest "$unpacked" "blosc2==$wheel_version" >"$folder/pip.log" 2>&1 || {
    say "blosc2: not fetched, for pip cannot download it ($folder/pip.log)"
    return 0
  }
  wheel=$(echo "$unpacked"/*.whl)
  check_sum "$wheel" "$sum"
  python3 -m zipfile --extract "$wheel" "$unpacked"
  mkdir -p "$unpacked/prefix/share/licenses"
  mv "$unpacked"/blosc2/{include,lib} "$unpacked/prefix"
  mv "$unpacked/blosc2-$wheel_version.dist-info/licenses" "$unpacked/prefix/share/licenses/blosc2"
  rm -rf "$folder/blosc2"
  mv "$unpacked/prefix" "$folder/blosc2"
  rm -rf "$unpacked"
}

# ---- SZ3 3.3.2 -------------------------------------------------------------------------------------

sz3_version=3.3.2 sz3_data_version=3.3.2
sz3_headers_sum=0ecf2c9bcb173bf66150b44a031497fc8454dfab93dec216c3d6e06a44c6dd89
crate=tensogram-sz3-sys-0.24.0
crate_sum=df1c2d8d020c1bf81488c25dc341e46202bf07d68477563bd56dc69f725c2d13

sz3_is_installed() {
  echo '#include <SZ3/version.hpp>' | "${CXX:-c++}" -x c++ -E -dM - 2>/dev/null |
    grep -q "^#define SZ3_DATA_VER \"$sz3_data_version\""
}

headers_sum() { (cd "$1" && find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -d' ' -f1); }

# The release itself. Its host may pack the archive again, so the files are checked instead of the archive.
sz3_from_upstream() {  # TO
  python3 - "https://github.com/szcompressor/SZ3/archive/refs/tags/v$sz3_version.tar.gz" "$1" 2>/dev/null <<'END' || return 1
import io, sys, tarfile, urllib.request
data = urllib.request.urlopen(sys.argv[1], timeout=20).read()
tarfile.open(fileobj=io.BytesIO(data)).extractall(sys.argv[2])
END
  mv "$1/SZ3-$sz3_version"/{include,copyright-and-BSD-license.txt} "$1"
  [[ $(headers_sum "$1/include") == "$sz3_headers_sum" ]] || { say "SZ3: upstream's files are not those expected"; return 1; }
}

# The reference implementation's crate, which carries the same headers.
sz3_from_crate() {  # TO
  local cache=${CARGO_HOME:-$HOME/.cargo}/registry/cache file
  file=$(find "$cache" -name "$crate.crate" -print -quit 2>/dev/null || true)
  if [[ -z $file ]]; then
    command -v cargo >/dev/null || return 1
    printf '[package]\nname = "fetch"\nversion = "0.0.0"\n[lib]\npath = "lib.rs"\n[dependencies]\n%s = "=%s"\n' \
      "${crate%-*}" "${crate##*-}" >"$1/Cargo.toml"
    touch "$1/lib.rs"
    timeout 120 cargo fetch --quiet --manifest-path "$1/Cargo.toml" >"$folder/cargo.log" 2>&1 || return 1
    file=$(find "$cache" -name "$crate.crate" -print -quit)
  fi
  check_sum "$file" "$crate_sum"
  tar -xzf "$file" -C "$1"
  mv "$1/$crate/SZ3"/{include,copyright-and-BSD-license.txt} "$1"
  [[ $(headers_sum "$1/include") == "$sz3_headers_sum" ]] || { say "SZ3: the files of $crate are not those expected"; exit 1; }
}

fetch_sz3() {
  local new=$folder/sz3.new source
  [[ ! -d $folder/sz3/share/licenses ]] || return 0
  ! sz3_is_installed || return 0
  for source in sz3_from_upstream sz3_from_crate; do
    rm -rf "$new" && mkdir "$new"
    ! $source "$new" || break
  done
  [[ -d $new/include ]] || { say "SZ3: not fetched, for neither its release nor its crate can be reached"; return 0; }
  local number
  IFS=. read -r -a number <<<"$sz3_version"
  sed -e "s/@PROJECT_NAME@/SZ3/; s/@PROJECT_VERSION@/$sz3_version/; s/@SZ3_DATA_VERSION@/$sz3_data_version/" \
    -e "s/@PROJECT_VERSION_MAJOR@/${number[0]}/; s/@PROJECT_VERSION_MINOR@/${number[1]}/" \
    -e "s/@PROJECT_VERSION_PATCH@/${number[2]}/; s/@PROJECT_VERSION_TWEAK@/0/" \
    "$new/include/SZ3/version.hpp.in" >"$new/include/SZ3/version.hpp"
  rm -rf "$folder/sz3"
  mkdir -p "$folder/sz3/share/licenses/SZ3"
  mv "$new/include" "$folder/sz3/include"
  mv "$new/copyright-and-BSD-license.txt" "$folder/sz3/share/licenses/SZ3"
  rm -rf "$new"
}

fetch_blosc2
fetch_sz3
