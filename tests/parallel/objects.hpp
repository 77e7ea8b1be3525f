// SPDX-License-Identifier: Apache-2.0
// Archives of many objects, and memory for their elements.
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

inline std::vector<tgmap::object> objects_of(const tgmap::archive& archive) {
  std::vector<tgmap::object> out;
  for (const tgmap::message& m : archive)
    for (std::size_t i = 0; i < m.size(); ++i) out.push_back(m[i]);
  return out;
}

/// An `output_buffers` has memory for the elements of each object, filled with '?'.
class output_buffers {
 public:
  explicit output_buffers(const std::vector<tgmap::object>& objects) {
    for (const tgmap::object& o : objects) {
      tgmap::failure why;
      buffers_.emplace_back(o.decoded_size(why), std::byte{'?'});
    }
    for (auto& each : buffers_) spans_.emplace_back(each);
  }
  std::span<const std::span<std::byte>> spans() const { return spans_; }
  std::string_view operator[](std::size_t i) const { return view_of(buffers_[i]); }
  bool operator==(const output_buffers& other) const { return buffers_ == other.buffers_; }

 private:
  std::vector<std::vector<std::byte>> buffers_;
  std::vector<std::span<std::byte>> spans_;
};

/// Returns the elements of the objects of archive_of().
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

/// Returns an archive of ten messages with `count` numbered objects of `size` bytes. Damaged ones lack a byte.
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
