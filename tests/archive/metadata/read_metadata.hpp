// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../archive_fixture.hpp"
#include "archive/metadata/metadata_sections.hpp"

namespace tgmap_test {

/// A message whose metadata frame holds `body`, with its sections.
struct loaded_message {
  explicit loaded_message(const bytes& body, int version = 3, unsigned objects = 2,
                          const tgmap::open_options& options = {})
      : in(build(body, version, objects), options) {
    why = inner::find_structure(*in.state, in.message, structure);
    TGMAP_SUCCEEDED(why);
    why = inner::read_sections(*in.state, in.message, structure, inner::object_sink::none, sections);
  }

  static bytes build(const bytes& body, int version, unsigned objects) {
    message_spec spec;
    spec.version = version;
    spec.header_metadata = body;
    for (unsigned i = 0; i < objects; ++i) spec.objects.push_back(bytes_object("payload"));
    return message(spec);
  }

  tgmap::failure entry(std::uint64_t j, tgmap::cbor_view& out) {
    inner::metadata_sections found;
    const tgmap::failure f = inner::read_sections(*in.state, in.message, structure, j, found);
    out = found.entry;
    return f;
  }

  tgmap::cbor_view entry(std::uint64_t j) {
    tgmap::cbor_view out;
    TGMAP_SUCCEEDED(entry(j, out));
    return out;
  }

  one_message in;
  inner::message_structure structure{};
  inner::metadata_sections sections{};
  tgmap::failure why{};
};

inline bytes text_map(std::string_view key, std::string_view item) {
  return cbor::map({cbor::key(key, cbor::text(item))});
}

}  // namespace tgmap_test
