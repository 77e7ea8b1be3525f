// SPDX-License-Identifier: Apache-2.0
#include "validate/message_batches.hpp"

#include <algorithm>

namespace tgmap::validation {

namespace {

// A batch ends at whichever comes first.
constexpr std::size_t batch_messages = 1024;
constexpr std::uint64_t batch_bytes = 8 << 20;

bool is_unlimited(const total_limit& limit) noexcept { return limit.bytes == UINT64_MAX && limit.ratio == 0; }

/// Returns true for packed elements of which some are not in the payload. Nothing is decoded of them. `what` has a
/// size.
bool is_too_short(const object& object, const descriptor& what) noexcept {
  if (what.encoding != encoding::simple_packing || what.filter != filter::none || what.compression != compression::none)
    return false;
  const auto entry = what.entries.find("sp_bits_per_value");
  const auto bits = entry ? entry->get<std::uint64_t>() : std::nullopt;
  if (!bits || *bits > 64) return false;
  return object.payload_size() < what.element_count / 8 * *bits + (what.element_count % 8 * *bits + 7) / 8;
}

}  // namespace

std::size_t max_batch_count(std::size_t messages, std::uint64_t bytes) noexcept {
  return static_cast<std::size_t>(
      std::min<std::uint64_t>(messages, 1 + messages / batch_messages + bytes / batch_bytes));
}

std::optional<message_range> message_batches::next() {
  message_range out{next_message_, next_message_};
  failure why;
  for (std::uint64_t bytes = 0; out.last < messages_ && bytes < batch_bytes && out.last - out.first < batch_messages;
       ++out.last) {
    const message next = archive_.at(out.last, why);
    if (!is_unlimited(max_decoded_) && !add_decoded_size(next, out.last)) {
      messages_ = out.last;
      break;
    }
    bytes += next.length();
  }
  next_message_ = out.last;
  return out.first != out.last ? std::optional(out) : std::nullopt;
}

/// Adds the sizes that descriptors state, in order of the archive, so that the object that exceeds the limit does not
/// depend on threads. Elements stored plainly need no decoding. Objects that cannot be read are reported by the checks.
bool message_batches::add_decoded_size(const message& message, std::size_t index) {
  if (message.is_incomplete() || message.version() == 1) return true;
  failure why;
  const std::size_t objects = message.size(why);
  for (std::size_t j = 0; j < objects && !why; ++j) {
    failure unread;
    const object object = message.at(j, unread);
    const descriptor what = unread ? descriptor() : object.descriptor(unread);
    if (unread || (what.is_plain() && what.masks().empty())) continue;
    const std::uint64_t bytes = object.decoded_size(unread);
    if (unread || is_too_short(object, what)) continue;
    const std::uint64_t limit = max_decoded_.after(object.frame().offset() + object.frame().length());
    if (decoded_ > limit || bytes > limit - decoded_) {
      decoded_limit_failure_ = {.code = errc::decoded_total_limit,
                                .offset = object.frame().offset(),
                                .expected = limit,
                                .found = decoded_ > UINT64_MAX - bytes ? UINT64_MAX : decoded_ + bytes,
                                .message = index,
                                .object = j};
      return false;
    }
    decoded_ += bytes;
  }
  return true;
}

}  // namespace tgmap::validation
