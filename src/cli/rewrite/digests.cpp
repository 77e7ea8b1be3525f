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
  of.layout.hashes = true;
  if (of.layout.hash_list == placing::none)
    of.layout.hash_list = of.layout.index == placing::footer ? placing::footer : placing::header;
}

}  // namespace

void add_digests(message_parts& to) {
  list_digests(to);
  for (auto& each : to.what.objects) {
    auto& stored = std::get<stored_object>(each);
    if (stored.frame && !stored.frame->stored_hash()) open_frame(stored);
  }
}

void renew_digests(message_parts& of, damaged_objects damaged) {
  list_digests(of);
  for (auto& each : of.what.objects) {
    auto& stored = std::get<stored_object>(each);
    if (check_digest(*stored.frame, damaged) != hash_state::match) without_digest(stored);
  }
}

void remove_digests(message_parts& of, damaged_objects damaged) {
  of.layout.hashes = false;
  of.layout.hash_list = placing::none;
  for (auto& each : of.what.objects) {
    auto& stored = std::get<stored_object>(each);
    static_cast<void>(check_digest(*stored.frame, damaged));
    without_digest(stored);
  }
}

}  // namespace tgmap::cli
