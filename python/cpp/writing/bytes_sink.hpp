// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/write/sink.hpp>

#include "cpp/interpreter/python.hpp"

namespace tgmap_python {

/// A `bytes_sink` collects bytes where Python will have them, without a further copy. It takes the lock of the
/// interpreter to allocate.
class bytes_sink final : public tgmap::sink {
 public:
  using tgmap::sink::write;
  tgmap::failure write(std::span<const std::span<const std::byte>>) noexcept override;
  std::uint64_t bytes_written() const noexcept override { return size_; }

  /// Returns all bytes. The sink is empty afterwards.
  nb::object release();

 private:
  bool resize(std::size_t capacity);

  nb::object bytes_{};
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace tgmap_python
