// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <tgmap/zio/tens_builder.hpp>

#include "zio/message/label_json.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

/// Writes an object with its keys in the order of their bytes. `put_own` writes the value of one more key.
template <class Map, class F>
void put_object(label_writer& to, const Map& others, std::string_view name, F&& put_own) {
  to.begin_object();
  bool is_written = false;
  for (const auto& [key, value] : others) {
    if (!is_written && name < key) {
      to.key(name);
      put_own();
      is_written = true;
    }
    put_key(to, key).raw(value);
  }
  if (!is_written) {
    to.key(name);
    put_own();
  }
  to.end_object();
}

using key_texts = std::map<std::string, std::string, std::less<>>;

/// Splits a label into the JSON of its keys, of the keys of TENS, and of its tensors.
void split_label(const cbor_value& label, key_texts& label_keys, key_texts& tens_keys, std::string& list,
                 std::size_t& tensors) {
  const auto check = [](bool is_valid) {
    if (!is_valid) detail::raise({.code = errc::bad_tens});
  };
  const auto text_of = [](const cbor_view& value) { return json_of([&](label_writer& to) { put_value(to, value); }); };
  const auto is_null = [](const cbor_view& value) { return value.kind() == cbor_kind::null; };
  const auto add_tensor = [&](std::uint64_t, const cbor_view& tensor) {
    if (tensors++ != 0) list += ',';
    core::text_builder text(list);
    label_writer to(text);
    return put_value(to, tensor), true;
  };
  const auto add_tens_key = [&](const cbor_view& key, const cbor_view& value) {
    const std::string name = key.text();
    if (name != "tensors") {
      tens_keys[name] = text_of(value);
    } else if (!is_null(value)) {
      check(value.kind() == cbor_kind::array);
      value.visit(add_tensor);
    }
    return true;
  };
  const auto add_key = [&](const cbor_view& key, const cbor_view& value) {
    const std::string name = key.text();
    if (name != "TENS") {
      label_keys[name] = text_of(value);
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
  core::text_builder text(out);
  label_writer to(text);
  to.begin_object();
  put_text(to.key("dtype"), kind);
  if (metadata.kind() != cbor_kind::null) put_value(to.key("metadata"), metadata.view());
  to.key("part").integer(part);
  put_numbers(to.key("shape"), shape);
  to.key("word").integer(word);
  to.end_object();
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
  core::text_builder text(into);
  label_writer to(text);
  put_object(to, label_keys_, "TENS", [&] {
    put_object(to, tens_keys_, "tensors", [&] {
      to.begin_array();
      if (!list_.empty()) to.raw(list_);
      to.end_array();
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
