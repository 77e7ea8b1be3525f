// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <nlohmann/json.hpp>
#include <tgmap/zio/label.hpp>
#include <tgmap/zio/tens_builder.hpp>

#include "zio/label_text.hpp"
#include "zio/tensor_text.hpp"

namespace tgmap {
inline namespace v0 {
namespace zio {

namespace {

/// Keys in the order of their bytes, one more among them.
template <class Map, class F>
void append_object(std::string& out, const Map& others, std::string_view one, F&& append_one) {
  out += '{';
  bool first = true, done = false;
  const auto begin = [&](std::string_view key) {
    if (!std::exchange(first, false)) out += ',';
    append_quoted(out, key);
    out += ':';
  };
  const auto put_one = [&] {
    begin(one);
    append_one();
    done = true;
  };
  for (const auto& [key, value] : others) {
    if (!done && one < key) put_one();
    begin(key);
    out += value;
  }
  if (!done) put_one();
  out += '}';
}

/// Reads the JSON of a label that read_label has found to be sound and not too deep.
void keep_label(const std::string& label, std::map<std::string, std::string, std::less<>>& of_label,
                std::map<std::string, std::string, std::less<>>& of_tens, std::string& list, std::size_t& tensors) {
  const auto all = nlohmann::json::parse(label);
  if (all.is_null()) return;
  const auto wrong = [] { detail::raise({.code = errc::bad_tens}); };
  if (!all.is_object()) wrong();
  for (const auto& [key, value] : all.items()) {
    if (key != "TENS") {
      of_label.emplace(key, value.dump());
      continue;
    }
    if (value.is_null()) continue;
    if (!value.is_object()) wrong();
    for (const auto& [inner, attribute] : value.items()) {
      if (inner != "tensors") {
        of_tens.emplace(inner, attribute.dump());
        continue;
      }
      if (attribute.is_null()) continue;
      if (!attribute.is_array()) wrong();
      for (const auto& tensor : attribute) {
        if (tensors++ != 0) list += ',';
        list += tensor.dump();
      }
    }
  }
}

}  // namespace

tens_builder::tens_builder(const zio::message& goes_on, failure& why) noexcept {
  try {
    why = {};
    kept_ = goes_on;
    if (kept_.label.empty()) return;
    read_label(kept_.label, why);
    if (!why) keep_label(kept_.label, of_label_, of_tens_, list_, tensors_);
  } catch (const error& e) {
    why = e.details();
  } catch (const std::bad_alloc&) {
    why = {.code = tgmap::errc::out_of_memory};
  }
}

tens_builder::tens_builder(const zio::message& goes_on) {
  failure why;
  tens_builder made(goes_on, why);
  detail::raise_if(why);
  *this = std::move(made);
}

void tens_builder::append(part data, std::string_view kind, std::uint64_t word, std::span<const std::uint64_t> shape,
                          const cbor_value& metadata, failure& why) noexcept {
  const std::size_t before = list_.size();
  try {
    why = {};
    std::uint64_t bytes = word;
    bool overflow = false, empty = false;
    for (const std::uint64_t extent : shape) {
      overflow = __builtin_mul_overflow(bytes, extent, &bytes) || overflow;
      empty = empty || extent == 0;
    }
    if (empty) bytes = 0;
    if (overflow && !empty) {
      why = {.code = tgmap::errc::shape_overflow};
      return;
    }
    if (bytes != data.bytes.size()) {
      why = {.code = errc::part_size, .expected = bytes, .found = data.bytes.size()};
      return;
    }
    if (tensors_ != 0) list_ += ',';
    append_tensor(list_, {.kind = kind, .word = word, .part = kept_.payload.size(), .shape = shape}, metadata);
    kept_.payload.push_back(std::move(data));
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

tens_builder& tens_builder::add(part one) {
  kept_.payload.push_back(std::move(one));
  return *this;
}

tens_builder& tens_builder::set_tens(std::string_view key, const cbor_value& value) {
  if (key == "tensors") detail::raise({.code = errc::bad_tens});
  of_tens_.insert_or_assign(std::string(key), write_label(value));
  return *this;
}

tens_builder& tens_builder::set(std::string_view key, const cbor_value& value) {
  if (key == "TENS") detail::raise({.code = errc::bad_tens});
  of_label_.insert_or_assign(std::string(key), write_label(value));
  return *this;
}

void tens_builder::clear() noexcept {
  kept_.payload.clear();
  kept_.label.clear();
  kept_.level = level::undefined;
  kept_.form = tens_form;
  kept_.origin = kept_.granule = kept_.seqno = 0;
  list_.clear();
  tensors_ = 0;
  of_tens_.clear();
  of_label_.clear();
}

void tens_builder::label(std::string& into) const {
  into.clear();
  append_object(into, of_label_, "TENS", [&] {
    append_object(into, of_tens_, "tensors", [&] {
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
  zio::message out = kept_;
  label(out.label);
  return out;
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
