// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tgmap/zio/frame_description.hpp>
#include <tgmap/zio/label.hpp>
#include <utility>
#include <vector>

#include "cli/app/output.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/print/table.hpp"
#include "cli/verbs/exchange/tens/tens.hpp"
#include "core/text/escape.hpp"
#include "zio/message/frame_json.hpp"

namespace tgmap::cli {

namespace {

struct tens_show_options {
  std::vector<std::string> files;
  bool json = false;
};

void write_frame_json(const std::string& file, const frame_file& from, const zio::frame_description& of, output& to) {
  to.write(json_of([&](json_text::writer<>& object) {
    object.begin_object();
    put_name(object, "file", file);
    zio::put_frame_members(object, from.message(), of);
    object.end_object();
  }));
  to.write("\n");
}

/// Returns "C", or the element order as the label has it.
std::string order_text(const zio::tensor_view& of, const zio::frame_description::element_order& as) {
  if (of.fault && !as.is_stated()) return "-";
  if (!of.fault && !of.is_reordered) return "C";
  std::string out;
  if (as.order != cbor_value()) out = "order " + zio::write_label(as.order);
  if (as.ascend != cbor_value()) out += (out.empty() ? "ascend " : ", ascend ") + zio::write_label(as.ascend);
  return out;
}

void write_tensor_rows(const zio::frame_description& of, output& to) {
  const auto all = of.tensors.tensors();
  if (all.empty()) return;
  using enum table::align;
  std::vector<table::column> columns{{"tensor", right}, {"shape"}, {"word", right},  {"dtype"},
                                     {"part", right},   {"order"}, {"bytes", right}, {"xxh3"}};
  const bool has_metadata =
      std::any_of(all.begin(), all.end(), [](const auto& each) { return each.metadata != cbor_value(); });
  if (has_metadata) columns.push_back({"metadata"});
  table rows(to, std::move(columns));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const zio::tensor_view& each = all[i];
    const auto part = of.part_of(each);
    std::vector<std::string> cells{std::to_string(i),
                                   fmt::format("[{}]", fmt::join(each.shape(), ", ")),
                                   std::to_string(each.word),
                                   each.kind.empty() ? "-" : core::escaped(each.kind),
                                   std::to_string(each.part),
                                   core::escaped(order_text(each, of.orders[i])),
                                   part ? std::to_string(part->size()) : "-",
                                   part ? zio::hash_text(*part) : "-"};
    if (has_metadata)
      cells.push_back(each.metadata != cbor_value() ? core::escaped(zio::write_label(each.metadata)) : "");
    rows.row(std::move(cells));
  }
  rows.finish();
}

/// Writes the headers, the label, a row for each tensor, and the parts without a tensor.
void write_frame_text(const std::string& file, const frame_file& from, const zio::frame_description& of, output& to) {
  const zio::message& m = from.message();
  to.write(to.heading(core::escaped(file)) + "\n");
  to.write(fmt::format("bytes: {}\nlevel: {} {}\nform: {}\norigin: {}\ngranule: {}\nseqno: {}\nlabel: {}\n",
                       from.bytes().size(), static_cast<unsigned>(m.level), to_string_view(m.level),
                       core::escaped(m.form.text()), m.origin, m.granule, m.seqno, core::escaped(m.label)));
  if (of.tensors.metadata() != cbor_value())
    to.write("metadata: " + core::escaped(zio::write_label(of.tensors.metadata())) + "\n");
  write_tensor_rows(of, to);
  for (std::size_t k = 0; k < of.parts.size(); ++k)
    if (of.parts[k].tensors.empty())
      to.write(fmt::format("part {}: {}, xxh3 {}, without a tensor\n", k, count_text(of.parts[k].bytes.size(), "byte"),
                           zio::hash_text(of.parts[k].bytes)));
}

void run_tens_show(const tens_show_options& given, session& run) {
  check_frame_files(given.files);
  bool is_first = true;
  for (const std::string& file : given.files)
    run.report.guard(file, [&] {
      const frame_file from(file);
      const zio::frame_description all = zio::describe_frame(from.message(), from.bytes());
      if (given.json) {
        write_frame_json(file, from, all, run.out);
      } else {
        if (!std::exchange(is_first, false)) run.out.write("\n");
        write_frame_text(file, from, all, run.out);
      }
      for (const auto& [tensor, why] : all.faults) {
        const std::string reason = zio::frame_fault_text(why);
        run.report.failed(file, tensor ? fmt::format("tensor {}: {}", *tensor, reason) : reason,
                          next_step_of_frame(why, file));
      }
    });
}

}  // namespace

action declare_tens_show(CLI::App& app, session& run) {
  const auto given = std::make_shared<tens_show_options>();
  add_frame_files(app, given->files);
  app.add_flag("-j,--json", given->json, "Print one JSON object per frame, one per line");
  return [given, &run] { run_tens_show(*given, run); };
}

}  // namespace tgmap::cli
