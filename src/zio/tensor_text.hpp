// SPDX-License-Identifier: Apache-2.0
// One tensor of a label as text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/write/cbor_value.hpp>

#include "zio/label_text.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

struct tensor_words {
  std::string_view kind;
  std::uint64_t word;
  std::uint64_t part;
  std::span<const std::uint64_t> shape;
};

/// {"dtype":…,"metadata":…,"part":…,"shape":[…],"word":…}; without metadata where it is null.
inline void append_tensor(std::string& out, const tensor_words& t, const cbor_value& metadata) {
  out += R"({"dtype":)";
  append_quoted(out, t.kind);
  if (metadata.kind() != cbor_kind::null) {
    out += R"(,"metadata":)";
    append_json(out, metadata.view());
  }
  out += R"(,"part":)";
  append_number(out, t.part);
  out += R"(,"shape":[)";
  for (std::size_t d = 0; d < t.shape.size(); ++d) {
    if (d != 0) out += ',';
    append_number(out, t.shape[d]);
  }
  out += R"(],"word":)";
  append_number(out, t.word);
  out += '}';
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
