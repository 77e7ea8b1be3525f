// SPDX-License-Identifier: Apache-2.0
// Where an appender puts its messages: never over what another program has put there.
#pragma once

#include <cstdint>
#include <tgmap/write/sink.hpp>

#include "write/append_file.hpp"

namespace tgmap::write {

/// Looks at the file before bytes go to it. Errors: archive_changed, then nothing is put; io.
class append_sink final : public descriptor_sink {
 public:
  /// `begin`: where the archive ends, and the position of the file stands.
  append_sink(const append_file& file, std::uint64_t begin)
      : descriptor_sink(file.descriptor()), file_(&file), begin_(begin), reached_(begin) {}
  ~append_sink() override { discard(); }  // what is held was not looked at

  /// The appender cuts off what is to go, and looks before it does.
  failure rollback(std::uint64_t) noexcept override { return {.code = errc::cannot_overwrite}; }

  /// How far what was put out, whole or in part, may have come in the file.
  std::uint64_t reached() const noexcept { return reached_; }

 private:
  failure before_put(std::uint64_t gone, std::uint64_t bytes) noexcept override {
    if (failure why = file_->unchanged(begin_ + gone)) return why;
    reached_ = begin_ + gone + bytes;
    return {};
  }

  const append_file* file_;
  std::uint64_t begin_, reached_;
};

}  // namespace tgmap::write
