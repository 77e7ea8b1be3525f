// Writes an archive of two messages and then appends a third.
#include <exception>
#include <iostream>
#include <tgmap/archive.hpp>
#include <tgmap/write/appender.hpp>
#include <vector>

tgmap::new_message forecast(int step, const std::vector<float>& temperature) {
  auto field = tgmap::new_object::of(temperature, {4, 5});  // borrows the vector
  field.base = tgmap::cbor_value::map({{"mars", tgmap::cbor_value::map({{"param", "2t"}, {"step", step}})}});
  tgmap::new_message message;
  message.objects.emplace_back(field);
  return message;
}

int main(int argc, char** argv) try {
  const char* const path = argc > 1 ? argv[1] : "forecast.tgm";
  const std::vector<float> temperature(4 * 5, 273.5F);

  tgmap::file_sink file(path);  // a file of this name stays until close()
  tgmap::writer out(file);
  out.write(forecast(0, temperature));
  out.write(forecast(12, temperature));
  file.close();  // reports what the destructor could not

  tgmap::appender(path).write(forecast(24, temperature));  // others may have the archive open meanwhile

  for (const tgmap::message& message : tgmap::archive(path))
    std::cout << "step " << message.base(0).get<int>("mars.step").value_or(-1) << ": " << message[0].payload_size()
              << " bytes\n";
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
