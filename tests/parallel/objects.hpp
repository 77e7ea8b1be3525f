// SPDX-License-Identifier: Apache-2.0
// Archives of many objects, and room for what they decode to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <support/builder.hpp>
#include <support/samples.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>
#include <vector>

namespace tgmap_test {

inline std::vector<tgmap::object> objects_of(const tgmap::archive& from) {
  std::vector<tgmap::object> out;
  for (const tgmap::message& m : from)
    for (std::size_t i = 0; i < m.size(); ++i) out.push_back(m[i]);
  return out;
}

/// Bytes for each object, '?' at first.
class room {
 public:
  explicit room(const std::vector<tgmap::object>& objects) {
    for (const tgmap::object& o : objects) {
      tgmap::failure why;
      held_.emplace_back(o.decoded_size(why), std::byte{'?'});
    }
    for (auto& each : held_) spans_.emplace_back(each);
  }
  std::span<const std::span<std::byte>> spans() const { return spans_; }
  std::string_view operator[](std::size_t i) const { return view_of(held_[i]); }
  bool operator==(const room& other) const { return held_ == other.held_; }

 private:
  std::vector<std::vector<std::byte>> held_;
  std::vector<std::span<std::byte>> spans_;
};

/// What the objects of archive_of() hold. Made once for all comparisons.
inline std::vector<bytes> values_of(unsigned count, std::size_t size) {
  std::vector<bytes> out;
  for (unsigned n = 0; n < count; ++n) out.push_back(payload_of(n, size));
  return out;
}

/// Runs `body(archive)` with the archive mapped and read.
template <class F>
void mapped_and_read(const bytes& data, F&& body) {
  const temporary_directory files;
  const auto path = files.file("archive.tgm", data);
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) body(tgmap::archive(path, {.io = mode}));
}

/// Objects of ten messages: `count` of `size` bytes; numbered, and those named have a byte less than their shape says.
inline bytes archive_of(unsigned count, std::size_t size, const std::vector<unsigned>& damaged = {}) {
  bytes out;
  std::vector<message_spec> messages(10);
  for (unsigned n = 0; n < count; ++n) {
    object_spec each = bytes_object(payload_of(n, size));
    each.shape = {size};
    if (std::ranges::find(damaged, n) != damaged.end()) each.payload.pop_back();
    messages[std::size_t{n} * messages.size() / count].objects.push_back(std::move(each));
  }
  for (const message_spec& each : messages)
    if (!each.objects.empty()) out += message(each);
  return out;
}

}  // namespace tgmap_test
