// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target without libFuzzer on the files and directories of the command line, so that the corpus and past
// crashes are tests of every build.

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

/// Returns the files of a directory in order of name. The directory need not exist, since not every target has crashed.
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
  // A copy of exactly this size, so that sanitizers see reads past the end.
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
