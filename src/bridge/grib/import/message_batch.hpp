// SPDX-License-Identifier: Apache-2.0
// GRIB messages that are read, converted and written together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <tgmap/bridge/grib_input.hpp>
#include <vector>

#include "bridge/grib/sections/message_finder.hpp"

namespace tgmap::bridge::grib {

/// A `growing_buffer` is memory without initial values that keeps its first bytes when it grows.
class growing_buffer {
 public:
  std::byte* data() noexcept { return memory_.get(); }
  std::size_t capacity() const noexcept { return capacity_; }

  /// Makes room for `bytes` bytes, of which the first `used` are kept. Returns false if memory is short.
  bool reserve(std::uint64_t bytes, std::size_t used) noexcept;

 private:
  std::unique_ptr<std::byte[]> memory_{};
  std::size_t capacity_ = 0;
};

/// The most fields of a message, and about the most fields and ranges of a batch. Forged messages have fields of 40
/// bytes, which take far more memory than that.
inline constexpr std::size_t max_batch_fields = std::size_t{1} << 14U;

/// A `batch_entry` is a range of an input: a message, or bytes that are none, or the end of an input that failed.
struct batch_entry {
  enum class kind : std::uint8_t { message, skipped, input_failed };
  kind what = kind::message;
  std::size_t input = 0;
  finding range{};               ///< of `input_failed` only `why`
  std::uint64_t group = 0;       ///< of merged fields
  std::size_t only_field = any;  ///< the field that is wanted of the message

  static constexpr std::size_t any = SIZE_MAX;
};

/// A `message_batch` is a number of entries, in order, with the memory of their messages.
struct message_batch {
  growing_buffer memory{};
  std::vector<batch_entry> entries{};
  std::uint64_t bytes = 0;  ///< of the inputs that were read for it
};

/// A `batch_source` fills batches one after the other.
class batch_source {
 public:
  batch_source() = default;
  batch_source(const batch_source&) = delete;
  batch_source& operator=(const batch_source&) = delete;
  virtual ~batch_source() = default;

  /// Fills `out`, whose memory is used again. Returns false at the end, with no entries, and on an error.
  /// Errors: out_of_memory. Throws std::bad_alloc.
  virtual bool next(message_batch& out, failure& why) = 0;
};

/// A `batch_reader` reads inputs from their beginning to their end. An input that fails gives an entry.
///
/// Memory: a batch takes `batch_bytes`, or twice the bytes that were read of its first message if that is longer.
/// Complexity: each byte is read once, and copied at most once more for each batch that its message is too long for.
class batch_reader final : public batch_source {
 public:
  batch_reader(std::span<grib_input* const> inputs, const finder_options& options, std::uint64_t batch_bytes) noexcept
      : inputs_(inputs), options_(options), batch_bytes_(batch_bytes), scan_(options) {}

  bool next(message_batch& out, failure& why) override;

 private:
  enum class outcome : std::uint8_t { go_on, full, failed };
  outcome read_more(message_batch& out, failure& why);
  void keep_tail(message_batch&);
  void begin_input(std::size_t number);

  std::span<grib_input* const> inputs_;
  finder_options options_;
  std::uint64_t batch_bytes_;
  finding_scan scan_;
  std::size_t input_ = 0;
  bool has_message_ = false;       // the batch has a message
  bool is_complete_ = false;       // the input was read to its end
  std::uint64_t offset_ = 0;       // in the input, of the byte at `begin_`
  std::size_t begin_ = 0;          // of the bytes of the input in the batch
  std::size_t end_ = 0;            // of all bytes in the batch
  std::vector<std::byte> tail_{};  // bytes of the input for the next batch
};

}  // namespace tgmap::bridge::grib
