// SPDX-License-Identifier: Apache-2.0
#include "victims.hpp"

#include <support/samples.hpp>

namespace tgmap_test {

namespace {

object_spec masked() {
  object_spec object = numbers_object("float32", {1.0f, 0.0f, 3.0f});
  object.masks = {{.kind = "nan", .blob = "\x40"}, {.kind = "inf-", .method = "rle", .blob = bytes("\x00\x02\x01", 3)}};
  return object;
}

message_spec rich(int version) {
  message_spec spec;
  spec.version = version;
  spec.objects = {numbers_object("int16", {std::int16_t{1}, std::int16_t{2}}), bytes_object("abc")};
  spec.objects[1].cbor_first = true;
  spec.objects[1].preceder = cbor::map({cbor::key("p", cbor::integer(1))});
  spec.base = {cbor::map({cbor::key("n", cbor::integer(1))}),
               cbor::map({cbor::key("m", cbor::array({cbor::real(0.5), cbor::null()}))})};
  spec.extra = {cbor::key("x", cbor::text("y"))};
  return spec;
}

bytes with(message_spec spec, writing how) {
  spec.writing = how;
  return message(spec);
}

}  // namespace

std::vector<victim> victims() {
  std::vector<victim> out;
  for (const int version : {2, 3}) {
    const std::string v = "version " + std::to_string(version) + ", ";
    out.push_back({v + "one object", numbered(1, version, 8)});
    out.push_back({v + "buffered", message(rich(version))});
    out.push_back({v + "streamed", with(rich(version), writing::streamed)});
    out.push_back({v + "two messages", numbered(0, version, 3) + numbered_stream(1, version, 5)});
    message_spec bare = rich(version);
    bare.hashes = false;
    bare.index = where::none;
    out.push_back({v + "no index, no hashes", message(bare)});
  }
  out.push_back({"backfilled", with(rich(3), writing::backfilled)});
  message_spec spec;
  spec.objects = {masked()};
  out.push_back({"masks", message(spec)});
  out.push_back({"three versions", version_1_message({"a", "bc"}) + numbered(1, 2, 3) + numbered(2, 3, 3)});
  return out;
}

}  // namespace tgmap_test
