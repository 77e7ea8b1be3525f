// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <nlohmann/json.hpp>
#include <tgmap/zio/tens_builder.hpp>

#include "zio/message/label_json.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

/// Appends an object with its keys in the order of their bytes. `append_value` writes the value of one more key.
template <class Map, class F>
void append_object(std::string& out, const Map& others, std::string_view name, F&& append_value) {
  out += '{';
  bool first = true, is_written = false;
  const auto begin = [&](std::string_view key) {
    if (!std::exchange(first, false)) out += ',';
    append_quoted(out, key);
    out += ':';
  };
  const auto append_own = [&] {
    begin(name);
    append_value();
    is_written = true;
  };
  for (const auto& [key, value] : others) {
    if (!is_written && name < key) append_own();
    begin(key);
    out += value;
  }
  if (!is_written) append_own();
  out += '}';
}

using key_texts = std::map<std::string, std::string, std::less<>>;

/// Splits a label into the JSON of its keys, of the keys of TENS, and of its tensors.
void split_label(const cbor_value& label, key_texts& label_keys, key_texts& tens_keys, std::string& list,
                 std::size_t& tensors) {
  const auto check = [](bool is_valid) {
    if (!is_valid) detail::raise({.code = errc::bad_tens});
  };
  const auto is_null = [](const cbor_view& value) { return value.kind() == cbor_kind::null; };
  const auto add_tensor = [&](std::uint64_t, const cbor_view& tensor) {
    if (tensors++ != 0) list += ',';
    append_json(list, tensor);
    return true;
  };
  const auto add_tens_key = [&](const cbor_view& key, const cbor_view& value) {
    const std::string name = key.text();
    if (name != "tensors") {
      append_json(tens_keys[name], value);
    } else if (!is_null(value)) {
      check(value.kind() == cbor_kind::array);
      value.visit(add_tensor);
    }
    return true;
  };
  const auto add_key = [&](const cbor_view& key, const cbor_view& value) {
    const std::string name = key.text();
    if (name != "TENS") {
      append_json(label_keys[name], value);
    } else if (!is_null(value)) {
      check(value.kind() == cbor_kind::map);
      value.visit(add_tens_key);
    }
    return true;
  };
  if (is_null(label.view())) return;
  check(label.is_map());
  label.view().visit(add_key);
}

/// Appends {"dtype":…,"metadata":…,"part":…,"shape":[…],"word":…}; without metadata if it is null.
void append_tensor(std::string& out, std::string_view kind, std::uint64_t word, std::size_t part,
                   std::span<const std::uint64_t> shape, const cbor_value& metadata) {
  out += R"({"dtype":)";
  append_quoted(out, kind);
  if (metadata.kind() != cbor_kind::null) {
    out += R"(,"metadata":)";
    append_json(out, metadata.view());
  }
  out += R"(,"part":)";
  append_number(out, part);
  out += R"(,"shape":[)";
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (d != 0) out += ',';
    append_number(out, shape[d]);
  }
  out += R"(],"word":)";
  append_number(out, word);
  out += '}';
}

}  // namespace

tens_builder::tens_builder(const zio::message& message, failure& why) noexcept {
  try {
    why = {};
    message_ = message;
    const cbor_value label = read_label(message_.label, why);
    if (!why) split_label(label, label_keys_, tens_keys_, list_, tensors_);
  } catch (const error& e) {
    why = e.details();
  } catch (const std::bad_alloc&) {
    why = {.code = tgmap::errc::out_of_memory};
  }
}

tens_builder::tens_builder(const zio::message& message) {
  failure why;
  tens_builder out(message, why);
  detail::raise_if(why);
  *this = std::move(out);
}

void tens_builder::append(part data, std::string_view kind, std::uint64_t word, std::span<const std::uint64_t> shape,
                          const cbor_value& metadata, failure& why) noexcept {
  const std::size_t before = list_.size();
  try {
    why = {};
    std::uint64_t bytes = word;
    bool overflows = false, is_empty = false;
    for (const std::uint64_t extent : shape) {
      overflows = __builtin_mul_overflow(bytes, extent, &bytes) || overflows;
      is_empty = is_empty || extent == 0;
    }
    if (is_empty) bytes = 0;
    if (overflows && !is_empty) {
      why = {.code = tgmap::errc::shape_overflow};
      return;
    }
    if (bytes != data.bytes.size()) {
      why = {.code = errc::part_size, .expected = bytes, .found = data.bytes.size()};
      return;
    }
    if (tensors_ != 0) list_ += ',';
    append_tensor(list_, kind, word, message_.payload.size(), shape, metadata);
    message_.payload.push_back(std::move(data));
    ++tensors_;
    return;
  } catch (const error& e) {
    why = e.details();
  } catch (const nlohmann::json::exception&) {
    why = {.code = errc::bad_label};
  } catch (const std::bad_alloc&) {
    why = {.code = tgmap::errc::out_of_memory};
  }
  list_.resize(before);
}

tens_builder& tens_builder::append(part data, std::string_view kind, std::uint64_t word,
                                   std::span<const std::uint64_t> shape, const cbor_value& metadata) {
  failure why;
  append(std::move(data), kind, word, shape, metadata, why);
  detail::raise_if(why);
  return *this;
}

tens_builder& tens_builder::add(part data) {
  message_.payload.push_back(std::move(data));
  return *this;
}

tens_builder& tens_builder::set_tens(std::string_view key, const cbor_value& value) {
  if (key == "tensors") detail::raise({.code = errc::bad_tens});
  tens_keys_.insert_or_assign(std::string(key), write_label(value));
  return *this;
}

tens_builder& tens_builder::set(std::string_view key, const cbor_value& value) {
  if (key == "TENS") detail::raise({.code = errc::bad_tens});
  label_keys_.insert_or_assign(std::string(key), write_label(value));
  return *this;
}

void tens_builder::clear() noexcept {
  message_.payload.clear();
  message_.label.clear();
  message_.level = level::undefined;
  message_.form = tens_form;
  message_.origin = message_.granule = message_.seqno = 0;
  list_.clear();
  tensors_ = 0;
  tens_keys_.clear();
  label_keys_.clear();
}

void tens_builder::label(std::string& into) const {
  into.clear();
  append_object(into, label_keys_, "TENS", [&] {
    append_object(into, tens_keys_, "tensors", [&] {
      into += '[';
      into += list_;
      into += ']';
    });
  });
}

std::string tens_builder::label() const {
  std::string out;
  label(out);
  return out;
}

zio::message tens_builder::message() const {
  zio::message out = message_;
  label(out.label);
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
