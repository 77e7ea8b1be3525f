// SPDX-License-Identifier: Apache-2.0
// The benchmarks: operations of the library beside bare loops that do the same, in one run. See --help.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "operations/operations.hpp"
#include "support/guard.hpp"
#include "support/reporter.hpp"
#include "support/runner.hpp"
#include "support/verdict.hpp"

namespace {

using namespace tgmap_bench;

struct choices {
  bool json = false, quick = false, gate = false, no_guard = false, list = false;
  std::string only, keep;
};

std::vector<row> all_rows(const archives& files) {
  std::vector<row> out;
  for (const auto add : {
           add_scan_rows,           add_open_rows,        add_object_rows,         add_first_touch_rows,
           add_many_objects_rows,   add_from_end_rows,    add_heap_rows,           add_damage_rows,
           add_verify_rows,         add_validate_rows,    add_command_rows,        add_show_rows,
           add_while_scanning_rows, add_cold_scan_rows,   add_payload_bytes_rows,  add_decode_rows,
           add_decode_owning_rows,  add_decode_part_rows, add_decode_threads_rows, add_decode_mask_rows,
           add_decode_heap_rows,    add_decode_many_rows, add_write_rows,          add_write_small_rows,
           add_write_heap_rows,     add_encode_rows,      add_rewrite_rows,
       })
    add(out, files);
#if defined(TGMAP_CONSTANT)
  add_constant_open_rows(out, files);
  add_constant_read_rows(out, files);
  add_constant_write_rows(out, files);
#endif
#if defined(TGMAP_ZIO)
  add_zio_rows(out, files);
#endif
  return out;
}

bool far_off(const finished_row& row) {
  return !row.error.empty() || std::ranges::any_of(judge(row.measured), &verdict::far_off);
}

/// Runs what was far off again, two times at most. Returns the names of rows that stayed so.
std::vector<std::string> insist(const std::vector<row>& rows, std::vector<finished_row> results,
                                const std::function<void(const finished_row&)>& report) {
  std::vector<std::string> missed;
  for (int attempt = 1;; ++attempt) {
    missed.clear();
    for (const finished_row& each : results)
      if (far_off(each)) missed.push_back(each.measured.name);
    if (missed.empty() || attempt == 3) return missed;
    std::vector<row> again;
    for (const row& each : rows)
      if (std::ranges::find(missed, each.name) != missed.end()) again.push_back(each);
    fmt::print(stderr, "{} rows beyond twice their bar, trying again\n", again.size());
    results = run(again, "", report);
  }
}

int measure(const choices& chosen) {
  const std::string structure = install_guard(!chosen.no_guard);
  const archives files(chosen.keep, chosen.quick || chosen.gate);
  std::vector<row> rows = all_rows(files);
  if (chosen.gate) std::erase_if(rows, [](const row& each) { return !is_gated(each.name); });
  if (chosen.list) {
    for (const row& each : rows) fmt::print("{}\n", each.name);
    return 0;
  }

  const table_reporter table;
  const json_reporter json;
  const auto report = [&](const finished_row& each) {
    if (chosen.json)
      json.row(each, structure);
    else
      table.row(each);
  };
  if (!chosen.json)
    table.heading(fmt::format("tgmap {}; {} threads; structure is read {}; archives in {}{}",
                              tgmap::get_build_info().version, std::thread::hardware_concurrency(), structure,
                              files.directory().string(), files.quick() ? ", about a tenth of the full size" : ""));
  const std::vector<finished_row> results = run(rows, chosen.only, report);
  if (results.empty()) throw std::runtime_error("no row has \"" + chosen.only + "\" in its name; --list names them");
  if (!chosen.json) table.summary(results);
  if (!chosen.gate) return 0;

  const std::vector<std::string> missed = insist(rows, results, report);
  for (const std::string& name : missed)
    fmt::print(stderr, "gate: {} misses its bar by more than a factor of 2\n", name);
  return missed.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  CLI::App app(
      "Operations of tgmap beside floors: bare loops over the same bytes, in the same run. Prints times, their ratio, "
      "page faults, bytes read, system calls and allocations.");
  choices chosen;
  app.add_flag("--json", chosen.json, "One JSON object a row, each on a line, all floors included");
  app.add_flag("--quick", chosen.quick, "Archives of about a tenth of the size");
  app.add_option("--only", chosen.only, "Only rows with this in their names")->type_name("NAME");
  app.add_flag(
      "--gate", chosen.gate,
      "The quick set of rows whose ratio is alike on any machine; exit status 1 when one misses its bar by more than a "
      "factor of 2 in three tries");
  app.add_option("--keep", chosen.keep, "Keep the archives in this directory and use those that are there")
      ->type_name("DIR");
  app.add_flag("--no-guard", chosen.no_guard, "Without the mapping guard: structure is read by system calls");
  app.add_flag("--list", chosen.list, "Only name the rows");
  CLI11_PARSE(app, count, words);
  benchmark::Initialize(&count, words);  // after our own options: it would take them for its own
  try {
    return measure(chosen);
  } catch (const std::exception& why) {
    fmt::print(stderr, "tgmap_bench: {}\n", why.what());
    return 2;
  }
}
