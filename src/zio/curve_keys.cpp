// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <new>
#include <tgmap/zio/curve_keys.hpp>

#include "zio/curve_text.hpp"
#include "zio/zmq_context.hpp"
#include "zio/zmq_library.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

using key_text = std::array<char, curve_key_characters + 1>;

constexpr std::size_t most_in_key_file = 65536;  // of a file that can be a certificate

struct closes_file {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

curve_text read_text(const std::filesystem::path& file, failure& why) {
  errno = 0;
  const std::unique_ptr<std::FILE, closes_file> in(std::fopen(file.c_str(), "re"));
  std::string text(most_in_key_file, '\0');
  if (in != nullptr) text.resize(std::fread(text.data(), 1, text.size(), in.get()));
  if (in == nullptr || std::ferror(in.get()) != 0) {
    why = {.code = {errno != 0 ? errno : EIO, std::system_category()}};
    return {};
  }
  return parse_curve_text(text);
}

}  // namespace

curve_keys make_curve_keys(failure& why) noexcept try {
  why = {};
  if (zmq_library::get() == nullptr) {
    why = {.code = errc::zmq_absent};
    return {};
  }
  key_text public_key{}, secret_key{};
  if (zmq().zmq_curve_keypair(public_key.data(), secret_key.data()) == 0) return {public_key.data(), secret_key.data()};
  why = {.code = errc::zmq_failed, .found = static_cast<std::uint64_t>(zmq().zmq_errno())};
  return {};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

curve_keys read_curve_keys(const std::filesystem::path& file, failure& why) noexcept try {
  why = {};
  const curve_text text = read_text(file, why);
  if (!why && zmq_library::get() == nullptr) why = {.code = errc::zmq_absent};
  if (why) return {};
  const std::string& secret = text.secret_key.empty() && text.public_key.empty() ? text.bare : text.secret_key;
  key_text made{};
  if (!is_curve_key(secret) || zmq().zmq_curve_public(made.data(), secret.c_str()) != 0 ||
      (!text.public_key.empty() && text.public_key != made.data())) {
    why = {.code = errc::bad_curve_key};
    return {};
  }
  return {made.data(), secret};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

std::string read_curve_public_key(const std::filesystem::path& file, failure& why) noexcept try {
  why = {};
  const curve_text text = read_text(file, why);
  if (why) return {};
  const std::string& key = text.secret_key.empty() && text.public_key.empty() ? text.bare : text.public_key;
  if (is_curve_key(key)) return key;
  why = {.code = errc::bad_curve_key};
  return {};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

curve_keys make_curve_keys() {
  failure why;
  auto out = make_curve_keys(why);
  detail::raise_if(why);
  return out;
}

curve_keys read_curve_keys(const std::filesystem::path& file) {
  failure why;
  auto out = read_curve_keys(file, why);
  detail::raise_if(why);
  return out;
}

std::string read_curve_public_key(const std::filesystem::path& file) {
  failure why;
  auto out = read_curve_public_key(file, why);
  detail::raise_if(why);
  return out;
}

std::string curve_certificate(const curve_keys& keys) {
  std::string out = "metadata\ncurve\n    public-key = \"" + keys.public_key + "\"\n";
  if (!keys.secret_key.empty()) out += "    secret-key = \"" + keys.secret_key + "\"\n";
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
