// SPDX-License-Identifier: Apache-2.0
// Selections and keys, as people type them, asked of metadata as files have it. The input up to its first zero byte is
// the text, the rest the CBOR of an object's keys.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <support/builder.hpp>
#include <tgmap/query/selection.hpp>

#include "support/archives.hpp"
#include "support/require.hpp"

using namespace tgmap_fuzz;

namespace {

/// A message of one object with these keys, whatever they are.
std::string message_with(std::string_view keys) {
  tgmap_test::message_spec spec;
  spec.objects = {tgmap_test::bytes_object("abcd")};
  spec.base = {std::string(keys)};
  return tgmap_test::message(spec);
}

/// The answer of a selection: yes, no, or why not.
std::string answer(const tgmap::selection& wanted, tgmap::key_lookup& in) {
  tgmap::failure why;
  const bool holds = wanted.matches(in, why);
  return why ? why.text() : holds ? "yes" : "no";
}

void check_key(std::string_view text, tgmap::key_lookup& in) {
  tgmap::failure why;
  const tgmap::metadata_key key = tgmap::metadata_key::parse(text, why);
  if (why) return require(text.starts_with('@'), "only facts can have a wrong name");
  require(key.text() == text, "a key keeps its text");
  const tgmap::key_result found = in.find(key, why);
  require(!why || !found, "what cannot be read is not found");
  if (!found) return;
  const std::string printed = found.text();
  require(found.equals(printed), "what is printed is what is compared");
  require(!found.equals(printed + "x"), "and nothing else is");
}

void check_where(std::string_view text, tgmap::selection_syntax reading, tgmap::key_lookup& in) {
  tgmap::failure why;
  const tgmap::selection wanted = tgmap::selection::parse(text, reading, why);
  if (why) {
    require(wanted.selects_all(), "nothing is half read");
    return require(why.found >= 1 && why.found <= text.size() + 1, "the column lies within the text");
  }
  const std::string spelled = wanted.text();
  const tgmap::selection again = tgmap::selection::parse(spelled, tgmap::selection_syntax::full, why);
  require(!why, "what is printed can be read");
  require_same(again.text(), spelled, "and is printed the same");
  require_same(answer(again, in), answer(wanted, in), "and has the same answer");
}

/// All keys of a message at once are what they are one by one.
void check_keys(const tgmap::message& of) {
  tgmap::failure at_once, wide, first;
  const tgmap::message_summary keys = of.summary(at_once);
  const auto by_metadata = of.metadata(wide), by_base = of.base(0, first);
  require(static_cast<bool>(at_once) == (wide || first), "both ways can be read, or neither");
  const auto same = [](const tgmap::metadata& a, const tgmap::metadata& b) {
    const auto left = a.entries(), right = b.entries();
    return std::ranges::equal(left, right, [](const auto& x, const auto& y) {
      return x.key == y.key && x.value.bytes_to_end().data() == y.value.bytes_to_end().data();
    });
  };
  if (!at_once)
    require(same(keys.message_metadata, by_metadata) && same(keys.first_object_metadata, by_base),
            "the same keys and places");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(bytes), size);
  const std::string_view text = all.substr(0, all.find('\0'));
  const std::string data = message_with(all.substr(std::min(text.size() + 1, size)));
  const auto archive = in_memory(data);
  tgmap::failure why;
  const tgmap::message message = archive.at(0, why);
  if (why) return 0;

  check_keys(message);
  tgmap::key_lookup of_message(message);
  const tgmap::object object = message.at(0, why);
  tgmap::key_lookup of_object = why ? of_message : tgmap::key_lookup(message, object);
  for (tgmap::key_lookup* const scope : {&of_message, &of_object}) {
    check_key(text, *scope);
    check_where(text, tgmap::selection_syntax::full, *scope);
    check_where(text, tgmap::selection_syntax::single_clause, *scope);
  }
  return 0;
}
