// SPDX-License-Identifier: Apache-2.0
// The facts of an archive and what they are called; docs/where.md tells what each is.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tgmap/keys.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

// clang-format off
enum class fact : std::uint8_t {
  // of an object's descriptor
  dtype, shape, strides, ndim, encoding, filter, compression, byte_order, hash, elements, decoded, masks,
  // of the object
  object, payload, stored,
  // of the message
  message, offset, length, version, layout, objects, streamed, incomplete,
};
// clang-format on

struct fact_name {
  std::string_view name;
  fact what;
  bool plain = false;  ///< found without `@` too
};

inline constexpr std::array fact_names{
    fact_name{"dtype", fact::dtype, true},
    fact_name{"shape", fact::shape, true},
    fact_name{"strides", fact::strides, true},
    fact_name{"ndim", fact::ndim, true},
    fact_name{"encoding", fact::encoding, true},
    fact_name{"filter", fact::filter, true},
    fact_name{"compression", fact::compression, true},
    fact_name{"byte_order", fact::byte_order, true},
    fact_name{"hash", fact::hash, true},
    fact_name{"version", fact::version, true},
    fact_name{"elements", fact::elements},
    fact_name{"decoded", fact::decoded},
    fact_name{"masks", fact::masks},
    fact_name{"object", fact::object},
    fact_name{"payload", fact::payload},
    fact_name{"stored", fact::stored},
    fact_name{"message", fact::message},
    fact_name{"offset", fact::offset},
    fact_name{"length", fact::length},
    fact_name{"layout", fact::layout},
    fact_name{"objects", fact::objects},
    fact_name{"streamed", fact::streamed},
    fact_name{"incomplete", fact::incomplete},
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
