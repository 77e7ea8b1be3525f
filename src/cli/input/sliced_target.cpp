// SPDX-License-Identifier: Apache-2.0
#include "cli/input/sliced_target.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/print/human_numbers.hpp"
#include "core/text/trim.hpp"

namespace tgmap::cli {

namespace {

const char* text_of(grids::slice_mistake what) {
  switch (what) {
    case grids::slice_mistake::item: return "is not an index, a range such as 2:5 or ::4, or ...";
    case grids::slice_mistake::empty_item: return "is empty; : takes a whole dimension";
    case grids::slice_mistake::step: return "has a step that is not positive";
    case grids::slice_mistake::second_rest: return "occurs more than once";
    case grids::slice_mistake::bracket: break;
  }
  return "has only one of the brackets";
}

}  // namespace

grids::slice_spec parse_slice(std::string_view text) {
  failure why;
  grids::slice_spec out = grids::parse_slice(text, why);
  if (!why) return out;
  const auto part =
      std::string_view(out.text).substr(static_cast<std::size_t>(why.offset), static_cast<std::size_t>(why.found));
  throw usage_error(fmt::format("'{}' in the slice '{}' {}", part, out.text,
                                text_of(static_cast<grids::slice_mistake>(why.expected))),
                    "write it as in '[10:20,::4,3]'");
}

cli_error slice_error(const grids::slice_spec& of, std::span<const std::uint64_t> shape, const failure& why) {
  const std::string all = grids::shape_text(shape);
  if (why.argument != std::string_view("index"))
    return {fmt::format("the slice '{}' has {}, but the shape {} has {}", of.text, count_text(why.found, "dimension"),
                        all, shape.size()),
            "use at most as many dimensions as the object has"};
  return {fmt::format("index {} is out of range for axis {} with extent {}, in the slice '{}' of the shape {}",
                      static_cast<std::int64_t>(why.found), why.offset, why.expected, of.text, all),
          why.expected == 0 ? "use : for this axis, which is empty"
                            : fmt::format("use 0 to {}, or -{} to -1", why.expected - 1, why.expected)};
}

grids::slice resolve(const grids::slice_spec& of, std::span<const std::uint64_t> shape) {
  failure why;
  grids::slice out = grids::resolve(of, shape, why);
  if (why) throw slice_error(of, shape, why);
  return out;
}

sliced_target parse_sliced_target(std::string_view text, const file_test& exists) {
  const std::size_t bracket = text.rfind('[');
  if (bracket == text.npos || !text.ends_with(']') || exists(std::string(text)))
    return {.address = parse_target(text, exists)};
  return {.address = parse_target(core::trimmed(text.substr(0, bracket)), exists),
          .slice = parse_slice(text.substr(bracket))};
}

std::vector<sliced_target> parse_sliced_targets(const std::vector<std::string>& texts) {
  std::vector<sliced_target> out;
  out.reserve(texts.size());
  for (const std::string& text : texts) out.push_back(parse_sliced_target(text));
  if (std::count_if(out.begin(), out.end(), [](const sliced_target& t) { return t.address.file == "-"; }) > 1)
    throw usage_error("standard input can be read only once; save it to a file first");
  return out;
}

}  // namespace tgmap::cli
