// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/outputs/file_sink.hpp"
#include "cli/outputs/output_set.hpp"

namespace tgmap::cli {

/// What the library writes, on its way into an output file. Small pieces are gathered.
class output_sink final : public file_sink {
 public:
  explicit output_sink(output_set::output& to) : to_(&to) {}

  std::uint64_t bytes_written() const noexcept override { return to_->bytes() + held_.size(); }

  bool can_overwrite() const noexcept override { return to_->can_patch(); }

  /// Puts out what is held back. Throws file_error.
  void flush();

 private:
  void put(std::span<const std::span<const std::byte>>) override;
  void put_at(std::uint64_t, std::span<const std::byte>) override;

  output_set::output* to_;
  std::vector<std::byte> held_{};
};

}  // namespace tgmap::cli
