// SPDX-License-Identifier: Apache-2.0
// Peak memory of a stream: one object, and the metadata of each.
#include <malloc.h>

#include <algorithm>
#include <memory>

#include "operations/operations.hpp"
#include "support/fields.hpp"
#include "support/heap.hpp"
#include "support/process.hpp"
#include "support/write_target.hpp"

namespace tgmap_bench {

namespace {

struct stream_row {
  std::string_view name;
  std::size_t objects, elements;
  tgmap::pipeline how{};
};

const tgmap::cbor_value& keys_of_each() {
  static const auto keys = tgmap::cbor_value::map(
      {{"mars", tgmap::cbor_value::map({{"class", "od"}, {"param", "2t"}, {"step", 6}, {"type", "fc"}})}});
  return keys;
}

struct streamed_fields {
  stream_row parameters;
  std::vector<double> values = weather(parameters.elements);
  tgmap::new_object object = tgmap::new_object::of(std::span<const double>(values));

  explicit streamed_fields(const stream_row& row) : parameters(row) {
    object.pipeline = parameters.how;
    object.base = keys_of_each();
  }

  void write(std::size_t objects, tgmap::sink& sink) const {
    tgmap::stream_writer out(sink);
    for (std::size_t i = 0; i < objects; ++i) out.write(object);
    out.finish();
  }

  /// Returns the size of an object's entry in the metadata.
  std::size_t entry() const {
    const auto size_of = [&](std::size_t objects) -> std::size_t {
      tgmap::memory_sink sink;
      write(objects, sink);
      const auto archive = tgmap::archive::from_memory(sink.bytes());
      for (const tgmap::frame& each : archive[0].frames())
        if (each.type() == tgmap::frame_type::footer_metadata) return static_cast<std::size_t>(each.body_size());
      throw std::runtime_error("the stream has no metadata");
    };
    return size_of(3) - size_of(2);
  }

  double allowed() const {
    const std::size_t decoded =
        parameters.how.encoding == tgmap::encoding::none ? 0 : parameters.elements * sizeof(double);
    return static_cast<double>(decoded + parameters.objects * (64 + entry())) + mebibyte;
  }

  /// Returns the memory touched by the stream as a share of its limit. Runs in a new child process.
  double share_taken() const {
    const double limit = allowed();
    return in_child([&] {
      {
        null_sink warm;  // makes libraries allocate what they need once
        write(1, warm);
      }
      ::malloc_trim(0);
      start_peak();
      const auto before = static_cast<double>(resident_bytes());
      null_sink to;
      write(parameters.objects, to);
      return std::max(0.0, static_cast<double>(peak_resident_bytes()) - before) / limit;
    });
  }
};

row stream(const stream_row& of) {
  return {.name = "write_heap/" + std::string(of.name),
          .unit = "object",
          .prepare =
              [=] {
                const auto in = std::make_shared<const streamed_fields>(of);
                return contest{.units = static_cast<double>(of.objects),
                               .operation =
                                   [=] {
                                     null_sink to;
                                     in->write(of.objects, to);
                                   },
                               .value = [=] { return in->share_taken(); }};
              },
          .rounds = 1,
          .value_name = "× one object, 1 MiB, and the metadata"};
}

}  // namespace

void add_write_heap_rows(std::vector<row>& rows, const archives& files) {
  const std::size_t some = files.quick() ? 1 : 10;
  tgmap::pipeline packed{.encoding = tgmap::encoding::simple_packing};
  rows.push_back(stream({"bare", 20 * some, std::size_t{1} << 20}));
  rows.push_back(stream({"packed16", 20 * some, std::size_t{1} << 20, packed}));
  packed.compression = tgmap::compression::szip;
  if (find_bare_codec("szip") != nullptr)
    rows.push_back(stream({"packed16+szip", 20 * some, std::size_t{1} << 20, packed}));
  rows.push_back(stream({"small", 20'000 * some, 128}));
}

}  // namespace tgmap_bench
