// Opens an archive that lies inside another file, in memory, or in a pipe.
#include <unistd.h>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <string>
#include <tgmap/archive.hpp>
#include <vector>

void print(const char* source, const tgmap::archive& data) {
  std::cout << source << ": " << data.size() << " messages, " << data.size_bytes() << " bytes\n";
}

int main(int argc, char** argv) try {
  const char* const path = argc > 1 ? argv[1] : "bundle.tar";
  const std::uint64_t offset = argc > 2 ? std::stoull(argv[2]) : 1536;
  const std::uint64_t length = argc > 3 ? std::stoull(argv[3]) : 65536;
  print("inside a file", tgmap::archive(path, {.offset = offset, .length = length}));

  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  print("in memory", tgmap::archive::from_memory(std::as_bytes(std::span(bytes)).subspan(offset, length)));  // borrows

  print("in a pipe", tgmap::archive::from_descriptor(STDIN_FILENO));  // read to its end into a temporary file
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
