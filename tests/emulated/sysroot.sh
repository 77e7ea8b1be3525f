#!/usr/bin/env bash
# Unpacks packages of another architecture, and what they depend on, for a cross compiler and an emulator. The packages
# come from where this machine's own come from; its package system stays as it is.
# usage: tests/emulated/sysroot.sh ARCHITECTURE FOLDER PACKAGE...
set -euo pipefail
architecture=$1 folder=$2
shift 2
stamp="$architecture: $*"
[[ $(cat "$folder/complete" 2>/dev/null) != "$stamp" ]] || exit 0

rm -rf "$folder"
mkdir -p "$folder"/apt/{lists,archives}/partial
root=$(cd "$folder" && pwd)
: >"$root/apt/status"
# A state of its own, in which nothing is installed: so everything that the packages depend on is fetched too.
fetch() {
  apt-get --quiet=2 --option APT::Architecture="$architecture" --option APT::Architectures="$architecture" \
    --option APT::Sandbox::User= --option Debug::NoLocking=1 \
    --option Dir::State="$root/apt" --option Dir::State::lists="$root/apt/lists" \
    --option Dir::State::status="$root/apt/status" --option Dir::Cache="$root/apt" "$@"
}
fetch update
fetch install --yes --no-install-recommends --download-only "$@"
for package in "$root"/apt/archives/*.deb; do
  dpkg-deb --extract "$package" "$root"
done
# Absolute links would lead out of the folder.
find "$root/usr" "$root/lib" -type l -lname '/*' -print0 |
  while IFS= read -r -d '' link; do
    ln -sfn "$root$(readlink "$link")" "$link"
  done
rm -rf "$root/apt"
echo "$stamp" >"$root/complete"
