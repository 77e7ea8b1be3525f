// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/tools/compare.hpp>
#include <tgmap/version.hpp>
#include <utility>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/session.hpp"
#include "cli/app/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/damaged_content.hpp"
#include "cli/input/elements.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/transform/rewriting.hpp"
#include "cli/verbs/write/verify_elements.hpp"
#include "edit/output/output_location.hpp"
#include "edit/stored_objects.hpp"
#include "statistics/element_statistics.hpp"

namespace tgmap::cli {

namespace {

/// The options of the upgrade from version 2 to version 3.
struct upgrade_rules {
  std::string file;                           ///< for messages
  on_mismatch damaged = on_mismatch::refuse;  ///< also for objects that cannot be decoded
  bool keep_raw = false;                      ///< leave NaN and infinities among the elements
  missing_options missing{};                  ///< storage of their masks otherwise
};

/// A `message_upgrade` turns messages of version 2 into messages of version 3. Payloads stay unchanged if version 3
/// reads the same elements from them. All objects are decoded to make sure that they are readable.
class message_upgrade {
 public:
  message_upgrade(upgrade_rules rules, session& run) : rules_(std::move(rules)), run_(run) {}

  /// Upgrades a message, and adds its damage to `mismatches`. Lifetime: the result borrows from the archive, and from
  /// this until the next call. Errors: throws cli_error if an object is damaged or cannot be read or stored;
  /// tgmap::error.
  void upgrade(const message&, stored_message& out);

  std::uint64_t reencoded_for_szip() const noexcept { return for_szip_; }        ///< objects with szip of old releases
  std::uint64_t reencoded_for_missing() const noexcept { return for_missing_; }  ///< objects with NaN or infinities

 private:
  stored_object upgrade_object(const message&, std::size_t j, std::vector<failure>& damage);
  stored_object reencode(const message&, const object&, const cbor_value& base);
  bool holds_non_finite(const message&, const object&, std::vector<failure>& damage);

  upgrade_rules rules_;
  session& run_;
  std::deque<edit::reencoded_object> current_{};  ///< objects of the last message
  std::uint64_t for_szip_ = 0, for_missing_ = 0;
};

cbor_value copy_keys(const metadata& keys) {
  std::vector<cbor_value::pair> pairs;
  const auto entries = keys.entries();
  pairs.reserve(entries.size());
  for (const auto& each : entries) pairs.emplace_back(each.key, cbor_value::copy(each.value));
  return cbor_value::map(pairs);
}

/// Returns the provenance with the same time and uuid, but with this library as the encoder.
cbor_value provenance_of(const message& from) {
  cbor_value out = copy_keys(from.provenance());
  out.set("encoder", cbor_value::map({{"name", "tgmap"}, {"version", version_string}}));
  return out;
}

/// Returns pipelines that may preserve all elements, beginning with the most similar one.
std::vector<pipeline> similar_pipelines(const pipeline& first) {
  std::vector<pipeline> out;
  const bool lossy = first.compression == compression::zfp || first.compression == compression::sz3;
  if (!lossy) out.push_back(first);
  pipeline next = first;
  next.filter = filter::none;
  next.compression = compression::none;
  if (next.encoding != encoding::none) out.push_back(next);
  next.encoding = encoding::none;
  out.push_back(next);
  return out;
}

/// Returns true for empty szip objects whose samples do not have 1 to 32 bits. Releases before 0.17 wrote them, and
/// later releases refuse to read them.
bool is_invalid_empty_szip(const object& one) {
  const descriptor what = one.descriptor();
  if (what.compression != compression::szip) return false;
  failure why;
  const pipeline how = pipeline_of(what, why);
  const std::size_t bits = what.encoding == encoding::simple_packing ? how.packing.bits
                           : what.filter == filter::shuffle          ? 8
                           : what.dtype == dtype::bitmask            ? 0
                                                                     : 8 * element_size(what.dtype);
  return !why && (bits == 0 || bits > 32);
}

void message_upgrade::upgrade(const message& from, stored_message& out) {
  if (from.version() == 1)
    throw cli_error(fmt::format("the message at offset {} has version 1, which no release can read", from.offset()),
                    "copy the other messages with `tgmap copy` first");
  current_.clear();
  out.options = {.version = 3, .provenance = {}};
  out.content.extra = copy_keys(from.metadata());
  out.content.provenance = provenance_of(from);
  const std::size_t count = from.size();
  out.content.objects.resize(count);
  for (std::size_t j = 0; j < count; ++j) out.content.objects[j] = upgrade_object(from, j, out.mismatches);
}

stored_object message_upgrade::upgrade_object(const message& from, std::size_t j, std::vector<failure>& damage) {
  const object one = from[j];
  static_cast<void>(edit::check_hash(one, rules_.damaged, damage));
  const bool needs_masks = holds_non_finite(from, one, damage) && !rules_.keep_raw;
  failure why;
  stored_object out = stored_object::of(from, j, 3, on_mismatch::take, why);  // its hash was compared above
  const bool is_unsupported = why.code == make_error_code(errc::unsupported_upgrade);
  if (why && !is_unsupported) throw error(why);
  const bool old_szip = is_unsupported || is_invalid_empty_szip(one);
  if (!old_szip && !needs_masks) return out;
  ++(old_szip ? for_szip_ : for_missing_);
  return reencode(from, one, out.base);
}

/// Returns true if there are NaN or infinities without a mask. Decodes the object, which also proves that it is
/// readable. An object whose bytes are at fault is added to `damage`, unless its hash told that already.
bool message_upgrade::holds_non_finite(const message& in, const object& one, std::vector<failure>& damage) {
  failure why;
  const tensor elements = one.decode({.restore_missing = false, .strides = stride_policy::ignore}, why);
  if (why) {
    if (rules_.damaged == on_mismatch::take) {
      const bool is_known = !damage.empty() && damage.back().object == why.object;
      if (!is_known && why.code != condition::unsupported) damage.push_back(failure_in(in, why));
      return false;
    }
    const cli_error reason =
        decode_error(one, why, fmt::format("{}@{}:{}", rules_.file, in.offset(), one.index()), rules_.file);
    throw cli_error(location_text(in, one.index()) + ": " + reason.what(),
                    "add --take-damaged to copy it unchanged; " + reason.next_step())
        .in_object(one.index());
  }
  const auto found = statistics::compute_statistics(elements, &run_.workers(), why);
  if (why) throw error(why);
  return found.finite_count() != found.elements;
}

stored_object message_upgrade::reencode(const message& in, const object& one, const cbor_value& base) {
  const tensor elements = decode_elements(one);
  new_object changed = new_object::like(elements, one.descriptor());
  if (!rules_.keep_raw) {
    changed.pipeline.missing = rules_.missing;
    changed.pipeline.missing.allow_nan = changed.pipeline.missing.allow_infinity = true;
  }
  std::optional<failure> first;
  for (const pipeline& candidate : similar_pipelines(changed.pipeline)) {
    changed.pipeline = candidate;
    try {
      edit::reencoded_object encoded(changed, 3, true);
      if (compare(elements, encoded.decodable().decode())) continue;
      current_.push_back(std::move(encoded));
      stored_object out = current_.back().stored();
      out.base = base;
      return out;
    } catch (const error& why) {
      if (!first) first = why.details();
    }
  }
  const std::string place = location_text(in, one.index()) + ": ";
  if (first) throw cli_error(place + first->text(), next_step(*first, rules_.file)).in_object(one.index());
  throw cli_error(place + "masks cannot represent complex numbers of which only one part is NaN or infinite",
                  "add --keep-raw to leave NaN and infinities among the elements")
      .in_object(one.index());
}

struct upgrade_options {
  rewrite_options where;
  bool keep_raw = false, verify = false;
};

/// Returns true if the output can be read after writing.
bool can_be_read_again(const std::string& output) try {
  return !edit::locate_output(output).in_place();
} catch (const std::exception&) {
  return true;  // a problem is reported when the output is opened
}

void check_upgrade(const upgrade_options& given) {
  if (parse_target(given.where.input).objects)
    throw usage_error("upgrade takes whole messages; leave the objects out of the address");
  if (!given.verify) return;
  if (!can_be_read_again(given.where.output))
    throw usage_error("--verify reads OUTPUT again, so it must be a file", "name a file, or leave out --verify");
  if (given.where.outputs.dry_run)
    throw usage_error("--verify has nothing to read after --dry-run; leave out one of them");
}

std::string summary_text(const upgrade_options& given, const rewrite_result& done, const message_upgrade& how,
                         const std::optional<std::uint64_t>& verified) {
  std::string out = fmt::format("{}: {}, {} of them upgraded, {} bytes", given.where.output,
                                count_text(done.messages, "message"), done.changed, done.bytes);
  const std::uint64_t reencoded = how.reencoded_for_szip() + how.reencoded_for_missing();
  if (reencoded != 0)
    out += fmt::format("; {} re-encoded ({} for szip of old releases, {} for NaN or infinities)",
                       count_text(reencoded, "object"), how.reencoded_for_szip(), how.reencoded_for_missing());
  if (verified) out += fmt::format("; {} verified", count_text(*verified, "object"));
  out += not_written(given.where.outputs.dry_run);
  return out;
}

void report_upgrade(const upgrade_options& given, const rewrite_result& done, const message_upgrade& how,
                    const std::optional<std::uint64_t>& verified, session& run) {
  if (given.where.json) {
    json line = as_json(given.where, done);
    line["encoded"] = {{"szip", how.reencoded_for_szip()}, {"non_finite", how.reencoded_for_missing()}};
    if (verified) line["verified"] = *verified;
    return run.out.write(json_line(line));
  }
  report_output(run, given.where.output, summary_text(given, done, how, verified));
}

void run_upgrade(upgrade_options& given, session& run) {
  check_upgrade(given);
  message_upgrade how({.file = parse_target(given.where.input).file,
                       .damaged = given.where.damaged,
                       .keep_raw = given.keep_raw,
                       .missing = run.missing},
                      run);
  std::optional<std::uint64_t> verified;
  if (given.verify)
    given.where.verify_output = [&](const archive& from, int written) {
      const archive there = open_archive(written, run, object_lookup::index);
      verified = verify_elements(from, there, given.where.output, run);
    };
  const auto make = [&](const message& m, const selected_objects&, stored_message& out) {
    if (m.version() == 3) return false;
    how.upgrade(m, out);
    return true;
  };
  const auto done = rewrite_archive(given.where, run, make);
  if (done) report_upgrade(given, *done, how, verified, run);
}

}  // namespace

action declare_upgrade(CLI::App& app, session& run) {
  const auto given = std::make_shared<upgrade_options>();
  add_input_and_output(app, given->where, "its numbers, like -w, select the messages to upgrade");
  app.add_flag("--keep-raw", given->keep_raw,
               "Keep NaN and infinities in the payload instead of storing them as masks");
  app.add_flag("--verify", given->verify, "Decode and compare every object before OUTPUT appears");
  add_decode_limits(app, run, decoding_verb::pairs);
  add_rewrite_options(
      app, given->where,
      "Copy objects unchanged, with a new hash, if their hash does not match or they cannot be decoded");
  return [given, &run] { run_upgrade(*given, run); };
}

}  // namespace tgmap::cli
