// SPDX-License-Identifier: Apache-2.0
// A first program with the component constant: JSON read, a message made of it, a cell looked up.
#include <cstdio>
#include <tgmap/constant/archive.hpp>
#include <tgmap/constant/read.hpp>
#include <tgmap/constant/write.hpp>
#include <tgmap/write/writer.hpp>

int main() {
  namespace constant = tgmap::constant;
  const auto type = constant::tensor_type::parse("tensor<float>(key{},x[3])");
  const auto table = constant::read_json(R"({"blocks":{"abc":[1,2,3]}})", {.type = type});
  tgmap::memory_sink sink;
  tgmap::writer(sink).write(constant::to_archive(table).message);
  const auto in = tgmap::archive::from_memory(sink.bytes());
  const auto again = constant::from_archive(in, in[0]);
  std::printf("%g %s\n", again.cell({{"key", "abc"}, {"x", 2}}), constant::to_json(again).c_str());
  return 0;
}
