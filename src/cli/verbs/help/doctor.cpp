// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/help/doctor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <tgmap/archive.hpp>
#include <tgmap/build_info.hpp>
#include <tgmap/decode/codecs.hpp>
#include <tgmap/mapping_guard.hpp>

#include "cli/command/verb.hpp"
#include "cli/print/json.hpp"
#include "cli/stream/endpoint_options.hpp"
#include "core/text/escape.hpp"
#include "picture/image/canvas.hpp"
#include "tgmap_build_info.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t metadata_hash = 0x2b98bb92609bd6f8, object_hash = 0x724b4d5b2b51066f;
constexpr std::size_t preamble_size = 24, postamble_size = 24;

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

test_result attempt(const char* label, void (*test)()) {
  try {
    test();
    return {label, std::nullopt};
  } catch (const std::exception& why) {
    return {label, why.what()};
  }
}

}  // namespace

std::vector<std::byte> sample_message() {
  const std::string values = sample_payload(), empty_map = "\xa0";
  const std::string frames =
      encode_frame(1, 2, empty_map, big_endian(metadata_hash, 8)) +
      encode_frame(9, 3, values + sample_descriptor(), big_endian(16 + values.size(), 8) + big_endian(object_hash, 8));

  const std::size_t footer = preamble_size + frames.size(), length = footer + postamble_size;
  const std::string message = "TENSOGRM" + big_endian(sample_version, 2) + big_endian(0x81, 2) + big_endian(0, 4) +
                              big_endian(length, 8) + frames + big_endian(footer, 8) + big_endian(length, 8) +
                              "39277777";
  const auto bytes = std::as_bytes(std::span(message));
  return {bytes.begin(), bytes.end()};
}

std::vector<test_result> run_self_test() {
  return {attempt("open memory", open_from_memory), attempt("map a file", [] { open_file(io_mode::map); }),
          attempt("read a file", [] { open_file(io_mode::read); }), attempt("cut a file", survive_truncation),
          attempt("xxh3 hashes", compute_hashes)};
}

namespace {

/// The library's dependencies and the command's own.
std::vector<dependency> dependencies() {
  static const std::string fmt_version =
      fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
  static const std::string json_version =
      fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH);
  const auto library = get_build_info().dependencies;
  std::vector<dependency> out(library.begin(), library.end());
  out.push_back({"fmt", fmt_version, build::fmt_origin, "formatting text"});
  out.push_back({"CLI11", CLI11_VERSION, build::cli11_origin, "reading the command line"});
  static const std::string cairo_version = picture::canvas_version();
  out.push_back({"cairo", cairo_version, build::cairo_origin, "images"});
  out.push_back({"nlohmann-json", json_version, build::nlohmann_json_origin, "writing JSON"});
  out.push_back({"ZeroMQ", zeromq_version(), build::zeromq_origin, "tens, send and recv: ZIO TENS messages"});
  out.push_back({"simdjson", build::simdjson_version, build::simdjson_origin,
                 "constant: tensor constants; and labels of ZIO messages"});
  return out;
}

bool healthy(const std::vector<test_result>& results) {
  return std::none_of(results.begin(), results.end(), [](const test_result& r) { return r.reason.has_value(); });
}

/// Returns the library of a codec, or what is needed to get it.
std::string origin_of(const codec_info& codec) {
  if (!codec.is_available) return fmt::format("needs {}, installed, and -D{}=ON", codec.library, codec.option);
  return codec.library.empty() ? "tgmap" : std::string(codec.library);
}

std::string described(const codec_info& codec) {
  const std::string origin = origin_of(codec);
  if (!codec.is_available) return fmt::format("off (for {}; {})", codec.used_for, origin);
  const auto version = codec.version.empty() ? std::string() : fmt::format(" {}", codec.version);
  return fmt::format("on  ({}{}; for {})", origin, version, codec.used_for);
}

json as_json(const build_info& facts, const std::vector<test_result>& results) {
  json features = json::array(), tests = json::array();
  for (const dependency& d : dependencies())
    features.push_back({{"name", d.name},
                        {"kind", "library"},
                        {"state", d.version.empty() ? "off" : "on"},
                        {"version", d.version},
                        {"origin", d.origin},
                        {"used_for", d.used_for}});
  for (const codec_info& codec : codecs())
    features.push_back({{"name", codec.name},
                        {"kind", "codec"},
                        {"state", codec.is_available ? "on" : "off"},
                        {"version", codec.version},
                        {"origin", origin_of(codec)},
                        {"used_for", codec.used_for}});
  for (const test_result& r : results) {
    json test{{"label", r.label}, {"outcome", r.reason ? "failed" : "ok"}};
    if (r.reason) test["reason"] = *r.reason;
    tests.push_back(std::move(test));
  }
  return {{"build",
           {{"version", facts.version},
            {"wire_version", sample_version},
            {"target", facts.target},
            {"profile", facts.build_type},
            {"compiler", facts.compiler}}},
          {"features", features},
          {"self_test", tests},
          {"status", healthy(results) ? "HEALTHY" : "UNHEALTHY"}};
}

std::string as_text(const build_info& facts, const std::vector<test_result>& results, const output& out) {
  std::string page = out.heading("Build") + "\n";
  const auto line = [&](std::string_view name, const auto& value) {
    page += fmt::format("  {:<14} {}\n", name, value);
  };
  line("version", facts.version);
  line("wire_version", sample_version);
  line("target", facts.target);
  line("profile", facts.build_type);
  line("compiler", facts.compiler);

  page += "\n" + out.heading("Compiled-in features") + "\n";
  for (const dependency& d : dependencies())
    line(d.name, d.version.empty() ? fmt::format("off (for {})", d.used_for)
                                   : fmt::format("on  ({}; {}; for {})", d.version, d.origin, d.used_for));

  page += "\n" + out.heading("Codecs") + "\n";
  for (const codec_info& codec : codecs()) line(codec.name, described(codec));

  page += "\n" + out.heading("Self-test") + "\n";
  for (const test_result& r : results)
    line(r.label, r.reason ? "FAILED (" + core::escaped(*r.reason) + ")" : std::string("ok"));
  return page + fmt::format("\nStatus: {}\n", healthy(results) ? "HEALTHY" : "UNHEALTHY");
}

void run_doctor(bool wants_json, session& run) {
  const build_info facts = get_build_info();
  const auto results = run_self_test();
  run.out.write(wants_json ? json_line(as_json(facts, results)) : as_text(facts, results, run.out));
  for (const test_result& r : results)
    if (r.reason) run.report.failed("self-test '" + r.label + "'", *r.reason, "install tgmap again, or report this");
}

}  // namespace

action declare_doctor(CLI::App& app, session& run) {
  const auto wants_json = std::make_shared<bool>(false);
  app.add_flag("-j,--json", *wants_json, "Print one JSON object");
  return [wants_json, &run] { run_doctor(*wants_json, run); };
}

}  // namespace tgmap::cli
