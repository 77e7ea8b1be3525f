// Reads message 50,000 of a large archive, and then the last one.
#include <exception>
#include <iostream>
#include <tgmap/archive.hpp>

int main(int argc, char** argv) try {
  const tgmap::archive data(argc > 1 ? argv[1] : "large.tgm");  // maps the file and reads nothing

  const tgmap::message message = data[50'000];  // finds the messages up to it, once; payloads are not read
  std::cout << "message 50000: offset " << message.offset() << ", step "
            << message.base(0).get<int>("mars.step").value_or(-1) << '\n';

  const tgmap::message last = data.back();  // found from the end
  std::cout << "last message: offset " << last.offset() << ", step " << last.base(0).get<int>("mars.step").value_or(-1)
            << '\n';
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
