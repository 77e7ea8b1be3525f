// SPDX-License-Identifier: Apache-2.0
// Properties of an archive and their names. docs/selection.md describes each.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tgmap {
inline namespace v0 {
namespace detail {

// clang-format off
enum class property : std::uint8_t {
  // of an object's descriptor
  dtype, shape, strides, ndim, encoding, filter, compression, byte_order, hash, elements, decoded, masks, kind,
  // of the object
  object, payload, stored,
  // of the message
  message, offset, length, version, index_location, objects, streamed, incomplete,
};
// clang-format on

/// Returns whether a property is one of the descriptor of an object.
constexpr bool is_of_descriptor(property wanted) noexcept {
  return wanted <= property::kind && wanted != property::hash;
}

struct property_name {
  std::string_view name;
  detail::property property;
  bool found_without_at = false;  ///< also found as `name`, if metadata has no such key
};

inline constexpr std::array property_names{
    property_name{"dtype", property::dtype, true},
    property_name{"shape", property::shape, true},
    property_name{"strides", property::strides, true},
    property_name{"ndim", property::ndim, true},
    property_name{"encoding", property::encoding, true},
    property_name{"filter", property::filter, true},
    property_name{"compression", property::compression, true},
    property_name{"byte_order", property::byte_order, true},
    property_name{"hash", property::hash, true},
    property_name{"version", property::version, true},
    property_name{"elements", property::elements},
    property_name{"decoded", property::decoded},
    property_name{"masks", property::masks},
    property_name{"kind", property::kind},
    property_name{"object", property::object},
    property_name{"payload", property::payload},
    property_name{"stored", property::stored},
    property_name{"message", property::message},
    property_name{"offset", property::offset},
    property_name{"length", property::length},
    property_name{"index_location", property::index_location},
    property_name{"objects", property::objects},
    property_name{"streamed", property::streamed},
    property_name{"incomplete", property::incomplete},
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
