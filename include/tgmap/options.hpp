// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tgmap/decode/codecs.hpp>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// How bytes are reached.
enum class io_mode : std::uint8_t {
  automatic,  ///< `map`, except on network file systems and where mapping fails: `read`
  map,        ///< one read-only mapping of the whole archive; views point into it
  read,       ///< no mapping: structure by positioned reads, payloads on demand into memory that the archive owns
};

TGMAP_API std::string_view to_string_view(io_mode) noexcept;  ///< "automatic", "map", "read"

/// Whether the library may read a mapped archive under the process's `mapping_guard`.
enum class guard_use : std::uint8_t {
  automatic,  ///< if a guard is installed when the archive is opened; else by positioned reads
  never,      ///< always by positioned reads, installed or not
};

/// What happens to numbering when bytes that belong to no message are met.
enum class on_damage : std::uint8_t {
  stop,  ///< access ends at the first gap; a number after damage is never guessed
  skip,  ///< go on behind the gap; `archive::gaps()` lists what was passed over
};

/// How the objects of a message are found. Both give the same answer on sound files.
enum class object_lookup : std::uint8_t {
  /// Header index, else footer index, else the walk; a lying index is an error. In messages of up to 16 objects or up
  /// to 64 KiB, frames are compared with it as far as the answer depends on them. In others the last object is
  /// compared, and each that is asked for.
  index,
  walk,  ///< always walk frame by frame: repairs a lying index, costs a touch of every frame
};

/// Dimensions a view or a descriptor holds inside. Default: 32, NumPy's limit until 2.0; nothing real comes near it.
inline constexpr std::size_t max_rank = 32;

/// How many bytes a call may decode in all. Aggregate: `{.bytes = 1 << 30}`.
struct total_limit {
  /// Default: any number.
  std::uint64_t bytes = UINT64_MAX;

  /// Limits the total to this many times the bytes read so far, plus 1 GiB. Default: 0, no such limit.
  std::uint64_t ratio = 0;

  /// Returns how many bytes may be decoded in all once `read` bytes were read.
  constexpr std::uint64_t after(std::uint64_t read) const noexcept {
    constexpr std::uint64_t free_bytes = std::uint64_t{1} << 30;
    if (ratio == 0 || read > (UINT64_MAX - free_bytes) / ratio) return bytes;
    const std::uint64_t most = ratio * read + free_bytes;
    return most < bytes ? most : bytes;
  }
};

/// Everything that can be set when an archive is opened. Aggregate: `{.io = tgmap::io_mode::read}`.
/// Each limit bounds what a hostile file can make the library do; sound files meet none of the defaults.
struct open_options {
  /// Default: automatic, since a mapping is fastest locally and 8 to 50 times slower over a network.
  io_mode io = io_mode::automatic;

  /// Whether the library reads the structure of a mapped file, and what it validates and decodes of it, through the
  /// mapping where a `mapping_guard` is installed. Views, and archives in memory, are not concerned.
  /// Default: automatic, as fast as the process allows; the library never installs a guard by itself.
  guard_use guard = guard_use::automatic;

  /// Default: stop, since a number that silently moves to another message is worse than an error.
  on_damage damage = on_damage::stop;

  /// Default: index, O(1) reads a message.
  object_lookup lookup = object_lookup::index;

  /// The archive begins here in the file (an archive inside another file). Default: the whole file.
  std::uint64_t offset = 0;

  /// Bytes of the archive from `offset` on. Default: up to the end of the file.
  std::uint64_t length = UINT64_MAX;

  /// Containers inside containers of CBOR, at most 1024. Default: 256, what the reference reads; real files nest
  /// beyond 100.
  std::uint32_t max_cbor_depth = 256;

  /// Bytes of one metadata, index or preceder frame, or of one descriptor.
  /// Default: 1 GiB; a message of a million objects with rich metadata has about 300 MB.
  std::uint64_t max_metadata_bytes = std::uint64_t{1} << 30;

  /// Objects in one message. Default: 64 Mi; their table of places takes 1.5 GiB, and the
  /// index that announces them a third of that in the file.
  std::uint64_t max_objects = std::uint64_t{1} << 26;

  /// Gaps that are recorded one by one; what follows is one gap, `too_many_gaps`. Default: 1 Mi, 72 MiB of heap.
  std::uint64_t max_gaps = std::uint64_t{1} << 20;

  /// Padding between frames that is skipped in search of the next frame (§2.5). Behind a frame that an index lists
  /// only zeros are padding, at most 4,095.
  /// Default: 64 KiB; writers leave at most 7 bytes, or 4,095 where they align payloads.
  std::uint64_t max_padding = std::uint64_t{1} << 16;

  /// Bytes that decoding one object may give, and that may be needed on the way.
  /// Default: 16 GiB, some times the largest fields there are; a few bytes of a hostile file can ask for any number.
  std::uint64_t max_decoded_bytes = std::uint64_t{1} << 34;

  /// Compressions that objects and masks of the archive may use; another one is `errc::codec_forbidden` when it is
  /// decoded. Default: all, for each is checked before its library sees it.
  codec_set codecs = codec_set::all();

  /// With `io_mode::read`: bytes of payloads held, until the archive is closed. Default: 4 GiB, a large field or many
  /// small ones; beyond it `errc::resident_limit` points to `object::read(out)`. Metadata and descriptors that were
  /// asked for are held too, counted apart: the same limit, but never less than 64 MiB.
  std::uint64_t max_resident_bytes = std::uint64_t{1} << 32;
};

class executor;

/// In which byte order elements come out.
enum class output_byte_order : std::uint8_t {
  native,  ///< this machine's
  stored,  ///< the descriptor's
};

/// Which element comes where. Stored bytes are C order unless the descriptor's strides are a permutation of a dense
/// layout; the reference implementation ignores strides and always takes C order. One rule for views, extraction and
/// whatever else reads elements.
enum class stride_policy : std::uint8_t {
  apply,   ///< honour strides; anything but a permutation of a dense layout is `errc::odd_strides`
  ignore,  ///< the bytes as C order, whatever the strides say
};

/// How an object is decoded. Aggregate: `{.missing = false}`.
struct decode_options {
  output_byte_order byte_order = output_byte_order::native;

  /// Whether NaN and infinities that masks tell of are put back (§6.2); without, such elements are what was stored in
  /// their place, mostly 0.
  bool restore_missing = true;

  /// As for `object::view`: strides of the descriptor that say how the dense payload is to be read are kept.
  stride_policy strides = stride_policy::apply;

  /// Whose threads decode one object, where its pipeline allows: bare and packed payloads, szip with block offsets,
  /// blosc2, zfp of fixed rate; everything else takes one. Null: the calling thread alone. Small objects never take
  /// more than one. The answer is the same with any number.
  tgmap::executor* executor = nullptr;

  /// Of parts: bytes between two wanted places that are read along with them rather than skipped. Default: 16 KiB, what
  /// comes in the time of one more read.
  std::uint64_t coalesce_bytes = 16384;
};

}  // namespace v0
}  // namespace tgmap
