// SPDX-License-Identifier: Apache-2.0
#include "decode/encoded_source.hpp"

#include "archive/decoding.hpp"
#include "codec/szip_flags.hpp"

namespace tgmap::decode {

failure encoded_source::open(const plan& p, const object& from, bool by_parts) noexcept {
  plan_ = &p;
  from_ = &from;
  parts_.reset();
  // libaec loses its place between padded intervals, unless it is told where each begins.
  always_by_parts_ = p.what.compression == compression::szip && (p.parameters.szip.flags & codec::szip_pad_rsi) != 0;
  if (!(by_parts || always_by_parts_) || !compressed() || p.encoded == 0 || p.compression->open_parts == nullptr)
    return {};
  failure why;
  parts_ = p.compression->open_parts({p.what, p.parameters, *this, p.encoded}, why);
  return why;
}

extent encoded_source::around(extent wanted) const noexcept {
  if (!compressed() || wanted.size() == 0) return wanted;
  return parts_ ? parts_->around(wanted) : all();
}

std::uint64_t encoded_source::cost(extent what) const noexcept {
  if (!compressed() || what.size() == 0) return what.size();
  return parts_ ? parts_->cost(what) : plan_->stored;
}

failure encoded_source::read(extent what, workspace& tools, std::span<std::byte> out) const noexcept {
  if (!compressed()) return detail::read_payload(*from_, what.begin, out);
  if (parts_ && (always_by_parts_ || !(what == all()))) return parts_->read(what, *this, tools.codec, out);
  return decompress_all(tools, out);
}

failure encoded_source::read(std::uint64_t at, std::span<std::byte> out) const noexcept {
  failure why;
  from_->read(out, at, why);
  return why;
}

std::span<const std::byte> encoded_source::in_memory() const noexcept { return detail::payload_in_memory(*from_); }

failure encoded_source::decompress_all(workspace& tools, std::span<std::byte> out) const noexcept {
  // Bytes in memory are the caller's, who does not change them; those of a file, others can: a library that parses
  // them gets a copy.
  auto stored = in_memory();
  if (stored.data() == nullptr) {
    failure why;
    const auto copy = tools.codec.stored.take(plan_->stored, why);
    if (!why) why = read(0, copy);
    if (why) return why;
    stored = copy;
  }
  return plan_->compression->run({.bytes = stored, .parameters = plan_->parameters}, out);
}

}  // namespace tgmap::decode
