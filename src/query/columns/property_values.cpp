// SPDX-License-Identifier: Apache-2.0
#include "query/columns/property_values.hpp"

#include <algorithm>
#include <tgmap/descriptor.hpp>
#include <tgmap/enum_names.hpp>
#include <tgmap/write/cbor_value.hpp>

#include "query/object_kind.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

using index_file::listed_message;
using index_file::listed_object;
using index_file::row_run;

namespace {

/// Returns what an item of a layout says, in place of a descriptor.
struct layout {
  explicit layout(std::span<const std::byte> item) : map(item) {
    type = dtype_from_name(text("dtype"));
    order = text("byte_order") == "big" ? byte_order::big : byte_order::little;
    for (auto [name, to] : {std::pair{"shape", &shape}, std::pair{"strides", &strides}})
      if (const auto list = map.find(name))
        list->visit([to = to](std::uint64_t, const cbor_view& each) {
          to->push_back(each.get<std::uint64_t>().value_or(0));
          return true;
        });
  }

  std::string_view text(std::string_view name) const {
    const auto found = map.find(name);
    return found ? found->get<std::string_view>().value_or("") : std::string_view();
  }
  std::uint64_t number(std::string_view name) const {
    const auto found = map.find(name);
    return found ? found->get<std::uint64_t>().value_or(0) : 0;
  }

  /// Returns the number of elements; nothing if it does not fit 64 bits, as that of no descriptor.
  std::optional<std::uint64_t> elements() const {
    std::uint64_t out = 1;
    for (const std::uint64_t extent : shape)
      if (__builtin_mul_overflow(out, extent, &out)) return std::nullopt;
    return out;
  }

  cbor_view map;
  std::optional<tgmap::dtype> type{};
  byte_order order = byte_order::little;
  std::vector<std::uint64_t> shape{}, strides{};
};

std::optional<cbor_value> list_or_element(const std::vector<std::uint64_t>& list,
                                          std::optional<std::uint64_t> element) {
  if (!element) return cbor_value::array(list);
  if (*element >= list.size()) return std::nullopt;
  return cbor_value(list[static_cast<std::size_t>(*element)]);
}

/// Returns a property of the descriptor; nothing if it is absent.
std::optional<cbor_value> value_in(const layout& of, property wanted, std::optional<std::uint64_t> element) {
  const auto elements = of.elements();
  if (!of.type || !elements) return std::nullopt;
  switch (wanted) {
    case property::dtype: return cbor_value(to_string_view(*of.type));
    case property::shape: return list_or_element(of.shape, element);
    case property::strides: return list_or_element(of.strides, element);
    case property::ndim: return cbor_value(std::uint64_t{of.shape.size()});
    case property::encoding: return cbor_value(of.text("encoding"));
    case property::filter: return cbor_value(of.text("filter"));
    case property::compression: return cbor_value(of.text("compression"));
    case property::byte_order: return cbor_value(to_string_view(of.order));
    case property::elements: return cbor_value(*elements);
    case property::decoded: {
      const auto size = size_bytes(*of.type, *elements);
      return size ? std::optional<cbor_value>(*size) : std::nullopt;
    }
    case property::masks: return cbor_value(of.number("masks"));
    case property::kind: {
      const std::vector<std::int64_t> strides(of.strides.begin(), of.strides.end());
      return cbor_value(query::object_kind(*of.type, of.order, of.shape, strides));
    }
    default: return std::nullopt;
  }
}

std::optional<cbor_value> value_in(const listed_message& of, std::uint64_t number, property wanted) {
  switch (wanted) {
    case property::message: return cbor_value(number);
    case property::offset: return cbor_value(of.offset);
    case property::length: return cbor_value(of.length);
    case property::version: return cbor_value(std::uint64_t{of.version});
    case property::streamed: return cbor_value(of.is_streamed);
    case property::incomplete: return cbor_value(of.is_incomplete);
    case property::objects: return of.version == 1 ? std::nullopt : std::optional<cbor_value>(of.objects);
    default: return std::nullopt;
  }
}

void set_value(column_values& to, std::uint64_t row, const std::optional<cbor_value>& value) {
  to.set({row, row + 1}, value ? to.add_item(value->encoded()) : column_values::absent);
}

}  // namespace

bool property_values::is_of_objects(property wanted) noexcept { return wanted < property::message; }

bool property_values::tells(property wanted, bool of_messages) noexcept {
  if (is_of_descriptor(wanted) || wanted == property::stored) return true;
  if (wanted == property::object) return !of_messages;  // that of an object that a selection matches
  return !is_of_objects(wanted) && wanted != property::index_location;
}

failure property_values::load_messages() {
  if (!messages_.empty()) return {};
  messages_.resize(static_cast<std::size_t>(from_.messages()));
  return from_.index().read(0, messages_);
}

failure property_values::load_objects() {
  if (!objects_.empty()) return {};
  const index_file::reader& index = from_.index();
  objects_.resize(static_cast<std::size_t>(from_.objects()));
  failure why = index.read(0, objects_);
  std::uint64_t bytes_left = index.records(index_file::section::layout_items);  // layouts that overlap are not kept
  for (std::uint64_t i = 0; i < index.facts().layouts && !why; ++i) {
    why = index.read_layout(i, layouts_.emplace_back());
    if (!why && layouts_.back().size() > bytes_left) why = index.disagreement();
    bytes_left -= layouts_.back().size();
  }
  return why;
}

column_values property_values::of_objects(property wanted, std::optional<std::uint64_t> element, failure& why) {
  column_values out(from_.objects());
  why = load_messages();
  if (!why) why = load_objects();
  if (why) return out;
  if (!is_of_objects(wanted)) {
    for (std::uint64_t i = 0; i < messages_.size(); ++i) {
      const row_run rows = from_.objects_of(i);
      if (rows.count() == 0) continue;
      set_value(out, rows.begin, value_in(messages_[i], i, wanted));
      out.set(rows, out.code(rows.begin));
    }
    return out;
  }
  if (wanted == property::object) {
    std::vector<std::uint32_t> codes;  // by the number of the object
    for (std::uint64_t i = 0; i < messages_.size(); ++i) {
      const row_run rows = from_.objects_of(i);
      for (std::uint64_t j = 0; j < rows.count(); ++j) {
        if (j == codes.size()) codes.push_back(out.add_item(cbor_value(j).encoded()));
        out.set({rows.begin + j, rows.begin + j + 1}, codes[j]);
      }
    }
    return out;
  }
  std::vector<std::uint32_t> codes;  // by layout
  if (is_of_descriptor(wanted))
    for (const auto& item : layouts_) {
      const auto value = value_in(layout(item), wanted, element);
      codes.push_back(value ? out.add_item(value->encoded()) : column_values::absent);
    }
  for (std::uint64_t row = 0; row < objects_.size() && !why; ++row) {
    const listed_object& object = objects_[row];
    if (wanted == property::stored)
      set_value(out, row, cbor_value(object.payload_length));
    else if (object.layout < codes.size())
      out.set({row, row + 1}, codes[object.layout]);
    else
      why = from_.index().disagreement();
  }
  return out;
}

column_values property_values::of_messages(property wanted, std::optional<std::uint64_t> element, failure& why) {
  column_values out(from_.messages());
  why = load_messages();
  if (why) return out;
  if (!is_of_objects(wanted)) {
    for (std::uint64_t i = 0; i < messages_.size(); ++i)
      if (wanted != property::objects || !messages_[i].has_unlisted_objects || messages_[i].version == 1)
        set_value(out, i, value_in(messages_[i], i, wanted));
    return out;
  }
  const column_values objects = of_objects(wanted, element, why);
  if (why) return out;
  std::vector<std::uint32_t> codes(objects.code_count(), column_values::unknown);
  for (std::uint64_t i = 0; i < messages_.size(); ++i) {
    if (messages_[i].has_unlisted_objects && messages_[i].version != 1) continue;
    const row_run rows = from_.objects_of(i);
    std::uint32_t code = column_values::absent;
    if (rows.count() > 0 && objects.code(rows.begin) != column_values::absent) {
      std::uint32_t& known = codes[objects.code(rows.begin)];
      if (known == column_values::unknown) known = out.add_item(objects.item(rows.begin));
      code = known;
    }
    out.set({i, i + 1}, code);
  }
  return out;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
