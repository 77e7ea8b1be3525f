// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tgmap::convert {

/// The CRC-32 of ZIP archives (ISO 3309, reflected, polynomial 0xedb88320), eight bytes at a time.
class crc32 {
 public:
  void add(std::span<const std::byte>) noexcept;
  std::uint32_t value() const noexcept { return ~state_; }

 private:
  std::uint32_t state_ = ~std::uint32_t{0};
};

}  // namespace tgmap::convert
