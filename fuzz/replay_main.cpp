// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target over the files it is given, and over those in the directories it is given, without libFuzzer:
// the corpus and past crashes become tests of every build and every compiler.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

// In order of name, so that two runs are the same run. A directory need not exist: not every target has crashed yet.
std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return fs::exists(path) ? std::vector{path} : std::vector<fs::path>{};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<char> contents_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void run(const std::vector<char>& bytes) {
  // A copy of exactly its size: a read past the end is then a read past an allocation.
  std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
  input.shrink_to_fit();
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

}  // namespace

int main(int argc, char** argv) try {
  run({});
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& file : files_of(argv[i])) {
      std::fprintf(stderr, "%s\n", file.c_str());  // the last line before a crash names its input
      run(contents_of(file));
      ++count;
    }
  }
  std::printf("%zu inputs replayed\n", count);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "uncaught: %s\n", error.what());
  return 1;
}
