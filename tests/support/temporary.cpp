// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <support/temporary.hpp>
#include <system_error>

namespace tgmap_test {

temporary_directory::temporary_directory() {
  std::string name = (std::filesystem::temp_directory_path() / "tgmap_test_XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::system_error(errno, std::generic_category(), name);
  path_ = name;
}

temporary_directory::~temporary_directory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path temporary_directory::file(std::string_view name, std::string_view contents) const {
  write_file(path_ / name, contents);
  return path_ / name;
}

namespace {

void write(const std::filesystem::path& path, std::string_view contents, std::ios::openmode mode) {
  std::ofstream out(path, std::ios::binary | mode);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  if (!out.flush()) throw std::system_error(errno, std::generic_category(), path.string());
}

}  // namespace

void write_file(const std::filesystem::path& path, std::string_view contents) {
  write(path, contents, std::ios::trunc);
}
void append_file(const std::filesystem::path& path, std::string_view contents) { write(path, contents, std::ios::app); }

bytes read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::system_error(errno, std::generic_category(), path.string());
  std::ostringstream all;
  all << in.rdbuf();
  return std::move(all).str();
}

}  // namespace tgmap_test
