// SPDX-License-Identifier: Apache-2.0
#include "cli/transform/reencoded_object.hpp"

namespace tgmap::cli {

namespace {

std::vector<std::byte> encode_message(const new_object& one, int version, bool hashes) {
  new_message content;
  content.objects.emplace_back(one);
  memory_sink to;
  failure why;
  writer(to, {.version = version,
              .hashes = hashes,
              .index = index_placement::none,
              .hash_list = index_placement::none,
              .provenance = provenance::reproducible()})
      .write(content, why);
  why.message = why.object = std::nullopt;  // the message is internal
  if (why) throw error(why);
  return to.release();
}

}  // namespace

reencoded_object::reencoded_object(const new_object& one, int version, bool hashes)
    : bytes_(encode_message(one, version, hashes)), archive_(archive::from_memory(bytes_)) {}

stored_object reencoded_object::stored() const {
  const message in = archive_[0];
  return stored_object::of(in, 0, in.version());
}

}  // namespace tgmap::cli
