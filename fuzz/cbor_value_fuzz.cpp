// SPDX-License-Identifier: Apache-2.0
// Checks that a copy of any item has the same value in canonical form, and stays canonical after changes. The first
// byte is the number of changes, which have four bytes each; the rest is the item.
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <tgmap/write/cbor_value.hpp>

#include "cbor/canonical/canonical.hpp"
#include "cbor/prescan.hpp"
#include "support/require.hpp"
#include "validate/cbor/cbor_check.hpp"

using tgmap::cbor_value;
using tgmap::failure;
using tgmap_fuzz::require;

namespace {

/// Checks the canonical form by the library and by the validator, which share no code.
void require_canonical(const cbor_value& it) {
  require(tgmap::cbor::is_canonical(it.encoded()), "an item is canonical");
  const auto report = tgmap::validation::check_cbor(it.encoded(), tgmap::cbor::max_nesting, true);
  require(report.state == tgmap::validation::cbor_state::sound, "an item is sound");
  require(report.not_canonical == nullptr && report.size == it.encoded().size(),
          "the validator finds an item canonical");
}

/// Checks that every value of one item is in the other.
void require_same(const tgmap::cbor_view& one, const tgmap::cbor_view& copy, unsigned depth, unsigned& left) {
  if (left == 0) return;
  --left;
  require(one.kind() == copy.kind(), "a copy has the same kind");
  require(one.text() == copy.text(), "a copy has the same scalar");
  require(one.tag() == copy.tag(), "a copy has the same tag");
  if (one.tag()) return require_same(one.untagged(), copy.untagged(), depth, left);
  if (one.kind() == tgmap::cbor_kind::array) require(one.size() == copy.size(), "a copy has as many elements");
  if (one.kind() == tgmap::cbor_kind::map) require(one.size() >= copy.size(), "a copy has no more pairs");
  if (depth == 0) return;
  one.visit([&](const auto& key, const tgmap::cbor_view& element) {
    if constexpr (requires { key.kind(); }) {
      if (key.kind() != tgmap::cbor_kind::text) return true;
      const std::string name = key.text();
      // Repaired keys may be equal to others.
      if (name.find("\xef\xbf\xbd") != name.npos) return true;
      const auto last = one.find(name), found = copy.find(name);
      require(last.has_value() && found.has_value(), "a copy has the same keys");
      require_same(*last, *found, depth - 1, left);
    } else {
      const auto found = copy.at(key);
      require(found.has_value(), "a copy has the same elements");
      require_same(element, *found, depth - 1, left);
    }
    return left > 0;
  });
}

std::string_view path_of(std::uint8_t which) {
  constexpr std::string_view paths[] = {"a",         "b",          "a.b",  "a.b.c",    "a[0]",      "b[1].a",
                                        "",          ".",          "a.",   "[",        "a.b[0][1]", "mars",
                                        "mars.step", "_reserved_", "\xff", "a.b.c.d.e"};
  return paths[which % std::size(paths)];
}

void change(cbor_value& it, const std::uint8_t (&how)[4]) {
  failure why;
  const cbor_value before = it;
  const auto path = path_of(how[1]), other = path_of(how[2]);
  switch (how[0] % 5) {
    case 0: {
      const cbor_value to = how[3] % 4 == 0   ? before
                            : how[3] % 4 == 1 ? cbor_value(how[3])
                                              : cbor_value::array({how[3], cbor_value::map()});
      it.set(path, to, why);
      if (!why) require(cbor_value::copy(it.view().at_path(path).value()) == to, "a value that was set is found");
      break;
    }
    case 1: {
      const bool exists = !path.empty() && it.is_map() && it.view().at_path(path).has_value();
      require(it.erase(path, why) == exists, "an existing item is erased");
      break;
    }
    case 2: {
      const auto moved = it.view().at_path(path);
      const cbor_value value = moved ? cbor_value::copy(*moved) : cbor_value();
      if (it.rename(path, other, why))
        require(cbor_value::copy(it.view().at_path(other).value()) == value, "a renamed item has the same value");
      break;
    }
    case 3: it.update(cbor_value::map({{path, how[3]}, {other, before}}), why); break;
    default: it.update(before, why); break;
  }
  if (why) require(it == before, "a failed change changes nothing");
  require_canonical(it);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  auto data = std::span(bytes, size).subspan(1);
  const auto changes = data.first(std::min<std::size_t>(data.size(), bytes[0] % 16 * 4));
  data = data.subspan(changes.size());

  const tgmap::cbor_view from(std::as_bytes(data));
  failure why;
  cbor_value it = cbor_value::copy(from, why);
  const bool readable = !tgmap::cbor::prescan(from.bytes_to_end(), tgmap::cbor::max_nesting, tgmap::cbor::rules::any);
  // Copying counts tags as levels, reading counts only containers.
  const bool too_deep = why.code == tgmap::errc::cbor_too_deep && data.size() > tgmap::cbor::max_nesting;
  if (readable) require(!why || too_deep, "a readable item can be copied");
  require_canonical(it);
  if (!why) {
    unsigned left = 300;
    require_same(from, it.view(), 20, left);
    require(cbor_value::copy(it.view()) == it, "a copy of a copy is the same");
  }
  for (std::size_t i = 0; i + 4 <= changes.size() && it.encoded().size() < 100000; i += 4) {
    std::uint8_t how[4];
    std::memcpy(how, changes.data() + i, sizeof(how));
    change(it, how);
  }
  return 0;
}
