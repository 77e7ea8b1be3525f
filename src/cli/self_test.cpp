// SPDX-License-Identifier: Apache-2.0
#include "cli/self_test.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <system_error>
#include <tgmap/archive.hpp>
#include <tgmap/mapping_guard.hpp>

#include "cli/sample_message.hpp"

namespace tgmap::cli {

namespace {

void demand(bool fact, const char* otherwise) {
  if (!fact) throw std::runtime_error(otherwise);
}

void expect_sample(const archive& opened) {
  demand(opened.size() == 1, "the message was not found");
  demand(opened.gaps().empty() && !opened.incomplete_tail(), "damage was found where there is none");
  const message only = opened[0];
  demand(only.version() == sample_version, "the message has another version");
  demand(only.size() == 1, "the object was not found");

  const object stored = only[0];
  std::array<float, sample_values.size()> values{};
  stored.read(0, std::as_writable_bytes(std::span(values)));
  demand(values == sample_values, "other values were read than written");
  const auto view = stored.view<float>().values();
  demand(std::equal(view.begin(), view.end(), sample_values.begin(), sample_values.end()),
         "the view shows other values");
}

void open_from_memory() {
  const auto bytes = sample_message();
  expect_sample(archive::from_memory(bytes));
}

/// An open temporary file that holds the sample.
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
  demand(opened.mode() == mode, "the file is reached in another way than asked for");
  expect_sample(opened);
}

void survive_a_cut() {
  demand(mapping_guard::is_installed(), "no guard against bus errors is installed");
  const auto file = sample_file();
  const archive opened = archive::from_descriptor(::fileno(file.get()), {.io = io_mode::map});
  if (::ftruncate(::fileno(file.get()), 0) != 0) throw std::system_error(errno, std::system_category(), "ftruncate");
  failure why;
  opened.scan(UINT64_MAX, {}, why);
  demand(why.code == make_error_code(errc::file_shrank), "a mapped file that was cut is not noticed");
}

void compute_digests() {
  auto bytes = sample_message();
  const auto verdict = [&] {
    const archive opened = archive::from_memory(bytes);
    return opened[0][0].verify();
  };
  demand(verdict() == hash_result::match, "the hash of unchanged bytes does not match");
  const auto one = std::find(bytes.begin(), bytes.end(), std::byte{0x3f});  // in the first value
  *one = std::byte{0x40};
  demand(verdict() == hash_result::mismatch, "a changed byte goes unnoticed");
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

std::vector<test_result> run_self_test() {
  return {attempt("open memory", open_from_memory), attempt("map a file", [] { open_file(io_mode::map); }),
          attempt("read a file", [] { open_file(io_mode::read); }), attempt("cut a file", survive_a_cut),
          attempt("xxh3 hashes", compute_digests)};
}

}  // namespace tgmap::cli
