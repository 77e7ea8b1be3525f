// SPDX-License-Identifier: Apache-2.0
#include "layouts.hpp"

namespace tgmap_interop {

using tgmap::index_placement;
using tgmap::new_message;
using tgmap::new_object;

namespace {

layout buffered(std::string name, int version, index_placement index, index_placement list,
                std::uint64_t alignment = 8) {
  layout out{.name = std::move(name)};
  out.options = {.version = version, .index = index, .hash_list = list, .payload_alignment = alignment};
  return out;
}

layout streamed(std::string name, int version, bool backfill, bool preceder, std::uint64_t alignment = 8) {
  layout out = buffered(std::move(name), version, index_placement::footer, index_placement::footer, alignment);
  out.by = route::streamed;
  out.backfill = backfill;
  out.preceder = preceder;
  return out;
}

void add_for(int version, std::vector<layout>& out) {
  const std::string v = "v" + std::to_string(version) + " ";
  const auto header = index_placement::header, footer = index_placement::footer, none = index_placement::none;
  out.push_back(buffered(v + "header", version, header, header));
  out.push_back(buffered(v + "footer", version, footer, footer));
  out.push_back(buffered(v + "no lists", version, none, none));
  out.push_back(buffered(v + "header index, footer digests", version, header, footer));
  out.push_back(buffered(v + "footer index, header digests", version, footer, header));
  out.push_back(buffered(v + "no digests", version, header, none));
  out.back().options.hashes = false;
  for (const unsigned alignment : {16, 64, 512, 4096})
    out.push_back(buffered(v + "aligned " + std::to_string(alignment), version, header, header, alignment));
  out.push_back(buffered(v + "aligned 4096, footer", version, footer, footer, 4096));

  out.push_back(streamed(v + "streamed", version, false, false));
  out.push_back(streamed(v + "streamed, preceders", version, false, true));
  out.push_back(streamed(v + "streamed, keys ahead", version, false, false));
  out.back().keys_in_header = true;
  out.push_back(streamed(v + "streamed, no digests", version, false, false));
  out.back().options.hashes = false;
  out.push_back(streamed(v + "streamed, no lists", version, false, false));
  out.back().options.index = out.back().options.hash_list = index_placement::none;
  for (const unsigned alignment : {64, 4096})
    out.push_back(streamed(v + "streamed, aligned " + std::to_string(alignment), version, false, true, alignment));
  out.push_back(streamed(v + "pieces", version, false, false));
  out.back().by = route::pieces;
  out.push_back(buffered(v + "as stored", version, header, header));
  out.back().by = route::as_stored;
  out.push_back(buffered(v + "as frames", version, footer, header, 64));
  out.back().by = route::as_frames;
  out.push_back(buffered(v + "verbatim", version, header, header));
  out.back().by = route::verbatim;
}

std::vector<std::byte> stream(const layout& how, const new_message& message) {
  tgmap::memory_sink sink;
  std::vector<tgmap::cbor_value> keys_in_header;
  for (const auto& each : message.objects)
    if (how.keys_in_header) keys_in_header.push_back(std::get<new_object>(each).base);
  tgmap::stream_writer out(sink, message.extra, how.options, keys_in_header);
  for (const auto& each : message.objects) {
    new_object object = std::get<new_object>(each);
    object.preceder = how.preceder;
    if (how.by != route::pieces) {
      out.write(object);
      continue;
    }
    const auto elements = std::exchange(object.data, {});
    const std::size_t width = std::max<std::size_t>(1, tgmap::element_size(object.dtype));
    out.begin_object(object);
    for (std::size_t at = 0, step = width; at < elements.size(); at += step, step += 3 * width)
      out.append_elements(elements.subspan(at, std::min(step, elements.size() - at)));
    out.end_object();
  }
  out.finish(how.backfill);
  return sink.release();
}

/// Writes the message of `first` again with its stored objects.
std::vector<std::byte> write_again(const layout& how, const std::vector<std::byte>& first, tgmap::cbor_value extra) {
  const auto archive = tgmap::archive::from_memory(first);
  const tgmap::message from = archive[0];
  if (how.by == route::verbatim) {
    tgmap::memory_sink sink;
    tgmap::writer(sink, how.options).write(from);
    return sink.release();
  }
  new_message message{.extra = std::move(extra)};
  for (std::size_t j = 0; j < from.size(); ++j) {
    auto one = tgmap::stored_object::of(from, j, how.options.version);
    if (how.by == route::as_frames) one.source = from[j];
    message.objects.emplace_back(std::move(one));
  }
  return tgmap::to_bytes(message, how.options);
}

}  // namespace

std::vector<layout> layouts() {
  std::vector<layout> out;
  add_for(3, out);
  out.push_back(streamed("v3 backfilled", 3, true, false));
  out.push_back(streamed("v3 backfilled, preceders", 3, true, true));
  out.push_back(streamed("v3 backfilled, aligned 4096", 3, true, true, 4096));
  add_for(2, out);
  return out;
}

bool can_hold(const layout& how, const new_object& object) {
  if (how.by != route::pieces) return true;
  const auto& p = object.pipeline;
  const bool given = p.encoding == tgmap::encoding::none || (p.packing.reference && p.packing.binary_scale);
  const bool whole = p.filter != tgmap::filter::none || p.compression != tgmap::compression::none ||
                     p.missing.allow_nan || p.missing.allow_infinity || object.dtype == tgmap::dtype::bitmask;
  return given && !whole;
}

std::vector<std::byte> write(const layout& how, new_message message) {
  if (how.by == route::streamed || how.by == route::pieces) return stream(how, message);
  if (how.by == route::buffered) return tgmap::to_bytes(message, how.options);
  const auto first = tgmap::to_bytes(message, {.version = how.options.version});
  return write_again(how, first, std::move(message.extra));
}

}  // namespace tgmap_interop
