// SPDX-License-Identifier: Apache-2.0
#include "edit/metadata/assignments.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "core/text/parse_number.hpp"
#include "core/text/utf8.hpp"
#include "json/number.hpp"

namespace tgmap::edit {

namespace {

constexpr std::array<std::pair<std::string_view, assigned_type>, 6> suffixes{{{"i", assigned_type::integer},
                                                                              {"d", assigned_type::floating},
                                                                              {"s", assigned_type::text},
                                                                              {"b", assigned_type::boolean},
                                                                              {"null", assigned_type::null},
                                                                              {"j", assigned_type::json}}};

std::optional<assigned_type> type_of(std::string_view suffix) {
  for (const auto& [name, type] : suffixes)
    if (name == suffix) return type;
  return std::nullopt;
}

/// Parses a list of assignments.
class assignment_reader {
 public:
  explicit assignment_reader(std::string_view text) : text_(text) {}

  std::optional<assignment_fault> read_all(std::vector<assignment>& into) {
    using kind = assignment_fault::kind;
    for (bool more = true; more; ++at_) {
      const std::size_t begin = at_;
      std::string name = until("=,");
      const bool has_value = at_ < text_.size() && text_[at_] == '=';
      assignment out{.key = name};
      if (const std::size_t colon = name.rfind(':'); colon != name.npos) {
        const auto type = type_of(std::string_view(name).substr(colon + 1));
        if (!type) return assignment_fault{kind::unknown_type, begin, std::move(name)};
        out.type = *type;
        out.key.resize(colon);
      }
      if (out.key.empty()) return assignment_fault{kind::no_key, begin, std::move(name)};
      const bool is_null = out.type == assigned_type::null;
      if (is_null && has_value) return assignment_fault{kind::null_value, at_, std::move(name)};
      if (!is_null && !has_value) return assignment_fault{kind::no_value, begin, std::move(name)};
      if (has_value) {
        ++at_;
        out.value = out.type == assigned_type::json ? rest() : until(",");
      }
      into.push_back(std::move(out));
      more = at_ < text_.size();
    }
    return std::nullopt;
  }

 private:
  /// Reads up to one of `ends`, or to the end of the text.
  std::string until(std::string_view ends) {
    std::string out;
    for (; at_ < text_.size() && ends.find(text_[at_]) == ends.npos; ++at_) {
      const bool escape =
          text_[at_] == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == ',' || text_[at_ + 1] == '\\');
      if (escape) ++at_;
      out += text_[at_];
    }
    return out;
  }

  std::string rest() { return std::string(text_.substr(std::exchange(at_, text_.size()))); }

  std::string_view text_;
  std::size_t at_ = 0;
};

template <class Number>
std::optional<cbor_value> number(std::string_view text) {
  const auto found = core::parse_number<Number>(text);
  return found ? std::optional<cbor_value>(*found) : std::nullopt;
}

std::optional<cbor_value> integer(std::string_view text) {
  auto out = number<std::int64_t>(text);
  return out ? out : number<std::uint64_t>(text);
}

std::optional<cbor_value> well_formed_text(std::string_view text) {
  return core::is_utf8(text) ? std::optional<cbor_value>(text) : std::nullopt;
}

template <class Number>
bool is_printed_as(std::string_view text) {
  const auto found = core::parse_number<Number>(text);
  if (!found) return false;
  std::array<char, json_text::max_float_size> printed;
  char* end = printed.data();
  if constexpr (std::is_floating_point_v<Number>)
    end = json_text::write_float(end, *found, json_text::json_notation);
  else
    end = std::to_chars(end, end + printed.size(), *found).ptr;
  return std::string_view(printed.data(), static_cast<std::size_t>(end - printed.data())) == text;
}

/// Keeps texts whose digits would change, such as times (0600) and versions (1.10).
std::optional<cbor_value> number_or_text(std::string_view text) {
  const bool starts_as_number = !text.empty() && text.find_first_not_of("0123456789.-+e") == text.npos;
  if (starts_as_number && (is_printed_as<std::int64_t>(text) || is_printed_as<std::uint64_t>(text)))
    return integer(text);
  return starts_as_number && is_printed_as<double>(text) ? number<double>(text) : well_formed_text(text);
}

}  // namespace

std::optional<assignment_fault> parse_assignments(std::string_view text, std::vector<assignment>& into) {
  return assignment_reader(text).read_all(into);
}

std::optional<cbor_value> assigned_value(std::string_view text, assigned_type type) {
  switch (type) {
    case assigned_type::integer: return integer(text);
    case assigned_type::floating: return number<double>(text);
    case assigned_type::boolean:
      return text == "true" || text == "false" ? std::optional<cbor_value>(text == "true") : std::nullopt;
    case assigned_type::null: return cbor_value();
    case assigned_type::unspecified: return number_or_text(text);
    default: return well_formed_text(text);
  }
}

std::optional<assigned_type> type_like(const std::optional<cbor_view>& existing) {
  if (!existing) return assigned_type::unspecified;
  switch (existing->kind()) {
    case cbor_kind::array:
    case cbor_kind::map: return std::nullopt;
    case cbor_kind::null: return assigned_type::unspecified;
    case cbor_kind::integer: return assigned_type::integer;
    case cbor_kind::floating: return assigned_type::floating;
    case cbor_kind::boolean: return assigned_type::boolean;
    default: return assigned_type::text;
  }
}

}  // namespace tgmap::edit
