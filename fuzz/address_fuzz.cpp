// SPDX-License-Identifier: Apache-2.0
// Parses addresses (FILE:MESSAGE:OBJECT) and paths into metadata. The input up to its first zero byte is
// the address, the rest is CBOR.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/cbor_view.hpp>
#include <tgmap/tools/address.hpp>

#include "support/require.hpp"

using namespace tgmap_fuzz;

namespace {

/// Returns the text that parses to this range.
std::string text_of(const tgmap::number_range& n) {
  const auto end = [](const std::optional<std::int64_t>& at) { return at ? std::to_string(*at) : std::string(); };
  return n.single ? end(n.begin) : end(n.begin) + ".." + end(n.end);
}

void check_numbers(const tgmap::number_range& n) {
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7}, UINT64_MAX / 2}) {
    const auto [begin, end] = tgmap::to_bounds(n, count);
    if (!n.single) require(begin <= end && end <= count, "a range is within the archive");
  }
}

void check_target(std::string_view text) {
  for (const std::string_view file : {"", "a", "a:1"}) {
    tgmap::failure why;
    const auto t = tgmap::archive_address::parse(
        text, [&](const std::string& path) { return path == file; }, why);
    require(!t.objects || t.messages || t.offset, "an object needs a message");
    require(!t.messages || !t.offset, "a message has a number or an offset");
    require(text.starts_with(t.file), "an address begins with the file");
    if (why) require(t.whole_file() && why.found == t.file.size() + 1, "what follows the file is no address");
    if (t.whole_file()) continue;
    if (t.messages) check_numbers(*t.messages);
    if (t.objects) check_numbers(*t.objects);
    std::string again = t.file + (t.offset ? "@" + std::to_string(*t.offset) : ":" + text_of(*t.messages));
    if (t.objects) again += ":" + text_of(*t.objects);
    const auto u = tgmap::archive_address::parse(
        again, [&](const std::string& path) { return path == t.file; }, why);
    require(!why && u == t, "a printed address parses to the same address");
  }
}

/// Checks that the path of every item finds this item. Keys are plain and not repeated.
void check_paths(const tgmap::cbor_view& root, const tgmap::cbor_view& at, const std::string& path, unsigned& left) {
  if (left == 0 || path.size() > 200) return;
  --left;
  if (!path.empty()) {
    const auto found = root.at_path(path);
    require(found && found->bytes_to_end().data() == at.bytes_to_end().data(), "a path finds its item");
  }
  const bool is_well_formed = at.visit([](auto, const tgmap::cbor_view&) { return true; });
  if (!is_well_formed) return;  // malformed items are not found by their keys
  at.visit([&](auto key, const tgmap::cbor_view& item) {
    if constexpr (std::is_same_v<decltype(key), std::uint64_t>) {
      check_paths(root, item, path + "[" + std::to_string(key) + "]", left);
    } else {
      const auto name = key.template get<std::string_view>();
      const bool plain = name && !name->empty() && name->find_first_of(".[") == std::string_view::npos;
      const auto last = plain ? at.find(*name) : std::nullopt;
      if (last && last->bytes_to_end().data() == item.bytes_to_end().data())
        check_paths(root, item, path.empty() ? std::string(*name) : path + "." + std::string(*name), left);
    }
    return left > 0;
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(bytes), size);
  const std::string_view address = all.substr(0, all.find('\0'));
  check_target(address);

  const std::string_view rest = all.substr(std::min(address.size() + 1, size));
  const auto data = std::as_bytes(std::span(rest));
  const tgmap::cbor_view root(data);
  if (const auto found = root.at_path(address)) {
    const auto tail = found->bytes_to_end();
    require(tail.data() >= data.data() && tail.data() + tail.size() <= data.data() + data.size(),
            "an item is within its bytes");
  }
  unsigned left = 500;
  check_paths(root, root, "", left);
  return 0;
}
