#!/usr/bin/env bash
# Unpacks packages of another architecture with their dependencies, for a cross compiler and an emulator. Uses this
# machine's package sources and does not change its package system.
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
# In a separate state nothing is installed, so apt fetches all dependencies, too.
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
# Absolute links would point outside the folder.
find "$root/usr" "$root/lib" -type l -lname '/*' -print0 |
  while IFS= read -r -d '' link; do
    ln -sfn "$root$(readlink "$link")" "$link"
  done
rm -rf "$root/apt"
echo "$stamp" >"$root/complete"
