// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <new>

#include "constant/json/document.hpp"
#include "constant/json/root.hpp"
#include "constant/json/type_member.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

namespace {

constexpr std::uint64_t usual_most_bytes = std::uint64_t{1} << 30;

bool begins_with_mark(parser& in) {
  if (!in.at.stopped() && in.at.offset() == 0 && in.at.scalar().starts_with("\xEF\xBB\xBF")) {
    in.problems.tell_last({.why = {.code = errc::bad_json}, .expected = "JSON", .found = "a byte order mark"}, 0,
                          in.where);
    return true;
  }
  return false;
}

tensor_constant read_into(parser& in, const text_view& text) {
  if (begins_with_mark(in)) return {};
  const bool declared = in.options.type.has_value();
  tensor_type type;
  if (declared) {
    type = *in.options.type;
  } else {
    const auto found = find_type(in);
    if (!found) return {};
    type = *found;
  }
  if (in.options.cell_type) {
    failure why;
    const auto all = type.dimensions();
    type = tensor_type::make(*in.options.cell_type, {all.begin(), all.end()}, why);
    if (why) {
      in.problems.tell_last({.why = why}, in.at.offset(), in.where);
      return {};
    }
  }
  const std::uint64_t most =
      in.options.max_bytes != 0 ? in.options.max_bytes : std::max(usual_most_bytes, 32 * text.size);
  failure why;
  builder into(type, most, why);
  if (why) {
    const bool large = why.code == errc::too_large;
    in.problems.tell_last({.why = why,
                           .expected = large ? "at most " + std::to_string(most) + " bytes of cells" : "",
                           .found = large ? std::to_string(why.found) : ""},
                          in.at.offset(), in.where);
    return {};
  }
  read_root(in, type, declared && !in.options.cell_type, into);
  return in.problems.any() ? tensor_constant() : into.finish();
}

}  // namespace

tensor_constant read_document(const text_view& text, const read_options& options, report& into, std::size_t window) {
  parser in(text, options, into, window);
  tensor_constant out = read_into(in, text);
  in.problems.finish(text);
  return out;
}

tensor_constant read_text(const text_view& text, const read_options& options, report& into,
                          std::size_t window) noexcept {
  try {
    into = {};
    into.problems.reserve(1);
  } catch (const std::bad_alloc&) {
    into.out_of_memory = true;
    return {};
  }
  try {
    return read_document(text, options, into, window);
  } catch (const std::bad_alloc&) {
    into.warnings.clear();
    into.problems.clear();  // keeps room for one
    into.problems.push_back({.cause = {.code = tgmap::errc::out_of_memory}});
    into.has_more = true;
    return {};
  }
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
