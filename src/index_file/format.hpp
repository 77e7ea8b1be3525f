// SPDX-License-Identifier: Apache-2.0
// The records of an index file, as docs/index_format.md describes them. All numbers are little-endian.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "index_file/page.hpp"
#include "wire/bytes.hpp"

namespace tgmap::index_file {

inline constexpr auto magic = wire::ascii("TGMINDEX");  // io::index_magic
inline constexpr std::uint16_t format_version = 3;

/// Pages of an index without records: the first one, the stamps, and the trailer.
inline constexpr std::uint64_t min_pages = 3;

/// Bytes of the archive that one sample covers.
inline constexpr std::size_t sample_size = 4096;

/// The sections of an index file. Each holds records of one kind, in one run of pages or several.
enum class section : std::uint16_t {
  messages = 1,      ///< `listed_message`, by message number
  objects = 2,       ///< `listed_object`, of all messages in order
  layouts = 3,       ///< `text_place` in layout_items
  layout_items = 4,  ///< CBOR, bytes
  gaps = 5,          ///< `listed_gap`, in order
  samples = 6,       ///< digests of samples of the archive, 8 bytes each
  columns = 7,       ///< `listed_column`
  column_items = 8,  ///< names, values and row lists of columns, bytes
};

/// Size of a record of a section.
constexpr std::size_t record_size(section kind) noexcept {
  switch (kind) {
    case section::messages:
    case section::objects: return 32;
    case section::layouts: return 16;
    case section::layout_items: return 1;
    case section::gaps: return 56;
    case section::samples: return 8;
    case section::columns: return 88;
    case section::column_items: return 1;
  }
  return 0;
}

using record_bytes = std::span<const std::byte>;

/// A message. Its objects are consecutive records of section::objects.
struct listed_message {
  std::uint64_t offset = 0;  ///< below 2^48
  std::uint64_t length = 0;  ///< below 2^58
  unsigned version = 0;
  std::uint16_t flags = 0;  ///< of the preamble
  bool is_streamed = false, is_incomplete = false;
  /// Objects may have preceders, or their frames do not fit into records. They are found in the message itself.
  bool has_unlisted_objects = false;
  std::uint64_t first_object = 0;   ///< below 2^40
  std::uint64_t objects = 0;        ///< below 2^24; 0 with has_unlisted_objects
  std::uint64_t metadata_hash = 0;  ///< as detail::metadata_hash returns it

  static constexpr std::uint64_t max_offset = (std::uint64_t{1} << 48) - 1;
  static constexpr std::uint64_t max_length = (std::uint64_t{1} << 58) - 1;
  static constexpr std::uint64_t max_first_object = (std::uint64_t{1} << 40) - 1;
  static constexpr std::uint64_t max_objects = (std::uint64_t{1} << 24) - 1;

  static listed_message load(record_bytes from) noexcept {
    const auto offset = wire::load_le<std::uint64_t>(from.data()),
               length = wire::load_le<std::uint64_t>(from.data() + 8),
               objects = wire::load_le<std::uint64_t>(from.data() + 16);
    return {.offset = offset & max_offset,
            .length = length & max_length,
            .version = static_cast<unsigned>(length >> 58 & 3),
            .flags = static_cast<std::uint16_t>(offset >> 48),
            .is_streamed = (length >> 60 & 1) != 0,
            .is_incomplete = (length >> 61 & 1) != 0,
            .has_unlisted_objects = (length >> 62 & 1) != 0,
            .first_object = objects & max_first_object,
            .objects = objects >> 40,
            .metadata_hash = wire::load_le<std::uint64_t>(from.data() + 24)};
  }
  void store(std::byte* to) const noexcept {
    wire::store_le(to, offset | std::uint64_t{flags} << 48);
    wire::store_le(to + 8, length | std::uint64_t{version & 3} << 58 | std::uint64_t{is_streamed} << 60 |
                               std::uint64_t{is_incomplete} << 61 | std::uint64_t{has_unlisted_objects} << 62);
    wire::store_le(to + 16, first_object | objects << 40);
    wire::store_le(to + 24, metadata_hash);
  }
  bool operator==(const listed_message&) const noexcept = default;
};

/// An object: the place of its frame in the message, and its layout.
struct listed_object {
  std::uint64_t offset = 0;          ///< of the frame from the start of the message
  std::uint64_t length = 0;          ///< of the frame
  std::uint64_t payload_length = 0;  ///< without masks
  std::uint32_t descriptor_length = 0;
  std::uint32_t layout = 0;  ///< number in section::layouts

  static listed_object load(record_bytes from) noexcept {
    return {.offset = wire::load_le<std::uint64_t>(from.data()),
            .length = wire::load_le<std::uint64_t>(from.data() + 8),
            .payload_length = wire::load_le<std::uint64_t>(from.data() + 16),
            .descriptor_length = wire::load_le<std::uint32_t>(from.data() + 24),
            .layout = wire::load_le<std::uint32_t>(from.data() + 28)};
  }
  void store(std::byte* to) const noexcept {
    wire::store_le(to, offset);
    wire::store_le(to + 8, length);
    wire::store_le(to + 16, payload_length);
    wire::store_le(to + 24, descriptor_length);
    wire::store_le(to + 28, layout);
  }
  bool operator==(const listed_object&) const noexcept = default;
};

/// A range of a section of bytes.
struct text_place {
  std::uint64_t offset = 0, size = 0;

  static text_place load(record_bytes from) noexcept {
    return {wire::load_le<std::uint64_t>(from.data()), wire::load_le<std::uint64_t>(from.data() + 8)};
  }
  void store(std::byte* to) const noexcept {
    wire::store_le(to, offset);
    wire::store_le(to + 8, size);
  }
};

/// A gap: its range, and the failure that a scan reports for it.
struct listed_gap {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t messages_before = 0;                  ///< messages that begin before the gap
  std::uint64_t offset = 0, expected = 0, found = 0;  ///< of the failure
  std::uint32_t code = 0;                             ///< of the failure, an `errc`
  bool names_message = false;                         ///< the failure names the message before the gap

  static listed_gap load(record_bytes from) noexcept {
    return {.begin = wire::load_le<std::uint64_t>(from.data()),
            .end = wire::load_le<std::uint64_t>(from.data() + 8),
            .messages_before = wire::load_le<std::uint64_t>(from.data() + 16),
            .offset = wire::load_le<std::uint64_t>(from.data() + 24),
            .expected = wire::load_le<std::uint64_t>(from.data() + 32),
            .found = wire::load_le<std::uint64_t>(from.data() + 40),
            .code = wire::load_le<std::uint32_t>(from.data() + 48),
            .names_message = wire::load_le<std::uint32_t>(from.data() + 52) != 0};
  }
  void store(std::byte* to) const noexcept {
    wire::store_le(to, begin);
    wire::store_le(to + 8, end);
    wire::store_le(to + 16, messages_before);
    wire::store_le(to + 24, offset);
    wire::store_le(to + 32, expected);
    wire::store_le(to + 40, found);
    wire::store_le(to + 48, code);
    wire::store_le(to + 52, std::uint32_t{names_message});
  }
  bool operator==(const listed_gap&) const noexcept = default;
};

/// A column lists rows of one kind.
enum class column_kind : std::uint32_t {
  messages = 1,              ///< the messages in which a key has each of its values
  objects = 2,               ///< the same for objects; without it all objects of a message have its value
  undescribed_messages = 3,  ///< messages about which no column says anything; without name and values
  undescribed_objects = 4,   ///< their objects; without name and values
  unlisted_objects = 5,      ///< messages whose objects are not listed; without name and values
  other_keys = 6,            ///< messages that have a key without a column; without a name: all such keys are listed
};

/// A column, or a part of it: columns of the same name and kind continue each other.
/// Its rows are messages or objects, [first_row, first_row + rows). A row that no list has lacks the key.
struct listed_column {
  text_place name{};  ///< in column_items
  std::uint64_t first_row = 0, rows = 0;
  std::uint64_t values = 0;     ///< different values
  std::uint64_t values_at = 0;  ///< place of a `listed_value` for each value in column_items
  std::uint64_t present = 0;    ///< rows that have the key
  text_place unknown{};         ///< row list in column_items: rows whose value is not in the column
  std::uint64_t bytes = 0;      ///< that the column takes in column_items
  column_kind kind{};
  std::uint16_t kinds = 0;       ///< a bit for each `cbor_kind` of a value
  bool has_more_values = false;  ///< of other_keys: there may be more than `values`

  static listed_column load(record_bytes from) noexcept {
    const auto number = [&](std::size_t at) { return wire::load_le<std::uint64_t>(from.data() + at); };
    return {.name = text_place::load(from.first(16)),
            .first_row = number(16),
            .rows = number(24),
            .values = number(32),
            .values_at = number(40),
            .present = number(48),
            .unknown = text_place::load(from.subspan(56, 16)),
            .bytes = number(72),
            .kind = static_cast<column_kind>(wire::load_le<std::uint32_t>(from.data() + 80)),
            .kinds = wire::load_le<std::uint16_t>(from.data() + 84),
            .has_more_values = (wire::load_le<std::uint16_t>(from.data() + 86) & 1) != 0};
  }
  void store(std::byte* to) const noexcept {
    name.store(to);
    wire::store_le(to + 16, first_row);
    wire::store_le(to + 24, rows);
    wire::store_le(to + 32, values);
    wire::store_le(to + 40, values_at);
    wire::store_le(to + 48, present);
    unknown.store(to + 56);
    wire::store_le(to + 72, bytes);
    wire::store_le(to + 80, static_cast<std::uint32_t>(kind));
    wire::store_le(to + 84, kinds);
    wire::store_le(to + 86, std::uint16_t{has_more_values});
  }
};

/// A value of a column: its CBOR item, and the rows that have it.
struct listed_value {
  text_place item{}, rows{};  ///< in column_items

  static constexpr std::size_t size = 32;

  static listed_value load(record_bytes from) noexcept {
    return {.item = text_place::load(from.first(16)), .rows = text_place::load(from.subspan(16, 16))};
  }
  void store(std::byte* to) const noexcept {
    item.store(to);
    rows.store(to + 16);
  }
};

/// Consecutive pages with records of one section.
struct page_run {
  section kind{};
  std::uint32_t column = 0;  ///< 0: not of a column
  std::uint64_t first_record = 0, records = 0;
  std::uint64_t first_page = 0;

  static constexpr std::size_t size = 32;

  static page_run load(record_bytes from) noexcept {
    return {.kind = static_cast<section>(wire::load_le<std::uint16_t>(from.data())),
            .column = wire::load_le<std::uint32_t>(from.data() + 4),
            .first_record = wire::load_le<std::uint64_t>(from.data() + 8),
            .records = wire::load_le<std::uint64_t>(from.data() + 16),
            .first_page = wire::load_le<std::uint64_t>(from.data() + 24)};
  }
  void store(std::byte* to) const noexcept {
    wire::store_le(to, static_cast<std::uint16_t>(kind));
    wire::store_le(to + 2, std::uint16_t{0});
    wire::store_le(to + 4, column);
    wire::store_le(to + 8, first_record);
    wire::store_le(to + 16, records);
    wire::store_le(to + 24, first_page);
  }
  std::uint64_t end_record() const noexcept { return first_record + records; }
  bool operator==(const page_run&) const noexcept = default;
};

/// The facts about the file and its archive, at the start of the last page. The page runs follow them.
struct trailer {
  std::uint16_t version = format_version;
  std::uint32_t required_features = 0;  ///< a reader refuses a file with a bit that it does not know
  std::uint64_t identity = 0;           ///< random; part of each checksum
  std::uint64_t covered = 0;            ///< the index describes the archive bytes [0, covered)
  std::uint64_t messages = 0, objects = 0, layouts = 0, gaps = 0;
  std::uint64_t pages = 0;                                                 ///< of the file
  std::uint64_t runs = 0;                                                  ///< page runs
  std::uint64_t max_padding = 0, max_objects = 0, max_metadata_bytes = 0;  ///< the `open_options` that the scan used
  std::uint64_t sample_seed = 0;
  std::uint64_t samples = 0;
  std::uint64_t structure = 0;       ///< digest of all that the index was made from
  std::uint64_t archive_offset = 0;  ///< of the archive in its file
  std::uint64_t made_at = 0;         ///< when the index was made, in nanoseconds since 1970
  std::array<char, 16> made_by{};    ///< name and version of the program, then zeros

  static constexpr std::size_t size = 160;
  /// Number of page runs on the last page. Further ones are on the pages before that of the stamps.
  static constexpr std::uint64_t runs_inside = (content_size - size) / page_run::size;

  static trailer load(const_page_bytes) noexcept;
  void store(page_bytes) const noexcept;
  bool operator==(const trailer&) const noexcept = default;
};

}  // namespace tgmap::index_file
