// Reads messages of a growing archive as another thread appends them.
#include <chrono>
#include <cstddef>
#include <exception>
#include <iostream>
#include <tgmap/archive.hpp>
#include <tgmap/write/appender.hpp>
#include <thread>

constexpr std::size_t messages = 5;

void append_to(tgmap::appender& log) {  // this could be another program
  for (std::size_t i = 0; i < messages; ++i) {
    tgmap::new_message message;
    message.extra = tgmap::cbor_value::map({{"number", i}});
    log.write(message);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

int main(int argc, char** argv) try {
  const char* const path = argc > 1 ? argv[1] : "growing.tgm";
  tgmap::appender log(path);  // creates the file
  tgmap::archive data(path);
  std::size_t seen = data.size();
  const std::size_t end = seen + messages;
  const std::jthread writer([&] { append_to(log); });

  while (seen < end) {
    data = data.reopen();  // sees whole messages only, and scans none twice
    for (; seen < data.size(); ++seen)
      std::cout << "message " << seen << ": number " << data[seen].metadata().get<int>("number").value_or(-1) << '\n';
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
