// SPDX-License-Identifier: Apache-2.0
// Hashes by which another process sees that it has the message or the object that was pickled.
#include <algorithm>
#include <array>
#include <memory>
#include <tgmap/frame.hpp>

#include "cpp/handles/handles.hpp"
#include "cpp/interpreter/errors.hpp"

namespace tgmap_python {
namespace {

/// A `chained_hash` is a hash of many ranges of an archive. It takes little memory, whatever their sizes.
class chained_hash {
 public:
  void add(std::uint64_t number) noexcept {
    std::array<std::uint64_t, 2> both{value_, number};
    value_ = tgmap::xxh3(std::as_bytes(std::span(both)));
  }

  /// Errors: those of archive::read.
  void add(const tgmap::archive& from, std::uint64_t offset, std::uint64_t size, tgmap::failure& why) {
    add(size);
    if (!block_) block_ = std::make_unique_for_overwrite<std::byte[]>(block_bytes);
    while (size > 0 && !why) {
      const std::span<std::byte> part(block_.get(),
                                      static_cast<std::size_t>(std::min<std::uint64_t>(size, block_bytes)));
      from.read(offset, part, why);
      add(tgmap::xxh3(part));
      offset += part.size();
      size -= part.size();
    }
  }

  std::uint64_t value() const noexcept { return value_; }

 private:
  static constexpr std::size_t block_bytes = 64 * 1024;

  std::uint64_t value_ = 0;
  std::unique_ptr<std::byte[]> block_{};
};

bool is_metadata(tgmap::frame_type type) noexcept {
  using enum tgmap::frame_type;
  return type == header_metadata || type == footer_metadata || type == preceder;
}

/// Adds what cannot be read, as it is in both processes. Raises errors of the operating system.
void add_failure(chained_hash& to, const opened_archive& from, const tgmap::failure& why) {
  if (why.code.category() == std::system_category()) raise(why, from.path);
  to.add(static_cast<std::uint64_t>(why.code.value()));
}

/// Adds the descriptor: the body of the frame without the payload and its masks.
void add_descriptor(chained_hash& to, const tgmap::archive& from, const tgmap::object& o, tgmap::failure& why) {
  const std::uint64_t begin = o.frame().body_offset(), end = begin + o.frame().body_size();
  const std::uint64_t region = o.payload_offset(), region_end = region + o.payload_and_masks_size();
  to.add(from, begin, region - begin, why);
  if (!why) to.add(from, region_end, end - region_end, why);
}

/// Adds the metadata of a message; that of an object alone leaves out what follows the object, if it can.
void add_metadata(chained_hash& to, const py_message& m, std::optional<std::size_t> object, tgmap::failure& why) {
  const tgmap::archive& from = m.from->archive;
  tgmap::frame_range frames = m.handle.frames(why);
  bool has_header = false;
  std::size_t objects = 0;
  for (tgmap::frame each; !why && frames.next(each, why);) {
    if (each.is_object() && object && objects++ == *object && has_header) return;
    if (!is_metadata(each.type())) continue;
    has_header = has_header || each.type() == tgmap::frame_type::header_metadata;
    if (!object || each.type() != tgmap::frame_type::preceder || objects == *object)
      to.add(from, each.body_offset(), each.body_size(), why);
  }
}

std::uint64_t structure_of(const py_message& m) {
  chained_hash out;
  out.add(m.handle.length());
  tgmap::failure why;
  without_lock(true, [&] {
    add_metadata(out, m, {}, why);
    const std::size_t objects = why ? 0 : m.handle.size(why);
    for (std::size_t j = 0; j < objects && !why; ++j) {
      const tgmap::object o = m.handle.at(j, why);
      if (!why) add_descriptor(out, m.from->archive, o, why);
    }
  });
  if (why) add_failure(out, *m.from, why);
  return out.value();
}

std::uint64_t structure_of(py_object& o) {
  chained_hash out;
  tgmap::failure why;
  const py_message in{o.from, o.place.message()};
  const tgmap::object from = o.handle();
  without_lock(true, [&] {
    add_metadata(out, in, from.index(), why);
    if (!why) add_descriptor(out, o.from->archive, from, why);
  });
  if (why) add_failure(out, *o.from, why);
  return out.value();
}

/// Adds the stored hash of an object, or else reads its payload. With `checks`, a hash that is stored is compared with
/// the payload. Returns false if they differ.
bool add_payload(chained_hash& to, const tgmap::archive& from, const tgmap::object& o, bool checks,
                 tgmap::failure& why) {
  const auto stored = o.stored_hash();
  if (!stored) {
    to.add(from, o.payload_offset(), o.payload_and_masks_size(), why);
    return true;
  }
  to.add(*stored);
  return !checks || o.verify(why) == tgmap::hash_result::match || why;
}

nb::object payload_of(const py_message& m, bool checks) {
  chained_hash out;
  tgmap::failure why;
  bool matches = true;
  without_lock(true, [&] {
    const std::size_t objects = m.handle.size(why);
    for (std::size_t j = 0; j < objects && !why && matches; ++j) {
      const tgmap::object o = m.handle.at(j, why);
      if (!why) matches = add_payload(out, m.from->archive, o, checks, why);
    }
  });
  if (why) add_failure(out, *m.from, why);
  return matches ? nb::object(nb::int_(out.value())) : nb::none();
}

nb::object payload_of(py_object& o, bool checks) {
  chained_hash out;
  tgmap::failure why;
  const tgmap::object from = o.handle();
  const bool matches = without_lock(true, [&] { return add_payload(out, o.from->archive, from, checks, why); });
  if (why) add_failure(out, *o.from, why);
  return matches ? nb::object(nb::int_(out.value())) : nb::none();
}

}  // namespace

void register_fingerprint(nb::module_& m) {
  m.def(
      "_hash_structure", [](const py_message& of) { return structure_of(of); }, "of"_a,
      "Return a hash of metadata and descriptors.");
  m.def(
      "_hash_structure", [](py_object& of) { return structure_of(of); }, "of"_a);
  m.def(
      "_hash_payload", [](const py_message& of, bool checks) { return payload_of(of, checks); }, "of"_a, "checks"_a,
      "Return a hash of payloads; of their stored hashes if there are any. With `checks`, these are compared with the "
      "payloads: None if they differ.");
  m.def(
      "_hash_payload", [](py_object& of, bool checks) { return payload_of(of, checks); }, "of"_a, "checks"_a);
}

}  // namespace tgmap_python
