// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <tgmap/error.hpp>

namespace tgmap {
inline namespace v0 {
namespace bridge {

/// A `grib_input` gives bytes in which GRIB messages are looked for: a file, a pipe, memory, or a class of the program.
/// Thread safety: one thread at a time, which may be another one at each call.
class TGMAP_API grib_input {
 public:
  grib_input() noexcept = default;
  grib_input(const grib_input&) = delete;
  grib_input& operator=(const grib_input&) = delete;
  virtual ~grib_input();

  /// Fills `out` from its beginning with the next bytes, and clears `why`. Returns their number; 0 at the end of the
  /// input.
  /// Errors: those of the input.
  virtual std::size_t read(std::span<std::byte> out, failure& why) noexcept = 0;

  /// Fills `out` with bytes that were read before, from `offset` on. Called only if fields are merged, and after the
  /// input was read to its end.
  /// Errors: those of the input; this implementation always returns operation_not_supported.
  virtual void read_again(std::uint64_t offset, std::span<std::byte> out, failure& why) noexcept;
};

/// A `grib_memory_input` reads bytes in memory.
/// Lifetime: borrows the bytes.
class TGMAP_API grib_memory_input final : public grib_input {
 public:
  explicit grib_memory_input(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  std::size_t read(std::span<std::byte> out, failure& why) noexcept override;
  /// Errors: out_of_range.
  void read_again(std::uint64_t offset, std::span<std::byte> out, failure& why) noexcept override;

 private:
  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
};

/// A `grib_file_input` reads a file or a pipe.
///
/// The file is opened by the first call and closed at its end, so that many inputs can wait for their turn. The bytes
/// are read, not mapped: they cannot change between their check and their use.
/// Errors: those of the operating system; is_directory; file_shrank; source_changed (a file is another one, or has
/// changed, when it is read again).
class TGMAP_API grib_file_input final : public grib_input {
 public:
  /// Reads a file. With `keeps_pipe`, the bytes of a pipe or device also go to a temporary file without a name, so that
  /// they can be read again.
  explicit grib_file_input(std::filesystem::path file, bool keeps_pipe = false);
  /// Reads an open file from its current position on; that is offset 0. Lifetime: the caller closes the descriptor.
  explicit grib_file_input(int descriptor, bool keeps_pipe = false);
  ~grib_file_input() override;

  std::size_t read(std::span<std::byte> out, failure& why) noexcept override;
  void read_again(std::uint64_t offset, std::span<std::byte> out, failure& why) noexcept override;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace bridge
}  // namespace v0
}  // namespace tgmap
