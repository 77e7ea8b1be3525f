// SPDX-License-Identifier: Apache-2.0
// Functions that add the rows of the benchmark, one for each group of operations.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <tgmap/tgmap.hpp>
#include <vector>

#include "support/archives.hpp"
#include "support/contest.hpp"

namespace tgmap_bench {

void add_scan_rows(std::vector<row>&, const archives&);
void add_cold_scan_rows(std::vector<row>&, const archives&);
void add_open_rows(std::vector<row>&, const archives&);
void add_index_rows(std::vector<row>&, const archives&);
void add_object_rows(std::vector<row>&, const archives&);
void add_view_rows(std::vector<row>&, const archives&);
void add_way_rows(std::vector<row>&, const archives&);
void add_first_touch_rows(std::vector<row>&, const archives&);
void add_many_objects_rows(std::vector<row>&, const archives&);
void add_from_end_rows(std::vector<row>&, const archives&);
void add_payload_bytes_rows(std::vector<row>&, const archives&);
void add_show_rows(std::vector<row>&, const archives&);
void add_heap_rows(std::vector<row>&, const archives&);
void add_damage_rows(std::vector<row>&, const archives&);
void add_verify_rows(std::vector<row>&, const archives&);
void add_command_rows(std::vector<row>&, const archives&);
void add_validate_rows(std::vector<row>&, const archives&);
void add_decode_many_rows(std::vector<row>&, const archives&);
void add_while_scanning_rows(std::vector<row>&, const archives&);
void add_decode_rows(std::vector<row>&, const archives&);
void add_decode_owning_rows(std::vector<row>&, const archives&);
void add_decode_part_rows(std::vector<row>&, const archives&);
void add_decode_threads_rows(std::vector<row>&, const archives&);
void add_decode_mask_rows(std::vector<row>&, const archives&);
void add_decode_heap_rows(std::vector<row>&, const archives&);
void add_write_rows(std::vector<row>&, const archives&);
void add_write_small_rows(std::vector<row>&, const archives&);
void add_write_stream_rows(std::vector<row>&, const archives&);
void add_write_heap_rows(std::vector<row>&, const archives&);
void add_encode_rows(std::vector<row>&, const archives&);
void add_small_field_rows(std::vector<row>&, const archives&);
void add_rewrite_rows(std::vector<row>&, const archives&);
void add_constant_open_rows(std::vector<row>&, const archives&);   // if tgmap::constant is built
void add_constant_read_rows(std::vector<row>&, const archives&);   // the same
void add_constant_write_rows(std::vector<row>&, const archives&);  // the same
void add_zio_rows(std::vector<row>&, const archives&);             // if tgmap::zio is built

inline constexpr std::array modes{tgmap::io_mode::map, tgmap::io_mode::read};

/// Returns the name of a row, such as "scan/small/warm/map".
inline std::string row_name(std::string_view operation, shape shape, std::string_view state, tgmap::io_mode mode) {
  std::string out(operation);
  for (const std::string_view part : {name(shape), state, tgmap::to_string_view(mode)})
    if (!part.empty()) out.append("/").append(part);
  return out;
}

/// Throws if a loop had a wrong result: its time would mean nothing.
inline void expect(bool right, const char* what) {
  if (!right) throw std::runtime_error(what);
}

/// Returns `count` different numbers below `below`, in an unpredictable order that is the same in every run.
inline std::vector<std::uint32_t> shuffled(std::size_t below, std::size_t count) {
  std::vector<std::uint32_t> out(below);
  std::iota(out.begin(), out.end(), 0U);
  std::shuffle(out.begin(), out.end(), std::mt19937(42));
  out.resize(std::min(below, count));
  return out;
}

}  // namespace tgmap_bench
