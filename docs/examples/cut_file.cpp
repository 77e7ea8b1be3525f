// Cuts a file while a view of it is in use: the signal becomes an error.
#include <exception>
#include <filesystem>
#include <iostream>
#include <span>
#include <tgmap/archive.hpp>
#include <tgmap/mapping_guard.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

int main(int argc, char** argv) try {
  const std::filesystem::path path = argc > 1 ? argv[1] : "cut.tgm";
  const std::vector<float> ones(100'000, 1.0F);
  tgmap::new_message message;
  message.objects.emplace_back(tgmap::new_object::of(ones));
  tgmap::file_sink file(path);
  tgmap::writer out(file);
  out.write(message);
  out.write(message);
  file.close();

  if (const tgmap::failure why = tgmap::mapping_guard::install()) std::cerr << why.text() << '\n';
  const tgmap::archive data(path);
  const std::span<const float> elements = data[1][0].view<float>().values();
  std::filesystem::resize_file(path, out.bytes_written() / 2 + 5000);  // another program would do this

  double sum = 0;
  const tgmap::failure why = tgmap::mapping_guard::run([&]() noexcept {  // takes no lock and allocates nothing
    for (const float each : elements) sum += each;
  });
  if (why.code == tgmap::errc::file_shrank)
    std::cout << "the file has become shorter\n";
  else
    std::cout << "sum " << sum << '\n';

  const tgmap::archive again(path);
  std::cout << again.size() << " message is left";
  if (const auto tail = again.incomplete_tail())
    std::cout << " before a tail of " << tail->end - tail->begin << " bytes";
  std::cout << '\n';
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
