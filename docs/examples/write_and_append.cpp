// Writes an archive of two messages and then appends a third.
#include <exception>
#include <iostream>
#include <tgmap/archive.hpp>
#include <tgmap/write/appender.hpp>
#include <variant>
#include <vector>

int main(int argc, char** argv) try {
  const char* const path = argc > 1 ? argv[1] : "forecast.tgm";
  std::vector<float> temperature(4 * 5, 273.5F);

  auto field = tgmap::new_object::of(temperature, {4, 5});  // borrows the vector
  tgmap::new_message message;
  message.extra = tgmap::cbor_value::map({{"source", "model"}});
  message.objects.emplace_back(field);
  const auto set_step = [&](int step) {
    std::get<tgmap::new_object>(message.objects[0]).base =
        tgmap::cbor_value::map({{"mars", tgmap::cbor_value::map({{"param", "2t"}, {"step", step}})}});
    temperature[0] = 273.5F + static_cast<float>(step);
  };

  tgmap::file_sink file(path);  // creates or empties the file
  tgmap::writer out(file);
  for (const int step : {0, 12}) {
    set_step(step);
    out.write(message);
  }
  file.close();  // reports what the destructor could not

  set_step(24);
  tgmap::appender(path).write(message);  // others may have the archive open meanwhile

  for (const tgmap::message& each : tgmap::archive(path)) std::cout << each[0].view<float>()(0, 0) << '\n';
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
