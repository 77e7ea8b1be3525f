// Uses no exceptions: every call that can fail fills a failure, so -fno-exceptions -fno-rtti will do.
#include <cstddef>
#include <cstdio>
#include <tgmap/archive.hpp>

tgmap::failure print_first_object(const tgmap::message& message) {
  tgmap::failure why;
  const tgmap::object object = message.at(0, why);
  if (why) return why;
  const tgmap::tensor field = object.decode_as<double>(why);
  if (why) return why;
  const auto view = field.view<double>(why);
  if (!why && view.size() != 0) std::printf("%zu elements, the first is %g\n", view.size(), *view.data());
  return why;
}

int main(int argc, char** argv) {
  tgmap::failure why;
  const tgmap::archive data = tgmap::archive::open(argc > 1 ? argv[1] : "forecast.tgm", why);
  for (std::size_t i = 0; !why; ++i) {
    const tgmap::message message = data.at(i, why);
    if (why.code == tgmap::errc::out_of_range) return 0;  // that was the last message
    if (!why) why = print_first_object(message);
  }
  std::fprintf(stderr, "%s\n", why.text().c_str());
  return 1;
}
