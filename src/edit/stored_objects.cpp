// SPDX-License-Identifier: Apache-2.0
#include "edit/stored_objects.hpp"

#include <tgmap/error.hpp>
#include <tgmap/write/sink.hpp>
#include <tgmap/write/writer.hpp>

namespace tgmap::edit {

hash_result check_hash(const object& of, on_mismatch rule, std::vector<failure>& damage) {
  failure why;
  std::uint64_t found = 0;
  const hash_result out = of.verify(found, why);
  if (why) throw error(why);
  if (out != hash_result::mismatch) return out;
  why = {.code = errc::hash_mismatch,
         .offset = of.frame().offset(),
         .expected = of.stored_hash().value_or(0),
         .found = found,
         .message = of.frame().message().index(),
         .object = of.index()};
  if (rule == on_mismatch::refuse) throw error(why);
  damage.push_back(why);
  return out;
}

void unpack_frame(stored_object& of) {
  if (!of.source) return;
  const object from = *of.source;
  of.descriptor = cbor_value::copy(from.descriptor().entries);
  of.payload_and_masks = from.payload_and_masks();
  of.source.reset();
}

namespace {

/// Removes the stored hash of an object, whose frame is then written again.
void drop_hash(stored_object& of) {
  unpack_frame(of);
  of.descriptor.erase("hash");  // holds the hash in version 2; has no meaning in version 3
}

void request_hash_list(stored_message& of) {
  of.options.hashes = true;
  if (of.options.hash_list == index_placement::none)
    of.options.hash_list =
        of.options.index == index_placement::footer ? index_placement::footer : index_placement::header;
}

}  // namespace

void add_hashes(stored_message& to) {
  request_hash_list(to);
  for (auto& each : to.content.objects) {
    auto& stored = std::get<stored_object>(each);
    if (stored.source && !stored.source->stored_hash()) unpack_frame(stored);
  }
}

void renew_hashes(stored_message& of, on_mismatch rule) {
  request_hash_list(of);
  for (auto& each : of.content.objects) {
    auto& stored = std::get<stored_object>(each);
    if (check_hash(*stored.source, rule, of.mismatches) != hash_result::match) drop_hash(stored);
  }
}

void remove_hashes(stored_message& of, on_mismatch rule) {
  of.options.hashes = false;
  of.options.hash_list = index_placement::none;
  for (auto& each : of.content.objects) {
    auto& stored = std::get<stored_object>(each);
    static_cast<void>(check_hash(*stored.source, rule, of.mismatches));
    drop_hash(stored);
  }
}

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

}  // namespace tgmap::edit
