// SPDX-License-Identifier: Apache-2.0
// Parses any text as a selection and as a key, and looks it up in any metadata. The input up to its first zero byte is
// the text, the rest is the CBOR of the keys of an object.
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

/// Returns a message of one object with these keys, which need not be valid.
std::string message_with(std::string_view keys) {
  tgmap_test::message_spec spec;
  spec.objects = {tgmap_test::bytes_object("abcd")};
  spec.base = {std::string(keys)};
  return tgmap_test::message(spec);
}

/// Returns the result of a selection: yes, no, or the failure.
std::string match_result(const tgmap::selection& wanted, tgmap::key_lookup& in) {
  tgmap::failure why;
  const bool matches = wanted.matches(in, why);
  return why ? why.text() : matches ? "yes" : "no";
}

void check_key(std::string_view text, tgmap::key_lookup& in) {
  tgmap::failure why;
  const tgmap::metadata_key key = tgmap::metadata_key::parse(text, why);
  if (why) return require(text.starts_with('@'), "only keys with @ can be invalid");
  require(key.text() == text, "a key keeps its text");
  const tgmap::key_result found = in.find(key, why);
  require(!why || !found, "nothing is found after a failure");
  if (!found) return;
  const std::string printed = found.text();
  require(found.equals(printed), "a value equals its printed text");
  require(!found.equals(printed + "x"), "a value equals no other text");
}

void check_selection(std::string_view text, tgmap::selection_syntax syntax, tgmap::key_lookup& in) {
  tgmap::failure why;
  const tgmap::selection wanted = tgmap::selection::parse(text, syntax, why);
  if (why) {
    require(wanted.selects_all(), "a selection is empty after a failure");
    return require(why.found >= 1 && why.found <= text.size() + 1, "the column is within the text");
  }
  const std::string printed = wanted.text();
  const tgmap::selection again = tgmap::selection::parse(printed, tgmap::selection_syntax::full, why);
  require(!why, "a printed selection can be parsed");
  require_same(again.text(), printed, "a printed selection is printed the same again");
  // Of a single clause the printed text is the condition alone: messages match it by another rule.
  if (syntax == tgmap::selection_syntax::full)
    require_same(match_result(again, in), match_result(wanted, in), "a printed selection has the same result");
}

/// Checks that the summary of a message has the keys of its parts.
void check_keys(const tgmap::message& of) {
  tgmap::failure summary_error, wide, first;
  const tgmap::message_summary keys = of.summary(summary_error);
  const auto by_metadata = of.metadata(wide), by_base = of.base(0, first);
  require(static_cast<bool>(summary_error) == (wide || first), "the summary fails only if a part does");
  const auto same = [](const tgmap::metadata& a, const tgmap::metadata& b) {
    const auto left = a.entries(), right = b.entries();
    return std::ranges::equal(left, right, [](const auto& x, const auto& y) {
      return x.key == y.key && x.value.bytes_to_end().data() == y.value.bytes_to_end().data();
    });
  };
  if (!summary_error)
    require(same(keys.message_metadata, by_metadata) && same(keys.first_object_metadata, by_base),
            "the summary has the keys of the parts");
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
  for (tgmap::key_lookup* const lookup : {&of_message, &of_object}) {
    check_key(text, *lookup);
    check_selection(text, tgmap::selection_syntax::full, *lookup);
    check_selection(text, tgmap::selection_syntax::single_clause, *lookup);
  }
  return 0;
}
