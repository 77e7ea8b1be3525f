// SPDX-License-Identifier: Apache-2.0
// JSON read by simdjson, in a fifth of the time, where that is built in and nothing about the text is unusual.
#pragma once

#include <string>
#include <string_view>
#include <tgmap/zio/label.hpp>

#if defined(TGMAP_SIMDJSON)
#include <simdjson.h>
#endif

namespace tgmap {
inline namespace v0 {
namespace zio {

#if defined(TGMAP_SIMDJSON)

/// Tells of a document in the events that nlohmann-json has, until one of them says false.
template <class Events>
class quick_visitor {
 public:
  explicit quick_visitor(Events& events) noexcept : events_(events) {}

  bool visit(simdjson::dom::element one) {
    using type = simdjson::dom::element_type;
    switch (one.type()) {
      case type::OBJECT: return visit(one.get_object().value_unsafe());
      case type::ARRAY: return visit(one.get_array().value_unsafe());
      case type::STRING: text_ = one.get_string().value_unsafe(); return events_.string(text_);
      case type::INT64: {
        const std::int64_t number = one.get_int64().value_unsafe();
        return number < 0 ? events_.number_integer(number)
                          : events_.number_unsigned(static_cast<std::uint64_t>(number));
      }
      case type::UINT64: return events_.number_unsigned(one.get_uint64().value_unsafe());
      case type::DOUBLE: return events_.number_float(one.get_double().value_unsafe(), {});
      case type::BOOL: return events_.boolean(one.get_bool().value_unsafe());
      case type::NULL_VALUE: return events_.null();
    }
    return false;
  }

 private:
  bool visit(const simdjson::dom::object& object) {
    if (!events_.start_object(object.size())) return false;
    for (const auto& [key, one] : object) {
      text_ = key;
      if (!events_.key(text_) || !visit(one)) return false;
    }
    return events_.end_object();
  }
  bool visit(const simdjson::dom::array& array) {
    if (!events_.start_array(array.size())) return false;
    for (const simdjson::dom::element one : array)
      if (!visit(one)) return false;
    return events_.end_array();
  }

  Events& events_;
  std::string text_{};
};

/// Whether the text was read. Where not, there was no event: numbers that simdjson cannot hold, and all that is wrong
/// or merely allowed by the other, are the other's.
template <class Events>
bool read_quickly(std::string_view text, Events& events) {
  // simdjson takes halves of surrogate pairs that stand alone; and its memory is not to stay large.
  constexpr std::size_t most_bytes = 1 << 20;
  if (text.size() > most_bytes || text.find('\\') != text.npos) return false;
  thread_local simdjson::dom::parser parser(most_bytes);
  if (parser.max_depth() != max_label_depth + 1 && parser.allocate(4096, max_label_depth + 1)) return false;
  simdjson::dom::element root;
  if (parser.parse(text.data(), text.size()).get(root)) return false;
  quick_visitor<Events>(events).visit(root);
  return true;
}

#else

template <class Events>
bool read_quickly(std::string_view, Events&) noexcept {
  return false;
}

#endif

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
