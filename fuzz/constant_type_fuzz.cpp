// SPDX-License-Identifier: Apache-2.0
// Any text as the type of a constant: an error at one of its bytes, or a type whose spelling is read as itself.
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
    require(why.offset <= size, "an error is at a byte of the text");
    require(type == constant::tensor_type(), "there is no type then");
    return 0;
  }
  const std::string spelled = type.text();
  failure again;
  require(constant::tensor_type::parse(spelled, again) == type && !again, "a type is spelled as it is read");
  require(constant::tensor_type::parse(spelled).text() == spelled, "and so again");
  require(type.mapped_count() + type.indexed_count() == type.dimensions().size(), "a dimension is mapped or indexed");

  const constant::tensor_constant sample = constant::make_sample(type, 1000, why);
  require(static_cast<bool>(why) == (type.block_cells() * (type.mapped_count() + 1) > 1000),
          "small types have samples");
  if (!why) require(!constant::to_json(sample).empty(), "which can be written");
  return 0;
}
