// SPDX-License-Identifier: Apache-2.0
// Small fields: from one object to the next, no codec allocates more than its library does when it is called as its
// documentation says. A program of its own, because it replaces malloc.
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <support/process/heap_meter.hpp>
#include <thread>
#include <vector>

#include <codec/bare_codecs.hpp>
#include <codec/round_trip.hpp>
#include "codec/compressor.hpp"
#include "codec/decompressor.hpp"
#include "core/memory.hpp"

using namespace tgmap_test;
using tgmap::blosc2_codec;
using tgmap::compression;
using tgmap::zfp_mode;
namespace codec = tgmap::codec;

BOOST_AUTO_TEST_SUITE(small_fields_test)

namespace {

constexpr std::array<std::size_t, 3> sizes{96, 2720, 65536};

/// What one call allocates after some that were alike.
struct use {
  std::size_t allocations = 0, bytes = 0;
};

use measure(const std::function<void()>& call) {
  for (int i = 0; i < 3; ++i) call();
  watch_heap();
  call();
  return {heap_allocations(), heap_allocated()};
}

/// Returns doubles that are neither constant nor noise.
std::vector<std::byte> field(std::size_t size) {
  std::vector<double> values(size / sizeof(double));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = 280 + 20 * std::sin(0.01 * static_cast<double>(i)) + 0.01 * static_cast<double>(i * i % 101);
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

/// A thread that writes or reads one field after the other.
class coder {
 public:
  coder(const tgmap::pipeline& how, std::size_t size) : how_(how), raw_(field(size)), back_(size) {
    input_ = {.bytes = raw_, .how = &how_, .elements = size / sizeof(double), .element_bytes = 4, .sample_bits = 32};
    parameters_ = parameters_of(how_, input_);
  }
  coder(const coder&) = delete;
  coder& operator=(const coder&) = delete;

  void compress() {
    const auto why = codec::find_compressor(how_.compression)->run(input_, memory_, out_);
    BOOST_TEST_REQUIRE(!why, why.text());
  }
  void decompress() {
    const auto why = codec::find_decompressor(how_.compression)->run({out_.bytes, parameters_}, back_);
    BOOST_TEST_REQUIRE(!why, why.text());
  }
  bare_codec bare() const { return bare_codec_of(how_, raw_, out_.bytes); }

 private:
  tgmap::pipeline how_;
  std::vector<std::byte> raw_, back_;
  codec::compression_input input_{};
  codec::codec_parameters parameters_{};
  tgmap::core::scratch memory_;
  codec::compression_output out_;
};

/// Checks that no call allocates more than the library alone.
void compare_with_library(const std::string& name, const tgmap::pipeline& how) {
  if (codec::find_compressor(how.compression) == nullptr) return;
  for (const std::size_t size : sizes) BOOST_TEST_CONTEXT(name << ", " << size << " bytes") {
      coder ours(how, size);
      const use written = measure([&] { ours.compress(); }), read = measure([&] { ours.decompress(); });
      const bare_codec bare = ours.bare();
      const use bare_written = measure(bare.compress), bare_read = measure(bare.decompress);
      BOOST_TEST(written.allocations <= bare_written.allocations);
      BOOST_TEST(read.allocations <= bare_read.allocations);
      // c-blosc2 aligns its blocks, and malloc may return a little more than was requested.
      BOOST_TEST(written.bytes <= bare_written.bytes + 1024);
      BOOST_TEST(read.bytes <= bare_read.bytes + 1024);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(zstd_allocates_nothing_at_any_level) {
  if (codec::find_compressor(compression::zstd) == nullptr) return;
  for (int level = -2; level <= 22; ++level)
    for (const std::size_t size : sizes) BOOST_TEST_CONTEXT("level " << level << ", " << size << " bytes") {
        if (level > 12 && size == sizes.back()) continue;  // takes long
        coder ours({.compression = compression::zstd, .zstd_level = level}, size);
        BOOST_TEST(measure([&] { ours.compress(); }).allocations == 0U);
        BOOST_TEST(measure([&] { ours.decompress(); }).allocations == 0U);
      }
}

BOOST_AUTO_TEST_CASE(the_memory_of_zstd_has_the_size_of_the_field) {
  if (codec::find_compressor(compression::zstd) == nullptr) return;
  std::thread([] {  // without a context that earlier fields have made larger
    watch_heap();
    for (const int level : {5, 12, 19, 22}) {
      coder ours({.compression = compression::zstd, .zstd_level = level}, 2720);
      ours.compress();
    }
    BOOST_TEST(heap_peak() < std::size_t{1} << 20);
  })
      .join();
}

BOOST_AUTO_TEST_CASE(a_thread_does_not_keep_the_memory_of_a_large_field) {
  if (codec::find_compressor(compression::zstd) == nullptr) return;
  std::thread([] {
    const std::vector<std::byte> zeros(std::size_t{5} << 20);
    const tgmap::pipeline how{.compression = compression::zstd, .zstd_level = 12};
    tgmap::core::scratch memory;
    const auto before = heap_size();
    codec::compression_output out;
    watch_heap();
    BOOST_TEST_REQUIRE(!codec::find_compressor(compression::zstd)->run({.bytes = zeros, .how = &how}, memory, out));
    BOOST_TEST(heap_peak() > std::size_t{32} << 20);
    memory.release();
    BOOST_TEST(heap_size() < before + (std::size_t{1} << 20));
  }).join();
}

BOOST_AUTO_TEST_CASE(zstd_and_lz4_allocate_no_more_than_their_libraries) {
  for (const int level : {-5, 3, 5, 9, 12})
    compare_with_library("zstd", {.compression = compression::zstd, .zstd_level = level});
  compare_with_library("lz4", {.compression = compression::lz4});
}

BOOST_AUTO_TEST_CASE(szip_and_zfp_allocate_no_more_than_their_libraries) {
  compare_with_library("szip", {.compression = compression::szip});
  for (const auto mode : {zfp_mode::fixed_rate, zfp_mode::fixed_precision, zfp_mode::fixed_accuracy})
    compare_with_library("zfp", {.compression = compression::zfp, .zfp = {.mode = mode, .tolerance = 0.01}});
}

BOOST_AUTO_TEST_CASE(blosc2_allocates_no_more_than_its_library) {
  for (const auto inner :
       {blosc2_codec::blosclz, blosc2_codec::lz4, blosc2_codec::lz4hc, blosc2_codec::zlib, blosc2_codec::zstd})
    for (const int level : {0, 1, 5, 9})
      compare_with_library("blosc2", {.compression = compression::blosc2, .blosc2 = {.codec = inner, .level = level}});
}

BOOST_AUTO_TEST_CASE(blosc2_keeps_its_context_for_reading) {
  if (codec::find_compressor(compression::blosc2) == nullptr) return;
  coder ours({.compression = compression::blosc2, .blosc2 = {.codec = blosc2_codec::zstd}}, 65536);
  ours.compress();
  BOOST_TEST(measure([&] { ours.decompress(); }).allocations == 1U);  // the list of chunks
}

BOOST_AUTO_TEST_CASE(bits_allocate_nothing_when_written) {
  for (const auto which : {compression::rle, compression::roaring}) {
    if (codec::find_compressor(which) == nullptr) continue;
    coder ours({.compression = which}, 65536);
    BOOST_TEST(measure([&] { ours.compress(); }).allocations == 0U);
  }
}

BOOST_AUTO_TEST_SUITE_END()
