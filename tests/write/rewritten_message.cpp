// SPDX-License-Identifier: Apache-2.0
#include "write/rewritten_message.hpp"

#include <algorithm>
#include <string>

namespace tgmap_test {

namespace {

std::string text_at(const tgmap::metadata& metadata, std::string_view path) {
  const auto found = metadata.find(path);
  return found ? found->text() : std::string();
}

tgmap::cbor_value extra_of(const tgmap::message& message) {
  const auto keys = message.metadata();
  std::vector<tgmap::cbor_value::pair> pairs;
  const auto entries = keys.entries();
  for (const auto& entry : entries) pairs.emplace_back(entry.key, tgmap::cbor_value::copy(entry.value));
  return tgmap::cbor_value::map(pairs);
}

/// Returns the keys of objects in the header metadata of a stream.
std::vector<tgmap::cbor_value> ahead_of(const tgmap::message& message) {
  std::vector<tgmap::cbor_value> out;
  for (const tgmap::frame& f : message.frames()) {
    if (f.type() != tgmap::frame_type::header_metadata) continue;
    if (const auto base = tgmap::cbor_view(f.body()).find("base"))
      base->visit([&](std::uint64_t, tgmap::cbor_view entry) {
        out.push_back(tgmap::cbor_value::copy(entry));
        return true;
      });
  }
  return out;
}

rewritten_message begin(const tgmap::message& message) {
  rewritten_message out;
  out.options = options_of(message);
  out.message.extra = extra_of(message);
  bool footer_metadata = false;
  for (const tgmap::frame& f : message.frames()) footer_metadata |= f.type() == tgmap::frame_type::footer_metadata;
  out.streamed = footer_metadata;
  out.backfilled = footer_metadata && !message.is_streamed();
  if (footer_metadata) out.ahead = ahead_of(message);
  return out;
}

}  // namespace

tgmap::write_options options_of(const tgmap::message& message) {
  tgmap::write_options out{
      .version = message.version(), .index = tgmap::index_placement::none, .hash_list = tgmap::index_placement::none};
  for (const tgmap::frame& f : message.frames()) {
    switch (f.type()) {
      case tgmap::frame_type::header_index: out.index = tgmap::index_placement::header; break;
      case tgmap::frame_type::footer_index: out.index = tgmap::index_placement::footer; break;
      case tgmap::frame_type::header_hash: out.hash_list = tgmap::index_placement::header; break;
      case tgmap::frame_type::footer_hash: out.hash_list = tgmap::index_placement::footer; break;
      default: break;
    }
  }
  out.hashes = out.version == 2 ? out.hash_list != tgmap::index_placement::none : (message.flags() & 0x80) != 0;
  const auto reserved = message.provenance();
  out.provenance.encoder = text_at(reserved, "encoder.name");
  out.provenance.encoder_version = text_at(reserved, "encoder.version");
  out.provenance.time = text_at(reserved, "time");
  out.provenance.uuid = text_at(reserved, "uuid");
  return out;
}

rewritten_message with_stored_objects(const tgmap::message& message) {
  rewritten_message out = begin(message);
  for (std::size_t j = 0; j < message.size(); ++j)
    out.message.objects.emplace_back(tgmap::stored_object::of(message, j, message.version()));
  return out;
}

rewritten_message with_decoded_objects(const tgmap::message& message, std::optional<std::size_t> only) {
  rewritten_message out = begin(message);
  const std::size_t first = only.value_or(0), last = only ? *only + 1 : message.size();
  out.tensors.reserve(last - first);
  for (std::size_t j = first; j < last; ++j) {
    const tgmap::object o = message[j];
    const tgmap::descriptor stored = o.descriptor();
    out.tensors.push_back(o.decode({.strides = tgmap::stride_policy::ignore}));
    auto encoded = tgmap::new_object::like(out.tensors.back(), stored);
    encoded.dtype = stored.dtype;
    encoded.base = tgmap::stored_object::of(message, j, message.version()).base;
    out.message.objects.emplace_back(std::move(encoded));
  }
  return out;
}

std::vector<std::byte> write(const rewritten_message& what) {
  if (!what.streamed) return tgmap::to_bytes(what.message, what.options);
  tgmap::memory_sink sink;
  tgmap::stream_writer out(sink, what.message.extra, what.options, what.ahead);
  for (const auto& each : what.message.objects) std::visit([&](const auto& one) { out.write(one); }, each);
  out.finish(what.backfilled);
  return sink.release();
}

std::string validation_findings(const tgmap::archive& archive) {
  struct collecting final : tgmap::validation_visitor {
    void unclaimed_bytes(const tgmap::finding& f) override { text += f.text + "\n"; }
    void message(const tgmap::message_report& m) override {
      for (const auto& f : m.findings) text += std::string(to_string_view(f.code)) + ": " + f.text + "\n";
    }
    std::string text;
  } all;
  const auto result =
      tgmap::validate(archive, {.mode = tgmap::validation_mode::full, .check_canonical = true, .threads = 1}, all);
  if (!result.is_sound() && all.text.empty()) all.text = "unsound";
  return all.text;
}

}  // namespace tgmap_test
