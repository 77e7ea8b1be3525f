// SPDX-License-Identifier: Apache-2.0
// Limits of memory: a stream holds one object and the encoded metadata of all, a writer one encoded message.
#include <unistd.h>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>
#include <numeric>
#include <optional>
#include <random>
#include <support/failures.hpp>
#include <support/process/heap_meter.hpp>
#include <tgmap/tgmap.hpp>

using namespace tgmap_test;
using tgmap::cbor_value;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(bounded_test)

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// Counts bytes and keeps none.
class null_sink final : public tgmap::sink {
 public:
  using sink::write;
  tgmap::failure write(std::span<const std::span<const std::byte>> pieces) noexcept override {
    for (const auto piece : pieces) bytes += piece.size();
    return {};
  }
  std::uint64_t bytes_written() const noexcept override { return bytes; }
  std::uint64_t bytes = 0;
};

new_object small_object(std::uint32_t n, std::span<const std::uint32_t> elements) {
  auto out = new_object::of(elements);
  out.base = cbor_value::map({{"mars", cbor_value::map({{"param", "2t"}, {"step", n}})}});
  return out;
}

/// Returns the size of the entry of an object in the metadata, including the keys that the library adds.
std::size_t entry_bytes(const new_object& object) {
  const auto metadata_bytes = [](const tgmap::new_message& message) {
    const auto bytes = tgmap::to_bytes(message, {.provenance = tgmap::provenance::reproducible()});
    const auto archive = tgmap::archive::from_memory(bytes);
    return (*archive[0].frames().begin()).body().size();
  };
  return metadata_bytes({.objects = {object}}) - metadata_bytes({}) - std::string_view("?base?").size();
}

}  // namespace

BOOST_AUTO_TEST_CASE(many_small_objects) {
  constexpr std::uint32_t objects = 100000;
  const std::uint32_t elements[] = {1, 2, 3};
  const std::size_t metadata = objects * (64 + entry_bytes(small_object(objects, elements)));
  null_sink sink;
  watch_heap();
  {
    tgmap::stream_writer out(sink);
    for (std::uint32_t n = 0; n < objects; ++n) out.write(small_object(n, elements));
    out.finish();
  }
  BOOST_TEST_MESSAGE(heap_peak() << " of at most " << metadata + mebibyte << " bytes held, " << sink.bytes
                                 << " written");
  BOOST_TEST(heap_peak() <= metadata + mebibyte + sizeof elements);
  BOOST_TEST(sink.bytes > 100U * objects);
}

BOOST_AUTO_TEST_CASE(a_large_object_in_parts) {
  constexpr std::size_t count = 64 * mebibyte / sizeof(double), piece = 16384;
  std::vector<double> elements(piece);
  std::iota(elements.begin(), elements.end(), 0.0);
  new_object packed;
  packed.dtype = tgmap::dtype::float64;
  packed.shape = {count};
  new_object plain = packed;
  packed.pipeline = {.encoding = tgmap::encoding::simple_packing,
                     .packing = {.bits = 24, .reference = 0.0, .binary_scale = 0}};
  for (const new_object& each : {plain, packed}) {
    null_sink sink;
    watch_heap();
    tgmap::stream_writer out(sink);
    out.begin_object(each);
    for (std::size_t at = 0; at < count; at += piece) out.append_elements(std::span<const double>(elements));
    out.end_object();
    out.finish();
    BOOST_TEST_MESSAGE(heap_peak() << " bytes held");
    BOOST_TEST(heap_peak() <= mebibyte);
    BOOST_TEST(sink.bytes >= count * 3);
  }
}

BOOST_AUTO_TEST_CASE(large_objects_one_after_another) {
  const std::vector<double> elements(mebibyte / sizeof(double), 0.5);
  const auto peak_of = [&](tgmap::pipeline how, std::size_t objects) {
    null_sink sink;
    auto object = new_object::of(std::span<const double>(elements));
    object.pipeline = how;
    watch_heap();
    tgmap::stream_writer out(sink);
    for (std::size_t n = 0; n < objects; ++n) out.write(object);
    out.finish();
    return heap_peak();
  };
  const tgmap::pipeline packed{.encoding = tgmap::encoding::simple_packing, .packing = {.bits = 64}};
  // Objects without a pipeline are written from the caller's memory.
  BOOST_TEST(peak_of({}, 30) < mebibyte / 4);
  BOOST_TEST(peak_of(packed, 30) <= 2 * mebibyte + mebibyte / 8);
  BOOST_TEST(peak_of({.filter = tgmap::filter::shuffle}, 30) <= 2 * mebibyte + mebibyte / 8);
}

namespace {

/// 3 MiB: the meter counts buffers of this size, but not those of huge pages.
constexpr std::size_t large = 3 * mebibyte, doubles = large / sizeof(double);

/// An object with several stages, and the memory that they need at the same time.
struct stage_combination {
  const char* name;
  tgmap::pipeline how;
  std::size_t at_once;  ///< largest sum of the input and the output of one stage
  bool swapped = false, transposed = false;
};

/// Three bits for each element during the search for NaN and infinities, and one mask.
constexpr std::size_t mask_bytes = 3 * doubles / 8 + doubles / 8;

std::vector<stage_combination> all_combinations() {
  using tgmap::compression;
  const auto of = [](unsigned bits, tgmap::filter filter, compression by, bool masked = false) {
    tgmap::pipeline out{.filter = filter, .compression = by, .packing = {.bits = bits}, .zstd_level = 1};
    if (bits != 0) out.encoding = tgmap::encoding::simple_packing;
    out.missing = {.allow_nan = masked, .nan = tgmap::mask_method::none};
    return out;
  };
  constexpr auto none = tgmap::filter::none, shuffle = tgmap::filter::shuffle;
  std::vector<stage_combination> out{
      {"packed, shuffled", of(24, shuffle, compression::none), 2 * large * 3 / 8},
      {"swapped, shuffled", of(0, shuffle, compression::none), 2 * large, true},
      {"transposed, packed", of(32, none, compression::none), large + large / 2, false, true},
      {"masked, shuffled", of(0, shuffle, compression::none, true), 2 * large + mask_bytes},
      {"swapped, masked, packed, shuffled", of(32, shuffle, compression::none, true), large + large / 2 + mask_bytes,
       true},
      {"packed, shuffled, zstd", of(64, shuffle, compression::zstd), 2 * large},
      {"swapped, shuffled, zstd", of(0, shuffle, compression::zstd), 2 * large, true},
      {"transposed, swapped, shuffled, lz4", of(0, shuffle, compression::lz4), 2 * large, true, true},
      {"swapped, masked, packed, shuffled, zstd", of(64, shuffle, compression::zstd, true), 2 * large + mask_bytes,
       true},
      {"swapped, packed, szip", of(32, none, compression::szip), large + large / 2, true},
      {"swapped, zfp", of(0, none, compression::zfp), 2 * large, true}};
  std::erase_if(out, [](const stage_combination& each) {
    return tgmap::validate_pipeline(each.how, tgmap::dtype::float64).code == tgmap::errc::codec_absent;
  });
  return out;
}

/// Numbers that no codec can compress.
const std::vector<double>& noise() {
  static const std::vector<double> out = [] {
    std::mt19937_64 next(1);
    std::vector<double> numbers(doubles);
    for (double& each : numbers) each = std::uniform_real_distribution<>()(next);
    return numbers;
  }();
  return out;
}

constexpr auto other_order =
    tgmap::native_byte_order == tgmap::byte_order::little ? tgmap::byte_order::big : tgmap::byte_order::little;

/// Returns an object that borrows `numbers`.
new_object object_of(const stage_combination& what, std::vector<double>& numbers) {
  if (what.how.missing.allow_nan) numbers[5] = NAN;
  auto out = new_object::of(std::span<const double>(numbers), {doubles / 64, 64});
  out.pipeline = what.how;
  if (what.swapped) out.stored_byte_order = other_order;
  if (what.transposed) {
    out.shape = {64, doubles / 64};
    out.strides = {1, 64};
  }
  return out;
}

/// Lets codecs allocate the memory that they keep for each thread, before it is measured.
void warm_up(const stage_combination& what) {
  std::vector<double> few(noise().begin(), noise().begin() + 4096);
  auto object = new_object::of(std::span<const double>(few));
  object.pipeline = what.how;
  (void)tgmap::to_bytes({.objects = {object}});
}

/// Largest excess of a codec's output over its input, the metadata of one object, and a margin.
constexpr std::size_t margin = large / 64 + mebibyte + 64 + 1024;

std::size_t virtual_bytes() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

BOOST_AUTO_TEST_CASE(streams_of_combined_stages) {
  for (const stage_combination& what : all_combinations()) {
    auto numbers = noise();
    const auto object = object_of(what, numbers);
    warm_up(what);
    null_sink sink;
    watch_heap();
    tgmap::stream_writer out(sink);
    for (int n = 0; n < 3; ++n) out.write(object);
    out.finish();
    BOOST_TEST_MESSAGE(what.name << ": " << heap_peak() << " bytes held, " << what.at_once << " expected");
    BOOST_TEST(heap_peak() <= what.at_once + margin, what.name);
    BOOST_TEST(sink.bytes > 3 * large / 4);
  }
}

BOOST_AUTO_TEST_CASE(messages_of_combined_stages) {
  constexpr std::size_t objects = 6;
  for (const stage_combination& what : all_combinations()) {
    auto numbers = noise();
    tgmap::new_message message;
    for (std::size_t n = 0; n < objects; ++n) message.objects.emplace_back(object_of(what, numbers));
    warm_up(what);
    null_sink sink;
    watch_heap();
    tgmap::writer out(sink);
    out.write(message);
    const std::uint64_t encoded = sink.bytes;
    out.write(message);  // needs no more memory
    BOOST_TEST(sink.bytes == 2 * encoded, what.name);
    BOOST_TEST_MESSAGE(what.name << ": " << heap_peak() << " bytes held, " << encoded << " encoded, " << what.at_once
                                 << " of stages");
    BOOST_TEST(heap_peak() <= encoded + what.at_once + margin, what.name);
  }
}

BOOST_AUTO_TEST_CASE(large_buffers_are_freed) {
  const std::vector<double> zeros(66 * mebibyte / sizeof(double));
  auto object = new_object::of(std::span<const double>(zeros));
  object.pipeline = {
      .encoding = tgmap::encoding::simple_packing, .filter = tgmap::filter::shuffle, .packing = {.bits = 64}};
  null_sink sink;
  const std::size_t before = virtual_bytes();
  tgmap::stream_writer stream(sink);
  stream.write(object);
  tgmap::writer whole(sink);
  whole.write({.objects = {object, object}});
  BOOST_TEST(virtual_bytes() < before + 16 * mebibyte);
  BOOST_TEST(sink.bytes > 3 * 66 * mebibyte);
}

BOOST_AUTO_TEST_SUITE_END()
