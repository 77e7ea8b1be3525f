// Reads what is left of a damaged archive and lists what was skipped.
#include <exception>
#include <iostream>
#include <tgmap/archive.hpp>

int main(int argc, char** argv) try {
  const tgmap::archive data(argc > 1 ? argv[1] : "damaged.tgm", {.damage = tgmap::on_damage::skip});
  for (const tgmap::message& message : data)
    std::cout << "message at " << message.offset() << ", " << message.length() << " bytes\n";
  for (const tgmap::gap& gap : data.gaps())
    std::cout << "skipped [" << gap.begin << ", " << gap.end << "): " << gap.cause.text() << '\n';
  if (const auto tail = data.incomplete_tail())
    std::cout << "unfinished [" << tail->begin << ", " << tail->end << "): " << tail->cause.text() << '\n';
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
