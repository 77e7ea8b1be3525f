// SPDX-License-Identifier: Apache-2.0
#include "frames.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <support/shared_data.hpp>

namespace tgmap_test {

std::vector<std::byte> bytes_of(const std::string& text) {
  std::vector<std::byte> out(text.size());
  if (!out.empty()) std::memcpy(out.data(), text.data(), text.size());
  return out;
}

std::vector<std::byte> bytes_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return bytes_of({std::istreambuf_iterator<char>(in), {}});
}

std::vector<std::filesystem::path> shared_frames(const char* folder) {
  std::vector<std::filesystem::path> out;
  const auto root = shared_data_or_skip(std::string("TENS frames of ") + folder);
  if (!root) return out;
  for (const auto& entry : std::filesystem::directory_iterator(*root / "data/tens" / folder))
    if (entry.path().extension() == ".frame") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace tgmap_test
