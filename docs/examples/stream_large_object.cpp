// Writes an object row by row, so that it may be larger than memory.
#include <cstddef>
#include <exception>
#include <iostream>
#include <tgmap/archive.hpp>
#include <tgmap/write/stream_writer.hpp>
#include <vector>

int main(int argc, char** argv) try {
  const char* const path = argc > 1 ? argv[1] : "streamed.tgm";
  constexpr std::size_t rows = 1000, columns = 2000;

  tgmap::new_object field;  // without data
  field.dtype = tgmap::dtype::float64;
  field.shape = {rows, columns};

  tgmap::file_sink file(path);
  tgmap::stream_writer out(file);
  out.begin_object(field);
  std::vector<double> row(columns);
  for (std::size_t i = 0; i < rows; ++i) {
    row[0] = static_cast<double>(i);
    out.append_elements(row);
  }
  out.end_object();
  out.finish();
  file.close();

  const tgmap::archive data(path);
  const auto view = data[0][0].view<double>();
  std::cout << view.size() << " elements, the first of the last row is " << view(rows - 1, 0) << '\n';
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
