// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "cli/archives.hpp"
#include "cli/complaint.hpp"
#include "cli/escape.hpp"
#include "cli/outputs/output_set.hpp"
#include "cli/progress.hpp"
#include "cli/same_file.hpp"
#include "cli/show_options.hpp"
#include "cli/show_text.hpp"
#include "cli/undecodable.hpp"
#include "cli/verb.hpp"
#include "cli/window_size.hpp"
#include "picture/coordinates.hpp"
#include "picture/field.hpp"
#include "picture/image/canvas.hpp"
#include "picture/plot.hpp"
#include "picture/terminal/terminal.hpp"

namespace tgmap::cli {

namespace {

using meaning = show_options::meaning;
using picture::plot;
using picture::scale;
using statistics::accumulator;

/// The room for a picture in the window, below what is said of it and above the next prompt.
picture::terminal_style style_for(const shown_field& field, const show_options& given, const session& run) {
  constexpr std::size_t least_rows = 6, least_columns = 20;
  const auto around = picture::environment::current();
  const cells window = window_size();
  const std::size_t lines = 5 + (part_of(field).empty() ? 0U : 1U) + (given.logarithmic ? 1U : 0U);
  return {.colours = picture::choose_colour_depth(run.out.colored(), around),
          .unicode = picture::supports_unicode(around),
          .columns = given.columns.value_or(std::max(window.columns, least_columns)),
          .rows = given.rows.value_or(std::max(window.rows, lines + least_rows) - lines)};
}

/// Nothing where there is no picture to make.
std::unique_ptr<plot> plan(const shown_field& field, const show_options& given, const meaning& wanted,
                           const session& run) {
  const auto dimensions = field.part.axes().size();
  if (dimensions == 0 || dimensions > 2 || field.part.elements() == 0) return nullptr;
  if (given.as_json && given.to.empty()) return nullptr;
  auto axes = picture::find_axes(field.which.message, field.which.object, field.part);
  if (given.to.empty()) return picture::make_terminal_plot(std::move(axes), style_for(field, given, run));
  return picture::make_image_plot(std::move(axes), wanted.size);
}

accumulator load(const shown_field& field, const show_options& given, const std::string& file, plot* into,
                 session& run) {
  accumulator out;
  const std::uint64_t each = std::max<std::uint64_t>(element_size(field.what.dtype), 1);
  progress_bar bar(run, field.which.name, field.part.elements() * each);
  const decode_options how{.strides = given.as_stored ? stride_policy::ignore : stride_policy::apply,
                           .executor = &run.workers()};
  const auto take = [&](std::uint64_t at, std::span<const double> numbers) {
    const bool all_finite = out.add(numbers);
    if (into != nullptr) into->add(at, numbers, all_finite);
    bar.at((at + numbers.size()) * each);
  };
  try {
    picture::load_field(field.which.object, field.part, how, take);
  } catch (const error& why) {
    throw undecodable(field.which.object, why.details(), field.which.name, file);
  }
  return out;
}

std::optional<scale> values_for(const accumulator& numbers, const show_options& given, const meaning& wanted) {
  const auto all = picture::make_scale(numbers, given.logarithmic);
  if (!all || !wanted.range) return all;
  return scale(wanted.range->first, wanted.range->second, given.logarithmic);
}

std::string text_of(const shown_field& field, const show_options& given, const accumulator& numbers) {
  std::string out = place_of(field) + "\n";
  if (const std::string part = part_of(field); !part.empty()) out += part + "\n";
  for (const std::string& line : numbers_of(field, numbers)) out += line + "\n";
  if (given.logarithmic && numbers.not_above_zero() != 0)
    out += fmt::format("{} not above zero, without a place on a logarithmic scale\n", numbers.not_above_zero());
  if (const auto dimensions = field.part.axes().size(); dimensions > 2 && field.part.elements() != 0)
    out += fmt::format("{} dimensions make no picture: --slice '{}' would\n", dimensions,
                       picture::default_slice(field.what.shape()).text());
  return out;
}

std::string image_of(const shown_field& field, const plot* drawn, const std::optional<scale>& values,
                     const accumulator& numbers, const meaning& wanted) {
  if (drawn == nullptr || numbers.count() == numbers.missing())
    throw complaint(field.part.text() + " makes no image: " +
                        (drawn != nullptr || field.part.elements() == 0 ? "there is no number in it"
                                                                        : "it has not one or two dimensions"),
                    "choose a part with --slice, or leave -o out to see what there is");
  picture::caption say{.title = title_of(field), .details = place_of(field), .unit = field.words.unit};
  if (!field.part.is_full()) say.details += "   slice " + field.part.text();
  for (const std::string& line : numbers_of(field, numbers)) say.details += "   " + line;
  try {
    return drawn->draw(values, wanted.colours, say);
  } catch (const picture::canvas_error& why) {
    throw complaint(why.what(), why.next_step());
  }
}

void write_image(const std::string& image, const show_options& given, session& run) {
  output_set outputs(given.outputs, run);
  outputs.at(given.to).write(std::as_bytes(std::span(image)));
  outputs.commit();
}

shown_field field_of(const archive& in, const target& what, const meaning& wanted) {
  shown_field out{.which = find_one_object(in, what)};
  out.what = out.which.object.descriptor();
  failure none;  // a field without metadata is shown all the same
  out.words = caption_of(out.which.object.metadata(none));
  try {
    const auto shape = out.what.shape();
    out.part = wanted.cuts ? picture::resolve(*wanted.cuts, shape) : picture::default_slice(shape);
    out.part_chosen = wanted.cuts.has_value();
  } catch (const std::invalid_argument& why) {
    throw complaint(why.what(), "run `tgmap ls --objects " + what.file + "` to see shapes");
  }
  return out;
}

void show(const target& what, const show_options& given, const meaning& wanted, session& run) {
  const archive in = open_archive(what, run);
  if (!given.to.empty()) refuse_to_overwrite(what, given.to);
  const shown_field field = field_of(in, what, wanted);
  const auto drawn = plan(field, given, wanted, run);
  const accumulator numbers = load(field, given, what.file, drawn.get(), run);
  const auto values = values_for(numbers, given, wanted);

  if (!given.to.empty()) write_image(image_of(field, drawn.get(), values, numbers, wanted), given, run);
  if (given.as_json) {
    run.out.write(json_line(as_json(field, numbers)));
  } else if (given.to != "-") {
    run.out.write(run.out.heading(title_of(field)) + "\n" + text_of(field, given, numbers));
    if (drawn && given.to.empty()) run.out.write(drawn->draw(values, wanted.colours, {.unit = field.words.unit}));
  }
  tell_of_damage(in, what.file, run);
}

void run_show(const show_options& given, session& run) {
  const auto targets = parse_targets(given.from);
  const meaning wanted = given.read();
  if (!given.to.empty() && targets.size() > 1) throw usage_error("an image shows one object");
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (i != 0 && !given.as_json) run.out.write("\n");
    run.report.guard(targets[i].file, [&] { show(targets[i], given, wanted, run); });
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
