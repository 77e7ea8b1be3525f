// SPDX-License-Identifier: Apache-2.0
#include "convert/export/export_writer.hpp"

#include "convert/zlib.hpp"

namespace tgmap::convert {

export_writer::export_writer(edit::output_set& outputs, const std::string& npz) : outputs_(outputs) {
  edit::output_set::output& file = outputs.open(npz);
  zip_ = std::make_unique<zip_writer>([&file](std::span<const std::byte> piece) { file.write(piece); });
}

void export_writer::check_overwrite(std::span<const std::string> names) {
  if (!zip_)
    for (const std::string& name : names) outputs_.check_overwrite(name, makes_folders_);
}

std::uint64_t export_writer::write(const std::string& name, const file_content& content) {
  if (zip_) return write_member(name, content);
  // Created with the first piece, so that an error leaves the file system alone.
  edit::output_set::output* file = nullptr;
  const auto opened = [&]() -> edit::output_set::output& {
    return file != nullptr ? *file : *(file = &outputs_.open_distinct(name, makes_folders_));
  };
  try {
    content([&](std::span<const std::byte> piece) { opened().write(piece); });
    return opened().bytes_written();  // creates an empty file if there were no pieces
  } catch (...) {
    if (file != nullptr) outputs_.remove(*file);
    throw;
  }
}

std::uint64_t export_writer::write_member(const std::string& name, const file_content& content) {
  std::uint32_t sum = 0;
  std::uint64_t bytes = 0;
  content([&](std::span<const std::byte> piece) {
    sum = crc32(piece, sum);
    bytes += piece.size();
  });
  zip_->begin(name, bytes, sum);
  content([&](std::span<const std::byte> piece) { zip_->write(piece); });
  return bytes;
}

void export_writer::finish() {
  if (zip_) zip_->finish();
  outputs_.commit();
}

}  // namespace tgmap::convert
