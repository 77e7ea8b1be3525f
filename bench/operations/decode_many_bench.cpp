// SPDX-License-Identifier: Apache-2.0
// Decodes many objects on two threads, compared with one.
#include <benchmark/benchmark.h>
#include <zstd.h>

#include <bit>
#include <cmath>
#include <memory>
#include <tgmap/decode/decode_many.hpp>
#include <tgmap/decode/executor.hpp>

#include "operations/operations.hpp"
#include "support/frame_writer.hpp"

namespace tgmap_bench {

namespace {

enum class many_pipeline : std::uint8_t {
  zstd,      ///< float32; much slower than memory
  packed16,  ///< simple_packing to float64, as fast as memory
};

struct many_case {
  const char* name;
  many_pipeline how;
  std::size_t objects, elements;  ///< of each object
};

std::string cbor_double(double value) { return "\xfb" + big_endian(std::bit_cast<std::uint64_t>(value), 8); }

std::string descriptor(many_pipeline how, std::uint64_t elements) {
  const auto pair = [](std::string_view key, const std::string& value) { return cbor_text(key) + value; };
  const bool packed = how == many_pipeline::packed16;
  const std::array<std::uint64_t, 1> shape{elements}, strides{1};
  std::string keys = pair("ndim", cbor_number(1)) + pair("type", cbor_text("ntensor")) +
                     pair("dtype", cbor_text(packed ? "float64" : "float32")) + pair("shape", cbor_numbers(shape)) +
                     pair("filter", cbor_text("none")) + pair("strides", cbor_numbers(strides)) +
                     pair("encoding", cbor_text(packed ? "simple_packing" : "none")) +
                     pair("byte_order", cbor_text("little")) + pair("compression", cbor_text(packed ? "none" : "zstd"));
  if (packed)
    keys += pair("sp_reference_value", cbor_double(230)) + pair("sp_binary_scale_factor", cbor_number(0)) +
            pair("sp_decimal_scale_factor", cbor_number(3)) + pair("sp_bits_per_value", cbor_number(16));
  return cbor_map(packed ? 13 : 9, keys);
}

/// Returns waves with noise in their low bits, like measurements.
std::string payload(many_pipeline how, std::size_t elements) {
  std::uint32_t noise = 1;
  if (how == many_pipeline::packed16) {
    std::string out(2 * elements, '\0');
    for (char& each : out) each = static_cast<char>((noise = noise * 1664525U + 1013904223U) >> 24);
    return out;
  }
  std::vector<float> field(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    noise = noise * 1664525U + 1013904223U;
    const double wave = 250 + 30 * std::sin(static_cast<double>(i) / 700);
    field[i] = static_cast<float>(std::floor(64 * wave) / 64 + static_cast<double>(noise >> 28) / 64);
  }
  const auto plain = std::as_bytes(std::span(field));
  std::string out(ZSTD_compressBound(plain.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 3);
  expect(ZSTD_isError(size) == 0, "zstd does not compress");
  out.resize(size);
  return out;
}

/// An archive of one message in memory.
std::string message(const many_case& parameters) {
  const std::string object_descriptor = descriptor(parameters.how, parameters.elements),
                    bytes = payload(parameters.how, parameters.elements);
  std::string object, body = cbor_frame(header_metadata_frame, cbor_map(0, {}));
  write_object_frame(object, std::as_bytes(std::span(bytes)), object_descriptor);
  for (std::size_t i = 0; i < parameters.objects; ++i) body += object;
  const std::uint64_t footer = preamble_size + body.size(), length = footer + postamble_size;
  return "TENSOGRM" + big_endian(3, 2) + big_endian(0x81, 2) + big_endian(0, 4) + big_endian(length, 8) + body +
         big_endian(footer, 8) + big_endian(length, 8) + "39277777";
}

/// The objects of an archive, and output memory whose pages exist already.
struct decoded_archive {
  explicit decoded_archive(const many_case& parameters)
      : bytes(message(parameters)), from(tgmap::archive::from_memory(std::as_bytes(std::span(bytes)))) {
    const tgmap::message m = from[0];
    for (std::size_t i = 0; i < m.size(); ++i) objects.push_back(m[i]);
    for (const tgmap::object& each : objects) memory.emplace_back(each.decoded_size(), std::byte{1});
    for (auto& each : memory) out.emplace_back(each);
  }

  void decode_many(tgmap::executor& executor) const {
    expect(tgmap::decode_many(objects, out, {.decode = {.executor = &executor}}).decoded == objects.size(),
           "objects do not decode");
  }

  /// Decodes into tensors, each with fresh memory.
  void decode_each(tgmap::executor& executor) const {
    const auto look = [](std::size_t, const tgmap::tensor& t, const tgmap::failure&) {
      benchmark::DoNotOptimize(t.bytes().data());
      return true;
    };
    expect(tgmap::decode_each(objects, look, {.decode = {.executor = &executor}}).decoded == objects.size(),
           "objects do not decode");
  }

  const std::string bytes;
  const tgmap::archive from;
  std::vector<tgmap::object> objects;
  std::vector<std::vector<std::byte>> memory;
  std::vector<std::span<std::byte>> out;
};

using decode_member = void (decoded_archive::*)(tgmap::executor&) const;

contest prepare(const many_case& parameters, decode_member decode) {
  const auto archive = std::make_shared<const decoded_archive>(parameters);
  const std::shared_ptr<tgmap::executor> one = tgmap::make_executor(1), two = tgmap::make_executor(2);
  return {.units = static_cast<double>(parameters.objects),
          .operation = [=] { ((*archive).*decode)(*two); },
          .floors = {{.name = "one thread", .run = [=] { ((*archive).*decode)(*one); }}}};
}

}  // namespace

void add_decode_many_rows(std::vector<row>& rows, const archives& files) {
  const std::size_t several = files.quick() ? 8 : 32;
  for (const many_case& parameters :
       {many_case{"large/zstd", many_pipeline::zstd, several, std::size_t{1} << 20},
        many_case{"large/packed16", many_pipeline::packed16, several, std::size_t{1} << 19},
        many_case{"small/zstd", many_pipeline::zstd, 4000, 256},  // at least one MiB in total
        many_case{"small/packed16", many_pipeline::packed16, 4000, 128},
        many_case{"little/zstd", many_pipeline::zstd, 100, 256},
        many_case{"little/packed16", many_pipeline::packed16, 100, 128}}) {
    rows.push_back({.name = std::string("decode_many/") + parameters.name, .unit = "object", .prepare = [=] {
                      return prepare(parameters, &decoded_archive::decode_many);
                    }});
    rows.push_back({.name = std::string("decode_each/") + parameters.name, .unit = "object", .prepare = [=] {
                      return prepare(parameters, &decoded_archive::decode_each);
                    }});
  }
}

}  // namespace tgmap_bench
