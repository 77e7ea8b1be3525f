// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <support/bytes.hpp>
#include <support/cbor.hpp>
#include <vector>

namespace tgmap_test {

/// A NaN or infinity mask. Blobs follow the payload in the given order.
struct mask_spec {
  std::string kind = "nan";
  std::string method = "none";
  bytes blob;
};

/// One data object. Members that are not set are written as a writer would.
struct object_spec {
  std::string dtype = "uint8";
  std::vector<std::uint64_t> shape{};
  bytes payload{};
  std::optional<std::vector<std::uint64_t>> strides{};  ///< default: row-major
  std::optional<std::string> byte_order = "little";
  std::string encoding = "none", filter = "none", compression = "none";
  std::vector<mask_spec> masks{};
  std::vector<cbor::pair> more{};       ///< more descriptor keys, after the others
  bool cbor_first = false;              ///< descriptor before the payload region
  std::optional<bytes> preceder{};      ///< the one entry of a preceder before this object, encoded
  std::optional<bytes> descriptor{};    ///< replaces the map made from the above
  std::optional<std::uint16_t> type{};  ///< frame type; default: 4 in version 2, 9 in version 3
};

/// Returns an object of one dimension of bytes.
object_spec bytes_object(bytes payload);
/// Returns an object of one dimension of native little-endian numbers; `dtype` must match them.
template <class T>
object_spec numbers_object(std::string dtype, std::initializer_list<T> values) {
  return {.dtype = std::move(dtype), .shape = {values.size()}, .payload = native(values)};
}

enum class writing { buffered, streamed, backfilled };  ///< backfilled: streamed, lengths patched in (version 3)
enum class where { none, header, footer, both };

/// A frame of any type.
struct frame_spec {
  std::uint16_t type = 0;
  bytes body{};
  std::uint16_t flags = 0;
  std::uint16_t version = 1;
};

/// The contents of the index frames. Tests change it to make wrong ones.
struct index_spec {
  std::vector<std::uint64_t> offsets{}, lengths{};
  std::optional<std::uint64_t> count{};  ///< `object_count`; default: only in version 2
};

/// One message. Members that are set replace the parts that would be computed.
struct message_spec {
  int version = 3;
  std::vector<object_spec> objects{};
  tgmap_test::writing writing = writing::buffered;
  std::optional<where> index{};     ///< header when buffered, footer when streamed
  std::optional<where> metadata{};  ///< header when buffered, both when streamed
  bool hashes = true;
  bool hash_frames = true;

  std::vector<bytes> base{};                                  ///< entries, encoded
  std::vector<cbor::pair> extra{};                            ///< keys of `_extra_`
  std::vector<cbor::pair> top{};                              ///< further top-level keys
  std::optional<bytes> reserved{};                            ///< `_reserved_`, encoded
  std::optional<bytes> header_metadata{}, footer_metadata{};  ///< bodies of these frames, instead

  std::map<std::size_t, std::vector<frame_spec>> frames_before{};  ///< before object i; i == count: after the last
  std::map<std::size_t, bytes> junk_before{};                      ///< bytes after the padding before object i
  std::vector<frame_spec> header_frames{}, footer_frames{};  ///< after the header frames; before the footer frames
  void (*lie)(index_spec&) = nullptr;                        ///< changes the contents of the index

  std::optional<std::uint16_t> flags{};
};

/// A message and the offsets of its parts, from its start.
struct built_message {
  bytes data;
  struct place {
    std::uint16_t type;
    std::uint64_t offset, length;
  };
  std::vector<place> frames{};
  std::vector<std::uint64_t> objects{};  ///< offsets of data object frames
  std::uint64_t first_footer = 0, postamble = 0;
};

built_message build(const message_spec&);
/// Returns only the bytes of the message.
bytes message(const message_spec&);

/// Returns a message of version 1 with these payloads.
bytes version_1_message(const std::vector<bytes>& payloads);

/// Writes the length of the bytes into the preamble and, in version 3, into the postamble.
void fix_length(bytes& message);

/// Returns the body of an object's descriptor, for tests that change it.
bytes descriptor_of(const object_spec&, int version);

/// Return the XXH3 hash of bytes as sixteen hexadecimal digits, and as a number.
std::string xxh3_hex(std::string_view);
std::uint64_t xxh3(std::string_view);

inline constexpr std::string_view magic = "TENSOGRM", end_magic = "39277777";

}  // namespace tgmap_test
