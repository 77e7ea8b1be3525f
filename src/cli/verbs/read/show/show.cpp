// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/output.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/decode_error.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/print/grid_obstacle.hpp"
#include "cli/print/progress.hpp"
#include "cli/verbs/read/show/show_options.hpp"
#include "cli/verbs/read/show/shown_field.hpp"
#include "edit/output/output_set.hpp"
#include "picture/drawn_axes.hpp"
#include "picture/field.hpp"
#include "picture/image/canvas.hpp"
#include "picture/image/image_frame.hpp"
#include "picture/scale.hpp"
#include "picture/terminal/terminal.hpp"
#include "picture/terminal/wrapped_text.hpp"

namespace tgmap::cli {

namespace {

using parsed_options = show_options::parsed_options;
using picture::plot;
using picture::scale;
using picture::wrapped_text;
using statistics::accumulator;

constexpr std::size_t min_columns = 20;

/// Returns the width of everything that is printed.
std::size_t width_for(const show_options& given) {
  return given.columns.value_or(std::max(window_size().columns, min_columns));
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
std::unique_ptr<plot> plan(shown_field& field, const show_options& given, const parsed_options& wanted, session& run) {
  const auto dimensions = field.part.axes().size();
  if (dimensions == 0 || dimensions > 2 || field.part.elements() == 0) return nullptr;
  // The text states the only value of one element.
  if (given.to.empty() && (given.as_json || field.part.elements() == 1)) return nullptr;
  const message& in = field.which.message;
  const object& of = field.which.object;
  auto [axes, why_no_degrees] = picture::find_axes(in, of, field.part, run.grids());
  const auto is_index = [](const picture::axis& each) { return each.kind == picture::axis_kind::index; };
  if (std::ranges::all_of(axes, is_index))
    if (auto points = grid(in, of, run.grids()).points(field.part.slab()))
      if (auto map = picture::make_point_map(std::move(*points))) {
        if (given.to.empty()) return picture::make_terminal_plot(std::move(*map), style_for(field, given, run));
        return picture::make_image_plot(std::move(*map), wanted.size);
      }
  field.why_no_degrees = text_of(why_no_degrees, field.what.shape());
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
  std::string out = wrapped_text(place_of(field), width);
  if (const std::string part = part_of(field); !part.empty()) out += wrapped_text(part, width);
  for (const std::string& line : numbers_of(field, numbers)) out += wrapped_text(line, width);
  if (!field.why_no_degrees.empty()) out += wrapped_text(coordinates_of(field), width);
  if (given.logarithmic && numbers.not_positive_count() != 0)
    out += wrapped_text(
        fmt::format("{} not above zero, not shown on a logarithmic scale", numbers.not_positive_count()), width);
  if (const auto dimensions = field.part.axes().size(); dimensions > 2 && field.part.elements() != 0)
    out += wrapped_text(fmt::format("{} dimensions cannot be shown; add --slice '{}'", dimensions,
                                    grids::default_slice(field.what.shape()).text()),
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

shown_field field_of(const archive& in, const sliced_target& what, const parsed_options& wanted) {
  shown_field out{.which = find_one_object(in, what.address)};
  out.what = out.which.object.descriptor();
  out.words = caption_of(out.which.object);
  const std::optional<grids::slice_spec>& cut = what.slice ? what.slice : wanted.cut;
  out.part = cut ? resolve(*cut, out.what.shape()) : grids::default_slice(out.what.shape());
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
    std::string title = wrapped_text(title_of(field), width_for(given));
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
  declare_options(app, *given);
  add_decode_limits(app, run, decoding_verb::one_object);
  return [given, &run] { run_show(*given, run); };
}

}  // namespace tgmap::cli
