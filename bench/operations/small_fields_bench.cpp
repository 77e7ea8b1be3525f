// SPDX-License-Identifier: Apache-2.0
// Writes and decodes small fields with every codec and several levels, one object after the other, compared with the
// library alone and a context that is kept.
#include <memory>
#include <utility>

#include "operations/decode_floors.hpp"
#include "operations/operations.hpp"
#include "support/fields.hpp"
#include "support/write_target.hpp"

namespace tgmap_bench {

namespace {

constexpr int runs = 20;  // of one field, because one takes less than a microsecond

struct small_field {
  std::string_view codec;
  int level = 0;  ///< of zstd
  std::size_t size = 0;

  bool has_doubles() const { return codec.starts_with("zfp") || codec == "sz3"; }
  std::string name() const {
    return std::to_string(size) + "B/" + std::string(codec) + (codec == "zstd" ? std::to_string(level) : "");
  }
};

tgmap::pipeline pipeline_for(const small_field& of) {
  tgmap::pipeline out;
  out.missing.check_elements = of.has_doubles();
  if (of.codec == "szip") out.compression = tgmap::compression::szip;
  if (of.codec == "zstd") out.compression = tgmap::compression::zstd;
  if (of.codec == "lz4") out.compression = tgmap::compression::lz4;
  if (of.codec == "blosc2") out.compression = tgmap::compression::blosc2;
  if (of.codec.starts_with("zfp")) out.compression = tgmap::compression::zfp;
  if (of.codec == "sz3") out.compression = tgmap::compression::sz3;
  out.zstd_level = of.level;
  out.sz3.bound = out.zfp.tolerance = 0.01;
  if (of.codec == "zfp_rate") out.zfp.mode = tgmap::zfp_mode::fixed_rate;
  return out;
}

/// A field, its message in memory and a writer that discards.
class small_object {
 public:
  explicit small_object(const small_field& of) {
    const std::vector<double> values = weather(of.size / (of.has_doubles() ? sizeof(double) : sizeof(float)));
    tgmap::new_object object;
    if (of.has_doubles()) {
      doubles_ = values;
      object = tgmap::new_object::of(std::span<const double>(doubles_));
    } else {
      floats_.assign(values.begin(), values.end());
      object = tgmap::new_object::of(std::span<const float>(floats_));
    }
    raw_ = object.data;
    object.pipeline = pipeline_for(of);
    message_.objects.emplace_back(object);
    bytes_ = tgmap::to_bytes(message_, {.hashes = false});
    archive_.emplace(tgmap::archive::from_memory(bytes_));
    out_.resize(raw_.size());
  }
  small_object(const small_object&) = delete;
  small_object& operator=(const small_object&) = delete;

  std::span<const std::byte> raw() const { return raw_; }
  std::span<const std::byte> stored() const { return (*archive_)[0][0].payload(); }
  void write() { writer_.write(message_); }
  void decode() { (*archive_)[0][0].decode_into(std::span(out_)); }

 private:
  std::vector<double> doubles_{};
  std::vector<float> floats_{};
  std::span<const std::byte> raw_{};
  tgmap::new_message message_{};
  std::vector<std::byte> bytes_{}, out_{};
  std::optional<tgmap::archive> archive_{};
  null_sink sink_{};
  tgmap::writer writer_{sink_, {.hashes = false}};
};

template <class Call>
std::function<void()> repeated_call(Call call) {
  return [call = std::move(call)] {
    for (int i = 0; i < runs; ++i) call();
  };
}

row small_row(const small_field& of, bool writes) {
  return {.name = (writes ? "encode_small/" : "decode_small/") + of.name(),
          .unit = "object",
          .prepare =
              [=] {
                const auto in = std::make_shared<small_object>(of);
                const sample_kind sample{.bits = 32, .size = of.has_doubles() ? sizeof(double) : sizeof(float)};
                const bare_codec& codec = *find_bare_codec(of.codec);
                const bare_call call = !writes              ? codec.decoding({in->stored(), in->raw().size()}, sample)
                                       : of.codec == "zstd" ? zstd_encoding(in->raw(), of.level)
                                                            : codec.encoding(in->raw(), sample);
                const auto out = make_octets(writes ? max_compressed_size(in->raw().size()) : in->raw().size());
                return contest{.units = runs,
                               .operation = repeated_call([=] { writes ? in->write() : in->decode(); }),
                               .floors = {{.name = std::string(of.codec), .run = repeated_call([=] { call(*out); })}}};
              },
          .rounds = 25};
}

}  // namespace

void add_small_field_rows(std::vector<row>& rows, const archives&) {
  std::vector<std::pair<std::string_view, int>> kinds;
  for (const int level : {-5, 1, 3, 5, 9, 12, 15, 19, 22}) kinds.emplace_back("zstd", level);
  for (const std::string_view codec : {"lz4", "szip", "blosc2", "zfp_rate", "zfp_accuracy", "sz3"})
    kinds.emplace_back(codec, 0);
  for (const bool writes : {true, false})
    for (const std::size_t size : {std::size_t{96}, std::size_t{2720}, std::size_t{65536}})
      for (const auto& [codec, level] : kinds)
        if (find_bare_codec(codec) != nullptr && (writes || codec != "zstd" || level == 3))
          rows.push_back(small_row({codec, level, size}, writes));
}

}  // namespace tgmap_bench
