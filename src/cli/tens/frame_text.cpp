// SPDX-License-Identifier: Apache-2.0
#include "cli/tens/frame_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tgmap/zio/label.hpp>

#include "cli/print/escape.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/table.hpp"
#include "cli/tens/digest_text.hpp"

namespace tgmap::cli {

namespace {

/// "C", or what the label says of the order of elements.
std::string order_text(const zio::tensor_view& of, const frame_description::arrangement& as) {
  if (of.fault && as.order == cbor_value() && as.ascend == cbor_value()) return "-";
  if (!of.fault && !of.is_reordered) return "C";
  std::string out;
  if (as.order != cbor_value()) out = "order " + zio::write_label(as.order);
  if (as.ascend != cbor_value()) out += (out.empty() ? "ascend " : ", ascend ") + zio::write_label(as.ascend);
  return out;
}

void write_tensors(const frame_description& of, output& to) {
  const auto all = of.tensors.tensors();
  if (all.empty()) return;
  using enum table::align;
  std::vector<table::column> columns{{"tensor", right}, {"shape"}, {"word", right},  {"dtype"},
                                     {"part", right},   {"order"}, {"bytes", right}, {"xxh3"}};
  const bool metadata =
      std::any_of(all.begin(), all.end(), [](const auto& each) { return each.metadata != cbor_value(); });
  if (metadata) columns.push_back({"metadata"});
  table rows(to, std::move(columns));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const zio::tensor_view& each = all[i];
    const auto part = of.part_of(each);
    std::vector<std::string> cells{std::to_string(i),
                                   fmt::format("[{}]", fmt::join(each.shape(), ", ")),
                                   std::to_string(each.word),
                                   each.kind.empty() ? "-" : escaped(each.kind),
                                   std::to_string(each.part),
                                   escaped(order_text(each, of.arrangements[i])),
                                   part ? std::to_string(part->size()) : "-",
                                   part ? digest_text(*part) : "-"};
    if (metadata) cells.push_back(each.metadata != cbor_value() ? escaped(zio::write_label(each.metadata)) : "");
    rows.row(std::move(cells));
  }
  rows.finish();
}

}  // namespace

void write_frame_text(const std::string& file, const frame_description& of, output& to) {
  const zio::message& m = of.from.message();
  to.write(to.heading(escaped(file)) + "\n");
  to.write(fmt::format("bytes: {}\nlevel: {} {}\nform: {}\norigin: {}\ngranule: {}\nseqno: {}\nlabel: {}\n",
                       of.from.bytes().size(), static_cast<unsigned>(m.level), to_string_view(m.level),
                       escaped(m.form.text()), m.origin, m.granule, m.seqno, escaped(m.label)));
  if (of.tensors.metadata() != cbor_value())
    to.write("metadata: " + escaped(zio::write_label(of.tensors.metadata())) + "\n");
  write_tensors(of, to);
  for (std::size_t k = 0; k < m.payload.size(); ++k)
    if (of.tensors_in[k].empty())
      to.write(fmt::format("part {}: {}, xxh3 {}, no tensor is in it\n", k,
                           count_text(m.payload[k].bytes.size(), "byte"), digest_text(m.payload[k].bytes)));
}

}  // namespace tgmap::cli
