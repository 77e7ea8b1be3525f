// SPDX-License-Identifier: Apache-2.0
// Reads, converts and writes batches of messages: three batches at one time, one in each stage.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <tgmap/decode/executor.hpp>
#include <vector>

#include "bridge/grib/import/field_conversion.hpp"
#include "bridge/grib/import/message_batch.hpp"

namespace tgmap::bridge::grib {

/// A `batch_item` is one field of a batch, or a range of an input without one.
/// Lifetime: borrows its batch.
struct batch_item {
  const batch_entry* entry = nullptr;
  bool is_field = false;
  converted_field field{};  ///< with `is_field`
  failure why{};            ///< without: why the message has no fields, or the input has no more bytes; may be empty
  std::vector<std::byte> group_key{};  ///< of a field that is listed, to be merged
};

/// A `batch_work` says what is done with the items of batches.
class batch_work {
 public:
  batch_work() = default;
  batch_work(const batch_work&) = delete;
  batch_work& operator=(const batch_work&) = delete;
  virtual ~batch_work() = default;

  /// Converts a field. Called from any thread, also for several items at once.
  virtual void convert(batch_item&) noexcept = 0;

  /// Takes the items of a batch in their order. Called by one thread at a time, in the order of batches. `bytes` were
  /// read for it.
  /// Errors: any; they end the run. May throw.
  virtual void take(std::vector<batch_item>&, std::uint64_t bytes, failure& why) = 0;
};

/// Runs all batches of a source through a work.
///
/// While a batch is converted, the one before it is taken and the next one is read. The calls of take() come in the
/// order of the source.
/// Errors: those of the source and of take(). Throws what take() throws, std::bad_alloc.
void run_batches(batch_source&, batch_work&, executor&, failure& why);

}  // namespace tgmap::bridge::grib
