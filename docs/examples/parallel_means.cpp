// Prints the mean of every object, decoded on four threads.
#include <cmath>
#include <exception>
#include <iostream>
#include <tgmap/archive.hpp>
#include <tgmap/decode/decode_many.hpp>
#include <tgmap/decode/executor.hpp>
#include <type_traits>
#include <vector>

double mean(const auto& view) {
  using number = typename std::decay_t<decltype(view)>::value_type;
  double sum = 0;
  if constexpr (std::is_arithmetic_v<number>)
    for (const number each : view.values()) sum += static_cast<double>(each);
  else
    sum = std::nan("");  // complex and half-precision elements
  return sum / static_cast<double>(view.size());
}

int main(int argc, char** argv) try {
  const tgmap::archive data(argc > 1 ? argv[1] : "forecast.tgm");
  std::vector<tgmap::object> objects;
  for (const tgmap::message& message : data)
    for (const tgmap::object& object : message) objects.push_back(object);

  const auto print = [](std::size_t i, const tgmap::tensor& field, const tgmap::failure& why) {  // in order
    if (why)
      std::cout << i << ": " << why.text() << '\n';
    else
      std::cout << i << ": " << field.visit([](const auto& view) { return mean(view); }) << '\n';
    return true;  // go on
  };
  const auto threads = tgmap::make_executor(4);
  tgmap::decode_each(objects, print,
                     {.decode = {.executor = threads.get()}, .failures = tgmap::on_failure::keep_going});
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
