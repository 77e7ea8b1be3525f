// SPDX-License-Identifier: Apache-2.0
// Reading tensor constants from JSON, compared to simdjson On-Demand that visits the same members.
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <tgmap/constant/read.hpp>
#include <thread>

#include "constant/bare_simdjson.hpp"
#include "constant/constant_texts.hpp"
#include "operations/operations.hpp"
#include "support/heap.hpp"

namespace tgmap_bench {

namespace {

namespace constant = tgmap::constant;

/// A text in memory and in a file.
struct constant_text {
  std::string name;
  std::filesystem::path path;
  padded_text text;
  constant::read_options options;
  double sum = 0;  // uses all values, so that the compiler cannot remove reads

  constant_text(const archives& files, std::string named, const std::string& bytes, const std::string& type)
      : name(std::move(named)), path(files.directory() / (name + ".json")), text(bytes) {
    options.type = constant::tensor_type::parse(type);
    std::ofstream(path, std::ios::binary) << bytes;
  }
  ~constant_text() { std::filesystem::remove(path); }

  void read() const {
    const auto made = constant::read_json({text.data(), text.size()}, options);
    expect(made.size() != 0, "nothing was read");
  }
  void read_mapped() const {
    const auto made = constant::read_file(path, options);
    expect(made.size() != 0, "nothing was read");
  }
};

using make_text = std::function<std::shared_ptr<constant_text>()>;
using bare_loop = double (*)(const padded_text&);

row read_row(const char* name, const make_text& make, const char* floor_name, bare_loop floor, bool from_file = false,
             int rounds = 9) {
  return {.name = name,
          .unit = "text",
          .prepare =
              [=] {
                const auto in = make();
                contest out{.operation = [in, from_file] { from_file ? in->read_mapped() : in->read(); }};
                if (floor != nullptr)
                  out.floors.push_back({.name = floor_name, .run = [in, floor] { in->sum += floor(in->text); }});
                return out;
              },
          .rounds = rounds};
}

/// Returns the peak growth of anonymous memory during a call, by sampling.
double peak_anonymous_growth(const std::function<void()>& what) {
  ::malloc_trim(0);  // returns freed memory to the system
  const std::uint64_t before = anonymous_resident_bytes();
  std::atomic<bool> done{false};
  std::uint64_t peak = before;
  std::thread watch([&] {
    while (!done) {
      peak = std::max(peak, anonymous_resident_bytes());
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
  });
  what();
  peak = std::max(peak, anonymous_resident_bytes());
  done = true;
  watch.join();
  return static_cast<double>(peak - before);
}

/// Measures the anonymous memory for reading a file; `without_cells` subtracts the cells themselves.
row memory_row(const char* name, const make_text& make, bool without_cells) {
  return {.name = name,
          .unit = "text",
          .prepare =
              [=] {
                const auto in = make();
                const auto grown = std::make_shared<double>(0);
                return contest{.operation =
                                   [=] {
                                     double cells = 0;
                                     *grown = peak_anonymous_growth([&] {
                                       const auto made = constant::read_file(in->path, in->options);
                                       cells = without_cells ? static_cast<double>(made.bytes().size()) : 0;
                                     });
                                     *grown = std::max(0.0, *grown - cells);
                                   },
                               .value = [=] { return *grown; }};
              },
          .rounds = 3,
          .value_name = "bytes more"};
}

/// Measures simdjson's index of the whole text, which the reader avoids by using windows.
row index_row(const char* name, const make_text& make) {
  return {.name = name,
          .unit = "text",
          .prepare =
              [=] {
                const auto in = make();
                const auto bytes = std::make_shared<std::uint64_t>(0);
                return contest{.operation = [=] { *bytes = index_bytes(in->text); },
                               .value = [=] { return static_cast<double>(*bytes); }};
              },
          .rounds = 1,
          .value_name = "bytes"};
}

}  // namespace

void add_constant_read_rows(std::vector<row>& rows, const archives& files) {
  const bool quick = files.quick();
  const auto maker = [&files](std::string name, std::function<std::string()> text, std::string type) -> make_text {
    return [&files, name, text, type] { return std::make_shared<constant_text>(files, name, text(), type); };
  };
  const std::uint64_t side = quick ? 960 : 3052, verbose = quick ? 320 : 1000, blocks = quick ? 1000 : 10'000;
  const std::uint64_t labels = quick ? 100'000 : 1'000'000, many = quick ? 600'000 : 6'000'000;
  const auto square = [](std::uint64_t n) {
    return "tensor<float>(x[" + std::to_string(n) + "],y[" + std::to_string(n) + "])";
  };
  const auto nested = maker(
      "nested", [=] { return nested_text(side, side); }, square(side));
  const auto cells = maker(
      "verbose", [=] { return verbose_text(verbose, verbose); }, square(verbose));
  const auto mixed = maker(
      "blocks", [=] { return blocks_text(blocks, 100); }, "tensor<float>(x{},y[100])");
  const auto single = maker(
      "labels", [=] { return labels_text(labels); }, "tensor<float>(x{})");
  const auto large = maker(
      "verbose_labels", [=] { return verbose_labels_text(many); }, "tensor<float>(x{})");

  rows.push_back(read_row("constant/read_nested", nested, "On-Demand", bare_nested));
  rows.push_back(read_row("constant/read_nested_file", nested, "On-Demand", bare_nested, true));
  rows.push_back({.name = "constant/read_nested_threads",
                  .unit = "text",
                  .prepare =
                      [=] {
                        const auto in = nested();
                        const auto threads = std::make_shared<constant::read_options>(in->options);
                        threads->executor = &tgmap::shared_executor();
                        return contest{
                            .operation =
                                [=] {
                                  const auto made = constant::read_json({in->text.data(), in->text.size()}, *threads);
                                  expect(made.size() != 0, "nothing was read");
                                },
                            .floors = {{.name = "one thread", .run = [=] { in->read(); }}}};
                      },
                  .rounds = 9});
  rows.push_back(memory_row("constant/read_nested_memory", nested, true));
  rows.push_back(index_row("constant/index_nested", nested));
  rows.push_back(read_row("constant/read_verbose", cells, "On-Demand", bare_verbose));
  rows.push_back(index_row("constant/index_verbose", cells));
  rows.push_back(read_row("constant/read_blocks", mixed, "On-Demand", bare_blocks));
  rows.push_back(read_row("constant/read_labels", single, "On-Demand and a table", bare_label_table));
  rows.push_back(read_row("constant/read_many", large, "On-Demand", bare_verbose_labels, true, 3));
  rows.push_back(memory_row("constant/read_many_memory", large, false));
}

}  // namespace tgmap_bench
