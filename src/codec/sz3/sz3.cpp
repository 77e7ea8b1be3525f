// SPDX-License-Identifier: Apache-2.0
// sz3 (§7.9): a payload has the parameters of a predictor, values that were not predicted, and an error code for each
// element. SZ3 trusts all these numbers. Therefore this code reads container, zstd and codes, and passes only validated
// data to SZ3.
#include <SZ3/api/impl/SZAlgoInterp.hpp>  // other headers of SZ3 do not include what they use
#include <SZ3/version.hpp>
#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <vector>

#include "codec/codec_functions.hpp"
#include "codec/failures.hpp"
#include "codec/sz3/sz3_container.hpp"
#include "codec/sz3/sz3_huffman.hpp"
#include "core/memory.hpp"

namespace tgmap::codec {

namespace {

using sz3_quantizer = SZ3::LinearQuantizer<double>;
using sz3_interpolation = SZ3::InterpolationDecomposition<double, 1, sz3_quantizer>;

/// In fields of more elements, every 4096th is stored exactly.
constexpr std::uint64_t anchor_stride = 4096;

struct quantizer_header {
  std::int32_t radius = 0;         ///< codes lie below twice this
  std::uint64_t exact_values = 0;  ///< those that were not predicted; their code is 0
};

bool check_quantizer(little_endian_reader& reader, quantizer_header& to) noexcept {
  constexpr std::int32_t max_radius = 1 << 28;  // SZ3 doubles it, and differences of it
  const auto kind = reader.take<std::uint8_t>();
  reader.take<double>();  // the error bound
  to.radius = reader.take<std::int32_t>();
  to.exact_values = reader.take<std::uint64_t>();
  const auto most = reader.left().size() / sizeof(double);
  if (to.exact_values > most) return false;
  reader.take_bytes(to.exact_values * sizeof(double));
  return !reader.failed() && kind == 0b10 && to.radius > 0 && to.radius <= max_radius;
}

/// Checks the parameters of an interpolation, which determine the order of elements.
bool check_interpolation(little_endian_reader& reader, std::size_t elements) noexcept {
  const auto length = reader.take<std::uint64_t>();
  const auto block = reader.take<std::uint32_t>();
  const auto method = reader.take<std::int32_t>(), direction = reader.take<std::int32_t>();
  const auto anchors = reader.take<std::uint64_t>();
  reader.take<double>(), reader.take<double>();  // how the error bound changes from level to level
  return !reader.failed() && length == elements && block == 32 && (method == 0 || method == 1) && direction == 0 &&
         (anchors == anchor_stride || (anchors == 0 && elements <= anchor_stride));
}

/// Reads the codes of all elements. Nothing may follow them.
bool read_codes(little_endian_reader& reader, const quantizer_header& quantizer, std::size_t elements,
                std::vector<int>& codes) {
  sz3_huffman tree;
  if (!tree.read(reader, 2 * std::int64_t{quantizer.radius}, elements) || reader.take<std::uint64_t>() != elements)
    return false;
  codes.resize(elements);
  return tree.decode(reader, codes) && reader.left().empty();
}

/// Checks that there is an exact value for each element that needs one: `before` elements, and those from `first` on
/// whose code is 0.
bool enough_values(std::span<const int> codes, std::size_t first, std::size_t before, const quantizer_header& header) {
  const auto zeros = std::count(codes.begin() + static_cast<std::ptrdiff_t>(first), codes.end(), 0);
  return before + static_cast<std::uint64_t>(zeros) == header.exact_values;
}

template <class Stored>
void load(Stored& what, std::span<const std::byte> from) {
  const auto* at = reinterpret_cast<const SZ3::uchar*>(from.data());
  std::size_t left = from.size();
  what.load(at, left);
}

failure decompress_interpolation(std::span<const std::byte> content, std::span<double> out) {
  little_endian_reader reader(content);
  quantizer_header header;
  std::vector<int> codes;
  if (!check_interpolation(reader, out.size()) || !check_quantizer(reader, header) ||
      !read_codes(reader, header, out.size(), codes))
    return codec_failed();
  // Anchors are exact whatever their code, and come first.
  const std::size_t anchors = out.size() > anchor_stride ? (out.size() - 1) / anchor_stride + 1 : 0;
  if (!enough_values(codes, anchors, anchors, header)) return codec_failed();

  SZ3::Config config;
  sz3_interpolation stored(config, sz3_quantizer{});
  load(stored, content);
  stored.decompress(config, codes, out.data());
  return {};
}

/// Reads the predictor of each block: 0, the previous element; 1, the line through the two previous elements.
bool read_choices(little_endian_reader& reader, std::size_t blocks, std::vector<int>& choices) {
  sz3_huffman tree;
  if (reader.take<std::uint64_t>() != blocks || !tree.read(reader, 2, blocks)) return false;
  choices.resize(blocks);
  return tree.decode(reader, choices);
}

/// Replaces the loop of SZ3, which copies the field and makes two virtual calls per element.
failure decompress_lorenzo(std::span<const std::byte> content, std::size_t block_size, std::span<double> out) {
  little_endian_reader reader(content);
  quantizer_header header;
  std::vector<int> choices, codes;
  if (!read_choices(reader, (out.size() - 1) / block_size + 1, choices)) return codec_failed();
  const auto stored = reader.left();
  if (!check_quantizer(reader, header) || !read_codes(reader, header, out.size(), codes) ||
      !enough_values(codes, 0, 0, header))
    return codec_failed();

  sz3_quantizer quantizer;
  load(quantizer, stored);
  double before = 0, last = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double predicted = choices[i / block_size] == 0 ? last : 2 * last - before;
    before = last;
    last = out[i] = quantizer.recover(predicted, codes[i]);
  }
  return {};
}

failure decompress_sz3(const sz3_container& container, std::span<double> out) {
  core::scratch memory;
  failure why;
  const auto content = memory.take(container.content_size, why);
  if (!why) why = decompress_zstd({container.content}, content);
  if (why) return why.code == errc::decoded_size_mismatch ? codec_failed() : why;
  return container.method == sz3_method::interpolation ? decompress_interpolation(content, out)
                                                       : decompress_lorenzo(content, container.block_size, out);
}

}  // namespace

failure decompress_sz3(const compressed_payload& payload, std::span<std::byte> out) noexcept try {
  if (out.size() % sizeof(double) != 0) return bad_combination();
  if (out.empty()) return payload.bytes.empty() ? failure{} : decoded_size(0, sizeof(double));
  sz3_container container;
  if (auto why = read_sz3_container(payload.bytes, out.size(), container)) return why;
  if (container.method == sz3_method::lossless) return decompress_zstd({container.content}, out);

  core::scratch aligned;
  failure why;
  const bool direct = reinterpret_cast<std::uintptr_t>(out.data()) % alignof(double) == 0;
  const auto to = direct ? out : aligned.take(out.size(), why);
  if (!why) why = decompress_sz3(container, {reinterpret_cast<double*>(to.data()), to.size() / sizeof(double)});
  if (!why && !direct) std::copy(to.begin(), to.end(), out.begin());
  return why;
} catch (const std::bad_alloc&) {
  return no_memory();
} catch (const std::exception&) {
  return codec_failed();
}

bool has_sz3() noexcept { return has_zstd(); }  // headers; what they store is compressed by zstd

std::string_view sz3_version() noexcept { return SZ3_VER; }

}  // namespace tgmap::codec
