// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <tgmap/constant/report.hpp>
#include <tgmap/constant/tensor_constant.hpp>
#include <tgmap/decode/executor.hpp>

namespace tgmap {
inline namespace v0 {
namespace constant {

/// Options for reading constants.
struct read_options {
  /// The declared type. Its dimensions must equal those that the file states; if the cell types differ, the declared
  /// one counts, with a warning. Default: none, the type comes from the file: from its member `type`, or from typed
  /// binary.
  std::optional<tensor_type> type{};
  /// Sets the cell type of the result, whatever was declared or is in the file. Text is read as this type directly;
  /// typed binary is converted by the rules for text. Default: none, the cell type of the type.
  std::optional<dtype> cell_type{};
  /// Accepts forms that only documents have: flattened values, blocks and cells without their member, hexadecimal
  /// digits, integers as labels. Default: false, as for constant files of Vespa.
  bool extended = false;
  bool require_content = false;     ///< makes `{}` an error; default: false, it means zeros
  bool allow_empty_labels = false;  ///< accepts empty labels; default: false
  bool round_to_nearest = false;    ///< rounds bfloat16, ties to even; default: false, bits are dropped as in Vespa
  bool reject_fractions = false;    ///< makes a fraction in int8 an error; default: false, it is dropped as in Vespa
  /// Maximum number of problems to report. Reading continues after a problem if the rest is readable. Default: 1.
  std::size_t max_problems = 1;
  /// Maximum number of bytes of all cells. Default: 0, which stands for 1 GiB or 32 times the bytes of the input,
  /// whichever is more, so that a small file cannot ask for much memory.
  std::uint64_t max_bytes = 0;
  /// Reads large dense values on these threads. Default: null, the calling thread alone.
  tgmap::executor* executor = nullptr;
};

/// Reads a constant from JSON in one pass, directly into the cells.
///
/// Beside the constant it needs about 1 MiB of memory, because the text is copied and indexed in windows. A string
/// longer than a window needs more.
/// Errors, each with line, column and path: all of `errc` except those of typed binary, LZ4 and archives; too_large
/// also for a string of 4 GiB or more; tgmap::errc::out_of_memory.
/// Complexity: O(text).
TGMAP_API tensor_constant read_json(std::string_view text, const read_options& = {});
TGMAP_API tensor_constant read_json(std::string_view text, const read_options&, report&) noexcept;
inline tensor_constant read_json(std::string_view text, report& why) noexcept {
  return read_json(text, read_options(), why);
}

/// Reads a constant from typed binary (`.tbf`) with one copy.
///
/// The cell type of a declared type must equal that of the bytes, too.
/// Errors, each with `offset` and path: bad_tag, truncated, trailing_bytes, bad_dimension, bad_size,
/// repeated_dimension, unknown_cell_type, scalar_cell_type, type_mismatch, empty_label, bad_label (not UTF-8),
/// repeated_address, too_large, tgmap::errc::out_of_memory.
/// Complexity: O(bytes).
TGMAP_API tensor_constant read_typed_binary(std::span<const std::byte>, const read_options& = {});
TGMAP_API tensor_constant read_typed_binary(std::span<const std::byte>, const read_options&, report&) noexcept;
inline tensor_constant read_typed_binary(std::span<const std::byte> bytes, report& why) noexcept {
  return read_typed_binary(bytes, read_options(), why);
}

/// Reads a constant from a file through a mapping. Files that cannot be mapped, such as pipes, are read into memory.
///
/// A name that ends in `.tbf` means typed binary, `.lz4` means JSON in an LZ4 frame, and any other name means JSON. The
/// file must not change during the call. If it changes, the result is undefined values; if it becomes shorter, the
/// process gets SIGBUS. For JSON with a `mapping_guard` installed that is tgmap::errc::file_shrank instead.
/// Errors: those of `read_json` and `read_typed_binary`; bad_lz4, unsupported_lz4; those of the operating system.
TGMAP_API tensor_constant read_file(const std::filesystem::path&, const read_options& = {});
TGMAP_API tensor_constant read_file(const std::filesystem::path&, const read_options&, report&) noexcept;
inline tensor_constant read_file(const std::filesystem::path& path, report& why) noexcept {
  return read_file(path, read_options(), why);
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
