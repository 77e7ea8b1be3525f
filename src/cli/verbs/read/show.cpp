// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/descriptor.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/output.hpp"
#include "cli/app/progress.hpp"
#include "cli/app/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/elements.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/input/sliced_target.hpp"
#include "cli/options/option_checks.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/caption.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "core/text/escape.hpp"
#include "edit/output/output_set.hpp"
#include "grid/coordinates.hpp"
#include "grid/slice.hpp"
#include "picture/colour_map.hpp"
#include "picture/field.hpp"
#include "picture/image/canvas.hpp"
#include "picture/image/image_frame.hpp"
#include "picture/plot.hpp"
#include "picture/scale.hpp"
#include "picture/terminal/terminal.hpp"
#include "statistics/accumulator.hpp"

namespace tgmap::cli {

namespace {

/// A field and the part of it to show.
struct shown_field {
  one_object which;
  descriptor what{};
  caption words{};
  picture::slice part{};
  bool part_chosen = false;      ///< the user gave the part
  std::string why_no_degrees{};  ///< as in picture::found_axes, if there is a picture
};

using picture::number_text;

bool is_complex(dtype of) { return of == dtype::complex64 || of == dtype::complex128; }

std::vector<std::uint64_t> sizes(const picture::slice& part) {
  std::vector<std::uint64_t> out;
  for (const auto& e : part.dimensions)
    if (!e.is_index) out.push_back(e.size);
  return out;
}

json number(double x) { return std::isfinite(x) ? json(x) : json(); }

json text_or_null(const std::string& text) { return text.empty() ? json() : json(text); }

/// Returns the title.
std::string title_of(const shown_field& f) {
  const auto index = f.which.message.index();
  const std::string number = fmt::format("object {}", f.which.object.index());
  return f.words.title(index ? fmt::format("{} of message {}", number, *index) : number);
}

/// Returns the line below the title, with dtype, shape and address.
std::string place_of(const shown_field& f) {
  return fmt::format("{} {}  {}", to_string_view(f.what.dtype), picture::shape_text(f.what.shape()),
                     core::escaped(f.which.name));
}

/// Returns the slice that is shown; empty for the whole field.
std::string part_of(const shown_field& f) {
  if (f.part.is_full()) return {};
  if (f.part_chosen) return "slice " + f.part.text();
  return fmt::format("slice {}; --slice takes another", f.part.text());
}

std::string coordinates_of(const shown_field& f) { return "no coordinates: " + core::escaped(f.why_no_degrees); }

/// Returns "1048576 elements, none missing", and "min 262.5   max 328.67   mean 304.7   std 18.1   K" if any is finite.
std::vector<std::string> numbers_of(const shown_field& f, const statistics::accumulator& s) {
  std::vector<std::string> out;
  std::string first = count_text(s.count(), "element");
  first += s.nan_count() == 0 ? ", none missing" : fmt::format(", {} missing", s.nan_count());
  if (const auto infinite = s.positive_infinities() + s.negative_infinities(); infinite != 0)
    first += fmt::format(", {} infinite", infinite);
  if (is_complex(f.what.dtype)) first += "; magnitudes:";
  out.push_back(std::move(first));
  if (s.finite_count() == 0) return out;
  std::string second =
      s.count() == 1 ? "value " + number_text(s.mean())
                     : fmt::format("min {}   max {}   mean {}   std {}", number_text(s.min()), number_text(s.max()),
                                   number_text(s.mean()), number_text(s.standard_deviation()));
  if (!f.words.unit.empty()) second += "   " + f.words.unit;
  out.push_back(std::move(second));
  return out;
}

json as_json(const shown_field& f, const statistics::accumulator& s) {
  const auto index = f.which.message.index();
  return {{"target", f.which.name},
          {"message", index ? json(*index) : json()},
          {"object", f.which.object.index()},
          {"name", text_or_null(f.words.name_text)},
          {"units", text_or_null(f.words.unit_text)},
          {"dtype", to_string_view(f.what.dtype)},
          {"shape", to_json(f.what.shape())},
          {"slice", f.part.text()},
          {"slice_shape", sizes(f.part)},
          {"elements", s.count()},
          {"missing", s.nan_count()},
          {"infinite", s.positive_infinities() + s.negative_infinities()},
          {"min", number(s.min())},
          {"max", number(s.max())},
          {"mean", number(s.mean())},
          {"std", number(s.standard_deviation())}};
}

/// The options of `show`, as text and as parsed values.
struct show_options {
  std::vector<std::string> from;
  std::string to;  ///< empty: no image
  output_options outputs;
  std::string cut, range, size, colours;
  std::optional<std::size_t> columns, rows;
  bool logarithmic = false, as_stored = false, as_json = false, verify = false;

  /// The parsed values.
  struct parsed_options {
    std::optional<slice_spec> cut{};
    std::optional<std::pair<double, double>> range{};
    std::optional<picture::image_size> size{};
    picture::colour_map colours;
  };
  parsed_options read() const;  ///< Errors: usage_error
};

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

show_options::parsed_options show_options::read() const {
  const std::string name = colours.empty() ? std::string(picture::colour_map::names().front()) : colours;
  const auto map = picture::colour_map::find(name);
  if (!map) throw usage_error("'" + name + "' is not a colour map; use " + map_names() + ", with _r to reverse it");
  parsed_options out{.colours = *map};
  if (!cut.empty()) out.cut = parse_slice_option(cut);
  if (!range.empty()) out.range = read_range(range, logarithmic);
  if (!size.empty()) out.size = read_size(size);
  if (!to.empty() && to != "-" && std::filesystem::path(to).extension() != ".png")
    throw usage_error("images are PNG files, but '" + to + "' does not end with .png");
  if (to == "-" && as_json) throw usage_error("the image and JSON cannot both go to standard output");
  return out;
}

void declare(CLI::App& app, show_options& into) {
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

using parsed_options = show_options::parsed_options;
using picture::plot;
using picture::scale;
using statistics::accumulator;

constexpr std::size_t min_columns = 20;

/// Returns the width of everything that is printed.
std::size_t width_for(const show_options& given) {
  return given.columns.value_or(std::max(window_size().columns, min_columns));
}

/// Fills lines of at most `width` characters with parts of a text. A longer part has a line of its own.
class line_filler {
 public:
  explicit line_filler(std::size_t width) : width_(width) {}

  void add(std::string_view part, std::size_t blanks) {
    const std::size_t size = picture::width_of(part);
    if (used_ != 0 && used_ + blanks + size > width_) {
      text_ += '\n';
      used_ = 0;
    }
    if (used_ == 0) blanks = 0;
    text_.append(blanks, ' ').append(part);
    used_ += blanks + size;
  }
  std::string text() const { return text_ + "\n"; }

 private:
  std::size_t width_, used_ = 0;
  std::string text_{};
};

/// Returns the text as lines of at most `width` characters, broken at two or more blanks, or between words if the text
/// between such blanks is longer than a line.
std::string wrapped(std::string_view text, std::size_t width) {
  line_filler out(width);
  for (std::size_t at = 0, blanks = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("  ", at), text.size());
    const std::string_view part = text.substr(at, end - at);
    if (picture::width_of(part) <= width) {
      out.add(part, blanks);
    } else {
      for (std::size_t word = 0; word < part.size();) {
        const std::size_t stop = std::min(part.find(' ', word), part.size());
        out.add(part.substr(word, stop - word), word == 0 ? blanks : 1);
        word = stop + 1;
      }
    }
    at = std::min(text.find_first_not_of(' ', end), text.size());
    blanks = at - end;
  }
  return out.text();
}

/// Returns the style that fits the window, with room for the lines above and the next prompt.
picture::terminal_style style_for(const shown_field& field, const show_options& given, const session& run) {
  constexpr std::size_t min_rows = 6;
  const auto around = picture::environment::current();
  const cells window = window_size();
  const std::size_t lines =
      5 + (part_of(field).empty() ? 0U : 1U) + (field.why_no_degrees.empty() ? 0U : 1U) + (given.logarithmic ? 1U : 0U);
  return {.colours = picture::choose_colour_depth(run.out.is_colored(), around),
          .unicode = picture::supports_unicode(around),
          .columns = width_for(given),
          .rows = given.rows.value_or(std::max(window.rows, lines + min_rows) - lines)};
}

/// Returns null if the field has no picture. Sets why it has no degrees.
std::unique_ptr<plot> plan(shown_field& field, const show_options& given, const parsed_options& wanted,
                           const session& run) {
  const auto dimensions = field.part.axes().size();
  if (dimensions == 0 || dimensions > 2 || field.part.elements() == 0) return nullptr;
  // The text states the only value of one element.
  if (given.to.empty() && (given.as_json || field.part.elements() == 1)) return nullptr;
  auto [axes, why_no_degrees] = picture::find_axes(field.which.message, field.which.object, field.part);
  field.why_no_degrees = std::move(why_no_degrees);
  if (given.to.empty()) return picture::make_terminal_plot(std::move(axes), style_for(field, given, run));
  return picture::make_image_plot(std::move(axes), wanted.size);
}

accumulator load(const shown_field& field, const show_options& given, const std::string& file, plot* into,
                 session& run) {
  accumulator out;
  const std::uint64_t each = std::max<std::uint64_t>(element_size(field.what.dtype), 1);
  progress_bar bar(run, field.which.name, field.part.elements() * each);
  const decode_options how{.strides = given.as_stored ? stride_policy::ignore : stride_policy::apply,
                           .executor = &run.workers(),
                           .verify = given.verify};
  const auto take = [&](std::uint64_t at, std::span<const double> numbers) {
    const bool all_finite = out.add(numbers);
    if (into != nullptr) into->add(at, numbers, all_finite);
    bar.update((at + numbers.size()) * each);
  };
  try {
    picture::load_field(field.which.object, field.part, how, take);
  } catch (const error& why) {
    throw decode_error(field.which.object, why.details(), field.which.name, file);
  }
  return out;
}

std::optional<scale> values_for(const accumulator& numbers, const show_options& given, const parsed_options& wanted) {
  const auto all = picture::make_scale(numbers, given.logarithmic);
  if (!all || !wanted.range) return all;
  return scale(wanted.range->first, wanted.range->second, given.logarithmic);
}

std::string text_of(const shown_field& field, const show_options& given, const accumulator& numbers) {
  const std::size_t width = width_for(given);
  std::string out = wrapped(place_of(field), width);
  if (const std::string part = part_of(field); !part.empty()) out += wrapped(part, width);
  for (const std::string& line : numbers_of(field, numbers)) out += wrapped(line, width);
  if (!field.why_no_degrees.empty()) out += wrapped(coordinates_of(field), width);
  if (given.logarithmic && numbers.not_positive_count() != 0)
    out += wrapped(fmt::format("{} not above zero, not shown on a logarithmic scale", numbers.not_positive_count()),
                   width);
  if (const auto dimensions = field.part.axes().size(); dimensions > 2 && field.part.elements() != 0)
    out += wrapped(fmt::format("{} dimensions cannot be shown; add --slice '{}'", dimensions,
                               picture::default_slice(field.what.shape()).text()),
                   width);
  return out;
}

std::string image_of(const shown_field& field, const plot* drawn, const std::optional<scale>& values,
                     const accumulator& numbers, const parsed_options& wanted) {
  const bool is_line = field.part.axes().size() == 1;  // which needs an axis of values
  if (drawn == nullptr || numbers.count() == numbers.nan_count() || (is_line && !values))
    throw cli_error(field.part.text() + " cannot be drawn: " +
                        (drawn == nullptr && field.part.elements() != 0 ? "it does not have one or two dimensions"
                         : numbers.count() == numbers.nan_count()       ? "it contains no numbers"
                                                                        : "no number has a place on the axis"),
                    "choose a part with --slice, or leave out -o to see the shape");
  picture::caption caption{.title = title_of(field), .details = place_of(field), .unit = field.words.unit};
  if (!field.part.is_full()) caption.details += "   slice " + field.part.text();
  for (const std::string& line : numbers_of(field, numbers)) caption.details += "   " + line;
  if (!field.why_no_degrees.empty()) caption.details += "   " + coordinates_of(field);
  try {
    return drawn->draw(values, wanted.colours, caption);
  } catch (const picture::canvas_error& why) {
    throw cli_error(why.what(), why.next_step());
  }
}

void write_image(const std::string& image, const show_options& given, session& run) {
  edit::output_set outputs = outputs_for(given.outputs, run);
  outputs.open(given.to).write(std::as_bytes(std::span(image)));
  outputs.commit();
}

/// Returns the part of a tensor that a slice selects.
picture::slice part_of(const slice_spec& cut, std::span<const std::uint64_t> shape) {
  const box found = resolve(cut, shape);
  picture::slice out;
  for (std::size_t d = 0; d < shape.size(); ++d)
    out.dimensions.push_back({.begin = found.start[d],
                              .size = found.count[d],
                              .full_size = shape[d],
                              .is_index = std::find(found.kept.begin(), found.kept.end(), d) == found.kept.end(),
                              .step = found.stride[d]});
  return out;
}

shown_field field_of(const archive& in, const sliced_target& what, const parsed_options& wanted) {
  shown_field out{.which = find_one_object(in, what.address)};
  out.what = out.which.object.descriptor();
  failure none;  // a field without metadata is shown, too
  out.words = caption_of(out.which.object.metadata(none));
  const std::optional<slice_spec>& cut = what.slice ? what.slice : wanted.cut;
  out.part = cut ? part_of(*cut, out.what.shape()) : picture::default_slice(out.what.shape());
  out.part_chosen = cut.has_value();
  return out;
}

void show(const sliced_target& from, const show_options& given, const parsed_options& wanted, session& run) {
  const target& what = from.address;
  const archive in = open_archive(what, run);
  if (!given.to.empty()) refuse_to_overwrite(what, given.to);
  shown_field field = field_of(in, from, wanted);
  const auto drawn = plan(field, given, wanted, run);
  const accumulator numbers = load(field, given, what.file, drawn.get(), run);
  const auto values = values_for(numbers, given, wanted);

  if (!given.to.empty()) write_image(image_of(field, drawn.get(), values, numbers, wanted), given, run);
  if (given.as_json) {
    run.out.write(json_line(as_json(field, numbers)));
  } else if (given.to != "-") {
    std::string title = wrapped(title_of(field), width_for(given));
    title.pop_back();
    run.out.write(run.out.heading(title) + "\n" + text_of(field, given, numbers));
    if (drawn && given.to.empty()) run.out.write(drawn->draw(values, wanted.colours, {.unit = field.words.unit}));
  }
  if (given.verify) {
    edit::hash_check hashes;
    hashes.count(what.file, field.which.object);
    report_unverified(hashes, run);
  }
  report_damage(in, what.file, run);
}

void run_show(const show_options& given, session& run) {
  const std::vector<sliced_target> targets = parse_sliced_targets(given.from);
  const parsed_options wanted = given.read();
  if (given.verify) use_no_index(run);
  for (const sliced_target& each : targets)
    if (each.slice && wanted.cut)
      throw usage_error("the address has the slice '" + each.slice->text + "'; leave out --slice");
  if (!given.to.empty() && targets.size() > 1) throw usage_error("an image shows only one object");
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (i != 0 && !given.as_json) run.out.write("\n");
    run.report.guard(targets[i].address.file, [&] { show(targets[i], given, wanted, run); });
  }
}

}  // namespace

action declare_show(CLI::App& app, session& run) {
  const auto given = std::make_shared<show_options>();
  declare(app, *given);
  add_decode_limits(app, run, decoding_verb::one_object);
  return [given, &run] { run_show(*given, run); };
}

}  // namespace tgmap::cli
