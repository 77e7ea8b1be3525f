// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tgmap/decode/codecs.hpp>
#include <tgmap/export.hpp>

namespace tgmap {
inline namespace v0 {

/// How the bytes of an archive are read.
enum class io_mode : std::uint8_t {
  automatic,  ///< `map`; `read` on network file systems and if mapping fails
  map,        ///< one read-only mapping of the whole archive; views point into it
  read,       ///< no mapping: structure by positioned reads, payloads on demand into memory that the archive owns
};

TGMAP_API std::string_view to_string_view(io_mode) noexcept;  ///< "automatic", "map", "read"

/// How the library reads a mapped archive.
enum class guard_use : std::uint8_t {
  automatic,  ///< through the mapping where that is faster and a `mapping_guard` is or can be installed; else by reads
  never,      ///< always by positioned reads; no handler is installed
};

/// Says if a block of memory may change while an archive of it is open.
enum class memory : std::uint8_t {
  constant,    ///< nothing: structure and payloads are read in place
  may_change,  ///< a mapping of a file, or memory that others write to: all is copied before it is checked and used
};

/// How messages are numbered after bytes that belong to no message.
enum class on_damage : std::uint8_t {
  stop,  ///< access ends at the first gap, so no number after damage is guessed
  skip,  ///< numbering goes on behind the gap; `archive::gaps()` lists the gaps
};

/// How the objects of a message are found. Both ways give the same answer on sound files.
enum class object_lookup : std::uint8_t {
  /// Uses the header index, else the footer index, else the walk. A wrong index is an error. In messages of up to 16
  /// objects or up to 64 KiB, the frames are compared with the index as far as the answer depends on them. In other
  /// messages the last object and each requested object are compared.
  index,
  walk,  ///< walks frame by frame, which tolerates a wrong index but touches every frame
};

/// How an archive uses the index file beside it; see tools/index.hpp.
/// Spec: docs/index_format.md.
enum class index_use : std::uint8_t {
  none,     ///< scans the archive
  use,      ///< uses the index if there is one that belongs to the archive
  checked,  ///< as `use`, after the whole index was compared with the archive, which takes longer than a scan
  create,   ///< as `use`; writes an index to its place if there is none, extends it if the archive has grown by much
};

/// The most dimensions of a view or a descriptor.
/// Default: 32, NumPy's limit until 2.0; real data stays far below it.
inline constexpr std::size_t max_rank = 32;

/// A `total_limit` bounds how many bytes a call may decode in all. Aggregate: `{.bytes = 1 << 30}`.
struct total_limit {
  /// Maximum number of decoded bytes.
  /// Default: unlimited.
  std::uint64_t bytes = UINT64_MAX;

  /// Limits the total to this many times the bytes read so far, plus 1 GiB.
  /// Default: 0, no such limit.
  std::uint64_t ratio = 0;

  /// Returns how many bytes may be decoded in all after `read` bytes were read.
  constexpr std::uint64_t after(std::uint64_t read) const noexcept {
    constexpr std::uint64_t free_bytes = std::uint64_t{1} << 30;
    if (ratio == 0 || read > (UINT64_MAX - free_bytes) / ratio) return bytes;
    const std::uint64_t most = ratio * read + free_bytes;
    return most < bytes ? most : bytes;
  }
};

/// The options of opening an archive. Aggregate: `{.io = tgmap::io_mode::read}`.
/// Each limit bounds what a hostile file can make the library do. Sound files stay below all defaults.
struct open_options {
  /// Chooses between a mapping and positioned reads.
  /// Default: automatic, since a mapping is fastest locally and 8 to 50 times slower over a network.
  io_mode io = io_mode::automatic;

  /// Chooses how the library reads the structure of a mapped file, and the bytes that it validates and decodes: through
  /// the mapping under a `mapping_guard` where that is faster, or always by positioned reads. Has no effect on views
  /// and on archives in memory that is constant. Default: automatic, as fast as the process allows. Installs the guard
  /// if the process has no SIGBUS handler.
  guard_use guard = guard_use::automatic;

  /// Chooses what happens after damage.
  /// Default: stop, since a number that silently moves to another message is worse than an error.
  on_damage damage = on_damage::stop;

  /// Chooses how objects are found.
  /// Default: index, since it takes O(1) reads a message.
  object_lookup lookup = object_lookup::index;

  /// Chooses if `archive::open` uses an index, `NAME.tgx` beside the file NAME, or beside the file to which a link
  /// leads. Only `create` ever writes one, and replaces neither other files nor indexes of other users; not beside a
  /// file of which `offset` and `length` take a part. An index that does not belong to the archive is not used, and
  /// `archive::index_status` says why. One that belongs to it answers only while it is current; see `index_status`.
  /// Default: use. An archive with a current index opens without a scan.
  index_use index = index_use::use;

  /// Looks for the index in the cache folder of the user, too: `$XDG_CACHE_HOME/tgmap`, or `~/.cache/tgmap`. There it
  /// is found by what the archive contains, not by its name. `create` then writes it there, and not beside the archive.
  /// Default: false.
  bool index_cache = false;

  /// Users whose indexes are used, besides those of the archive's owner, of root and of the user of this process: names
  /// or numbers, and `group:NAME` for all members of a group, with commas between them. Borrowed for the call that
  /// opens. Whoever writes an index decides which messages are found; see docs/threat_model.md. Default: empty. The
  /// variable TGMAP_TRUST_INDEX_OF has the same form, and is always read, too.
  std::string_view trust_index_of{};

  /// Path of the index, borrowed for the call that opens. Then anybody may own it, and opening fails without it.
  /// Default: empty, the file beside the archive.
  std::string_view index_path{};

  /// Offset of the archive in the file, for an archive inside another file.
  /// Default: 0, the start of the file.
  std::uint64_t offset = 0;

  /// Number of bytes of the archive from `offset` on.
  /// Default: up to the end of the file.
  std::uint64_t length = UINT64_MAX;

  /// Maximum nesting depth of CBOR containers, at most 1024.
  /// Default: 256, which the reference implementation reads; real files nest deeper than 100.
  std::uint32_t max_cbor_depth = 256;

  /// Maximum number of bytes of one metadata, index or preceder frame, or of one descriptor.
  /// Default: 1 GiB; a message of a million objects with rich metadata has about 300 MB.
  std::uint64_t max_metadata_bytes = std::uint64_t{1} << 30;

  /// Maximum number of objects in one message.
  /// Default: 64 Mi; the table of their offsets takes 1.5 GiB, and the index in the file a third of that.
  std::uint64_t max_objects = std::uint64_t{1} << 26;

  /// Maximum number of gaps that are recorded one by one; all that follows is one gap with the cause `too_many_gaps`.
  /// Default: 1 Mi, 112 MiB of heap.
  std::uint64_t max_gaps = std::uint64_t{1} << 20;

  /// Maximum number of padding bytes that are skipped between frames in search of the next one. Behind a frame that an
  /// index lists, only zeros are padding, at most 4,095.
  /// Default: 64 KiB; writers leave at most 7 bytes, or 4,095 if they align payloads.
  /// Spec: §2.5.
  std::uint64_t max_padding = std::uint64_t{1} << 16;

  /// Maximum number of bytes that decoding one object may give, or allocate at one of its stages. Of objects that are
  /// neither compressed nor shuffled, parts count alone. Memory of the caller counts, too, unless it is for a part.
  /// Default: 16 GiB, several times the largest real fields; a few bytes of a hostile file can ask for any number.
  std::uint64_t max_decoded_bytes = std::uint64_t{1} << 34;

  /// Compressions that objects and masks may use. Decoding any other one is `codec_forbidden`.
  /// Default: all, since each is checked before its library sees it.
  codec_set codecs = codec_set::all();

  /// Maximum number of payload bytes that an archive in `io_mode::read` holds until it is closed; more is
  /// `resident_limit`, and `object::read` still works. Metadata and descriptors count apart, with the same limit, but
  /// at least 64 MiB.
  /// Default: 4 GiB, a large field or many small ones.
  std::uint64_t max_resident_bytes = std::uint64_t{1} << 32;
};

class executor;

/// The byte order of decoded elements.
enum class output_byte_order : std::uint8_t {
  native,  ///< of this machine
  stored,  ///< of the descriptor
};

/// How views, decoding and everything else that reads elements use the strides of the descriptor. Stored bytes are in C
/// order unless the strides are a permutation of a dense layout, in elements or in bytes. The reference implementation
/// ignores strides and always takes C order.
enum class stride_policy : std::uint8_t {
  apply,   ///< applies strides; any but a permutation of a dense layout are `unsupported_strides`
  ignore,  ///< takes the bytes in C order, whatever the strides are
};

/// The options of decoding an object. Aggregate: `{.restore_missing = false}`.
struct decode_options {
  /// Byte order of the result.
  /// Default: native, the order of this machine.
  output_byte_order byte_order = output_byte_order::native;

  /// Restores masked NaN and infinities. Without it such elements keep the value that was stored in their place, mostly
  /// 0.
  /// Default: true, the elements as they were written.
  /// Spec: §6.2.
  bool restore_missing = true;

  /// Chooses whether the result keeps strides of the descriptor that say how the dense payload is ordered, as in
  /// `object::view`.
  /// Default: apply, as for views.
  stride_policy strides = stride_policy::apply;

  /// The threads that decode one object, if its pipeline allows more than one: plain and packed payloads, szip with
  /// block offsets, blosc2, zfp of fixed rate. All other pipelines and small objects use one thread. The result is the
  /// same with any number of threads.
  /// Default: null, the calling thread alone.
  tgmap::executor* executor = nullptr;

  /// When a part is read, up to this many bytes between two wanted places are read instead of skipped.
  /// Default: 16 KiB, which takes the time of one more read.
  std::uint64_t coalesce_bytes = 16384;

  /// Compares the stored hash with the bytes that are decoded. Bytes of payload and masks are hashed as they are read,
  /// and exactly these are decoded, so decode() never borrows. A `part_reader` hashes the whole object once, when it is
  /// opened. Without an xxh3 hash nothing is checked; see `object::stored_hash`.
  /// Errors: hash_mismatch (expected = the stored hash, found = that of the bytes).
  /// Default: false. Nothing is checked then: changed bytes give wrong elements, unless a codec cannot read them.
  /// Spec: §4.
  bool verify = false;
};

}  // namespace v0
}  // namespace tgmap
