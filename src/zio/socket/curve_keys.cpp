// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <new>
#include <tgmap/zio/curve_keys.hpp>

#include "core/or_throw.hpp"
#include "core/text/trim.hpp"
#include "zio/socket/curve_key_format.hpp"
#include "zio/socket/zmq_context.hpp"
#include "zio/socket/zmq_library.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

using key_text = std::array<char, curve_key_characters + 1>;

/// The contents of a key file.
struct key_file {
  std::string public_key{}, secret_key{};  ///< of a certificate; empty if absent
  std::string bare{};                      ///< of a file that is one line
};

/// Returns a value of ZPL: all between quotes, because Z85 has # in its alphabet; otherwise up to a comment.
std::string_view value_of(std::string_view text) noexcept {
  text = core::trimmed(text);
  if (!text.empty() && (text.front() == '"' || text.front() == '\''))
    return text.substr(1, std::min(text.find(text.front(), 1), text.size()) - 1);
  return core::trimmed(text.substr(0, text.find('#')));
}

/// Parses a certificate or one line. A certificate is ZPL: lines of names and values, sections by indentation, comments
/// after #.
key_file parse_key_file(std::string_view text) {
  key_file out;
  bool in_curve = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string_view content = core::trimmed(line);
    // A bare key may contain # and =, so it comes first.
    if (is_curve_key(content) && out.bare.empty()) {
      out.bare = content;
      continue;
    }
    if (content.empty() || content.front() == '#') continue;
    const auto equals = content.find('=');
    const std::string_view name = core::trimmed(content.substr(0, std::min(equals, content.find('#'))));
    if (core::blanks.find(line.front()) == std::string_view::npos) in_curve = name == "curve";
    if (equals == std::string_view::npos || !in_curve) continue;
    if (name == "public-key") out.public_key = value_of(content.substr(equals + 1));
    if (name == "secret-key") out.secret_key = value_of(content.substr(equals + 1));
  }
  return out;
}

constexpr std::size_t max_key_file_bytes = 65536;

struct closes_file {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

key_file read_key_file(const std::filesystem::path& path, failure& why) {
  errno = 0;
  const std::unique_ptr<std::FILE, closes_file> in(std::fopen(path.c_str(), "re"));
  std::string text(max_key_file_bytes, '\0');
  if (in != nullptr) text.resize(std::fread(text.data(), 1, text.size(), in.get()));
  if (in == nullptr || std::ferror(in.get()) != 0) {
    why = {.code = {errno != 0 ? errno : EIO, std::system_category()}};
    return {};
  }
  return parse_key_file(text);
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

curve_keys make_curve_keys() {
  return core::or_throw([&](failure& why) { return make_curve_keys(why); });
}

curve_keys read_curve_keys(const std::filesystem::path& file, failure& why) noexcept try {
  why = {};
  const key_file keys = read_key_file(file, why);
  if (!why && zmq_library::get() == nullptr) why = {.code = errc::zmq_absent};
  if (why) return {};
  const std::string& secret = keys.secret_key.empty() && keys.public_key.empty() ? keys.bare : keys.secret_key;
  key_text public_key{};
  if (!is_curve_key(secret) || zmq().zmq_curve_public(public_key.data(), secret.c_str()) != 0 ||
      (!keys.public_key.empty() && keys.public_key != public_key.data())) {
    why = {.code = errc::bad_curve_key};
    return {};
  }
  return {public_key.data(), secret};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

curve_keys read_curve_keys(const std::filesystem::path& file) {
  return core::or_throw([&](failure& why) { return read_curve_keys(file, why); });
}

std::string read_curve_public_key(const std::filesystem::path& file, failure& why) noexcept try {
  why = {};
  const key_file keys = read_key_file(file, why);
  if (why) return {};
  const std::string& key = keys.secret_key.empty() && keys.public_key.empty() ? keys.bare : keys.public_key;
  if (is_curve_key(key)) return key;
  why = {.code = errc::bad_curve_key};
  return {};
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
}

std::string read_curve_public_key(const std::filesystem::path& file) {
  return core::or_throw([&](failure& why) { return read_curve_public_key(file, why); });
}

std::string curve_certificate(const curve_keys& keys) {
  std::string out = "metadata\ncurve\n    public-key = \"" + keys.public_key + "\"\n";
  if (!keys.secret_key.empty()) out += "    secret-key = \"" + keys.secret_key + "\"\n";
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
