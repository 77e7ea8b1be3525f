// SPDX-License-Identifier: Apache-2.0
#include "cli/show_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "cli/complaint.hpp"
#include "cli/verb.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t least_side = 100, most_side = 10'000;  // of an image

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
  const auto least = at == text.npos ? std::nullopt : option_number<double>(std::string_view(text).substr(0, at));
  const auto greatest =
      at == text.npos ? std::nullopt : option_number<double>(std::string_view(text).substr(at + length));
  if (!least || !greatest || !std::isfinite(*least) || !std::isfinite(*greatest))
    throw usage_error("'" + text + "' is no range such as 250,310 or 250..310");
  if (*least >= *greatest) throw usage_error("the range '" + text + "' ends before it begins");
  if (logarithmic && *least <= 0) throw usage_error("a logarithmic range begins above 0, and '" + text + "' does not");
  return {*least, *greatest};
}

picture::image_size read_size(const std::string& text) {
  const std::size_t cross = text.find('x');
  const auto width = option_number<std::size_t>(std::string_view(text).substr(0, cross));
  const auto height =
      cross == text.npos ? std::nullopt : option_number<std::size_t>(std::string_view(text).substr(cross + 1));
  const auto fits = [](std::size_t side) { return side >= least_side && side <= most_side; };
  if (!width || !height) throw usage_error("'" + text + "' is no size such as 1200x800");
  if (!fits(*width) || !fits(*height))
    throw usage_error(fmt::format("an image has {} to {} pixels each way, not {}", least_side, most_side, text));
  return {*width, *height};
}

std::string map_names() { return fmt::format("{}", fmt::join(picture::colour_map::names(), ", ")); }

}  // namespace

show_options::meaning show_options::read() const {
  const std::string name = colours.empty() ? std::string(picture::colour_map::names().front()) : colours;
  const auto map = picture::colour_map::find(name);
  if (!map)
    throw usage_error("'" + name + "' is no colour map; there are " + map_names() + ", each also with _r behind");
  meaning out{.colours = *map};
  try {
    if (!cut.empty()) out.cuts = picture::parse_slice(cut);
  } catch (const std::invalid_argument& why) {
    throw usage_error(why.what());
  }
  if (!range.empty()) out.range = read_range(range, logarithmic);
  if (!size.empty()) out.size = read_size(size);
  if (!to.empty() && to != "-" && std::filesystem::path(to).extension() != ".png")
    throw usage_error("images are PNG files, and '" + to + "' does not end with .png");
  if (to == "-" && as_json) throw usage_error("either an image or JSON goes to standard output");
  return out;
}

void declare(CLI::App& app, show_options& into) {
  add_targets(app, into.from,
              "FILE:MESSAGE:OBJECT or FILE@OFFSET:OBJECT; less where there is only one message, or one object in it");
  app.add_option("--slice", into.cut, "What to take of each dimension, as in '[3,:,10:20]'; negative: from the end")
      ->type_name("SLICE");
  app.add_option("--cmap", into.colours, "Colours: " + map_names() + "; with _r behind, turned round")
      ->type_name("NAME");
  app.add_option("--range", into.range, "Numbers at the two ends of the colours, as in 250,310 or 250..310")
      ->type_name("LO,HI");
  app.add_flag("--log", into.logarithmic, "A logarithmic scale");
  app.add_option("--width", into.columns, "Characters across, with axes; the window's unless given")
      ->check(CLI::Range(20, 1000).description(""))
      ->type_name("N");
  app.add_option("--height", into.rows, "Lines of the picture, with axes and legend; the window's unless given")
      ->check(CLI::Range(6, 1000).description(""))
      ->type_name("N");
  const auto to =
      app.add_option("-o,--output", into.to, "Write an image, as PNG; - is standard output")->type_name("OUT");
  add_output_options(app, into.outputs);
  app.add_option("--size", into.size, "Pixels of the image")->needs(to)->type_name("WxH");
  app.add_flag("--as-stored", into.as_stored, "Take elements in the order stored, whatever the strides say");
  app.add_flag("-j,--json", into.as_json, "Statistics as one JSON object, without a picture");
}

}  // namespace tgmap::cli
