// SPDX-License-Identifier: Apache-2.0
#include "cli/rewrite/digests.hpp"

namespace tgmap::cli {

namespace {

/// Opens its frame, of which another digest is to be taken when it is written.
void without_digest(stored_object& of) {
  open_frame(of);
  of.descriptor.erase("hash");  // version 2: the digest itself; of version 3 it means nothing
}

void list_digests(message_parts& of) {
  of.options.hashes = true;
  if (of.options.hash_list == index_placement::none)
    of.options.hash_list =
        of.options.index == index_placement::footer ? index_placement::footer : index_placement::header;
}

}  // namespace

void add_digests(message_parts& to) {
  list_digests(to);
  for (auto& each : to.content.objects) {
    auto& stored = std::get<stored_object>(each);
    if (stored.source && !stored.source->stored_hash()) open_frame(stored);
  }
}

void renew_digests(message_parts& of, damaged_objects damaged) {
  list_digests(of);
  for (auto& each : of.content.objects) {
    auto& stored = std::get<stored_object>(each);
    if (check_digest(*stored.source, damaged) != hash_result::match) without_digest(stored);
  }
}

void remove_digests(message_parts& of, damaged_objects damaged) {
  of.options.hashes = false;
  of.options.hash_list = index_placement::none;
  for (auto& each : of.content.objects) {
    auto& stored = std::get<stored_object>(each);
    static_cast<void>(check_digest(*stored.source, damaged));
    without_digest(stored);
  }
}

}  // namespace tgmap::cli
