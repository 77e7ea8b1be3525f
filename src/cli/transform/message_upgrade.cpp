// SPDX-License-Identifier: Apache-2.0
#include "cli/transform/message_upgrade.hpp"

#include <fmt/format.h>

#include <optional>
#include <tgmap/version.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/next_step.hpp"
#include "cli/compare/element_comparison.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/elements.hpp"
#include "statistics/elements.hpp"

namespace tgmap::cli {

namespace {

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

}  // namespace

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
  for (std::size_t j = 0; j < count; ++j) out.content.objects[j] = upgrade_object(from, j);
}

stored_object message_upgrade::upgrade_object(const message& from, std::size_t j) {
  const object one = from[j];
  static_cast<void>(check_hash(one, rules_.damaged));
  const bool needs_masks = holds_non_finite(from, one) && !rules_.keep_raw;
  failure why;
  stored_object out = stored_object::of(from, j, 3, why);
  const bool is_unsupported = why.code == make_error_code(errc::unsupported_upgrade);
  if (why && !is_unsupported) throw error(why);
  const bool old_szip = is_unsupported || is_invalid_empty_szip(one);
  if (!old_szip && !needs_masks) return out;
  ++(old_szip ? for_szip_ : for_missing_);
  return reencode(from, one, out.base);
}

/// Returns true if there are NaN or infinities without a mask. Decodes the object, which also proves that it is
/// readable.
bool message_upgrade::holds_non_finite(const message& in, const object& one) {
  failure why;
  const tensor elements = one.decode({.restore_missing = false, .strides = stride_policy::ignore}, why);
  if (why) {
    if (rules_.damaged == damaged_objects::take) return false;
    const cli_error reason =
        decode_error(one, why, fmt::format("{}@{}:{}", rules_.file, in.offset(), one.index()), rules_.file);
    throw cli_error(location_text(in, one.index()) + ": " + reason.what(),
                    "add --take-damaged to copy it unchanged; " + reason.next_step());
  }
  const auto found = statistics::statistics_of(elements, &run_.workers(), why);
  if (why) throw error(why);
  return found.finite() != found.elements;
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
      reencoded_object encoded(changed, 3, true);
      if (compare_values(elements, encoded.decodable().decode(), {})) continue;
      current_.push_back(std::move(encoded));
      stored_object out = current_.back().stored();
      out.base = base;
      return out;
    } catch (const error& why) {
      if (!first) first = why.details();
    }
  }
  const std::string place = location_text(in, one.index()) + ": ";
  if (first) throw cli_error(place + first->text(), next_step(*first, rules_.file));
  throw cli_error(place + "masks cannot represent complex numbers of which only one part is NaN or infinite",
                  "add --keep-raw to leave NaN and infinities among the elements");
}

}  // namespace tgmap::cli
