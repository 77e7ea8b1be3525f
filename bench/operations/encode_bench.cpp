// SPDX-License-Identifier: Apache-2.0
// Encodes whole fields with every pipeline, by a writer with a discarding sink; without hashes.
#include <algorithm>
#include <cstring>
#include <memory>

#include "floors/packing_loops.hpp"
#include "operations/decode_floors.hpp"
#include "operations/operations.hpp"
#include "support/write_target.hpp"

namespace tgmap_bench {

namespace {

/// A `field_writer` writes a field as a message of one object.
class field_writer {
 public:
  field_writer(const pipeline& how, std::size_t elements) {
    const std::vector<double> all = weather(elements);
    if (how.width() == sizeof(double) || how.packed != 0) {
      doubles_ = all;
      object_ = tgmap::new_object::of(std::span<const double>(doubles_));
    } else {
      for (const double each : all) floats_.push_back(static_cast<float>(each));
      object_ = tgmap::new_object::of(std::span<const float>(floats_));
    }
    // Only pipelines that compute with the values search for NaN. The search has its own row.
    object_.pipeline.missing.check_elements = how.packed != 0 || how.codec.starts_with("zfp") || how.codec == "sz3";
    if (how.packed != 0) object_.pipeline.encoding = tgmap::encoding::simple_packing;
    object_.pipeline.packing.bits = how.packed;
    if (how.shuffled != 0) object_.pipeline.filter = tgmap::filter::shuffle;
    object_.pipeline.shuffle_size = how.shuffled;
    set_codec(how.codec);
  }
  field_writer(const field_writer&) = delete;
  field_writer& operator=(const field_writer&) = delete;

  tgmap::new_object& object() { return object_; }
  std::span<const std::byte> raw() const { return object_.data; }

  void write() {
    if (message_.objects.empty()) message_.objects.emplace_back(object_);
    writer_.write(message_);
  }

 private:
  void set_codec(std::string_view codec) {
    tgmap::pipeline& pipeline = object_.pipeline;
    if (codec == "szip") pipeline.compression = tgmap::compression::szip;
    if (codec == "zstd") pipeline.compression = tgmap::compression::zstd;
    if (codec == "lz4") pipeline.compression = tgmap::compression::lz4;
    if (codec == "blosc2") pipeline.compression = tgmap::compression::blosc2;
    if (codec.starts_with("zfp")) pipeline.compression = tgmap::compression::zfp;
    if (codec == "zfp_rate") pipeline.zfp = {.mode = tgmap::zfp_mode::fixed_rate, .rate = 16};
    if (codec == "zfp_accuracy") pipeline.zfp = {.mode = tgmap::zfp_mode::fixed_accuracy, .tolerance = 0.01};
    if (codec != "sz3") return;
    pipeline.compression = tgmap::compression::sz3;
    pipeline.sz3 = {.mode = tgmap::sz3_bound::absolute, .bound = 0.01};
  }

  std::vector<double> doubles_{};
  std::vector<float> floats_{};
  tgmap::new_object object_{};
  tgmap::new_message message_{};
  null_sink sink_{};
  tgmap::writer writer_{sink_, {.hashes = false}};
};

contest compare(const std::shared_ptr<field_writer>& in, floor_loop floor) {
  return {.units = static_cast<double>(in->raw().size()) / mebibyte,
          .operation = [=] { in->write(); },
          .floors = {std::move(floor)}};
}

/// Packing, compared with a loop that reads all bytes and writes a quarter.
row packing_row(const archives& files, bool given_scale) {
  return {.name = std::string("encode/packed16/") + (given_scale ? "given" : "computed"),
          .unit = "MiB",
          .prepare =
              [=, &files] {
                const auto in = std::make_shared<field_writer>(pipeline{.packed = 16}, usual_elements(files));
                if (given_scale) {
                  in->object().pipeline.packing.reference = packed_reference;
                  in->object().pipeline.packing.binary_scale = -9;  // 128 / 2^16
                }
                const auto out = make_octets(in->raw().size() / 4);
                return compare(in, {.name = "memory", .run = [=] { quarter(in->raw(), *out); }});
              },
          .rounds = 25,
          .reference = at_speed(400)};
}

/// The search for values that are not finite, compared with a sum of all words.
row check_row(const archives& files, std::string_view dtype) {
  return {.name = "encode/check/" + std::string(dtype),
          .unit = "MiB",
          .prepare =
              [=, &files] {
                const auto in = std::make_shared<field_writer>(pipeline{.dtype = dtype}, usual_elements(files));
                in->object().pipeline.missing.check_elements = true;
                const auto out = make_octets(4096);
                return compare(in, {.name = "memory", .run = [=] {
                                      for (auto left = in->raw(); !left.empty();) {
                                        const auto now = left.first(std::min(left.size(), 4 * out->size()));
                                        quarter(now, *out);
                                        left = left.subspan(now.size());
                                      }
                                    }});
              },
          .rounds = 25};
}

row shuffle_row(const archives& files, const pipeline& how) {
  return {.name = "encode/" + how.name(),
          .unit = "MiB",
          .prepare =
              [=, &files] {
                const auto in = std::make_shared<field_writer>(how, usual_elements(files));
                const auto out = make_octets(in->raw().size());
                return compare(
                    in, {.name = "memcpy", .run = [=] { std::memcpy(out->data(), in->raw().data(), out->size()); }});
              },
          .rounds = 25};
}

/// Compression alone, compared with the call of the codec's library.
row compression_row(const archives& files, const pipeline& how) {
  return {.name = "encode/" + how.name(), .unit = "MiB", .prepare = [=, &files] {
            const auto in = std::make_shared<field_writer>(how, usual_elements(files));
            const auto out = make_octets(max_compressed_size(in->raw().size()));
            const bare_call call = find_bare_codec(how.codec)->encoding(in->raw(), how.sample());
            return compare(in, {.name = std::string(how.codec), .run = [=] { call(*out); }});
          }};
}

/// Packing and compression, compared with the library call on the packed bytes.
row packed_compression_row(const archives& files, const pipeline& how) {
  return {.name = "encode/" + how.name(), .unit = "MiB", .prepare = [=, &files] {
            const auto in = std::make_shared<field_writer>(how, usual_elements(files));
            in->object().pipeline.packing.reference = packed_reference;
            in->object().pipeline.packing.binary_scale = 7 - static_cast<std::int32_t>(how.packed);
            const auto packed = std::make_shared<octets>(pack(weather(usual_elements(files)), how.packed));
            const auto out = make_octets(max_compressed_size(packed->size()));
            const bare_call call = find_bare_codec(how.codec)->encoding(*packed, how.sample());
            const auto read = make_octets(in->raw().size() / 4);
            return compare(in, {.name = "memory, " + std::string(how.codec), .run = [=] {
                                  quarter(in->raw(), *read);
                                  call(*out);
                                  static_cast<void>(packed);
                                }});
          }};
}

}  // namespace

void add_encode_rows(std::vector<row>& rows, const archives& files) {
  for (const bool given_scale : {true, false}) rows.push_back(packing_row(files, given_scale));
  for (const char* dtype : {"float32", "float64"}) rows.push_back(check_row(files, dtype));
  for (const pipeline& how : {pipeline{.dtype = "float32", .shuffled = 4}, {.dtype = "float64", .shuffled = 8}})
    rows.push_back(shuffle_row(files, how));
  for (const pipeline& how : {pipeline{.dtype = "float32", .codec = "szip"},
                              {.dtype = "float32", .codec = "zstd"},
                              {.dtype = "float32", .codec = "lz4"},
                              {.dtype = "float32", .codec = "blosc2"},
                              {.dtype = "float64", .codec = "zfp_rate"},
                              {.dtype = "float64", .codec = "zfp_accuracy"},
                              {.dtype = "float64", .codec = "sz3"}})
    if (find_bare_codec(how.codec) != nullptr) rows.push_back(compression_row(files, how));
  for (const pipeline& how :
       {pipeline{.packed = 16, .codec = "szip"}, {.packed = 24, .codec = "szip"}, {.packed = 16, .codec = "zstd"}})
    if (find_bare_codec(how.codec) != nullptr) rows.push_back(packed_compression_row(files, how));
}

}  // namespace tgmap_bench
