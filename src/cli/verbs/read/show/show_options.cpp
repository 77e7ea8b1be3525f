// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/read/show/show_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/options/option_checks.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t min_side = 100, max_side = 10'000;  // pixels of an image

template <class Number>
std::optional<Number> option_number(std::string_view text) {
  Number out{};
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return out;
}

std::pair<double, double> read_range(const std::string& text, bool logarithmic) {
  const std::size_t dots = text.find(".."), comma = text.find(',');
  const std::size_t at = comma != text.npos ? comma : dots, length = comma != text.npos ? 1 : 2;
  const auto min = at == text.npos ? std::nullopt : option_number<double>(std::string_view(text).substr(0, at));
  const auto max = at == text.npos ? std::nullopt : option_number<double>(std::string_view(text).substr(at + length));
  if (!min || !max || !std::isfinite(*min) || !std::isfinite(*max))
    throw usage_error("'" + text + "' is not a range such as 250,310 or 250..310");
  if (*min >= *max) throw usage_error("the range '" + text + "' ends before it begins");
  if (logarithmic && *min <= 0) throw usage_error("a logarithmic range must begin above 0, not at '" + text + "'");
  return {*min, *max};
}

picture::image_size read_size(const std::string& text) {
  const std::size_t cross = text.find('x');
  const auto width = option_number<std::size_t>(std::string_view(text).substr(0, cross));
  const auto height =
      cross == text.npos ? std::nullopt : option_number<std::size_t>(std::string_view(text).substr(cross + 1));
  const auto fits = [](std::size_t side) { return side >= min_side && side <= max_side; };
  if (!width || !height) throw usage_error("'" + text + "' is not a size such as 1200x800");
  if (!fits(*width) || !fits(*height))
    throw usage_error(fmt::format("an image has {} to {} pixels per side, not {}", min_side, max_side, text));
  return {*width, *height};
}

std::string map_names() { return fmt::format("{}", fmt::join(picture::colour_map::names(), ", ")); }

/// Returns the names of all maps, and those of the reversed ones.
std::vector<std::string> all_map_names() {
  std::vector<std::string> out(picture::colour_map::names().begin(), picture::colour_map::names().end());
  for (const std::string_view each : picture::colour_map::names()) out.push_back(std::string(each) + "_r");
  return out;
}

}  // namespace

show_options::parsed_options show_options::read() const {
  const std::string name = colours.empty() ? std::string(picture::colour_map::names().front()) : colours;
  const auto map = picture::colour_map::find(name);
  if (!map) throw usage_error("'" + name + "' is not a colour map; use " + map_names() + ", with _r to reverse it");
  parsed_options out{.colours = *map};
  if (!cut.empty()) out.cut = parse_slice(cut);
  if (!range.empty()) out.range = read_range(range, logarithmic);
  if (!size.empty()) out.size = read_size(size);
  if (!to.empty() && to != "-" && std::filesystem::path(to).extension() != ".png")
    throw usage_error("images are PNG files, but '" + to + "' does not end with .png");
  if (to == "-" && as_json) throw usage_error("the image and JSON cannot both go to standard output");
  return out;
}

void declare_options(CLI::App& app, show_options& into) {
  add_targets(
      app, into.from,
      "FILE:MESSAGE:OBJECT or FILE@OFFSET:OBJECT, with a slice such as [3,...,10:20] after it; shorter if there "
      "is only one message or object");
  app.add_option("--slice", into.cut, "Part of each object, such as '[3,...,10:20:2]', if the address has no slice")
      ->type_name("SLICE");
  app.add_option("--cmap", into.colours, "Colour map: " + map_names() + "; with _r reversed")
      ->check(offered_words(all_map_names()))
      ->type_name("NAME");
  app.add_option("--range", into.range, "Values at the two ends of the colour map, such as 250,310")
      ->type_name("LO,HI");
  app.add_flag("--log", into.logarithmic, "Use a logarithmic scale");
  app.add_option("--width", into.columns, "Width in characters, with axes; default: the window's")
      ->check(CLI::Range(20, 1000).description(""))
      ->type_name("N");
  app.add_option("--height", into.rows, "Height in lines, with axes and legend; default: the window's")
      ->check(CLI::Range(6, 1000).description(""))
      ->type_name("N");
  const auto to =
      app.add_option("-o,--output", into.to, "Write an image, as PNG; - is standard output")->type_name("OUT");
  add_output_options(app, into.outputs);
  app.add_option("--size", into.size, "Pixels of the image")->needs(to)->type_name("WxH");
  app.add_flag("--as-stored", into.as_stored, "Ignore strides and take elements in stored order");
  add_verify(app, into.verify, "of the whole object");
  app.add_flag("-j,--json", into.as_json, "Print statistics as one JSON object, without a picture");
}

}  // namespace tgmap::cli
