// SPDX-License-Identifier: Apache-2.0
#include "convert/zip_writer.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "convert/zip_format.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::convert {

namespace {

using namespace zip;

constexpr std::uint16_t plain_version = 20, version_64 = 45;  // of the format, times 10
constexpr std::uint16_t midnight = 0,
                        new_year_1980 = 1 << 5 | 1;  // the first date of the format, so that output is reproducible

std::uint16_t clipped_16(std::uint64_t number) noexcept { return static_cast<std::uint16_t>(std::min(number, max_16)); }
std::uint32_t clipped_32(std::uint64_t number) noexcept { return static_cast<std::uint32_t>(std::min(number, max_32)); }
std::uint16_t flags_for(std::string_view name) noexcept {
  return !core::is_ascii(name) && core::is_utf8(name) ? flag_utf8_names : std::uint16_t{0};  // else readers take CP437
}
std::uint16_t version_for(bool large) noexcept { return large ? version_64 : plain_version; }

}  // namespace

/// A `record` is a sequence of little-endian numbers and texts.
class zip_writer::record {
 public:
  template <class... Numbers>
  explicit record(Numbers... numbers) {
    (append(numbers), ...);
  }
  template <class Number>
  void append(Number number) {
    for (std::size_t i = 0; i < sizeof number; ++i)
      bytes_ += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xff);
  }
  void append(const std::string& text) { bytes_ += text; }
  const std::string& bytes() const noexcept { return bytes_; }
  std::uint16_t size() const noexcept { return static_cast<std::uint16_t>(bytes_.size()); }

 private:
  std::string bytes_;
};

void zip_writer::begin(std::string name, std::uint64_t size, std::uint32_t crc) {
  const bool large = size >= max_32;
  record extra;
  if (large) extra = record(extra_64, std::uint16_t{16}, size, size);
  record header(local_signature, version_for(large), flags_for(name), method_stored, midnight, new_year_1980, crc,
                clipped_32(size), clipped_32(size), static_cast<std::uint16_t>(name.size()), extra.size());
  header.append(name);
  header.append(extra.bytes());
  members_.push_back({std::move(name), size, written_, crc});
  put(header);
}

void zip_writer::finish() {
  const std::uint64_t directory = written_;
  for (const member& m : members_) {
    record values;
    if (m.size >= max_32) values = record(m.size, m.size);
    if (m.offset >= max_32) values.append(m.offset);
    const bool large = values.size() != 0;
    record extra;
    if (large) extra = record(extra_64, values.size());
    extra.append(values.bytes());

    record entry(central_signature, version_for(large), version_for(large), flags_for(m.name), method_stored, midnight,
                 new_year_1980, m.crc, clipped_32(m.size), clipped_32(m.size),
                 static_cast<std::uint16_t>(m.name.size()), extra.size(), std::uint16_t{0} /* comment */,
                 std::uint16_t{0} /* disk */, std::uint16_t{0} /* internal attributes */,
                 std::uint32_t{0} /* external ones */, clipped_32(m.offset));
    entry.append(m.name);
    entry.append(extra.bytes());
    put(entry);
  }

  const std::uint64_t count = members_.size(), length = written_ - directory, end = written_;
  if (count >= max_16 || directory >= max_32 || length >= max_32) {
    constexpr std::uint64_t rest_of_record = 44;
    put(record(end_64_signature, rest_of_record, version_64, version_64, std::uint32_t{0}, std::uint32_t{0}, count,
               count, length, directory));
    put(record(locator_signature, std::uint32_t{0}, end, std::uint32_t{1}));
  }
  put(record(end_signature, std::uint16_t{0}, std::uint16_t{0}, clipped_16(count), clipped_16(count),
             clipped_32(length), clipped_32(directory), std::uint16_t{0}));
}

void zip_writer::put(const record& bytes) { put(std::as_bytes(std::span(bytes.bytes()))); }

void zip_writer::put(std::span<const std::byte> bytes) {
  to_(bytes);
  written_ += bytes.size();
}

}  // namespace tgmap::convert
