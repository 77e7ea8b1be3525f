// SPDX-License-Identifier: Apache-2.0
#include "write/frame/provenance_source.hpp"

#include <pthread.h>
#include <sys/random.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <system_error>
#include <tgmap/version.hpp>

#include "archive/metadata/legacy_szip.hpp"
#include "cbor/text.hpp"
#include "core/text/hex.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

// Readers decode szip of encoders below 0.7.0 differently (§7.4), whatever the name of the encoder.
static_assert(version_major > 0 || version_minor >= 7, "the encoder's version must not be below 0.7.0");

std::string iso_time(std::time_t seconds) {
  std::tm parts{};
  std::array<char, 32> text{};
  if (::gmtime_r(&seconds, &parts) == nullptr) return {};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// Returns the variable SOURCE_DATE_EPOCH, which reproducible builds set, if it is an integer.
std::optional<std::time_t> source_date_epoch() {
  const char* const text = std::getenv("SOURCE_DATE_EPOCH");
  if (text == nullptr) return std::nullopt;
  const std::string_view digits(text);
  std::int64_t seconds = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
  const bool is_integer = code == std::errc() && end == digits.data() + digits.size() && !digits.empty();
  return is_integer ? std::optional<std::time_t>(seconds) : std::nullopt;
}

}  // namespace

provenance provenance::reproducible() {
  provenance out;
  const auto fixed = source_date_epoch();
  out.time = fixed ? iso_time(*fixed) : std::string();
  out.uuid = std::string();
  return out;
}

}  // namespace v0

namespace write {

namespace {

constexpr std::size_t uuid_bytes = 16;
constexpr std::string_view nil_uuid = "00000000-0000-0000-0000-000000000000";
constexpr std::size_t uuid_length = nil_uuid.size();

/// Number of forks from the first process to this one. A child has the random bytes of its parent and must not use
/// them.
std::atomic<std::uint64_t> forks{0};

/// Returns true if the system counts forks. If it cannot, every message takes new random bytes.
bool forks_are_counted() noexcept {
  static const bool is_registered = ::pthread_atfork(nullptr, nullptr, [] { ++forks; }) == 0;
  return is_registered;
}

}  // namespace

provenance_source::provenance_source(const provenance& from, int version)
    : encoder_(cbor::well_formed(from.encoder)),
      encoder_version_(cbor::well_formed(from.encoder_version)),
      uuid_(cbor::well_formed(from.uuid.value_or(std::string()))) {
  if (encoder_.empty() && version == 2) encoder_ = "tgmap";
  if (encoder_version_.empty()) encoder_version_ = version_string;
  has_random_uuid_ = !from.uuid;
  if (from.time)
    time_ = cbor::well_formed(*from.time);
  else if (const auto fixed = source_date_epoch())
    time_ = iso_time(*fixed);
  else
    uses_clock_ = true;
}

bool provenance_source::implies_legacy_szip() const {
  if (!stored_) return detail::wrote_legacy_szip(encoder_, encoder_version_);
  return detail::wrote_legacy_szip(stored_->view());
}

void provenance_source::write(cbor::writer& out) {
  if (stored_) return out.encoded(stored_->encoded());
  if ((uses_clock_ && update_time()) || section_.empty()) encode_section();
  if (has_random_uuid_) write_random_uuid(std::span(section_).subspan(uuid_begin_, uuid_length));
  out.encoded(section_);
}

/// Updates the time and returns true if another second has begun.
bool provenance_source::update_time() {
  std::timespec now{};
  static_cast<void>(::clock_gettime(CLOCK_REALTIME_COARSE, &now));
  if (now.tv_sec == second_) return false;
  section_.clear();
  time_ = iso_time(now.tv_sec);
  second_ = now.tv_sec;
  return true;
}

void provenance_source::encode_section() {
  std::vector<std::byte> section;
  cbor::writer out(section);
  out.map((has_time() ? 1U : 0U) + (has_uuid() ? 1U : 0U) + (encoder_.empty() ? 0U : 1U));
  if (has_time()) out.pair("time", std::string_view(time_));
  if (has_uuid()) out.pair("uuid", has_random_uuid_ ? std::string_view(nil_uuid) : std::string_view(uuid_));
  uuid_begin_ = section.size() - (has_random_uuid_ ? uuid_length : 0);
  if (!encoder_.empty()) {
    out.text("encoder");
    out.map(2);
    out.pair("name", encoder_);
    out.pair("version", encoder_version_);
  }
  section_.swap(section);
}

/// Takes random bytes from the system, unless this process has some.
void provenance_source::seed() {
  if (is_seeded_ && forks_are_counted() && forks_at_seed_ == forks) return;
  const auto bytes = std::as_writable_bytes(std::span(random_words_));
  for (std::size_t filled = 0; filled < bytes.size();) {
    const auto count = ::getrandom(bytes.data() + filled, bytes.size() - filled, 0);
    if (count < 0 && errno != EINTR) throw std::system_error(errno, std::system_category(), "getrandom");
    if (count > 0) filled += static_cast<std::size_t>(count);
  }
  is_seeded_ = true;
  forks_at_seed_ = forks;
}

/// Overwrites the digits of a uuid, whose dashes are there already.
void provenance_source::write_random_uuid(std::span<std::byte> text) {
  seed();
  ++random_words_.back();
  const XXH128_hash_t hash = XXH3_128bits(random_words_.data(), sizeof random_words_);
  std::array<std::uint8_t, uuid_bytes> bytes;
  static_assert(sizeof hash == sizeof bytes);
  std::memcpy(bytes.data(), &hash, sizeof bytes);
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0f) | 0x40);  // RFC 4122: version 4
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3f) | 0x80);  // RFC 4122: variant

  std::size_t at = 0;
  for (const std::uint8_t each : bytes) {
    if (nil_uuid[at] == '-') ++at;
    for (const char digit : core::hex_digits(each)) text[at++] = static_cast<std::byte>(digit);
  }
}

}  // namespace write
}  // namespace tgmap
