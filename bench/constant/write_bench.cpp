// SPDX-License-Identifier: Apache-2.0
// Writing a matrix as JSON, compared to a loop of std::to_chars; reading typed binary, compared to memcpy.
#include <tgmap/constant/builder.hpp>
#include <tgmap/constant/read.hpp>
#include <tgmap/constant/write.hpp>

#include <charconv>
#include <cstring>
#include <memory>
#include <random>

#include "floors/huge_pages.hpp"
#include "operations/operations.hpp"

namespace tgmap_bench {

namespace {

namespace constant = tgmap::constant;

/// A sink that discards everything.
class counting_sink final : public tgmap::sink {
 public:
  using sink::write;
  tgmap::failure write(std::span<const std::span<const std::byte>> pieces) noexcept override {
    for (const auto piece : pieces) bytes += piece.size();
    return {};
  }
  std::uint64_t bytes = 0;
};

/// A matrix of 3052 x 3052 weights, or a tenth of it.
template <class Cell>
constant::tensor_constant weights(const archives& files, const char* cells) {
  const std::string rows = files.quick() ? "305" : "3052";
  constant::builder make(constant::tensor_type::parse(std::string("tensor<") + cells + ">(x[" + rows + "],y[3052])"));
  std::mt19937 chance(1);
  std::normal_distribution<double> values(0, 0.05);
  const auto bytes = make.cells(0);
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Cell)) {
    const auto value = static_cast<Cell>(values(chance));
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
  return make.finish();
}

/// Writes numbers and commas to a buffer, which is reused from its start when it is full.
template <class Cell>
void spell_bare(const constant::tensor_constant& constant) {
  constexpr std::size_t room = std::size_t{1} << 18, most = 32;
  static const auto buffer = std::make_unique<char[]>(room);
  const auto* const cells = reinterpret_cast<const Cell*>(constant.bytes().data());
  char *to = buffer.get(), *const last = buffer.get() + room - most;
  for (std::size_t i = 0; i < constant.size(); ++i) {
    if (to > last) to = buffer.get();
    to = std::to_chars(to, to + most - 1, cells[i]).ptr;
    *to++ = ',';
  }
  expect(to > buffer.get(), "nothing was written");
}

template <class Cell>
row write_row(const archives& files, const char* name, const char* cells, constant::write_options options) {
  return {.name = name,
          .unit = "cell",
          .prepare =
              [&files, cells, options] {
                const auto from = std::make_shared<constant::tensor_constant>(weights<Cell>(files, cells));
                return contest{.units = static_cast<double>(from->size()),
                               .operation =
                                   [from, options] {
                                     counting_sink to;
                                     write_json(*from, options, to);
                                     expect(to.bytes > from->size() * 2, "too little was written");
                                   },
                               .floors = {{.name = "std::to_chars", .run = [from] { spell_bare<Cell>(*from); }}}};
              },
          .rounds = 9};
}

struct typed_binary {
  constant::tensor_constant made;
  std::vector<std::byte> bytes;

  explicit typed_binary(const archives& files) : made(weights<float>(files, "float")) {
    tgmap::memory_sink sink;
    write_typed_binary(made, {}, sink);
    bytes = sink.release();
  }
  void copy_into(std::byte* to) const {
    std::memcpy(to, bytes.data(), bytes.size());
    expect(to[bytes.size() - 1] == bytes.back(), "memcpy did not copy");
  }
};

/// Copies to new memory each time, as reading does.
row tbf_read(const archives& files) {
  return {.name = "constant/tbf_read", .unit = "file", .prepare = [&files] {
            const auto in = std::make_shared<typed_binary>(files);
            return contest{
                .operation =
                    [in] {
                      const auto read = constant::read_typed_binary(in->bytes);
                      expect(read.size() == in->made.size(), "not all was read");
                    },
                .floors = {{.name = "memcpy, huge pages",
                            .run = [in] { in->copy_into(huge_pages(in->bytes.size()).bytes().data()); }},
                           {.name = "memcpy, new memory", .run = [in] {
                              in->copy_into(std::make_unique_for_overwrite<std::byte[]>(in->bytes.size()).get());
                            }}}};
          }};
}

row tbf_write(const archives& files) {
  return {.name = "constant/tbf_write", .unit = "file", .prepare = [&files] {
            const auto in = std::make_shared<typed_binary>(files);
            const auto output = std::make_shared<std::vector<std::byte>>(in->bytes.size());
            return contest{.operation =
                               [in] {
                                 counting_sink to;
                                 write_typed_binary(in->made, {}, to);
                                 expect(to.bytes == in->bytes.size(), "not all was written");
                               },
                           .floors = {{.name = "memcpy", .run = [in, output] { in->copy_into(output->data()); }}}};
          }};
}

}  // namespace

void add_constant_write_rows(std::vector<row>& rows, const archives& files) {
  using constant::form;
  using constant::number_style;
  rows.push_back(write_row<float>(files, "constant/write_float", "float", {}));
  rows.push_back(write_row<double>(files, "constant/write_double", "double", {}));
  rows.push_back(write_row<float>(files, "constant/write_upstream", "float", {.style = number_style::upstream}));
  rows.push_back(write_row<float>(files, "constant/write_long", "float", {.form = form::long_form}));
  rows.push_back(tbf_read(files));
  rows.push_back(tbf_write(files));
}

}  // namespace tgmap_bench
