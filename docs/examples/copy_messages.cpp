// Copies the messages of version 3 into another archive, byte for byte.
#include <exception>
#include <iostream>
#include <tgmap/archive.hpp>
#include <tgmap/write/writer.hpp>

int main(int argc, char** argv) try {
  const tgmap::archive from(argc > 1 ? argv[1] : "forecast.tgm");
  tgmap::file_sink file(argc > 2 ? argv[2] : "copy.tgm");
  tgmap::writer to(file);
  for (const tgmap::message& message : from)
    if (message.version() == 3) to.write(message);  // nothing is decoded; hashes stay those that were written
  file.close();
  std::cout << to.messages() << " of " << from.size() << " messages, " << to.bytes_written() << " bytes\n";
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
