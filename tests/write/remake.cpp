// SPDX-License-Identifier: Apache-2.0
#include "remake.hpp"

#include <algorithm>
#include <string>

namespace tgmap_test {

namespace {

std::string text_at(const tgmap::metadata& from, std::string_view path) {
  const auto found = from.find(path);
  return found ? found->text() : std::string();
}

tgmap::cbor_value extra_of(const tgmap::message& from) {
  tgmap::cbor_value out = tgmap::cbor_value::map();
  const auto keys = from.metadata();
  std::vector<tgmap::cbor_value::pair> pairs;
  const auto entries = keys.entries();
  for (const auto& entry : entries) pairs.emplace_back(entry.key, tgmap::cbor_value::copy(entry.value));
  return tgmap::cbor_value::map(pairs);
}

/// Entries that the header metadata of a stream has.
std::vector<tgmap::cbor_value> ahead_of(const tgmap::message& from) {
  std::vector<tgmap::cbor_value> out;
  for (const tgmap::frame& f : from.frames()) {
    if (f.type() != tgmap::frame_type::header_metadata) continue;
    if (const auto base = tgmap::cbor_view(f.body()).find("base"))
      base->visit([&](std::uint64_t, tgmap::cbor_view entry) {
        out.push_back(tgmap::cbor_value::copy(entry));
        return true;
      });
  }
  return out;
}

remade begin(const tgmap::message& from) {
  remade out;
  out.options = options_of(from);
  out.message.extra = extra_of(from);
  bool footer_metadata = false;
  for (const tgmap::frame& f : from.frames()) footer_metadata |= f.type() == tgmap::frame_type::footer_metadata;
  out.streamed = footer_metadata;
  out.backfilled = footer_metadata && !from.is_streamed();
  if (footer_metadata) out.ahead = ahead_of(from);
  return out;
}

}  // namespace

tgmap::write_options options_of(const tgmap::message& from) {
  tgmap::write_options out{
      .version = from.version(), .index = tgmap::index_placement::none, .hash_list = tgmap::index_placement::none};
  for (const tgmap::frame& f : from.frames()) {
    switch (f.type()) {
      case tgmap::frame_type::header_index: out.index = tgmap::index_placement::header; break;
      case tgmap::frame_type::footer_index: out.index = tgmap::index_placement::footer; break;
      case tgmap::frame_type::header_hash: out.hash_list = tgmap::index_placement::header; break;
      case tgmap::frame_type::footer_hash: out.hash_list = tgmap::index_placement::footer; break;
      default: break;
    }
  }
  out.hashes = out.version == 2 ? out.hash_list != tgmap::index_placement::none : (from.flags() & 0x80) != 0;
  const auto reserved = from.provenance();
  out.provenance.encoder = text_at(reserved, "encoder.name");
  out.provenance.encoder_version = text_at(reserved, "encoder.version");
  out.provenance.time = text_at(reserved, "time");
  out.provenance.uuid = text_at(reserved, "uuid");
  return out;
}

remade remake_stored(const tgmap::message& from) {
  remade out = begin(from);
  for (std::size_t j = 0; j < from.size(); ++j)
    out.message.objects.emplace_back(tgmap::stored_object::of(from, j, from.version()));
  return out;
}

remade remake_decoded(const tgmap::message& from, std::optional<std::size_t> only) {
  remade out = begin(from);
  const std::size_t first = only.value_or(0), last = only ? *only + 1 : from.size();
  out.tensors.reserve(last - first);
  for (std::size_t j = first; j < last; ++j) {
    const tgmap::object o = from[j];
    const tgmap::descriptor what = o.descriptor();
    out.tensors.push_back(o.decode({.strides = tgmap::stride_policy::ignore}));
    auto made = tgmap::new_object::like(out.tensors.back(), what);
    made.dtype = what.dtype;
    made.base = tgmap::stored_object::of(from, j, from.version()).base;
    out.message.objects.emplace_back(std::move(made));
  }
  return out;
}

std::vector<std::byte> write(const remade& what) {
  if (!what.streamed) return tgmap::to_bytes(what.message, what.options);
  tgmap::memory_sink to;
  tgmap::stream_writer out(to, what.message.extra, what.options, what.ahead);
  for (const auto& each : what.message.objects) std::visit([&](const auto& one) { out.write(one); }, each);
  out.finish(what.backfilled);
  return to.release();
}

std::string complaints(const tgmap::archive& of) {
  struct collecting final : tgmap::validation_visitor {
    void unclaimed_bytes(const tgmap::finding& f) override { text += f.text + "\n"; }
    void message(const tgmap::message_report& m) override {
      for (const auto& f : m.findings) text += std::string(to_string_view(f.code)) + ": " + f.text + "\n";
    }
    std::string text;
  } all;
  const auto result =
      tgmap::validate(of, {.mode = tgmap::validation_mode::full, .check_canonical = true, .threads = 1}, all);
  if (!result.is_sound() && all.text.empty()) all.text = "unsound";
  return all.text;
}

}  // namespace tgmap_test
