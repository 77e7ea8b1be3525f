// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <tgmap/constant/report.hpp>
#include <tgmap/constant/tensor_constant.hpp>
#include <tgmap/decode/executor.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// How constants are read. Aggregate.
struct read_options {
  /// What must be in the file. Where nothing is declared the file's own word counts: its member `type`, or the type
  /// that typed binary begins with. Where both speak, dimensions must be equal; of cell types the declared one wins,
  /// with a warning.
  std::optional<tensor_type> type{};
  /// The cell type, whatever is declared or said. Text is read as this at once; of typed binary cells are converted by
  /// the rules for text.
  std::optional<dtype> cell_type{};
  /// Forms that only documents have: flattened values, blocks and cells without their member, hexadecimal digits,
  /// integers as labels.
  bool extended = false;
  bool require_content = false;     ///< `{}` is an error, and not zeros
  bool allow_empty_labels = false;  ///< labels without a character are taken
  bool round_to_nearest = false;    ///< bfloat16 to the nearest, ties to even; else bits are dropped, as upstream does
  bool reject_fractions = false;    ///< int8 takes no fractions; else they are dropped, as upstream does
  /// How many problems are told; reading goes on behind those that leave the rest readable.
  std::size_t max_problems = 1;
  /// The most cells may take, in bytes. 0: 1 GiB, or 32 for each byte of the text where that is more, so that a small
  /// file does not ask for much.
  std::uint64_t max_bytes = 0;
  /// What large dense values are read with; null: the calling thread alone.
  tgmap::executor* executor = nullptr;
};

/// Reads JSON. O(text): one pass, straight into the cells, by windows of the text, each of which is copied and indexed
/// by itself: beyond what is read it takes about a megabyte, or what a string needs that is longer than a window.
/// Errors, each with its line, column and path: every one of `errc` but those of typed binary, LZ4 and archives;
/// too_large also for strings of 4 GiB and more; tgmap::errc::out_of_memory.
TGMAP_API tensor_constant read_json(std::string_view text, const read_options& = {});
TGMAP_API tensor_constant read_json(std::string_view text, const read_options&, report&) noexcept;
inline tensor_constant read_json(std::string_view text, report& why) noexcept {
  return read_json(text, read_options(), why);
}

/// Reads typed binary (`.tbf`). O(bytes), one copy. Errors, with `offset` and path: bad_tag, truncated,
/// trailing_bytes, bad_dimension, bad_size, repeated_dimension, unknown_cell_type, scalar_cell_type, type_mismatch,
/// empty_label, bad_label (no UTF-8), repeated_address, too_large, tgmap::errc::out_of_memory. Of a declared type cell
/// types must be equal, too: the bytes are of that type.
TGMAP_API tensor_constant read_typed_binary(std::span<const std::byte>, const read_options& = {});
TGMAP_API tensor_constant read_typed_binary(std::span<const std::byte>, const read_options&, report&) noexcept;
inline tensor_constant read_typed_binary(std::span<const std::byte> bytes, report& why) noexcept {
  return read_typed_binary(bytes, read_options(), why);
}

/// Reads a file through a mapping: typed binary where its name ends in `.tbf`, an LZ4 frame around JSON in `.lz4`, else
/// JSON. It must not change meanwhile: what was read may then be anything, and where it becomes shorter the process
/// gets SIGBUS; of JSON it is tgmap::errc::file_shrank with a mapping_guard installed.
/// Errors: as above; bad_lz4, unsupported_lz4; of the operating system.
TGMAP_API tensor_constant read_file(const std::filesystem::path&, const read_options& = {});
TGMAP_API tensor_constant read_file(const std::filesystem::path&, const read_options&, report&) noexcept;
inline tensor_constant read_file(const std::filesystem::path& path, report& why) noexcept {
  return read_file(path, read_options(), why);
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
