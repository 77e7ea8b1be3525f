// SPDX-License-Identifier: Apache-2.0
// The input is the body of the metadata frame of a message of two objects, once in its header and once in its footer.
// Both have the same content, and every listed key can be found.
#include <cstdint>
#include <support/builder.hpp>
#include <support/survey.hpp>

#include "support/archives.hpp"
#include "support/require.hpp"

using namespace tgmap_fuzz;

namespace {

std::string message_of(std::string_view body, int version, bool footer) {
  tgmap_test::message_spec spec;
  spec.version = version;
  spec.objects = {tgmap_test::bytes_object("one"), tgmap_test::bytes_object("zwei")};
  spec.objects[1].preceder = tgmap_test::cbor::map({tgmap_test::cbor::key("k", tgmap_test::cbor::integer(1))});
  spec.metadata = footer ? tgmap_test::where::footer : tgmap_test::where::header;
  (footer ? spec.footer_metadata : spec.header_metadata) = tgmap_test::bytes(body);
  return tgmap_test::message(spec);
}

std::string text_of(const tgmap::metadata& m, const tgmap::failure& why) {
  if (why) return why.code.message() + "\n";
  std::string out;
  for (const auto& entry : m.entries()) {
    out += entry.key + "=" + tgmap_test::bytes(tgmap_test::view_of(entry.value.bytes())) + "\n";
    const bool plain = !entry.key.empty() && entry.key.find_first_of(".[") == std::string::npos;
    require(!plain || m.find(entry.key), "a listed key can be found");
  }
  return out;
}

std::string all_metadata(const tgmap::message& m) {
  tgmap::failure why;
  auto metadata = m.metadata(why);
  std::string out = "message\n" + text_of(metadata, why);
  metadata = m.provenance(why);
  out += "reserved\n" + text_of(metadata, why);
  for (std::size_t j = 0; j < 2; ++j) {
    metadata = m.base(j, why);
    out += "base\n" + text_of(metadata, why);
    metadata = m[j].metadata(why);
    out += "object\n" + text_of(metadata, why);
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const int version = bytes[0] & 1 ? 2 : 3;
  const std::string_view body(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const std::string header = message_of(body, version, false), footer = message_of(body, version, true);
  const auto one = in_memory(header), other = in_memory(footer);
  require_same(all_metadata(one[0]), all_metadata(other[0]), "metadata is the same in header and footer");
  (void)tgmap_test::survey_of(one);
  return 0;
}
