// SPDX-License-Identifier: Apache-2.0
#include "cli/recode/upgraded_message.hpp"

#include <fmt/format.h>

#include <optional>
#include <tgmap/version.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/next_step.hpp"
#include "cli/compare/values.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/elements.hpp"
#include "statistics/elements.hpp"

namespace tgmap::cli {

namespace {

cbor_value copied_keys(const metadata& keys) {
  std::vector<cbor_value::pair> pairs;
  const auto entries = keys.entries();
  pairs.reserve(entries.size());
  for (const auto& each : entries) pairs.emplace_back(each.key, cbor_value::copy(each.value));
  return cbor_value::map(pairs);
}

/// Time and uuid stay; that an old release wrote it is no longer true.
cbor_value provenance_of(const message& from) {
  cbor_value out = copied_keys(from.provenance());
  out.set("encoder", cbor_value::map({{"name", "tgmap"}, {"version", version_string}}));
  return out;
}

/// Ways to store elements so that all of them come back, the nearest to how they were stored first.
std::vector<pipeline> ways_like(const pipeline& first) {
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

/// szip takes samples of 1 to 32 bits. Releases before 0.17 wrote objects without a byte in spite of that, and later
/// ones refuse to read them.
bool is_szip_of_nothing(const object& one) {
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

void message_upgrade::make(const message& from, message_parts& out) {
  if (from.version() == 1)
    throw cli_error(
        fmt::format("the message at offset {} is of version 1, of which no release could read more", from.offset()),
        "leave it out: run `tgmap copy` for the others first");
  made_.clear();
  out.options = {.version = 3, .provenance = {}};
  out.content.extra = copied_keys(from.metadata());
  out.content.provenance = provenance_of(from);
  const std::size_t count = from.size();
  out.content.objects.resize(count);
  for (std::size_t j = 0; j < count; ++j) out.content.objects[j] = upgraded(from, j);
}

stored_object message_upgrade::upgraded(const message& from, std::size_t j) {
  const object one = from[j];
  static_cast<void>(check_digest(one, rules_.damaged));
  const bool raw = holds_non_finite(from, one) && !rules_.keep_raw;
  failure why;
  stored_object out = stored_object::of(from, j, 3, why);
  const bool other_meaning = why.code == make_error_code(errc::unsupported_upgrade);
  if (why && !other_meaning) throw error(why);
  const bool old_szip = other_meaning || is_szip_of_nothing(one);
  if (!old_szip && !raw) return out;
  ++(old_szip ? for_szip_ : for_missing_);
  return encoded(from, one, out.base);
}

/// Whether there are any that no mask tells of. Decodes it, so that what cannot be read does not become an object of
/// today.
bool message_upgrade::holds_non_finite(const message& in, const object& one) {
  failure why;
  const tensor elements = one.decode({.restore_missing = false, .strides = stride_policy::ignore}, why);
  if (why) {
    if (rules_.damaged == damaged_objects::take) return false;
    const cli_error about =
        decode_error(one, why, fmt::format("{}@{}:{}", rules_.file, in.offset(), one.index()), rules_.file);
    throw cli_error(location_text(in, one.index()) + ": " + about.what(),
                    "add --take-damaged to take it as it lies; " + about.next_step());
  }
  const auto found = statistics::statistics_of(elements, &run_.workers(), why);
  if (why) throw error(why);
  return found.finite() != found.elements;
}

stored_object message_upgrade::encoded(const message& in, const object& one, const cbor_value& base) {
  const tensor elements = decode_elements(one);
  new_object again = new_object::like(elements, one.descriptor());
  if (!rules_.keep_raw) {
    again.pipeline.missing = rules_.missing;
    again.pipeline.missing.allow_nan = again.pipeline.missing.allow_infinity = true;
  }
  std::optional<failure> first;
  for (const pipeline& way : ways_like(again.pipeline)) {
    again.pipeline = way;
    try {
      encoded_anew made(again, 3, true);
      if (compare_values(elements, made.made().decode(), {})) continue;
      made_.push_back(std::move(made));
      stored_object out = made_.back().stored();
      out.base = base;
      return out;
    } catch (const error& why) {
      if (!first) first = why.details();
    }
  }
  const std::string place = location_text(in, one.index()) + ": ";
  if (first) throw cli_error(place + first->text(), next_step(*first, rules_.file));
  throw cli_error(place + "masks would lose parts of complex numbers that are not finite in one part only",
                  "add --keep-raw to leave NaN and infinities among the elements");
}

}  // namespace tgmap::cli
