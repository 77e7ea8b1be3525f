// SPDX-License-Identifier: Apache-2.0
#include "cpp/writing/message_options.hpp"

#include <bit>

namespace tgmap_python {

tgmap::write_options take_message_options(keywords& from) {
  using tgmap::index_placement;
  const auto take_place = [&](const char* name, index_placement& out) {
    using enum index_placement;
    from.take<index_placement>(name, {none, header, footer, both}, out);
  };
  tgmap::write_options out;
  from.take("version", out.version);
  if (out.version != 2 && out.version != 3) throw nb::value_error("version must be 2 or 3");
  from.take("hashes", out.hashes);
  take_place("index", out.index);
  take_place("hash_list", out.hash_list);
  from.take("alignment", out.payload_alignment);
  if (!std::has_single_bit(out.payload_alignment) || out.payload_alignment < 8 || out.payload_alignment > 4096)
    throw nb::value_error("alignment must be a power of two from 8 to 4096");
  bool is_reproducible = false;
  from.take("reproducible", is_reproducible);
  if (is_reproducible) out.provenance = tgmap::provenance::reproducible();
  from.take("encoder", out.provenance.encoder);
  from.take("encoder_version", out.provenance.encoder_version);
  from.take("time", out.provenance.time);
  from.take("uuid", out.provenance.uuid);
  return out;
}

void require_none(const keywords& options) {
  const std::string name = options.first();
  if (!name.empty()) throw nb::type_error(("unexpected keyword argument '" + name + "'").c_str());
}

}  // namespace tgmap_python
