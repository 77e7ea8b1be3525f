// SPDX-License-Identifier: Apache-2.0
// A message of an archive as its label describes it: what both ways between the two have in common.
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

#include "zio/word.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

/// The key of a message's `metadata` in TENS that holds what is Tensogram's.
inline constexpr std::string_view tensogram_key = "tensogram";

/// The key of metadata in an archive that holds what is ZIO's.
inline constexpr std::string_view zio_key = "zio";

/// One object.
struct described_object {
  word_kind words{};                    ///< as which its elements travel
  std::vector<std::uint64_t> shape{};   ///< of the words
  std::vector<metadata::entry> base{};  ///< its own keys
  cbor_value more = cbor_value::map();  ///< keys of its descriptor that are nobody else's
  std::string type = "ntensor";
  std::string dtype{};                      ///< where the words do not say it
  std::vector<std::uint64_t> true_shape{};  ///< of bits
  std::optional<cbor_value> descriptor{};   ///< it travels as it is stored
};

/// Messages as both know them. Values borrow from where they lie.
struct described_message {
  std::vector<metadata::entry> extra{};
  std::vector<metadata::entry> provenance{};
  std::vector<described_object> objects{};

  void clear() noexcept {
    extra.clear();
    provenance.clear();
    objects.clear();
  }
};

/// The label: the same for the same description. Throws error, std::bad_alloc.
void write_described(const described_message&, std::string& into);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
