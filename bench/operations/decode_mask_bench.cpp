// SPDX-License-Identifier: Apache-2.0
// Objects with one of a hundred elements missing, compared with the same object without a mask.
#include "operations/decode_floors.hpp"
#include "operations/operations.hpp"

namespace tgmap_bench {

namespace {

/// Returns a mask in which one of a hundred elements is missing: in runs, like land and sea, or at random.
octets missing(std::size_t elements, bool anywhere) {
  octets bits((elements + 7) / 8);
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < elements; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const bool is_missing = anywhere ? (state >> 33) % 100 == 0 : i % 10'000 < 100;
    if (is_missing) bits[i / 8] |= std::byte{0x80} >> static_cast<int>(i % 8);
  }
  return bits;
}

octets run_lengths(const octets& bits, std::size_t elements) {
  const auto is_set = [&](std::size_t i) {
    return (bits[i / 8] & (std::byte{0x80} >> static_cast<int>(i % 8))) != std::byte{0};
  };
  octets out{is_set(0) ? std::byte{1} : std::byte{0}};
  for (std::size_t begin = 0, end = 0; begin < elements; begin = end) {
    while (end < elements && is_set(end) == is_set(begin)) ++end;
    std::size_t length = end - begin;
    for (; length >= 0x80; length >>= 7) out.push_back(static_cast<std::byte>(length | 0x80));
    out.push_back(static_cast<std::byte>(length));
  }
  return out;
}

/// Returns a mask that is encoded by a method.
encoded_object masked(std::string_view method, const octets& bits, std::size_t elements) {
  encoded_object out{.decompressed = bits.size()};
  if (method == "none") out.payload = bits;
  if (method == "rle") out.payload = run_lengths(bits, elements);
  if (method == "roaring") out.payload = roaring_blob(bits);
  if (const bare_codec* const codec = find_bare_codec(method)) codec->encode(bits, {.bits = 8, .size = 1}, out);
  return out;
}

row with_mask(const archives& files, const pipeline& how, std::string_view method, bool anywhere) {
  return {.name = "decode_masked/" + how.name() + "/" + std::string(method) + (anywhere ? "/scattered" : "/together"),
          .unit = "MiB",
          .prepare = [=, &files] {
            const std::size_t elements = usual_elements(files);
            const octets bits = missing(elements, anywhere);
            const auto mask = std::make_shared<const encoded_object>(masked(method, bits, elements));
            std::vector<encoded_object> objects(2, encode(how, elements));
            objects[1].masks.push_back({"nan", std::string(method), mask->payload});
            const auto in = std::make_shared<const opened_objects>(std::move(objects), files, true);
            const auto out = make_octets((*in)[0].decoded_size());
            const auto mask_bits = make_octets(bits.size());
            bare_call call;
            if (const bare_codec* const codec = find_bare_codec(method))
              call = codec->decoding({mask->payload, bits.size()}, {.bits = 8, .size = 1});
            return contest{.units = static_cast<double>(out->size()) / mebibyte,
                           .operation = [=] { (*in)[1].decode_into(std::span(*out)); },
                           .floors = {{.name = call ? "without, " + std::string(method) : "without", .run = [=] {
                                         (*in)[0].decode_into(std::span(*out));
                                         if (call) call(*mask_bits);
                                         static_cast<void>(mask);
                                       }}}};
          }};
}

}  // namespace

void add_decode_mask_rows(std::vector<row>& rows, const archives& files) {
  for (const pipeline& how : {pipeline{.packed = 16}, {.dtype = "float32", .big_endian = true}, {.dtype = "float64"}})
    for (const std::string_view method : {"none", "rle", "roaring", "lz4", "zstd", "blosc2"}) {
      const bool needs_no_library = method == "none" || method == "rle" || (method == "roaring" && has_roaring());
      if (!needs_no_library && find_bare_codec(method) == nullptr) continue;
      for (const bool anywhere : {false, true}) rows.push_back(with_mask(files, how, method, anywhere));
    }
}

}  // namespace tgmap_bench
