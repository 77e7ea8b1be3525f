// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/tools/compare.hpp>
#include <utility>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/session.hpp"
#include "cli/app/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/damaged_content.hpp"
#include "cli/input/elements.hpp"
#include "cli/options/pipeline_options.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/table.hpp"
#include "cli/transform/rewriting.hpp"
#include "edit/output/output_location.hpp"
#include "edit/stored_objects.hpp"

namespace tgmap::cli {

namespace {

/// The new storage of objects.
struct conversion_rules {
  std::string file;            ///< for messages
  pipeline_options changes{};  ///< stages to change; objects keep the others
  tgmap::pipeline pipeline{};  ///< with the changed stages and the treatment of missing elements
  bool mask_methods = false;   ///< the methods of masks change, too
  bool widen = false;          ///< convert elements to float64 if a stage accepts nothing else
  on_mismatch damaged = on_mismatch::refuse;
};

/// The result for one object.
struct conversion_result {
  std::optional<std::uint64_t> message{};  ///< number, if known
  std::uint64_t offset = 0;                ///< of the message
  std::size_t object = 0;
  dtype from = dtype::uint8, to = dtype::uint8;
  std::vector<std::uint64_t> shape{};
  bool as_stored = false;                           ///< strides are not dense; elements keep their stored order
  std::uint64_t bytes = 0;                          ///< of the decoded elements
  std::uint64_t before = 0, after = 0;              ///< stored bytes of payload and masks
  std::optional<element_difference> differences{};  ///< nothing if all elements are equal
  std::vector<failure> damage{};                    ///< a hash that does not match
};

/// A `message_conversion` encodes objects with some stages of their pipeline changed. It converts several objects of a
/// message at once.
class message_conversion {
 public:
  message_conversion(conversion_rules rules, session& run) : rules_(std::move(rules)), run_(run) {}

  /// Converts the given objects of a loaded message, and keeps the others. Masked elements stay masked. Lifetime: the
  /// message borrows from this until the next call. Errors: throws cli_error if an object is damaged or cannot be
  /// stored that way; tgmap::error.
  void convert(const message&, const std::vector<std::size_t>& which, stored_message&);

  const std::vector<conversion_result>& results() const noexcept { return results_; }  ///< of all messages

 private:
  std::optional<edit::reencoded_object> convert_object(const message&, std::size_t j, const stored_message&,
                                                       conversion_result&) const;
  tgmap::pipeline change(const descriptor&) const;
  tensor decode(const object&, const descriptor&, const tgmap::pipeline&, bool& as_stored) const;
  cli_error storing_error(const failure&, const descriptor&, const std::string& place) const;

  conversion_rules rules_;
  session& run_;
  std::vector<std::optional<edit::reencoded_object>> current_{};  ///< objects of the last message
  std::vector<conversion_result> results_{};
};

bool has_code(const failure& why, errc what) { return why.code == make_error_code(what); }

/// Returns true for real numbers, which float64 may be able to hold.
bool can_widen(dtype from) { return from != dtype::bitmask && from != dtype::complex64 && from != dtype::complex128; }

std::string advice_on_storing(const failure& why, const std::string& file, dtype from) {
  const bool wants_doubles = why.expected == static_cast<std::uint64_t>(dtype::float64);
  if (has_code(why, errc::unsupported_dtype) && wants_doubles && can_widen(from))
    return "add --widen to convert the elements to float64, choose another pipeline, or exclude the object with -w";
  if (has_code(why, errc::unsupported_dtype)) return "choose another pipeline, or exclude the object with -w";
  if (has_code(why, errc::unsupported_wire_version)) return "run `tgmap upgrade` first: version 2 has no masks";
  return next_step_for_storing(why, file);
}

/// Returns the position of the first integer that float64 cannot hold. Both tensors have the same order.
template <class T>
std::optional<std::uint64_t> find_rounded(const tensor& integers, const tensor& doubles) {
  for (std::uint64_t i = 0; i < integers.size(); ++i) {
    T x{};
    double y = 0;
    std::memcpy(&x, integers.bytes().data() + i * sizeof x, sizeof x);
    std::memcpy(&y, doubles.bytes().data() + i * sizeof y, sizeof y);
    if (static_cast<long double>(x) != static_cast<long double>(y)) return i;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> find_rounded(const tensor& integers, const tensor& doubles) {
  if (integers.dtype() == dtype::int64) return find_rounded<std::int64_t>(integers, doubles);
  if (integers.dtype() == dtype::uint64) return find_rounded<std::uint64_t>(integers, doubles);
  return std::nullopt;
}

/// Allows the kinds of missing values that the object has masks for, in addition to `options`. Those masks keep their
/// methods, unless `methods` says that `options` changes them.
missing_options keep_masks(const descriptor& from, const missing_options& options, bool methods) {
  missing_options out = from.mask_count == 0 || methods ? options : pipeline_of(from).missing;
  for (const mask& each : from.masks()) (each.kind == mask_kind::nan ? out.allow_nan : out.allow_infinity) = true;
  out.allow_nan |= options.allow_nan;
  out.allow_infinity |= options.allow_infinity;
  return out;
}

bool loses_digits(compression how) { return how == compression::zfp || how == compression::sz3; }

/// Returns the options of stages that `from` has and that `changes` does not name: "--encoding and --compression".
std::string options_of_kept_stages(const descriptor& from, const pipeline_options& changes) {
  std::vector<std::string> out;
  if (!changes.encoding && from.encoding != encoding::none) out.emplace_back("--encoding");
  if (!changes.filter && from.filter != filter::none) out.emplace_back("--filter");
  if (!changes.compression && from.compression != compression::none) out.emplace_back("--compression");
  return fmt::format("{}", fmt::join(out, " and "));
}

std::string kept_stages_text(const descriptor& from, const pipeline_options& changes) {
  std::vector<std::string> out;
  if (!changes.encoding && from.encoding != encoding::none) out.emplace_back("encoding simple_packing");
  if (!changes.filter && from.filter != filter::none) out.emplace_back("filter shuffle");
  if (!changes.compression && from.compression != compression::none)
    out.push_back(fmt::format("compression {}", to_string_view(from.compression)));
  return fmt::format("{}", fmt::join(out, " and "));
}

void message_conversion::convert(const message& in, const std::vector<std::size_t>& which, stored_message& to) {
  std::vector<conversion_result> results(which.size());
  std::vector<std::exception_ptr> thrown(which.size());
  current_.clear();
  current_.resize(which.size());
  auto piece = [&](std::size_t i) noexcept {
    try {
      results[i].message = in.index();
      results[i].offset = in.offset();
      current_[i] = convert_object(in, which[i], to, results[i]);
    } catch (...) {
      thrown[i] = std::current_exception();
    }
  };
  run_.decoders().run(which.size(),
                      {[](void* work, std::size_t i) noexcept { (*static_cast<decltype(piece)*>(work))(i); }, &piece});
  for (std::size_t i = 0; i < which.size(); ++i) {
    if (thrown[i]) std::rethrow_exception(thrown[i]);
    if (current_[i]) {
      to.mismatches.insert(to.mismatches.end(), results[i].damage.begin(), results[i].damage.end());
      auto& at = std::get<stored_object>(to.content.objects[which[i]]);
      cbor_value base = std::move(at.base);
      at = current_[i]->stored();
      at.base = std::move(base);
    }
    results_.push_back(std::move(results[i]));
  }
}

/// Returns the pipeline of an object after the changes.
pipeline message_conversion::change(const descriptor& from) const {
  failure why;
  tgmap::pipeline out = change_pipeline(pipeline_of(from, why), rules_.changes, rules_.pipeline);
  if (!why) out.missing = keep_masks(from, rules_.pipeline.missing, rules_.mask_methods);
  return out;  // decoding reports a pipeline that is not understood
}

cli_error message_conversion::storing_error(const failure& why, const descriptor& from,
                                            const std::string& place) const {
  if (has_code(why, errc::unsupported_sample_bits) && from.dtype == dtype::bitmask)
    return {place + "szip cannot compress a bitmask, whose elements are single bits",
            "choose another --compression, or exclude the object with -w"};
  const std::string kept = kept_stages_text(from, rules_.changes);
  const bool is_combination = has_code(why, errc::bad_combination) || has_code(why, errc::unsupported_sample_bits);
  if (!is_combination || kept.empty()) return {place + why.text(), advice_on_storing(why, rules_.file, from.dtype)};
  return {fmt::format("{}{}; the object keeps {}", place, why.text(), kept),
          fmt::format("add {} to change that, or exclude the object with -w",
                      options_of_kept_stages(from, rules_.changes))};
}

/// Returns nothing if the object stays as it is stored: encoding it again would lose more digits.
std::optional<edit::reencoded_object> message_conversion::convert_object(const message& in, std::size_t j,
                                                                         const stored_message& to,
                                                                         conversion_result& result) const {
  const object one = in[j];
  static_cast<void>(edit::check_hash(one, rules_.damaged, result.damage));
  const descriptor what = one.descriptor();
  const std::string place = location_text(in, one.index()) + ": ";
  tgmap::pipeline how = change(what);
  result.object = one.index();
  result.from = result.to = what.dtype;
  result.shape.assign(what.shape().begin(), what.shape().end());
  result.before = result.after = one.payload_and_masks_size();
  const bool keeps_stages = how.encoding == what.encoding && how.filter == what.filter;
  if (loses_digits(what.compression) && !rules_.changes.compression && keeps_stages && !rules_.mask_methods) {
    result.bytes = what.element_count * element_size(what.dtype);
    return std::nullopt;
  }
  tensor before;
  try {
    before = decode(one, what, how, result.as_stored);
  } catch (const error& why) {
    const std::string name = fmt::format("{}@{}:{}", rules_.file, result.offset, one.index());
    const cli_error reason = decode_error(one, why.details(), name, rules_.file);
    throw cli_error(place + reason.what(), reason.next_step()).in_object(one.index());
  }
  new_object changed = new_object::like(before, what);
  if (before.dtype() != what.dtype) how.shuffle_size = 0;  // elements have another size
  changed.pipeline = how;
  try {
    edit::reencoded_object out(changed, to.options.version, to.options.hashes);
    const object after = out.decodable();
    result.to = before.dtype();
    result.bytes = before.bytes().size();
    result.after = after.payload_and_masks_size();
    result.differences = compare(before, decode_elements(after));
    if (result.differences && !rules_.changes.encoding && !rules_.changes.compression)
      throw cli_error(place + "its elements would change, because they cannot be packed again as they were",
                      "add --encoding none, or exclude the object with -w")
          .in_object(one.index());
    if (result.differences && result.differences->only_left_finite != 0)
      throw cli_error(fmt::format("{}{} would become infinite or NaN", place,
                                  count_text(result.differences->only_left_finite, "finite element")),
                      "choose another pipeline, or exclude the object with -w")
          .in_object(one.index());
    return out;
  } catch (const error& why) {
    throw storing_error(why.details(), what, place).in_object(one.index());
  }
}

/// Decodes an object, as float64 if a stage needs it and widening is allowed.
tensor message_conversion::decode(const object& one, const descriptor& what, const tgmap::pipeline& how,
                                  bool& as_stored) const {
  tensor unchanged = decode_elements(one, as_stored);
  const bool needs_doubles = has_code(validate_pipeline(how, unchanged.dtype()), errc::unsupported_dtype);
  if (!rules_.widen || !needs_doubles || !can_widen(what.dtype)) return unchanged;
  const auto order = as_stored ? stride_policy::ignore : stride_policy::apply;
  failure why;
  tensor out = one.decode_as(dtype::float64, decode_options{.strides = order}, why);
  if (why) throw error(why);
  if (const auto at = find_rounded(unchanged, out)) throw error({.code = errc::not_representable, .found = *at});
  return out;
}

struct convert_options {
  rewrite_options where;
  pipeline_options pipeline;
  bool widen = false;
};

/// Returns a member of the differences, or infinity if elements differ of which one is NaN or infinite.
double error_of(const element_difference& of, double element_difference::*which) {
  return of.not_finite != 0 ? HUGE_VAL : of.*which;
}

json finite_or_null(double x) { return std::isfinite(x) ? json(x) : json(); }

std::optional<double> ratio(const conversion_result& of) {
  if (of.after == 0) return std::nullopt;
  return static_cast<double>(of.before) / static_cast<double>(of.after);
}

json as_json(const convert_options& given, const conversion_result& of) {
  json out{{"output", given.where.output},
           {"message", of.message ? json(*of.message) : json()},
           {"offset", of.offset},
           {"object", of.object},
           {"dtype", to_string_view(of.to)},
           {"shape", of.shape},
           {"bytes", of.bytes},
           {"before", of.before},
           {"after", of.after},
           {"ratio", ratio(of) ? json(*ratio(of)) : json()},
           {"differing", 0},
           {"error", 0.0},
           {"relative_error", 0.0}};
  if (of.from != of.to) out["was"] = to_string_view(of.from);
  if (of.as_stored) out["as_stored"] = true;
  if (!of.differences) return out;
  out["differing"] = of.differences->differing;
  out["error"] = finite_or_null(error_of(*of.differences, &element_difference::largest_absolute));
  out["relative_error"] = finite_or_null(error_of(*of.differences, &element_difference::largest_relative));
  if (of.differences->not_finite != 0) out["not_finite"] = of.differences->not_finite;
  return out;
}

std::string error_text(const conversion_result& of, double element_difference::*which) {
  return of.differences ? fmt::format("{:.3g}", error_of(*of.differences, which)) : "0";
}

void print_rows(const std::vector<conversion_result>& all, session& run) {
  constexpr auto right = table::align::right;
  table rows(run.out, {{"message", right},
                       {"object", right},
                       {"dtype"},
                       {"shape"},
                       {"before", right},
                       {"after", right},
                       {"ratio", right},
                       {"error", right},
                       {"relative", right}});
  for (const conversion_result& each : all)
    rows.row({each.message ? std::to_string(*each.message) : fmt::format("@{}", each.offset),
              std::to_string(each.object), std::string(to_string_view(each.to)),
              fmt::format("[{}]", fmt::join(each.shape, ", ")), std::to_string(each.before), std::to_string(each.after),
              ratio(each) ? fmt::format("{:.2f}", *ratio(each)) : "-",
              error_text(each, &element_difference::largest_absolute),
              error_text(each, &element_difference::largest_relative)});
  rows.finish();
}

/// Reports objects whose strides repeat or skip elements.
void report_strides(const convert_options& given, const std::vector<conversion_result>& all, session& run) {
  const auto count = std::ranges::count_if(all, &conversion_result::as_stored);
  if (count != 0)
    run.report.hint(fmt::format("{}: {} with strides of no dense layout; their elements were taken in stored order",
                                given.where.output, count_text(static_cast<std::uint64_t>(count), "object")));
}

void report_conversions(const convert_options& given, const rewrite_result& done,
                        const std::vector<conversion_result>& all, session& run) {
  if (given.where.json) {
    for (const conversion_result& each : all) run.out.write(json_line(as_json(given, each)));
    if (all.empty()) run.report.hint(given.where.output + ": no object is selected; all messages are unchanged");
    return;
  }
  std::uint64_t before = 0, after = 0;
  for (const conversion_result& each : all) {
    before += each.before;
    after += each.after;
  }
  const std::string line =
      fmt::format("{}: {}, {} bytes; {} converted, {} stored as {}{}", given.where.output,
                  count_text(done.messages, "message"), done.bytes, count_text(all.size(), "object"),
                  short_size(before), short_size(after), not_written(given.where.outputs.dry_run));
  if (!all.empty() && !is_standard_output(given.where.output)) print_rows(all, run);
  report_output(run, given.where.output, line);
}

bool is_any_given(const CLI::App& app, std::initializer_list<const char*> options) {
  return std::ranges::any_of(options, [&app](const char* name) {
    for (const CLI::App* at = &app; at != nullptr; at = at->get_parent())
      if (const CLI::Option* found = at->get_option_no_throw(name); found != nullptr && found->count() != 0)
        return true;
    return false;
  });
}

void run_convert(const convert_options& given, const CLI::App& app, session& run) {
  const bool mask_methods = is_any_given(
      app, {"--nan-mask-method", "--pos-inf-mask-method", "--neg-inf-mask-method", "--small-mask-threshold"});
  const tgmap::pipeline made = make_pipeline(given.pipeline, run);
  if (!mask_methods && !is_any_given(app, {"--encoding", "--filter", "--compression", "--allow-nan", "--allow-inf"}))
    throw usage_error("no option says what to change",
                      "add --encoding, --filter or --compression; `none` for each stores elements unencoded");
  message_conversion how({.file = parse_target(given.where.input).file,
                          .changes = given.pipeline,
                          .pipeline = made,
                          .mask_methods = mask_methods,
                          .widen = given.widen,
                          .damaged = given.where.damaged},
                         run);
  const auto make = [&](const message& m, const selected_objects& which, stored_message& out) {
    out.load(m, on_mismatch::take);
    how.convert(m, which.numbers, out);
    return true;
  };
  const auto done = rewrite_archive(given.where, run, make);
  if (!done) return;
  report_strides(given, how.results(), run);
  report_conversions(given, *done, how.results(), run);
}

}  // namespace

action declare_convert(CLI::App& app, session& run) {
  const auto given = std::make_shared<convert_options>();
  given->where.chosen.objects = true;  // selections apply to objects here
  add_input_and_output(app, given->where, "its numbers, like -w, select the objects to convert");
  add_pipeline_options(app, given->pipeline, run);
  app.add_flag("--widen", given->widen, "Convert other numbers to float64 if packing, zfp or sz3 require it")
      ->group("Storing");
  add_decode_limits(app, run, decoding_verb::pairs);
  add_rewrite_options(app, given->where);
  return [given, &app, &run] { run_convert(*given, app, run); };
}

}  // namespace tgmap::cli
