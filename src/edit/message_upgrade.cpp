// SPDX-License-Identifier: Apache-2.0
#include "edit/message_upgrade.hpp"

#include <tgmap/tools/compare.hpp>
#include <tgmap/version.hpp>

#include "edit/decode_elements.hpp"
#include "edit/message_failure.hpp"

namespace tgmap::edit {

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

tensor decode(const object& one) {
  bool as_stored = false;
  failure why;
  tensor out = decode_elements(one, as_stored, why);
  detail::raise_if(why);
  return out;
}

/// Ends the upgrade of a message.
struct fault_thrown {
  upgrade_fault fault;
};

}  // namespace

std::optional<upgrade_fault> message_upgrade::upgrade(const message& from, stored_message& out) try {
  current_.clear();
  out.options = {.version = 3, .provenance = {}};
  out.content.extra = copy_keys(from.metadata());
  out.content.provenance = provenance_of(from);
  const std::size_t count = from.size();
  out.content.objects.resize(count);
  for (std::size_t j = 0; j < count; ++j) out.content.objects[j] = upgrade_object(from, j, out.mismatches);
  return std::nullopt;
} catch (const fault_thrown& thrown) {
  return thrown.fault;
}

stored_object message_upgrade::upgrade_object(const message& from, std::size_t j, std::vector<failure>& damage) {
  const object one = from[j];
  static_cast<void>(check_hash(one, rules_.damaged, damage));
  const bool needs_masks = holds_non_finite(from, one, damage) && !rules_.keep_raw;
  failure why;
  stored_object out = stored_object::of(from, j, 3, on_mismatch::take, why);  // its hash was compared above
  const bool is_unsupported = why.code == make_error_code(errc::unsupported_upgrade);
  if (why && !is_unsupported) throw error(why);
  const bool old_szip = is_unsupported || is_invalid_empty_szip(one);
  if (!old_szip && !needs_masks) return out;
  ++(old_szip ? for_szip_ : for_missing_);
  return reencode(one, out.base);
}

/// Returns true if there are NaN or infinities without a mask. Decodes the object, which also proves that it is
/// readable. An object whose bytes are at fault is added to `damage`, unless its hash told that already.
bool message_upgrade::holds_non_finite(const message& in, const object& one, std::vector<failure>& damage) {
  failure why;
  const tensor elements = one.decode({.restore_missing = false, .strides = stride_policy::ignore}, why);
  if (!why) return rules_.holds_non_finite(elements);
  if (rules_.damaged == on_mismatch::refuse) throw fault_thrown{{upgrade_fault::kind::decode, why, one.index()}};
  const bool is_known = !damage.empty() && damage.back().object == why.object;
  if (!is_known && why.code != condition::unsupported) damage.push_back(failure_in(in, why));
  return false;
}

stored_object message_upgrade::reencode(const object& one, const cbor_value& base) {
  const tensor elements = decode(one);
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
      if (compare(elements, encoded.decodable().decode())) continue;
      current_.push_back(std::move(encoded));
      stored_object out = current_.back().stored();
      out.base = base;
      return out;
    } catch (const error& why) {
      if (!first) first = why.details();
    }
  }
  throw fault_thrown{
      {first ? upgrade_fault::kind::store : upgrade_fault::kind::half_nan, first.value_or(failure()), one.index()}};
}

}  // namespace tgmap::edit
