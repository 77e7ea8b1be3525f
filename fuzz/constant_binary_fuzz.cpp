// SPDX-License-Identifier: Apache-2.0 Reads any bytes as typed binary. The result is either a list of problems with
// positions, or a constant that can be written as binary and as JSON, and read again. The first byte selects options.
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <tgmap/constant/read.hpp>
#include <tgmap/constant/write.hpp>
#include <vector>

#include "support/require.hpp"

using tgmap::failure;
using tgmap_fuzz::require;
namespace constant = tgmap::constant;

namespace {

std::vector<std::byte> written(const constant::tensor_constant& from, constant::block_order order) {
  tgmap::memory_sink sink;
  write_typed_binary(from, {.order = order}, sink);
  return sink.release();
}

void require_same(const constant::tensor_constant& one, const constant::tensor_constant& other) {
  require(one.type() == other.type() && one.blocks() == other.blocks(), "the same type and size");
  require(std::ranges::equal(one.bytes(), other.bytes()), "the same cells");
  for (std::uint64_t block = 0; block < one.blocks(); ++block)
    for (std::size_t i = 0; i < one.type().mapped_count(); ++i)
      require(one.label(block, i) == other.label(block, i), "the same labels");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::uint8_t how = size == 0 ? 0 : data[0];
  const auto bytes = std::as_bytes(std::span(data, size)).subspan(size == 0 ? 0 : 1);
  constant::read_options options{.allow_empty_labels = (how & 1) != 0, .max_problems = how & 2 ? std::size_t{100} : 1};
  constant::report report;
  const constant::tensor_constant tensor = read_typed_binary(bytes, options, report);
  if (report) {
    require(report.problems.size() <= options.max_problems, "at most the requested number of problems");
    for (const constant::problem& each : report.problems) {
      require(each.cause.offset <= bytes.size() && !each.text().empty(), "a problem has a place and a text");
      require(each.cause.code.category() != std::system_category(), "a problem is not a system error");
    }
    require(tensor.blocks() == 0, "no constant if there are problems");
    return 0;
  }
  require(!report.has_more && report.problems.empty() && report.warnings.empty(), "the report is empty");
  require(!tensor.validate(), "each block is found by its labels");

  const auto again = written(tensor, constant::block_order::as_stored);
  options.type = tensor.type();
  const constant::tensor_constant other = read_typed_binary(again, options, report);
  require(!report, "a written constant can be read");
  require_same(tensor, other);
  require(written(other, constant::block_order::as_stored) == again, "it is written the same again");
  const auto sorted = written(tensor, constant::block_order::sorted);
  require(sorted.size() == again.size() && written(read_typed_binary(sorted, options), {}) == sorted,
          "sorted output can be read");

  const auto form = static_cast<constant::form>(how >> 2 & 7);
  const auto style = how & 0x40 ? constant::number_style::upstream : constant::number_style::shortest;
  require(nlohmann::json::accept(to_json(tensor, {.form = form, .style = style})), "the text is JSON");
  return 0;
}
