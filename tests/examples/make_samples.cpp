// SPDX-License-Identifier: Apache-2.0
// Writes the archives that the examples read: `large.tgm` with 60,000 messages and `forecast.tgm` with six.
// usage: make_samples FOLDER
#include <array>
#include <filesystem>
#include <tgmap/write/writer.hpp>
#include <vector>

namespace {

using tgmap::cbor_value;

cbor_value keys(const char* param, int step) {
  return cbor_value::map({{"mars", cbor_value::map({{"param", param}, {"step", step}})}});
}

void make_large(const std::filesystem::path& path) {
  tgmap::file_sink file(path);
  tgmap::write_options options{.hashes = false, .index = tgmap::index_placement::none};
  options.provenance = tgmap::provenance::reproducible();
  options.provenance.encoder_version = "1";  // offsets are the same for every version of the library
  tgmap::writer out(file, options);
  const std::array<float, 1> element{1};
  tgmap::new_message message;
  for (int step = 0; step < 60'000; ++step) {
    auto field = tgmap::new_object::of(element);
    field.base = keys("2t", step);
    message.objects.assign({field});
    out.write(message);
  }
  file.close();
}

void make_forecast(const std::filesystem::path& path) {
  tgmap::file_sink file(path);
  tgmap::writer out(file);
  for (const int step : {0, 12, 24})
    for (const char* const param : {"2t", "msl"}) {
      std::vector<float> numbers(4 * 5);
      for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<float>(i) + 100 * static_cast<float>(step);
      const std::vector<double> levels(numbers.begin(), numbers.end());
      auto field = tgmap::new_object::of(numbers, {4, 5});
      field.base = keys(param, step);
      auto packed = tgmap::new_object::of(levels, {4, 5});
      packed.base = keys("10u", step);
      packed.pipeline.encoding = tgmap::encoding::simple_packing;
      tgmap::new_message message;
      message.objects.assign({field, packed});
      out.write(message);
    }
  file.close();
}

}  // namespace

int main(int, char** argv) {
  const std::filesystem::path folder = argv[1];
  make_large(folder / "large.tgm");
  make_forecast(folder / "forecast.tgm");
}
