// SPDX-License-Identifier: Apache-2.0
#include "decode/encoded_source.hpp"

#include <cstring>

#include "archive/payload_access.hpp"
#include "codec/szip/szip.hpp"

namespace tgmap::decode {

namespace {

/// Returns whether a codec failed because of the stored bytes.
bool concerns_content(const failure& why) noexcept {
  return why.code == errc::codec_failed || why.code == errc::decoded_size_mismatch || why.code == errc::bad_parameter;
}

}  // namespace

workspace& thread_workspace() noexcept {
  thread_local workspace tools;
  return tools;
}

failure encoded_source::open(const plan& p, const object& object, reading how) noexcept {
  plan_ = &p;
  from_ = &object;
  parts_.reset();
  parts_failed_ = false;
  reads_everything_ = how == reading::whole_in_parts;
  // libaec misreads padded intervals unless it gets one at a time.
  always_by_parts_ =
      p.descriptor.compression == compression::szip && (p.parameters.szip.flags & codec::szip_pad_rsi) != 0;
  const bool by_parts = how != reading::whole || always_by_parts_;
  if (!by_parts || !compressed() || p.encoded == 0 || p.compression->open_partial == nullptr) return {};
  failure why;
  parts_ = p.compression->open_partial({p.descriptor, p.parameters, *this, p.encoded, reads_everything_}, why);
  if (parts_) proven_ = detail::checked_offset_count(object);
  return why;
}

extent encoded_source::around(extent wanted) const noexcept {
  if (!compressed() || wanted.size() == 0) return wanted;
  return has_parts() ? parts_->around(wanted) : all();
}

std::uint64_t encoded_source::cost(extent what) const noexcept {
  if (!compressed() || what.size() == 0) return what.size();
  return has_parts() ? parts_->cost(what) : plan_->stored;
}

failure encoded_source::read(extent what, workspace& tools, std::span<std::byte> out) const noexcept {
  if (!compressed() && plan_->verified_payload.data() == nullptr) return detail::read_payload(*from_, what.begin, out);
  if (!compressed()) return read(what.begin, out);
  // If one piece is all there is, it proves its places, too. Other readers rely on that.
  if (has_parts() && (always_by_parts_ || reads_everything_ || !(what == all()))) {
    const failure why = parts_->read(what, *this, tools.codec, out);
    if (!why || reads_everything_ || !concerns_content(why)) return why;
    // If piece offsets are wrong, the whole may still be valid. Then no further part is tried.
    const failure of_whole = read_whole(what, tools, out);
    if (!of_whole) parts_failed_.store(true, std::memory_order_relaxed);
    return of_whole;
  }
  return read_whole(what, tools, out);
}

failure encoded_source::read_whole(extent what, workspace& tools, std::span<std::byte> out) const noexcept {
  if (what == all()) return decompress_all(tools, out);
  failure why;
  const auto whole = tools.whole.take(plan_->encoded, why);
  if (!why) why = decompress_all(tools, whole);
  if (!why) std::memcpy(out.data(), whole.data() + what.begin, out.size());
  return why;
}

failure encoded_source::check_offsets(workspace& tools) const noexcept {
  if (failure why = parts_ ? parts_->check_offsets(*this, tools.codec) : failure{}) return why;
  remember_checked_offsets(UINT64_MAX);
  return {};
}

void encoded_source::remember_all_offsets() const noexcept {
  if (parts_) remember_checked_offsets(UINT64_MAX);
}

void encoded_source::remember_checked_offsets(std::uint64_t count) const noexcept {
  std::uint64_t before = proven_.load(std::memory_order_relaxed);
  while (before < count && !proven_.compare_exchange_weak(before, count, std::memory_order_relaxed)) {
  }
  if (before < count) detail::remember_checked_offsets(*from_, count);
}

failure encoded_source::read(std::uint64_t at, std::span<std::byte> out) const noexcept {
  failure why;
  const auto verified = plan_->verified_payload;
  if (verified.data() == nullptr || at > verified.size() || out.size() > verified.size() - at)
    from_->read(at, out, why);
  else if (!out.empty())
    std::memcpy(out.data(), verified.data() + at, out.size());
  return why;
}

std::span<const std::byte> encoded_source::in_memory() const noexcept {
  return plan_->verified_payload.data() != nullptr ? plan_->verified_payload : detail::payload_in_memory(*from_);
}

failure encoded_source::decompress_all(workspace& tools, std::span<std::byte> out) const noexcept {
  // The caller does not change bytes in memory. Others may change a file, so libraries parse a copy of its bytes.
  const codec::decompressor& decompressor = *plan_->compression;
  auto stored = in_memory();
  if (stored.data() == nullptr) {
    if (decompressor.decompress_from_reader != nullptr)
      return decompressor.decompress_from_reader(*this, plan_->parameters, tools.codec, out);
    failure why;
    const auto copy = tools.codec.stored.take(plan_->stored, why);
    if (!why) why = read(0, copy);
    if (why) return why;
    stored = copy;
  }
  return decompressor.run({.bytes = stored, .parameters = plan_->parameters}, out);
}

}  // namespace tgmap::decode
