// SPDX-License-Identifier: Apache-2.0
// What writing holds: of a stream one object, and the encoded metadata of each; of a message what is encoded of it.
#include <unistd.h>
#include <archive/heap_meter.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>
#include <numeric>
#include <optional>
#include <random>
#include <support/failures.hpp>
#include <tgmap/tgmap.hpp>

using namespace tgmap_test;
using tgmap::cbor_value;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(bounded_test)

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// Counts bytes and keeps none.
class nowhere final : public tgmap::sink {
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

/// The encoded metadata of one: its entry of base, with what the library adds.
std::size_t entry_bytes(const new_object& of) {
  const auto metadata_bytes = [](const tgmap::new_message& what) {
    const auto bytes = tgmap::to_bytes(what, {.provenance = tgmap::provenance::reproducible()});
    const auto archive = tgmap::archive::from_memory(bytes);
    return (*archive[0].frames().begin()).body().size();
  };
  return metadata_bytes({.objects = {of}}) - metadata_bytes({}) - std::string_view("?base?").size();
}

}  // namespace

BOOST_AUTO_TEST_CASE(many_small_objects) {
  constexpr std::uint32_t objects = 100000;
  const std::uint32_t elements[] = {1, 2, 3};
  const std::size_t metadata = objects * (64 + entry_bytes(small_object(objects, elements)));
  nowhere to;
  watch_heap();
  {
    tgmap::stream_writer out(to);
    for (std::uint32_t n = 0; n < objects; ++n) out.write(small_object(n, elements));
    out.finish();
  }
  BOOST_TEST_MESSAGE(heap_peak() << " bytes held of " << metadata + mebibyte << " that may be, " << to.bytes
                                 << " written");
  BOOST_TEST(heap_peak() <= metadata + mebibyte + sizeof elements);
  BOOST_TEST(to.bytes > 100U * objects);
}

BOOST_AUTO_TEST_CASE(a_large_object_by_pieces) {
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
    nowhere to;
    watch_heap();
    tgmap::stream_writer out(to);
    out.begin_object(each);
    for (std::size_t at = 0; at < count; at += piece) out.append_elements(std::span<const double>(elements));
    out.end_object();
    out.finish();
    BOOST_TEST_MESSAGE(heap_peak() << " bytes held");
    BOOST_TEST(heap_peak() <= mebibyte);
    BOOST_TEST(to.bytes >= count * 3);
  }
}

BOOST_AUTO_TEST_CASE(large_objects_one_after_another) {
  const std::vector<double> elements(mebibyte / sizeof(double), 0.5);
  const auto peak_of = [&](tgmap::pipeline how, std::size_t objects) {
    nowhere to;
    auto object = new_object::of(std::span<const double>(elements));
    object.pipeline = how;
    watch_heap();
    tgmap::stream_writer out(to);
    for (std::size_t n = 0; n < objects; ++n) out.write(object);
    out.finish();
    return heap_peak();
  };
  const tgmap::pipeline packed{.encoding = tgmap::encoding::simple_packing, .packing = {.bits = 64}};
  // What is stored as it is, is written from where it lies.
  BOOST_TEST(peak_of({}, 30) < mebibyte / 4);
  BOOST_TEST(peak_of(packed, 30) <= 2 * mebibyte + mebibyte / 8);
  BOOST_TEST(peak_of({.filter = tgmap::filter::shuffle}, 30) <= 2 * mebibyte + mebibyte / 8);
}

namespace {

/// Of three: its buffers come from where they are counted, not as huge pages.
constexpr std::size_t large = 3 * mebibyte, doubles = large / sizeof(double);

/// An object on which several things are done, and what has to be there at once for that.
struct combined {
  const char* name;
  tgmap::pipeline how;
  std::size_t at_once;  ///< what goes into one stage and what comes out of it, where that is most
  bool swapped = false, turned = false;
};

/// Three bits for each element while NaN and infinities are looked for, and a mask of each kind, here of one.
constexpr std::size_t mask_bytes = 3 * doubles / 8 + doubles / 8;

std::vector<combined> all_combined() {
  using tgmap::compression;
  const auto of = [](unsigned bits, tgmap::filter filter, compression by, bool masked = false) {
    tgmap::pipeline out{.filter = filter, .compression = by, .packing = {.bits = bits}, .zstd_level = 1};
    if (bits != 0) out.encoding = tgmap::encoding::simple_packing;
    out.missing = {.allow_nan = masked, .nan = tgmap::mask_method::none};
    return out;
  };
  constexpr auto none = tgmap::filter::none, shuffle = tgmap::filter::shuffle;
  std::vector<combined> out{{"packed, shuffled", of(24, shuffle, compression::none), 2 * large * 3 / 8},
                            {"swapped, shuffled", of(0, shuffle, compression::none), 2 * large, true},
                            {"turned, packed", of(32, none, compression::none), large + large / 2, false, true},
                            {"masked, shuffled", of(0, shuffle, compression::none, true), 2 * large + mask_bytes},
                            {"swapped, masked, packed, shuffled", of(32, shuffle, compression::none, true),
                             large + large / 2 + mask_bytes, true},
                            {"packed, shuffled, zstd", of(64, shuffle, compression::zstd), 2 * large},
                            {"swapped, shuffled, zstd", of(0, shuffle, compression::zstd), 2 * large, true},
                            {"turned, swapped, shuffled, lz4", of(0, shuffle, compression::lz4), 2 * large, true, true},
                            {"swapped, masked, packed, shuffled, zstd", of(64, shuffle, compression::zstd, true),
                             2 * large + mask_bytes, true},
                            {"swapped, packed, szip", of(32, none, compression::szip), large + large / 2, true},
                            {"swapped, zfp", of(0, none, compression::zfp), 2 * large, true}};
  std::erase_if(out, [](const combined& each) {
    return tgmap::validate_pipeline(each.how, tgmap::dtype::float64).code == tgmap::errc::codec_absent;
  });
  return out;
}

/// Numbers that no codec makes smaller.
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

/// `numbers` must outlive it.
new_object object_of(const combined& what, std::vector<double>& numbers) {
  if (what.how.missing.allow_nan) numbers[5] = NAN;
  auto out = new_object::of(std::span<const double>(numbers), {doubles / 64, 64});
  out.pipeline = what.how;
  if (what.swapped) out.stored_byte_order = other_order;
  if (what.turned) {
    out.shape = {64, doubles / 64};
    out.strides = {1, 64};
  }
  return out;
}

/// Codecs keep what they work with for one thread: that is there beforehand.
void warm_up(const combined& what) {
  std::vector<double> few(noise().begin(), noise().begin() + 4096);
  auto object = new_object::of(std::span<const double>(few));
  object.pipeline = what.how;
  (void)tgmap::to_bytes({.objects = {object}});
}

/// What the codecs say how much more than their input may come out, one object's metadata, and what the bar allows.
constexpr std::size_t beside = large / 64 + mebibyte + 64 + 1024;

std::size_t virtual_bytes() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

BOOST_AUTO_TEST_CASE(streams_of_combined_stages) {
  for (const combined& what : all_combined()) {
    auto numbers = noise();
    const auto object = object_of(what, numbers);
    warm_up(what);
    nowhere to;
    watch_heap();
    tgmap::stream_writer out(to);
    for (int n = 0; n < 3; ++n) out.write(object);
    out.finish();
    BOOST_TEST_MESSAGE(what.name << ": " << heap_peak() << " bytes held of " << what.at_once << " at once");
    BOOST_TEST(heap_peak() <= what.at_once + beside, what.name);
    BOOST_TEST(to.bytes > 3 * large / 4);
  }
}

BOOST_AUTO_TEST_CASE(messages_of_combined_stages) {
  constexpr std::size_t objects = 6;
  for (const combined& what : all_combined()) {
    auto numbers = noise();
    tgmap::new_message message;
    for (std::size_t n = 0; n < objects; ++n) message.objects.emplace_back(object_of(what, numbers));
    warm_up(what);
    nowhere to;
    watch_heap();
    tgmap::writer out(to);
    out.write(message);
    const std::uint64_t encoded = to.bytes;
    out.write(message);  // takes no more
    BOOST_TEST(to.bytes == 2 * encoded, what.name);
    BOOST_TEST_MESSAGE(what.name << ": " << heap_peak() << " bytes held of " << encoded << " encoded, " << what.at_once
                                 << " at once");
    BOOST_TEST(heap_peak() <= encoded + what.at_once + beside, what.name);
  }
}

BOOST_AUTO_TEST_CASE(large_buffers_are_given_back) {
  const std::vector<double> zeros(66 * mebibyte / sizeof(double));
  auto object = new_object::of(std::span<const double>(zeros));
  object.pipeline = {
      .encoding = tgmap::encoding::simple_packing, .filter = tgmap::filter::shuffle, .packing = {.bits = 64}};
  nowhere to;
  const std::size_t before = virtual_bytes();
  tgmap::stream_writer stream(to);
  stream.write(object);
  tgmap::writer whole(to);
  whole.write({.objects = {object, object}});
  BOOST_TEST(virtual_bytes() < before + 16 * mebibyte);
  BOOST_TEST(to.bytes > 3 * 66 * mebibyte);
}

BOOST_AUTO_TEST_SUITE_END()
