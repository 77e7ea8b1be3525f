// SPDX-License-Identifier: Apache-2.0
// Opening a constant in an archive, from the file name to one cell.
#include <tgmap/constant/archive.hpp>
#include <tgmap/constant/builder.hpp>

#include <cstring>
#include <fstream>
#include <memory>

#include "operations/operations.hpp"

namespace tgmap_bench {

namespace {

namespace constant = tgmap::constant;

/// A file with an archive of one constant.
struct stored_table {
  std::filesystem::path path;

  stored_table(const archives& files, const char* name, const constant::tensor_constant& constant)
      : path(files.directory() / name) {
    const auto bytes = tgmap::to_bytes(constant::to_archive(constant).message);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  ~stored_table() { std::filesystem::remove(path); }
};

constant::tensor_constant matrix() {
  constant::builder make(constant::tensor_type::parse("tensor<float>(x[3052],y[3052])"));
  const float value = 2.5;
  std::memcpy(make.cells(0).last(sizeof value).data(), &value, sizeof value);
  return make.finish();
}

constant::tensor_constant table() {
  constant::builder make(constant::tensor_type::parse("tensor<float>(key{})"));
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    const std::string label = "label_" + std::to_string(i);
    const std::string_view one = label;
    make.find_or_add({&one, 1});
  }
  return make.finish();
}

row open_row(const archives& files, const char* name, constant::tensor_constant (*make)(),
             std::initializer_list<constant::address_part> at, double expected) {
  const std::vector<constant::address_part> where(at);
  return {.name = name, .unit = "cell", .prepare = [&files, make, where, expected] {
            const auto in = std::make_shared<stored_table>(files, "constant.tgm", make());
            return contest{.units = 1, .operation = [in, where, expected] {
                             const tgmap::archive archive(in->path);
                             expect(constant::from_archive(archive, archive[0]).cell(where) == expected,
                                    "another cell");
                           }};
          }};
}

}  // namespace

void add_constant_open_rows(std::vector<row>& out, const archives& files) {
  out.push_back(open_row(files, "constant/open_dense", matrix, {{"x", 3051}, {"y", 3051}}, 2.5));
  out.push_back(open_row(files, "constant/open_mapped", table, {{"key", "label_777777"}}, 0));
}

}  // namespace tgmap_bench
