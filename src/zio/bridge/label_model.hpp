// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <tgmap/metadata.hpp>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/zio/message.hpp>
#include <vector>

#include "zio/message/tens_dtype.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

/// The key in `metadata` of TENS for properties that only Tensogram has.
inline constexpr std::string_view tensogram_key = "tensogram";

/// The key in the metadata of an archive for properties that only ZIO has.
inline constexpr std::string_view zio_key = "zio";

/// An `object_model` is the description of one object.
struct object_model {
  tens_dtype elements{};                ///< of the bytes in the message
  std::vector<std::uint64_t> shape{};   ///< of these elements
  std::vector<metadata::entry> base{};  ///< metadata of the object
  cbor_value descriptor_extra = cbor_value::map();
  std::string type = "ntensor";
  std::string dtype{};                         ///< the true dtype, if TENS has none
  std::vector<std::uint64_t> bitmask_shape{};  ///< of a bitmask
  std::optional<cbor_value> descriptor{};      ///< of an object that is sent encoded
};

/// A `label_model` is the description of a message of an archive that its TENS label carries.
///
/// Lifetime: entries borrow from the archive or the label that they were read from.
struct label_model {
  std::vector<metadata::entry> extra{};
  std::vector<metadata::entry> provenance{};
  std::vector<object_model> objects{};

  void clear() noexcept {
    extra.clear();
    provenance.clear();
    objects.clear();
  }
};

/// Writes the label. Equal models have equal labels, byte for byte.
/// Errors: those of `encode_json`, thrown; std::bad_alloc.
void format_label(const label_model&, std::string& into);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
