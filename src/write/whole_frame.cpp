// SPDX-License-Identifier: Apache-2.0
#include "write/whole_frame.hpp"

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/owned_descriptor.hpp"
#include "archive/payload_access.hpp"
#include "wire/frame.hpp"
#include "write/szip_writer.hpp"

namespace tgmap::write {

namespace {

// Up to here a copy of the frame costs less than being put out apart.
constexpr std::uint64_t small_frame = 16384;

/// Szip of version 2 is not marked by who wrote it: the new message must say the same of that.
failure check_writer(const object& of, const provenance_source& now) {
  bool legacy = false;
  if (failure why = detail::legacy_szip_flags(of, legacy)) return why;
  return legacy == now.means_legacy_szip() ? failure{} : failure{.code = errc::unsupported_upgrade};
}

}  // namespace

failure whole_frame::prepare(const object& from, const frame_options& how, const provenance_source& writer) {
  const frame& as_it_lies = from.frame();
  const auto version = as_it_lies.message().version();
  if (version != static_cast<unsigned>(how.version))
    return {.code = errc::unsupported_wire_version, .expected = version, .found = static_cast<unsigned>(how.version)};
  facts_ = {.length = as_it_lies.length(), .region = from.payload_and_masks_size()};
  from_ = from;
  bytes_.clear();
  if (facts_.length <= small_frame) {
    bytes_.resize(static_cast<std::size_t>(facts_.length));
    const io::source& in = detail::access::state(as_it_lies)->bytes();
    if (failure why = in.load(as_it_lies.offset(), bytes_, io::locality::clustered)) return why;
  }
  if (failure why = describe(from)) return why;

  const bool told = (as_it_lies.flags() & wire::hash_present_flag) != 0;
  facts_.digest = version == 3 && told && !bytes_.empty() ? wire::stored_hash(bytes_) : from.stored_hash();
  if (version == 3 && facts_.digest && !told) announce_digest(as_it_lies);
  return version == 2 && means_its_writer_ ? check_writer(from, writer) : failure{};
}

failure whole_frame::describe(const object& from) {
  std::span<const std::byte> described;
  if (!bytes_.empty()) {
    const auto [at, size] = detail::access::descriptor_of(from);
    described = std::span<const std::byte>(bytes_).subspan(static_cast<std::size_t>(at - from.frame().offset()),
                                                           static_cast<std::size_t>(size));
    if (facts_.region == described_region_ && wire::equal(described, described_as_)) return {};
  }
  described_as_.clear();
  detail::owned_descriptor held;
  if (failure why = held.read(from)) return why;
  tensor_.set(tensor_facts::of(held.get()));
  means_its_writer_ = depends_on_szip_writer(held.get());
  described_as_.assign(described.begin(), described.end());
  described_region_ = facts_.region;
  return {};
}

/// Releases 0.17 to 0.20 said of digests in the message alone; beside frames of today theirs would count as missing.
void whole_frame::announce_digest(const frame& whole) {
  if (bytes_.empty()) bytes_.resize(wire::frame_header_size);
  wire::put_frame_header(bytes_.data(), {.type = static_cast<std::uint16_t>(whole.type()),
                                         .version = whole.frame_version(),
                                         .flags = static_cast<std::uint16_t>(whole.flags() | wire::hash_present_flag),
                                         .length = whole.length()});
}

void whole_frame::put(output& to) const {
  const frame& from = from_->frame();
  to.add(std::span<const std::byte>(bytes_));
  if (bytes_.size() == from.length()) return;
  to.add(detail::access::state(from)->bytes(), from.offset() + bytes_.size(), from.length() - bytes_.size());
}

}  // namespace tgmap::write
