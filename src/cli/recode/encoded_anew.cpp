// SPDX-License-Identifier: Apache-2.0
#include "cli/recode/encoded_anew.hpp"

namespace tgmap::cli {

namespace {

std::vector<std::byte> bytes_of_message(const new_object& one, int version, bool hashes) {
  new_message what;
  what.objects.emplace_back(one);
  memory_sink to;
  failure why;
  writer(to, {.version = version,
              .hashes = hashes,
              .index = index_placement::none,
              .hash_list = index_placement::none,
              .provenance = provenance::reproducible()})
      .write(what, why);
  why.message = why.object = std::nullopt;  // places in a message that nobody knows
  if (why) throw error(why);
  return to.release();
}

}  // namespace

encoded_anew::encoded_anew(const new_object& one, int version, bool hashes)
    : bytes_(bytes_of_message(one, version, hashes)), from_(archive::from_memory(bytes_)) {}

stored_object encoded_anew::stored() const {
  const message in = from_[0];
  return stored_object::of(in, 0, in.version());
}

}  // namespace tgmap::cli
