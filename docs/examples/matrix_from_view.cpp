// Gives an object to code that takes a matrix as data, rows, columns and strides, without a copy.
#include <cstddef>
#include <exception>
#include <iostream>
#include <tgmap/archive.hpp>

// Takes what Eigen::Map<const Matrix, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>> or BLAS would take.
template <class T>
void print_row_sums(const T* data, std::ptrdiff_t rows, std::ptrdiff_t columns, std::ptrdiff_t row_stride,
                    std::ptrdiff_t column_stride) {
  for (std::ptrdiff_t i = 0; i < rows; ++i) {
    T sum = 0;
    for (std::ptrdiff_t j = 0; j < columns; ++j) sum += data[i * row_stride + j * column_stride];
    std::cout << "row " << i << ": " << sum << '\n';
  }
}

int main(int argc, char** argv) try {
  const tgmap::archive data(argc > 1 ? argv[1] : "forecast.tgm");
  const auto field = data[0][0].view<float>();  // C order, Fortran order: strides say which
  print_row_sums(field.data(), static_cast<std::ptrdiff_t>(field.shape()[0]),
                 static_cast<std::ptrdiff_t>(field.shape()[1]), field.strides()[0], field.strides()[1]);
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
