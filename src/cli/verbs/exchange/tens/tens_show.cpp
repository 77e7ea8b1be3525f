// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <tgmap/frame.hpp>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/zio/label.hpp>
#include <tgmap/zio/tens.hpp>
#include <utility>
#include <vector>

#include "cli/app/output.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/print/table.hpp"
#include "cli/verbs/exchange/tens/tens.hpp"
#include "core/text/escape.hpp"
#include "core/text/hex.hpp"
#include "core/text/utf8.hpp"
#include "json/cbor_text.hpp"

namespace tgmap::cli {

namespace {

/// A `frame_description` has everything that `tens show` prints about a frame.
struct frame_description {
  /// An error in the label, or in its description of one tensor.
  struct fault {
    std::optional<std::size_t> tensor;
    failure why;  ///< `offset` is a position in the frame
    std::string text() const;
  };
  /// `order` and `ascend` of a tensor as the label has them; null if absent.
  struct element_order {
    cbor_value order{}, ascend{};
  };

  explicit frame_description(const frame_file&);

  /// Returns the part that holds a tensor, or nothing if the label names a part that does not exist.
  std::optional<std::span<const std::byte>> part_of(const zio::tensor_view&) const;

  const frame_file& from;
  zio::tens tensors{};
  std::vector<element_order> orders{};               ///< of each tensor
  std::vector<std::vector<std::size_t>> tensors_in;  ///< of each part
  std::vector<fault> faults{};                       ///< those of the label first, then by tensor
};

cbor_value copy_of(const cbor_view& map, std::string_view key) {
  const auto found = map.find(key);
  return found ? cbor_value::copy(*found) : cbor_value();
}

/// Returns the element orders of all tensors. Precondition: the label is valid.
std::vector<frame_description::element_order> read_orders(std::string_view label) {
  std::vector<frame_description::element_order> out;
  const cbor_value root = zio::read_label(label);
  const auto tens = root.view().find("TENS");
  const auto list = tens ? tens->find("tensors") : std::nullopt;
  if (!list || list->kind() != cbor_kind::array) return out;
  list->visit([&](std::uint64_t, const cbor_view& one) {
    if (one.kind() == cbor_kind::map)
      out.push_back({copy_of(one, "order"), copy_of(one, "ascend")});
    else
      out.emplace_back();
    return true;
  });
  return out;
}

/// Returns the position of a tensor's fault: its part if that has the wrong size, otherwise the label.
std::uint64_t fault_offset(const zio::tensor_view& tensor, const frame_file& from) {
  const auto frame = from.bytes();
  const std::byte* const at = tensor.bytes.data();
  const bool is_inside = std::less_equal<>()(frame.data(), at) && std::less_equal<>()(at, frame.data() + frame.size());
  if (tensor.fault.code == zio::errc::part_size && at != nullptr && is_inside)
    return static_cast<std::uint64_t>(at - frame.data());
  return from.label_offset();
}

std::string frame_description::fault::text() const {
  const std::string reason = frame_fault(why);
  return tensor ? fmt::format("tensor {}: {}", *tensor, reason) : reason;
}

frame_description::frame_description(const frame_file& input)
    : from(input), tensors_in(input.message().payload.size()) {
  failure why;
  tensors.read(from.message(), why);
  if (why.code == errc::out_of_memory) throw std::bad_alloc();
  if (why) {
    why.offset = from.label_offset() + (why.code == zio::errc::bad_label ? why.found : 0);
    faults.push_back({std::nullopt, why});
  }
  if (!tensors.tensors().empty()) orders = read_orders(from.message().label);
  orders.resize(tensors.tensors().size());
  for (std::size_t i = 0; i < tensors.tensors().size(); ++i) {
    const zio::tensor_view& each = tensors.tensors()[i];
    if (each.part < tensors_in.size()) tensors_in[each.part].push_back(i);
    if (!each.fault) continue;
    why = each.fault;
    why.object.reset();  // text() names the tensor instead
    why.offset = fault_offset(each, from);
    faults.push_back({i, why});
  }
}

std::optional<std::span<const std::byte>> frame_description::part_of(const zio::tensor_view& tensor) const {
  const auto& payload = from.message().payload;
  return tensor.part < payload.size() ? std::optional(payload[tensor.part].bytes) : std::nullopt;
}

struct tens_show_options {
  std::vector<std::string> files;
  bool json = false;
};

/// Returns the XXH3-64 hash as 16 hexadecimal digits.
std::string hash_text(std::span<const std::byte> of) { return fmt::format("{:016x}", xxh3(of)); }

void put_value(json_text::writer<>& to, const cbor_value& of) {
  json_text::memory_limit no_limit;
  json_text::put_cbor(to, of.view(), no_limit);
}

void put_numbers(json_text::writer<>& to, const auto& numbers) {
  to.begin_array();
  for (const auto each : numbers) to.integer(each);
  to.end_array();
}

void put_tensor(json_text::writer<>& to, const frame_description& all, std::size_t i,
                const frame_description::fault* fault) {
  const zio::tensor_view& of = all.tensors.tensors()[i];
  const auto part = all.part_of(of);
  to.begin_object();
  put_numbers(to.key("shape"), of.shape());
  to.key("word").integer(of.word);
  to.key("dtype").string(of.kind);
  to.key("part").integer(of.part);
  to.key("nbytes");
  part ? to.integer(part->size()) : to.null();
  to.key("xxh3");
  part ? to.string(hash_text(*part)) : to.null();
  if (of.is_reordered) {
    const auto& [order, ascend] = all.orders[i];
    if (order != cbor_value()) put_value(to.key("order"), order);
    if (ascend != cbor_value()) put_value(to.key("ascend"), ascend);
    put_numbers(to.key("strides"), of.strides());
    to.key("first").integer(of.data_offset);
  }
  if (of.metadata != cbor_value()) put_value(to.key("metadata"), of.metadata);
  if (fault != nullptr) to.key("fault").string(frame_fault(fault->why));
  to.end_object();
}

/// Writes the object that docs/schema/tens_show.json describes.
void put_frame(json_text::writer<>& to, const std::string& file, const frame_description& of) {
  const zio::message& m = of.from.message();
  to.begin_object();
  put_name(to, "file", file);
  to.key("level").integer(static_cast<unsigned>(m.level));
  to.key("form").string(m.form.text());
  to.key("label").string(m.label);
  to.key("origin").integer(m.origin);
  to.key("granule").integer(m.granule);
  to.key("seqno").integer(m.seqno);
  if (!core::is_utf8(m.label)) to.key("label_hex").string(core::hex_text(m.label));
  to.key("tensors").begin_array();
  auto fault = of.faults.begin();
  for (std::size_t i = 0; i < of.tensors.tensors().size(); ++i) {
    while (fault != of.faults.end() && !fault->tensor) ++fault;
    const bool has_fault = fault != of.faults.end() && *fault->tensor == i;
    put_tensor(to, of, i, has_fault ? &*fault++ : nullptr);
  }
  to.end_array();
  put_value(to.key("metadata"), of.tensors.metadata());
  to.key("payload").begin_array();
  for (std::size_t k = 0; k < m.payload.size(); ++k) {
    to.begin_object();
    to.key("nbytes").integer(m.payload[k].bytes.size());
    to.key("xxh3").string(hash_text(m.payload[k].bytes));
    put_numbers(to.key("tensors"), of.tensors_in[k]);
    to.end_object();
  }
  to.end_array();
  for (const frame_description::fault& each : of.faults)  // at most one concerns the label
    if (!each.tensor) to.key("fault").string(frame_fault(each.why));
  to.end_object();
}

/// Returns "C", or the element order as the label has it.
std::string order_text(const zio::tensor_view& of, const frame_description::element_order& as) {
  if (of.fault && as.order == cbor_value() && as.ascend == cbor_value()) return "-";
  if (!of.fault && !of.is_reordered) return "C";
  std::string out;
  if (as.order != cbor_value()) out = "order " + zio::write_label(as.order);
  if (as.ascend != cbor_value()) out += (out.empty() ? "ascend " : ", ascend ") + zio::write_label(as.ascend);
  return out;
}

void write_tensor_rows(const frame_description& of, output& to) {
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
                                   part ? hash_text(*part) : "-"};
    if (has_metadata)
      cells.push_back(each.metadata != cbor_value() ? core::escaped(zio::write_label(each.metadata)) : "");
    rows.row(std::move(cells));
  }
  rows.finish();
}

/// Writes the headers, the label, a row for each tensor, and the parts without a tensor.
void write_frame_text(const std::string& file, const frame_description& of, output& to) {
  const zio::message& m = of.from.message();
  to.write(to.heading(core::escaped(file)) + "\n");
  to.write(fmt::format("bytes: {}\nlevel: {} {}\nform: {}\norigin: {}\ngranule: {}\nseqno: {}\nlabel: {}\n",
                       of.from.bytes().size(), static_cast<unsigned>(m.level), to_string_view(m.level),
                       core::escaped(m.form.text()), m.origin, m.granule, m.seqno, core::escaped(m.label)));
  if (of.tensors.metadata() != cbor_value())
    to.write("metadata: " + core::escaped(zio::write_label(of.tensors.metadata())) + "\n");
  write_tensor_rows(of, to);
  for (std::size_t k = 0; k < m.payload.size(); ++k)
    if (of.tensors_in[k].empty())
      to.write(fmt::format("part {}: {}, xxh3 {}, without a tensor\n", k, count_text(m.payload[k].bytes.size(), "byte"),
                           hash_text(m.payload[k].bytes)));
}

void run_tens_show(const tens_show_options& given, session& run) {
  check_frame_files(given.files);
  bool is_first = true;
  for (const std::string& file : given.files)
    run.report.guard(file, [&] {
      const frame_file from(file);
      const frame_description all(from);
      if (given.json) {
        run.out.write(json_of([&](auto& to) { put_frame(to, file, all); }) + "\n");
      } else {
        if (!std::exchange(is_first, false)) run.out.write("\n");
        write_frame_text(file, all, run.out);
      }
      for (const frame_description::fault& each : all.faults)
        run.report.failed(file, each.text(), next_step_of_frame(each.why, file));
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
