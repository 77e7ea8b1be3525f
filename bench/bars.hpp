// SPDX-License-Identifier: Apache-2.0
// The limits of the rows. For each kind, the first bar whose pattern matches the name of a row applies to it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tgmap_bench {

enum class bar_kind : std::uint8_t {
  ratio,        ///< time divided by the time of the best floor
  nanoseconds,  ///< time of one unit
  value,        ///< the row's own count
  allocations,  ///< in one run
};

/// Decides whether `--gate` checks a ratio. Times without a floor are never checked, because they depend on the
/// machine as much as on the library; neither are counts, because tests check them.
enum class gate : std::uint8_t {
  holds,    ///< fails if the ratio is above `gate_factor` times its bar
  missed,   ///< not checked, because the bar is not met yet
  machine,  ///< not checked, because the ratio depends on a disk, a socket, a second core or the processor
};
inline constexpr double gate_factor = 1.25;

struct bar {
  std::string_view rows;  ///< a name; `*` matches any text
  bar_kind kind;
  double limit;
  gate at_gate = gate::holds;
};

inline constexpr double mebibytes = 1024 * 1024;

inline constexpr std::array bars{
    bar{"scan/small/warm/map", bar_kind::ratio, 1.15, gate::missed},
    bar{"scan/medium/warm/*", bar_kind::ratio, 1.15, gate::missed},
    bar{"scan/large/warm/*", bar_kind::ratio, 1.15, gate::missed},
    bar{"scan/many/warm/*", bar_kind::ratio, 1.15, gate::missed},
    bar{"scan/many_footer/warm/map", bar_kind::ratio, 1.2, gate::missed},
    bar{"scan/streamed/warm/*", bar_kind::ratio, 1.2},  // the bare frame walk
    bar{"scan/many_footer/warm/*", bar_kind::ratio, 1.2},
    bar{"scan/*/warm/*", bar_kind::ratio, 1.15},
    bar{"scan/*/cold/*", bar_kind::ratio, 1.3, gate::machine},
    bar{"scan/large/cold/*", bar_kind::value, 1.05},  // pages a message
    bar{"open/*", bar_kind::nanoseconds, 20'000},
    bar{"index/open_one/searchable", bar_kind::nanoseconds, 60'000},
    bar{"index/open_one/*/cold", bar_kind::value, 12},  // pages of both files
    bar{"index/command/get", bar_kind::nanoseconds, 8e6},
    bar{"index/command/ls_one_hit", bar_kind::nanoseconds, 10e6},
    bar{"index/command/count_tenth", bar_kind::nanoseconds, 15e6},
    bar{"index/create/*", bar_kind::ratio, 1.3, gate::machine},           // a scan, and the metadata of each message
    bar{"index/create_threads/*", bar_kind::ratio, 0.59, gate::machine},  // one thread
    bar{"index/update/*", bar_kind::ratio, 0.03, gate::machine},          // making it
    bar{"index/size/*", bar_kind::value, 72},                             // bytes a message, its hash included
    bar{"index/column_size/*", bar_kind::value, 4},                       // bytes a message
    bar{"touched/*/map", bar_kind::nanoseconds, 30},
    bar{"touched/*/map", bar_kind::allocations, 0},
    bar{"random/large/map", bar_kind::ratio, 1.3, gate::missed},
    bar{"random/small/map", bar_kind::ratio, 1.3, gate::machine},   // processors overlap cache misses differently
    bar{"random/medium/map", bar_kind::ratio, 1.3, gate::machine},  // the same
    bar{"random/*/map", bar_kind::ratio, 1.3},                      // the bare view
    bar{"view/touched/*", bar_kind::nanoseconds, 60},
    bar{"view/touched/*", bar_kind::allocations, 0},
    bar{"view/random/*", bar_kind::ratio, 1.5},  // bare reads of frame and descriptor
    bar{"metadata_get/touched/*", bar_kind::nanoseconds, 150},
    bar{"default/*", bar_kind::ratio, 1.1},  // the best mode that the caller could choose
    bar{"first_touch/*/map", bar_kind::nanoseconds, 400},
    bar{"first_touch/*/memory", bar_kind::nanoseconds, 400},  // the same without page faults
    bar{"first_of_many/*", bar_kind::nanoseconds, 8},         // an object
    bar{"again_of_many/*/map", bar_kind::nanoseconds, 30},    // O(1): like any object accessed before
    bar{"all_of_many/*", bar_kind::ratio, 1.5},               // O(bytes): ten messages of a tenth of the objects
    bar{"from_end/*/cold/*", bar_kind::value, 2},             // pages a message
    bar{"payload_bytes/*", bar_kind::value, 0},
    bar{"heap/table/*", bar_kind::value, 16},  // bytes a message
    bar{"heap/visited/*", bar_kind::value, 24 * mebibytes},
    bar{"damage/*", bar_kind::ratio, 1.5},      // memmem
    bar{"verify/*", bar_kind::ratio, 1 / 0.9},  // bare XXH3
    bar{"validate_checksum/fields/*", bar_kind::ratio, 1 / 0.9},
    bar{"validate_checksum/small/*", bar_kind::nanoseconds, 160},
    bar{"validate_standard/small/*", bar_kind::nanoseconds, 1000},
    bar{"validate_quick/small/*", bar_kind::ratio, 1.5},  // the scan, and a window a frame
    bar{"command/count/*", bar_kind::value, 15},          // milliseconds beyond the library's scan
    bar{"command/info/small", bar_kind::value, 60},
    bar{"command/info/small", bar_kind::ratio, 2, gate::missed},  // count; the gate starts no command
    bar{"command/ls_keys_one_thread/*", bar_kind::nanoseconds, 800},
    bar{"command/ls_keys/*", bar_kind::nanoseconds, 500},
    bar{"command/ls_where/*", bar_kind::nanoseconds, 600},
    bar{"command/*/empty", bar_kind::nanoseconds, 8e6},
    bar{"command/*/empty", bar_kind::value, 3},  // milliseconds beyond /bin/true
    bar{"show/*", bar_kind::nanoseconds, 30e6},
    bar{"decode_many/large/*", bar_kind::ratio, 1 / 1.8, gate::machine},  // one of two threads
    bar{"decode_each/large/*", bar_kind::ratio, 1 / 1.6, gate::machine},
    bar{"decode_*/small/*", bar_kind::ratio, 1, gate::machine},      // never slower than one
    bar{"decode_*/little/*", bar_kind::ratio, 1.02, gate::machine},  // the same code, and noise
    bar{"while_scanning/*", bar_kind::ratio, 1.2, gate::machine},    // the same thread alone
    bar{"decode/*+szip/*", bar_kind::ratio, 1 / 0.95},               // the bare library call, then the bare loop
    bar{"decode/*+zstd/*", bar_kind::ratio, 1 / 0.95},
    bar{"decode/*+lz4/*", bar_kind::ratio, 1 / 0.95},
    bar{"decode_verified/*+shuffle*", bar_kind::ratio, 1.05, gate::missed},  // XXH3 alone takes more
    bar{"decode_verified/packed16+zstd/*", bar_kind::ratio, 1.05, gate::missed},
    bar{"decode_verified/*", bar_kind::ratio, 1.05},   // without verify
    bar{"decode_mapped/*", bar_kind::ratio, 1 / 0.6},  // the bare library call on bytes that cannot change
    bar{"decode_sealed/*", bar_kind::ratio, 1 / 0.9},
    bar{"decode/*+blosc2/*", bar_kind::ratio, 1 / 0.95},
    bar{"decode/*+zfp*", bar_kind::ratio, 1 / 0.95},
    bar{"decode/*+sz3/*", bar_kind::ratio, 1 / 0.95},
    bar{"decode/*+shuffle*", bar_kind::ratio, 1 / 0.8},  // memcpy; packed: then the bare loop
    bar{"decode/packed8/*", bar_kind::ratio, 1 / 0.8},   // the bare loop of that width
    bar{"decode/packed12/*", bar_kind::ratio, 1 / 0.8},
    bar{"decode/packed16/*", bar_kind::ratio, 1 / 0.8},
    bar{"decode/packed24/*", bar_kind::ratio, 1 / 0.8},
    bar{"decode/packed*", bar_kind::ratio, 1 / 0.4},                                   // the loop of 16 bits
    bar{"decode/*", bar_kind::ratio, 1 / 0.8},                                         // memcpy
    bar{"decode_owning/*", bar_kind::ratio, 1 / 0.8},                                  // the loop into huge pages
    bar{"decode_owning/float32*", bar_kind::nanoseconds, mebibytes * 1e3 / 1059 / 2},  // twice the reference
    bar{"decode_owning/packed16", bar_kind::nanoseconds, mebibytes * 1e3 / 492 / 2},
    bar{"decode_part/packed16/*", bar_kind::nanoseconds, 1000},
    bar{"decode_part/packed13/*", bar_kind::nanoseconds, 1000},
    bar{"decode_part/float64/*", bar_kind::nanoseconds, 1000},
    bar{"decode_part/float32_foreign/*", bar_kind::nanoseconds, 1000},
    bar{"decode_part/*+zfp_rate/one/*", bar_kind::nanoseconds, 2000},
    bar{"decode_part/*+szip/*", bar_kind::ratio, 1.2},  // the library over the pieces that hold it
    bar{"decode_part/*+blosc2/*", bar_kind::ratio, 1.2},
    bar{"decode_part_pages/*", bar_kind::value, 1},
    bar{"decode_part_open/*", bar_kind::nanoseconds, 10'000},
    bar{"decode_many/*", bar_kind::ratio, 1 / 1.8, gate::machine},  // two threads, compared with one
    bar{"decode_large/*", bar_kind::ratio, 1 / 1.7, gate::machine},
    bar{"decode_masked/float64/zstd/*", bar_kind::ratio, 1.25},  // without a mask; plus the bare library call
    bar{"decode_masked/float64/blosc2/*", bar_kind::ratio, 1.25},
    bar{"decode_masked/*", bar_kind::ratio, 1.25, gate::machine},  // depends on how fast the bare loop is
    bar{"decode_heap_library/*", bar_kind::value, 1.05},
    bar{"decode_heap/*", bar_kind::value, 1.02},    // pages are whole
    bar{"write/bare/*", bar_kind::ratio, 1 / 0.9},  // writev of the same bytes
    bar{"write/checked/*", bar_kind::ratio, 1 / 0.8, gate::missed},
    bar{"write/hashed/*", bar_kind::ratio, 1 / 0.8},  // XXH3, then writev
    bar{"write/checked_hashed/*", bar_kind::ratio, 1 / 0.8},
    bar{"write_small/*", bar_kind::nanoseconds, 700},
    bar{"write_stream/many/*", bar_kind::ratio, 1 / 0.8, gate::missed},
    bar{"write_stream/*", bar_kind::ratio, 1 / 0.8},  // a writer that gets all objects at once
    bar{"write_heap/*", bar_kind::value, 1.02},
    bar{"rewrite/set/small", bar_kind::nanoseconds, 1500},
    bar{"rewrite/*/large*", bar_kind::ratio, 1 / 0.9, gate::machine},       // cp; then sync -f
    bar{"encode/packed16/given", bar_kind::ratio, 1 / 0.7, gate::machine},  // the speed of memory
    bar{"encode/packed16/computed", bar_kind::ratio, 1 / 0.45, gate::machine},
    bar{"encode/check/*", bar_kind::ratio, 1 / 0.8},
    bar{"encode/float*+shuffle*", bar_kind::ratio, 1 / 0.5},  // memcpy
    bar{"encode/float32+blosc2", bar_kind::ratio, 1 / 0.95},
    bar{"encode/*", bar_kind::ratio, 1 / 0.95},                        // the bare library call
    bar{"encode_small/*/zstd-*", bar_kind::ratio, 1.5, gate::missed},  // the message itself takes a microsecond
    bar{"encode_small/*/zstd*", bar_kind::ratio, 1.5},                 // the bare library
    bar{"encode_small/*/zstd*", bar_kind::allocations, 0},
    bar{"encode_small/*/lz4", bar_kind::allocations, 0},
    bar{"decode_small/*/zstd*", bar_kind::allocations, 0},
    bar{"decode_small/*/lz4", bar_kind::allocations, 0},
    bar{"constant/open_dense", bar_kind::nanoseconds, 50'000},
    bar{"constant/open_mapped", bar_kind::nanoseconds, 30'000},
    bar{"constant/read_nested_threads", bar_kind::ratio, 1.05, gate::machine},  // never slower than one, and noise
    bar{"constant/read_nested*", bar_kind::ratio, 1.5},                         // simdjson On-Demand alone
    bar{"constant/read_nested_memory", bar_kind::value, 8 * mebibytes},
    bar{"constant/read_verbose", bar_kind::ratio, 1.6, gate::missed},
    bar{"constant/read_blocks", bar_kind::ratio, 1.6},
    bar{"constant/read_labels", bar_kind::ratio, 1.5},
    bar{"constant/read_many", bar_kind::nanoseconds, 2e9},
    bar{"constant/read_many_memory", bar_kind::value, 900e6},
    bar{"constant/write_float", bar_kind::ratio, 1.3},  // std::to_chars
    bar{"constant/write_double", bar_kind::ratio, 1.3},
    bar{"constant/tbf_read", bar_kind::ratio, 1.5, gate::machine},  // memcpy; fresh pages cost more on some processors
    bar{"zio/label_encode", bar_kind::nanoseconds, 300},
    bar{"zio/label_decode", bar_kind::nanoseconds, 1000},
    bar{"zio/send_large", bar_kind::ratio, 1 / 0.95, gate::machine},  // libzmq alone
    bar{"zio/send_small", bar_kind::ratio, 1 / 0.7, gate::machine},
    bar{"zio/send_memory", bar_kind::value, mebibytes},
    bar{"zio/record", bar_kind::ratio, 1 / 0.8, gate::machine},  // the slower of receiving and writing
};

}  // namespace tgmap_bench
