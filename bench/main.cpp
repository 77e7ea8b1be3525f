// SPDX-License-Identifier: Apache-2.0
// Measures operations of the library and, in the same run, bare loops that do the same. See --help.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "operations/operations.hpp"
#include "support/reporter.hpp"
#include "support/runner.hpp"
#include "support/verdict.hpp"

namespace {

using namespace tgmap_bench;

struct choices {
  bool json = false, quick = false, gate = false, list = false;
  std::string only, keep;
};

std::vector<row> all_rows(const archives& files) {
  std::vector<row> out;
  for (const auto add : {
           add_scan_rows,           add_open_rows,          add_index_rows,
           add_object_rows,         add_view_rows,          add_way_rows,
           add_first_touch_rows,    add_many_objects_rows,  add_from_end_rows,
           add_heap_rows,           add_damage_rows,        add_verify_rows,
           add_validate_rows,       add_command_rows,       add_show_rows,
           add_while_scanning_rows, add_cold_scan_rows,     add_payload_bytes_rows,
           add_decode_rows,         add_decode_owning_rows, add_decode_part_rows,
           add_decode_threads_rows, add_decode_mask_rows,   add_decode_heap_rows,
           add_decode_many_rows,    add_write_rows,         add_write_small_rows,
           add_write_stream_rows,   add_write_heap_rows,    add_encode_rows,
           add_rewrite_rows,        add_small_field_rows,
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

/// Three runs with a few rounds each, so that noise in one of them does not change the median.
constexpr effort gate_effort{.runs = 3, .min_rounds = 3, .max_time = std::chrono::milliseconds(700)};

bool passes_gate(const finished_row& row) {
  return row.error.empty() && std::ranges::all_of(judge(row.measured), &verdict::passes_gate);
}

/// Measures failed rows once more and returns those that fail again.
std::vector<finished_row> retry_failures(const std::vector<row>& rows, std::vector<finished_row> results,
                                         const std::function<void(const finished_row&)>& report) {
  std::erase_if(results, passes_gate);
  if (results.empty()) return results;
  std::vector<row> failed;
  for (const row& each : rows)
    if (std::ranges::find(results, each.name, [](const finished_row& of) { return of.measured.name; }) != results.end())
      failed.push_back(each);
  fmt::print(stderr, "{} rows are above {} times their bar and are measured again\n", failed.size(), gate_factor);
  results = run(failed, "", gate_effort, report);
  std::erase_if(results, passes_gate);
  return results;
}

int measure(const choices& chosen) {
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
      json.row(each);
    else
      table.row(each);
  };
  if (!chosen.json)
    table.heading(fmt::format("tgmap {}; {} threads; archives in {}{}", tgmap::get_build_info().version,
                              std::thread::hardware_concurrency(), files.directory().string(),
                              files.quick() ? ", about a tenth of the full size" : ""));
  const std::vector<finished_row> results = run(rows, chosen.only, chosen.gate ? gate_effort : effort{}, report);
  if (results.empty())
    throw std::runtime_error("no row has \"" + chosen.only + "\" in its name; --list prints all names");
  if (!chosen.json) table.summary(results);
  if (!chosen.gate) return 0;

  const std::vector<finished_row> failures = retry_failures(rows, results, report);
  for (const finished_row& each : failures)
    fmt::print(stderr, "gate: {} {}\n", each.measured.name,
               each.error.empty() ? fmt::format("is above {} times its bar", gate_factor) : each.error);
  return failures.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  CLI::App app(
      "Operations of tgmap beside floors: bare loops over the same bytes, in the same run. Prints times, their ratio, "
      "page faults, bytes read, system calls and allocations.");
  choices chosen;
  app.add_flag("--json", chosen.json, "Print each row as a JSON object on a line, with all floors");
  app.add_flag("--quick", chosen.quick, "Use archives of about a tenth of the size");
  app.add_option("--only", chosen.only, "Only rows whose names contain this text")->type_name("NAME");
  app.add_flag("--gate", chosen.gate,
               "Only rows whose ratio the gate checks, with archives as of --quick. Exit status 1 if the median of "
               "three runs is above 1.25 times the bar, twice");
  app.add_option("--keep", chosen.keep, "Keep the archives in this directory and reuse existing ones")
      ->type_name("DIR");
  app.add_flag("--list", chosen.list, "Print the names of the rows and exit");
  CLI11_PARSE(app, count, words);
  benchmark::Initialize(&count, words);  // after our own options, which it would reject
  try {
    return measure(chosen);
  } catch (const std::exception& why) {
    fmt::print(stderr, "tgmap_bench: {}\n", why.what());
    return 2;
  }
}
