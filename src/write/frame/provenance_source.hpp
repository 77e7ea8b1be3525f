// SPDX-License-Identifier: Apache-2.0
// Provenance of messages (§5.1): the section `_reserved_` of their metadata.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <span>
#include <string>
#include <tgmap/descriptor.hpp>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

#include "cbor/canonical/writer.hpp"
#include "codec/packing/packing_parameters.hpp"

namespace tgmap::write {

/// A `provenance_source` writes the provenance of one message after another.
///
/// It asks the system for random bytes only once per process, since each call takes 50 ns. A uuid is a hash of these
/// bytes and of a counter.
class provenance_source {
 public:
  /// In version 2 an empty encoder becomes "tgmap". Throws std::bad_alloc.
  provenance_source(const provenance&, int version);

  /// Sets the section of the next messages, a map that is written unchanged. Null, the default: the section is made by
  /// this source.
  /// Lifetime: borrowed until the next call.
  void use_stored(const cbor_value* section) noexcept { stored_ = section; }

  bool empty() const noexcept { return stored_ ? stored_->empty() : encoder_.empty() && !has_time() && !has_uuid(); }

  /// Returns true if readers of version 2 decode szip as releases before 0.7.0 wrote it (§7.4).
  bool implies_legacy_szip() const;

  /// Writes the section. Throws std::bad_alloc; std::system_error if the system has no random bytes.
  void write(cbor::writer&);

 private:
  bool has_time() const noexcept { return uses_clock_ || !time_.empty(); }
  bool has_uuid() const noexcept { return has_random_uuid_ || !uuid_.empty(); }
  bool update_time();
  void encode_section();
  void seed();
  void write_random_uuid(std::span<std::byte> text);

  const cbor_value* stored_ = nullptr;
  std::string encoder_, encoder_version_, time_, uuid_;
  bool uses_clock_ = false, has_random_uuid_ = false;
  std::time_t second_ = -1;                      // of `time_`
  std::vector<std::byte> section_{};             // of the last message; often only the uuid changes
  std::size_t uuid_begin_ = 0;                   // in `section_`
  std::array<std::uint64_t, 5> random_words_{};  // the last one counts messages
  bool is_seeded_ = false;
  std::uint64_t forks_at_seed_ = 0;
};

/// Returns true if the encoder that a message of version 2 names changes how readers decode szip: flags that are
/// implied since 0.7.0 are those of packed samples, and do not matter for single bytes (§7.4). `Stages` is a pipeline
/// or a descriptor; `bits` is the size of a packed element.
template <class Stages>
bool szip_depends_on_encoder(const Stages& stages, unsigned bits) noexcept {
  return stages.compression == compression::szip && stages.encoding == encoding::simple_packing && bits > 8;
}

inline bool szip_depends_on_encoder(const descriptor& descriptor) noexcept {
  codec::packing_parameters packing;
  return !codec::read_packing_parameters(descriptor, packing) && szip_depends_on_encoder(descriptor, packing.bits);
}

}  // namespace tgmap::write
