// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/file_template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/input/selection.hpp"
#include "cli/print/escape.hpp"

namespace tgmap::cli {

namespace {

constexpr std::string_view index_mark = "index";
constexpr std::size_t longest_value = 100;  // several fit into the 255 bytes that file systems allow

/// Where the bracket that was opened at `begin` is closed; keys hold brackets themselves: [levelist[0]].
std::size_t closing(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  for (std::size_t at = begin; at < text.size(); ++at) {
    if (text[at] == '[') ++depth;
    if (text[at] == ']' && --depth == 0) return at;
  }
  throw usage_error(fmt::format("'{}': the bracket at '{}' is not closed", text, text.substr(begin, 30)));
}

/// FNV-1a, 64 bits: tells values apart, not attackers off.
std::uint64_t digest(std::string_view text) noexcept {
  std::uint64_t out = 0xcbf29ce484222325;
  for (const char c : text) out = (out ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return out;
}

/// What `escaped` would escape, and what changes the folder, as one "_" each.
std::string without_strange_characters(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto [code, bytes] = core::first_code_point(text);
    if (bytes == 0 || code == '/' || core::is_control(code) || core::is_deceptive(code))
      out += '_';
    else
      out += text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out;
}

}  // namespace

std::string safe_in_file_name(std::string_view value) {
  std::string out(value.empty() ? "_" : value);
  if (out.size() > longest_value) {
    const std::size_t end = core::code_point_begin(out, longest_value);
    out = fmt::format("{}-{:016x}", std::string_view(out).substr(0, end), digest(value));
  }
  out = without_strange_characters(out);
  for (std::size_t i = 0; i < out.size() && out[i] == '.'; ++i) out[i] = '_';
  return out;
}

file_template::file_template(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find('[', at), text.size());
    if (open != at) pieces_.push_back({piece::kind::text, std::string(text.substr(at, open - at))});
    if (open == text.size()) break;
    const std::size_t close = closing(text, open);
    const std::string name(text.substr(open + 1, close - open - 1));
    if (name.empty()) throw usage_error(fmt::format("'{}': [] holds no key", text));
    if (name == index_mark) {
      pieces_.push_back({piece::kind::index});
      numbered_ = true;
    } else {
      pieces_.push_back({piece::kind::key, {}, keys_.size()});
      const std::vector<metadata_key> read = parse_keys(name);
      if (read.size() != 1) throw usage_error(fmt::format("'{}': [{}] holds more than one key", text, name));
      keys_.push_back(read.front());
    }
    at = close + 1;
  }
}

void file_template::add_index() {
  if (std::exchange(numbered_, true)) return;
  std::string extension;
  if (!pieces_.empty() && pieces_.back().what == piece::kind::text) {
    std::string& last = pieces_.back().text;
    const std::size_t dot = last.rfind('.'), slash = last.rfind('/');
    const bool hidden = dot == (slash == last.npos ? 0 : slash + 1) && (slash != last.npos || pieces_.size() == 1);
    if (dot != last.npos && (slash == last.npos || dot > slash) && !hidden) {
      extension = last.substr(dot);
      last.resize(dot);
    }
  }
  pieces_.push_back({piece::kind::text, "_"});
  pieces_.push_back({piece::kind::index});
  pieces_.push_back({piece::kind::text, extension});
}

file_template::values file_template::values_in(key_lookup& in, std::uint64_t index) const {
  values out;
  for (const piece& each : pieces_) {
    if (each.what == piece::kind::text) continue;
    std::optional<std::string>& value = out.emplace_back();
    if (each.what == piece::kind::index)
      value = fmt::format("{:04}", index);
    else if (const key_result found = in.find(keys_[each.key]))
      value = found.text();
  }
  return out;
}

std::string file_template::name_of(const values& of) const {
  std::string out;
  auto value = of.begin();
  for (const piece& each : pieces_) {
    if (each.what == piece::kind::text) {
      out += each.text;
      continue;
    }
    out += *value ? safe_in_file_name(**value) : "unknown";
    ++value;
  }
  return out == "-" && several() ? "./-" : out;  // else it would be standard output
}

std::string file_template::difference(const values& a, const values& b) const {
  const auto spelled = [](const std::optional<std::string>& value) {
    return value ? fmt::format("'{}'", *value) : std::string("missing");
  };
  std::string out;
  std::size_t number = 0;
  for (const piece& each : pieces_) {
    if (each.what == piece::kind::text) continue;
    const auto &one = a[number], &other = b[number];
    ++number;
    if (one == other) continue;
    const std::string_view name =
        each.what == piece::kind::index ? index_mark : std::string_view(keys_[each.key].text());
    out += fmt::format("{}[{}] is {} in some and {} in others", out.empty() ? "" : ", ", name, spelled(one),
                       spelled(other));
  }
  return out;
}

const std::string& file_names::name_for(key_lookup& in, std::uint64_t index) {
  file_template::values values = of_->values_in(in, index);
  const auto [at, first] = given_.try_emplace(of_->name_of(values), values);
  if (first || at->second == values) return at->first;
  throw cli_error("messages that differ would be written to one file: " + of_->difference(at->second, values),
                  "add [index] or another key to the name, or select one of them by -w", at->first);
}

}  // namespace tgmap::cli
