// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>
#include <support/bytes.hpp>

namespace tgmap_test {

/// A directory that is removed with its contents.
class temporary_directory {
 public:
  temporary_directory();
  ~temporary_directory();
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

  /// Writes a file in the directory and returns its path.
  std::filesystem::path file(std::string_view name, std::string_view contents) const;

 private:
  std::filesystem::path path_;
};

void write_file(const std::filesystem::path&, std::string_view contents);
void append_file(const std::filesystem::path&, std::string_view contents);
bytes read_file(const std::filesystem::path&);  ///< throws if that fails

}  // namespace tgmap_test
