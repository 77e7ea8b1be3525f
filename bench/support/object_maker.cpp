// SPDX-License-Identifier: Apache-2.0
#include "support/object_maker.hpp"

#include <algorithm>

#include "support/frame_writer.hpp"

namespace tgmap_bench {

namespace {

using pairs = std::vector<std::pair<std::string, std::string>>;

/// Returns a map with shorter keys first, the canonical order.
std::string sorted_map(pairs entries) {
  std::ranges::sort(entries, [](const auto& a, const auto& b) {
    return std::pair(a.first.size(), a.first) < std::pair(b.first.size(), b.first);
  });
  std::string contents;
  for (const auto& [key, value] : entries) contents += cbor_text(key) + value;
  return cbor_map(entries.size(), contents);
}

std::string descriptor(const encoded_object& of) {
  std::vector<std::uint64_t> strides(of.shape.size(), 1);
  for (std::size_t d = strides.size(); d-- > 1;) strides[d - 1] = strides[d] * of.shape[d];
  pairs out = of.parameters;
  out.insert(out.end(), {{"type", cbor_text("ntensor")},
                         {"ndim", cbor_number(of.shape.size())},
                         {"shape", cbor_numbers(of.shape)},
                         {"strides", cbor_numbers(strides)},
                         {"dtype", cbor_text(of.dtype)},
                         {"byte_order", cbor_text(of.byte_order)},
                         {"encoding", cbor_text(of.encoding)},
                         {"filter", cbor_text(of.filter)},
                         {"compression", cbor_text(of.compression)}});
  pairs masks;
  std::uint64_t at = of.payload.size();
  for (const encoded_mask& each : of.masks) {
    masks.emplace_back(each.kind, sorted_map({{"method", cbor_text(each.method)},
                                              {"offset", cbor_number(at)},
                                              {"length", cbor_number(each.blob.size())}}));
    at += each.blob.size();
  }
  if (!masks.empty()) out.emplace_back("masks", sorted_map(masks));
  return sorted_map(out);
}

/// Appends the frame; returns its length without padding.
std::uint64_t append_object(std::string& frames, const encoded_object& of) {
  octets region = of.payload;
  for (const encoded_mask& each : of.masks) region.insert(region.end(), each.blob.begin(), each.blob.end());
  const std::string about = descriptor(of);
  std::string out;
  write_object_frame(out, region, about);
  frames += out;
  return object_frame_length(region.size(), about.size());
}

std::string index_of(std::span<const std::uint64_t> lengths, std::uint64_t first) {
  std::vector<std::uint64_t> offsets;
  for (const std::uint64_t each : lengths) {
    offsets.push_back(first);
    first += padded(each);
  }
  return cbor_frame(header_index_frame, cbor_map(2, cbor_text("lengths") + cbor_numbers(lengths) +
                                                        cbor_text("offsets") + cbor_numbers(offsets)));
}

}  // namespace

std::string archive_of(std::span<const encoded_object> objects) {
  std::string base, frames;
  std::vector<std::uint64_t> lengths;
  for (const encoded_object& each : objects) {
    base += cbor_map(0, "");
    lengths.push_back(append_object(frames, each));
  }
  const std::string metadata =
      cbor_frame(header_metadata_frame, cbor_map(1, cbor_text("base") + cbor_array(objects.size(), base)));
  std::string index;
  for (std::uint64_t size = 1;
       size != index.size();) {  // the index precedes the objects, so its own length changes the offsets
    size = index.size();
    index = index_of(lengths, preamble_size + metadata.size() + size);
  }
  const std::uint64_t footer = preamble_size + metadata.size() + index.size() + frames.size();
  const std::uint64_t length = footer + postamble_size;
  return "TENSOGRM" + big_endian(3, 2) + big_endian(0x85, 2) + big_endian(0, 4) + big_endian(length, 8) + metadata +
         index + frames + big_endian(footer, 8) + big_endian(length, 8) + "39277777";
}

}  // namespace tgmap_bench
