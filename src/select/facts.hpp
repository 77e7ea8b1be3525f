// SPDX-License-Identifier: Apache-2.0
// The properties of an archive and their names; docs/selection.md describes each.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tgmap/query/metadata_key.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

// clang-format off
enum class property : std::uint8_t {
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
  property what;
  bool plain = false;  ///< found without `@` too
};

inline constexpr std::array fact_names{
    fact_name{"dtype", property::dtype, true},
    fact_name{"shape", property::shape, true},
    fact_name{"strides", property::strides, true},
    fact_name{"ndim", property::ndim, true},
    fact_name{"encoding", property::encoding, true},
    fact_name{"filter", property::filter, true},
    fact_name{"compression", property::compression, true},
    fact_name{"byte_order", property::byte_order, true},
    fact_name{"hash", property::hash, true},
    fact_name{"version", property::version, true},
    fact_name{"elements", property::elements},
    fact_name{"decoded", property::decoded},
    fact_name{"masks", property::masks},
    fact_name{"object", property::object},
    fact_name{"payload", property::payload},
    fact_name{"stored", property::stored},
    fact_name{"message", property::message},
    fact_name{"offset", property::offset},
    fact_name{"length", property::length},
    fact_name{"layout", property::layout},
    fact_name{"objects", property::objects},
    fact_name{"streamed", property::streamed},
    fact_name{"incomplete", property::incomplete},
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
