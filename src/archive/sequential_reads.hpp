// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/archive.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "index_file/reader.hpp"
#include "io/block_reads.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `sequential_reads` is made by code that reads the structure of messages one behind the other, in one thread. They
/// take fewer reads as long as it lives. Lifetime: borrows the archive. Throws std::bad_alloc.
class sequential_reads {
 public:
  explicit sequential_reads(const archive& of) : ahead_(access::state(of)->bytes()) {}

  /// Does the same for the records and columns of an index, which it borrows.
  explicit sequential_reads(const index_file::reader& of) : ahead_(io::block_reads::of_records(of.bytes())) {}

  /// Says that a message is read next.
  void begin(const message& next) noexcept { ahead_.begin_message(next.offset(), next.length()); }

 private:
  io::block_reads ahead_;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
