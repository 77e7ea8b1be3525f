// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <system_error>
#include <tgmap/archive.hpp>
#include <tgmap/mapping_guard.hpp>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <tgmap/tools/self_test.hpp>

namespace tgmap {
inline namespace v0 {

namespace {

constexpr int sample_version = 3;
constexpr std::array<float, 4> sample_values{1, 2, 3, 4};
constexpr std::uint64_t metadata_hash = 0x2b98bb92609bd6f8, object_hash = 0x724b4d5b2b51066f;
constexpr std::size_t sample_preamble = 24, sample_postamble = 24;

std::string big_endian(std::uint64_t number, unsigned bytes) {
  std::string out;
  for (unsigned i = bytes; i-- > 0;) out += static_cast<char>(number >> (8 * i) & 0xff);
  return out;
}

/// Encodes a short text in CBOR.
std::string cbor_text(std::string_view value) { return static_cast<char>(0x60 + value.size()) + std::string(value); }

std::string sample_payload() {
  std::string out;
  for (const float value : sample_values) {
    const std::string bytes = big_endian(std::bit_cast<std::uint32_t>(value), 4);
    out.append(bytes.rbegin(), bytes.rend());
  }
  return out;
}

std::string sample_descriptor() {
  const char number_1 = '\x01', map_of_9 = '\xa9';
  const std::string list_of_4 = "\x81\x04", list_of_1 = "\x81\x01";
  return map_of_9 + cbor_text("ndim") + number_1 + cbor_text("type") + cbor_text("ntensor") + cbor_text("dtype") +
         cbor_text("float32") + cbor_text("shape") + list_of_4 + cbor_text("filter") + cbor_text("none") +
         cbor_text("strides") + list_of_1 + cbor_text("encoding") + cbor_text("none") + cbor_text("byte_order") +
         cbor_text("little") + cbor_text("compression") + cbor_text("none");
}

std::string encode_frame(unsigned type, unsigned flags, const std::string& body, const std::string& tail) {
  std::string out = "FR" + big_endian(type, 2) + big_endian(1, 2) + big_endian(flags, 2);
  out += big_endian(16 + body.size() + tail.size() + 4, 8) + body + tail + "ENDF";
  out.resize((out.size() + 7) / 8 * 8, '\0');
  return out;
}

void require(bool fact, const char* otherwise) {
  if (!fact) throw std::runtime_error(otherwise);
}

void expect_sample(const archive& opened) {
  require(opened.size() == 1, "the message was not found");
  require(opened.gaps().empty() && !opened.incomplete_tail(), "damage was found where there is none");
  const message only = opened[0];
  require(only.version() == sample_version, "the message has another version");
  require(only.size() == 1, "the object was not found");

  const object stored = only[0];
  std::array<float, sample_values.size()> values{};
  stored.read(0, std::as_writable_bytes(std::span(values)));
  require(values == sample_values, "other values were read than written");
  const auto view = stored.view<float>().values();
  require(std::equal(view.begin(), view.end(), sample_values.begin(), sample_values.end()),
          "the view shows other values");
}

void open_from_memory() {
  const auto bytes = sample_message();
  expect_sample(archive::from_memory(bytes));
}

/// Returns an open temporary file with the sample message.
std::unique_ptr<std::FILE, int (*)(std::FILE*)> sample_file() {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  const auto bytes = sample_message();
  if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() || std::fflush(file.get()) != 0)
    throw std::system_error(errno, std::system_category(), "temporary file");
  return file;
}

void open_file(io_mode mode) {
  const auto file = sample_file();
  const archive opened = archive::from_descriptor(::fileno(file.get()), {.io = mode});
  require(opened.mode() == mode, "the file was opened in another mode than requested");
  expect_sample(opened);
}

void survive_truncation() {
  require(mapping_guard::is_installed(), "no guard against bus errors is installed");
  const auto file = sample_file();
  const archive opened = archive::from_descriptor(::fileno(file.get()), {.io = io_mode::map});
  if (::ftruncate(::fileno(file.get()), 0) != 0) throw std::system_error(errno, std::system_category(), "ftruncate");
  failure why;
  opened.scan(UINT64_MAX, {}, why);
  require(why.code == make_error_code(errc::file_shrank), "truncating a mapped file was not noticed");
}

void compute_hashes() {
  auto bytes = sample_message();
  const auto verdict = [&] {
    const archive opened = archive::from_memory(bytes);
    return opened[0][0].verify();
  };
  require(verdict() == hash_result::match, "the hash of unchanged bytes does not match");
  const auto one = std::find(bytes.begin(), bytes.end(), std::byte{0x3f});  // in the first value
  *one = std::byte{0x40};
  require(verdict() == hash_result::mismatch, "a changed byte goes unnoticed");
}

self_test_result attempt(std::string_view name, void (*test)()) {
  try {
    test();
    return {name};
  } catch (const std::exception& why) {
    return {name, why.what()};
  }
}

}  // namespace

std::vector<std::byte> sample_message() {
  const std::string values = sample_payload(), empty_map = "\xa0";
  const std::string frames =
      encode_frame(1, 2, empty_map, big_endian(metadata_hash, 8)) +
      encode_frame(9, 3, values + sample_descriptor(), big_endian(16 + values.size(), 8) + big_endian(object_hash, 8));

  const std::size_t footer = sample_preamble + frames.size(), length = footer + sample_postamble;
  const std::string message = "TENSOGRM" + big_endian(sample_version, 2) + big_endian(0x81, 2) + big_endian(0, 4) +
                              big_endian(length, 8) + frames + big_endian(footer, 8) + big_endian(length, 8) +
                              "39277777";
  const auto bytes = std::as_bytes(std::span(message));
  return {bytes.begin(), bytes.end()};
}

std::vector<self_test_result> run_self_test() {
  return {attempt("open memory", open_from_memory), attempt("map a file", [] { open_file(io_mode::map); }),
          attempt("read a file", [] { open_file(io_mode::read); }), attempt("cut a file", survive_truncation),
          attempt("xxh3 hashes", compute_hashes)};
}

}  // namespace v0
}  // namespace tgmap
