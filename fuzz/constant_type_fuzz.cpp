// SPDX-License-Identifier: Apache-2.0
// Parses any text as a type. The result is an error within the text, or a type whose canonical text is parsed as
// itself.
#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/constant/type.hpp>
#include <tgmap/constant/write.hpp>

#include "support/require.hpp"

using tgmap::failure;
using tgmap_fuzz::require;
namespace constant = tgmap::constant;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  failure why;
  const constant::tensor_type type = constant::tensor_type::parse(text, why);
  if (why) {
    require(why.offset <= size, "the error is within the text");
    require(type == constant::tensor_type(), "no type after an error");
    return 0;
  }
  const std::string canonical = type.text();
  failure again;
  require(constant::tensor_type::parse(canonical, again) == type && !again,
          "the canonical text is parsed as the same type");
  require(constant::tensor_type::parse(canonical).text() == canonical, "the canonical text is stable");
  require(type.mapped_count() + type.indexed_count() == type.dimensions().size(), "a dimension is mapped or indexed");

  const constant::tensor_constant sample = constant::make_sample(type, 1000, why);
  require(static_cast<bool>(why) == (type.block_cells() * (type.mapped_count() + 1) > 1000),
          "only small types have samples");
  if (!why) require(!constant::to_json(sample).empty(), "a sample can be written");
  return 0;
}
