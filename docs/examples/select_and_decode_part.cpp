// Selects objects by their metadata and decodes a box of each.
#include <exception>
#include <iostream>
#include <tgmap/archive.hpp>
#include <tgmap/query/selection.hpp>

int main(int argc, char** argv) try {
  const tgmap::archive data(argc > 1 ? argv[1] : "forecast.tgm");
  const tgmap::selection wanted(argc > 2 ? argv[2] : "mars.param=2t/10u and mars.step<=12");

  for (const tgmap::selected_object& found : data.objects(wanted)) {
    const tgmap::tensor box = found.object.decode_slab({{1, 0}, {2, 3}});  // rows 1 and 2, columns 0 to 2
    std::cout << "message " << found.message_index << ", object " << found.index << ':';
    box.visit([](const auto& view) {
      if constexpr (requires { std::cout << view.data()[0]; })
        for (const auto each : view.values()) std::cout << ' ' << each;
    });
    std::cout << '\n';
  }
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
