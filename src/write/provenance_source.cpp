// SPDX-License-Identifier: Apache-2.0
#include "write/provenance_source.hpp"

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

// Readers take szip payloads of encoders before 0.7.0 for something else (§7.4), whatever the encoder is called.
static_assert(version_major > 0 || version_minor >= 7, "the encoder's version must not be below 0.7.0");

std::string iso_time(std::time_t seconds) {
  std::tm parts{};
  std::array<char, 32> text{};
  if (::gmtime_r(&seconds, &parts) == nullptr) return {};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// What reproducible builds set, when it is a number.
std::optional<std::time_t> source_date_epoch() {
  const char* const text = std::getenv("SOURCE_DATE_EPOCH");
  if (text == nullptr) return std::nullopt;
  const std::string_view digits(text);
  std::int64_t seconds = 0;
  const auto [end, why] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
  const bool whole = why == std::errc() && end == digits.data() + digits.size() && !digits.empty();
  return whole ? std::optional<std::time_t>(seconds) : std::nullopt;
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
constexpr std::string_view no_uuid = "00000000-0000-0000-0000-000000000000";
constexpr std::size_t uuid_digits = no_uuid.size();

/// Forks between the first process and this one. A child has the key of its parent, and must not use it.
std::atomic<std::uint64_t> forks{0};

/// Whether they are counted; where the system cannot, no key is kept for a later message.
bool forks_are_counted() noexcept {
  static const bool counted = ::pthread_atfork(nullptr, nullptr, [] { ++forks; }) == 0;
  return counted;
}

}  // namespace

provenance_source::provenance_source(const provenance& from, int version)
    : encoder_(cbor::well_formed(from.encoder)),
      encoder_version_(cbor::well_formed(from.encoder_version)),
      uuid_(cbor::well_formed(from.uuid.value_or(std::string()))) {
  if (encoder_.empty() && version == 2) encoder_ = "tgmap";
  if (encoder_version_.empty()) encoder_version_ = version_string;
  random_ = !from.uuid;
  if (from.time)
    time_ = cbor::well_formed(*from.time);
  else if (const auto fixed = source_date_epoch())
    time_ = iso_time(*fixed);
  else
    clock_ = true;
}

bool provenance_source::means_legacy_szip() const {
  if (!kept_) return detail::wrote_legacy_szip(encoder_, encoder_version_);
  return detail::wrote_legacy_szip(kept_->view());
}

void provenance_source::put(cbor::writer& out) {
  if (kept_) return out.encoded(kept_->encoded());
  if ((clock_ && tick()) || section_.empty()) put_together();
  if (random_) put_random_uuid(std::span(section_).subspan(uuid_at_, uuid_digits));
  out.encoded(section_);
}

/// Whether another second has begun.
bool provenance_source::tick() {
  std::timespec now{};
  static_cast<void>(::clock_gettime(CLOCK_REALTIME_COARSE, &now));
  if (now.tv_sec == second_) return false;
  section_.clear();
  time_ = iso_time(now.tv_sec);
  second_ = now.tv_sec;
  return true;
}

void provenance_source::put_together() {
  std::vector<std::byte> made;
  cbor::writer out(made);
  out.map((has_time() ? 1U : 0U) + (has_uuid() ? 1U : 0U) + (encoder_.empty() ? 0U : 1U));
  if (has_time()) out.pair("time", std::string_view(time_));
  if (has_uuid()) out.pair("uuid", random_ ? std::string_view(no_uuid) : std::string_view(uuid_));
  uuid_at_ = made.size() - (random_ ? uuid_digits : 0);
  if (!encoder_.empty()) {
    out.text("encoder");
    out.map(2);
    out.pair("name", encoder_);
    out.pair("version", encoder_version_);
  }
  section_.swap(made);
}

/// Asks for a key of random bits, where there is none of this process yet.
void provenance_source::take_key() {
  if (has_key_ && forks_are_counted() && key_forks_ == forks) return;
  const auto key = std::as_writable_bytes(std::span(key_and_count_));
  for (std::size_t have = 0; have < key.size();) {
    const auto got = ::getrandom(key.data() + have, key.size() - have, 0);
    if (got < 0 && errno != EINTR) throw std::system_error(errno, std::system_category(), "getrandom");
    if (got > 0) have += static_cast<std::size_t>(got);
  }
  has_key_ = true;
  key_forks_ = forks;
}

void provenance_source::put_random_uuid(std::span<std::byte> digits) {
  take_key();
  ++key_and_count_.back();
  const XXH128_hash_t mixed = XXH3_128bits(key_and_count_.data(), sizeof key_and_count_);
  std::array<std::uint8_t, uuid_bytes> bytes;
  static_assert(sizeof mixed == sizeof bytes);
  std::memcpy(bytes.data(), &mixed, sizeof bytes);
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0f) | 0x40);  // RFC 4122: version 4,
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3f) | 0x80);  // the variant of the RFC

  std::size_t at = 0;
  for (const std::uint8_t each : bytes) {
    if (no_uuid[at] == '-') ++at;  // which is there already
    for (const char digit : core::hex_digits(each)) digits[at++] = static_cast<std::byte>(digit);
  }
}

}  // namespace write
}  // namespace tgmap
