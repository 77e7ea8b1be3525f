// SPDX-License-Identifier: Apache-2.0
#include "constant/json/json_reader.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <tgmap/constant/read.hpp>

#include "constant/json/content_reader.hpp"
#include "constant/json/json_string.hpp"
#include "constant/model/report.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace json {

namespace {

/// Returns the expected part of a type for a message.
const char* expected_of_type(const failure& why) noexcept {
  if (why.code.category() != category()) return "fewer dimensions";
  switch (static_cast<errc>(why.code.value())) {
    case errc::unknown_cell_type: return "cells of double, float, bfloat16 or int8";
    case errc::bad_dimension: return "dimensions such as name{} or name[size]";
    case errc::bad_size: return "sizes from 1 to 2147483647";
    case errc::unbound_dimension: return "a size for each indexed dimension";
    case errc::repeated_dimension: return "each dimension once";
    case errc::scalar_cell_type: return "double cells if there are no dimensions";
    case errc::too_large: return "fewer cells";
    default: return "a tensor type";
  }
}

/// Parses the current string as a type, and stays at it.
read_status parse_type(parser& in, tensor_type& out, std::string& text) {
  const std::uint64_t offset = in.tokens.offset();
  const auto given = in.unescaped(in.tokens.raw_string(), offset, text);
  if (!given) return read_status::stop;
  const bool has_escapes = given->data() == text.data();  // then positions in the type are not positions in the text
  text = *given;
  failure why;
  out = tensor_type::parse(text, why);
  if (!why) return read_status::ok;
  why.offset = has_escapes ? offset : offset + 1 + why.offset;
  return in.report_problem({.cause = why, .expected = expected_of_type(why), .found = printable_quoted(text)});
}

/// Returns the type in the member `type` of the current object, wherever it is, and stays at the object. Reports a
/// missing type.
/// Complexity: O(text before it).
std::optional<tensor_type> find_type(parser& in) {
  if (in.kind() == value_kind::none) return (void)in.report_bad_json("an object"), std::nullopt;
  const std::uint64_t begin = in.tokens.offset();
  tensor_type type;
  std::string text;
  read_status found = read_status::invalid;  // ok if there is a type
  if (in.tokens.kind() == '{')
    (void)in.members([&](const member_name& name) {
      const auto unescaped = in.unescaped(name.raw, name.offset, text);
      if (!unescaped) return read_status::stop;
      if (*unescaped != "type" || in.tokens.kind() != '"') return in.skip();
      const auto step = in.path.add_member("type");
      found = parse_type(in, type, text);
      return read_status::stop;
    });
  if (found == read_status::ok) return in.tokens.seek(begin), type;
  if (in.problems)
    in.problems.has_more = true;
  else
    (void)in.report_last(
        {.cause = {.code = errc::no_type, .offset = begin}, .expected = "a declared type, or a member type"});
  return {};
}

/// Reads the current string as a type. It must match the type that cells are read as; `is_declared` says that this one
/// comes from the options.
read_status check_type(parser& in, const tensor_type& type, bool is_declared) {
  const std::uint64_t offset = in.tokens.offset();
  std::string text;
  tensor_type given;
  const read_status result = parse_type(in, given, text);
  if (result == read_status::stop) return result;
  in.tokens.next();
  if (result == read_status::invalid) return result;
  const auto dimensions = given.dimensions(), expected = type.dimensions();
  if (!std::equal(dimensions.begin(), dimensions.end(), expected.begin(), expected.end()))
    return in.report_last({.cause = {.code = errc::type_mismatch, .offset = offset},
                           .expected = printable(type.text()),
                           .found = printable_quoted(text)});
  if (is_declared && given.cell_type() != type.cell_type())
    in.report_warning({.cause = {.code = errc::type_mismatch, .offset = offset},
                       .expected = "cells of " + std::string(cell_type_name(type.cell_type())),
                       .found = std::string(cell_type_name(given.cell_type()))});
  if (const std::string canonical = given.text(); text != canonical)
    in.report_warning({.cause = {.code = errc::bad_type, .offset = offset},
                       .expected = printable(canonical),
                       .found = printable_quoted(text)});
  return read_status::ok;
}

/// A `document_reader` finds the form of a document: members of an object, or a value without its member.
class document_reader {
 public:
  document_reader(parser& in, const tensor_type& type, bool is_declared, builder& into)
      : in_(in), type_(type), is_type_declared_(is_declared), content_(in, type, into) {}

  void read() {
    if (read_root() == read_status::stop) return;
    if (in_.tokens.is_at_end() && in_.tokens.end().cause)
      (void)in_.report_bad_json("the end of the text");
    else if (!in_.tokens.is_at_end())
      (void)in_.report_last({.cause = {.code = errc::trailing_content, .offset = in_.tokens.offset()},
                             .expected = "the end of the text",
                             .found = in_.describe_token()});
  }

 private:
  /// Returns true if cells may be members of the document: `{"a":1}`.
  bool allows_cell_members() const noexcept { return type_.is_sparse() && type_.mapped_count() == 1; }
  /// Returns true if blocks may be members of the document: `{"a":[1,2]}`.
  bool allows_block_members() const noexcept {
    return in_.options.extended && type_.is_mixed() && type_.mapped_count() == 1;
  }

  read_status read_root() {
    const char first = in_.tokens.kind();
    if (first == '{') return read_object();
    if (in_.options.extended && first == '[') return read_root_array();
    const bool is_hex = in_.options.extended && first == '"' && type_.mapped_count() == 0;
    if (is_hex || (first == '[' && type_.is_dense())) return content_.read_values();
    const bool allows_array = type_.mapped_count() == 0 && (in_.options.extended || type_.is_dense());
    return in_.report_wrong_value(errc::unexpected_token, allows_array ? "an array or an object" : "an object");
  }

  /// Reads an array without its member, as only extended documents have it.
  read_status read_root_array() {
    if (*in_.tokens.following() == '{')
      return starts_with_blocks() ? content_.read_array(value_form::block) : content_.read_array(value_form::cell);
    if (type_.mapped_count() == 0) return content_.read_values();
    if (*in_.tokens.following() == ']') return content_.read_array(value_form::cell);
    return in_.report_wrong_value(errc::unexpected_token, "an object, or an array of objects");
  }

  /// Returns true if the first element of the current array has a member `values`. Stays at the array.
  bool starts_with_blocks() {
    if (!type_.is_mixed()) return false;
    const std::uint64_t offset = in_.tokens.offset();
    in_.tokens.next();
    unsigned depth = 0;
    bool found = false;
    do {
      const char c = in_.tokens.kind();
      if (c == 0) break;
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      found = depth == 1 && c == '"' && in_.tokens.raw_string() == "values" && *in_.tokens.following() == ':';
      in_.tokens.next();
    } while (depth != 0 && !found);
    in_.tokens.seek(offset);
    return found;
  }

  read_status read_object() {
    const std::uint64_t begin = in_.tokens.offset();
    const read_status result = in_.members([&](const member_name& name) { return read_member(name); });
    if (result != read_status::stop && in_.options.require_content && form_.empty() && !has_labels_)
      return in_.report_problem(
          {.cause = {.code = errc::no_content, .offset = begin}, .expected = "values, cells or blocks"});
    return result;
  }

  read_status read_member(const member_name& name) {
    const auto unescaped = in_.unescaped(name.raw, name.offset, scratch_);
    if (!unescaped) return read_status::stop;
    const std::string_view text = *unescaped;
    const value_kind kind = in_.kind();
    if (is_label(text, kind)) return read_label(name);
    if (text == "type" && kind == value_kind::string) return read_type(name);
    if (text == "type")
      return report_wrong_value("type", errc::unexpected_token,
                                allows_cell_members() ? "a string or a number" : "a string");
    if (text == "values") return read_values(name, kind);
    if (text == "cells") return read_cells(name, kind);
    if (text == "blocks") return read_blocks(name, kind);
    return in_.report_and_skip({.cause = {.code = errc::unknown_member, .offset = name.offset},
                                .expected = "type, values, cells or blocks",
                                .found = printable_quoted(text)});
  }

  /// Returns true if a member of the document is a label with its cell or block. Its name may be that of another
  /// member.
  bool is_label(std::string_view text, value_kind kind) const noexcept {
    const bool is_type = text == "type", is_content = text == "cells" || text == "blocks";
    if (is_type && kind == value_kind::string) return false;
    if (allows_cell_members())
      return kind == value_kind::number || kind == value_kind::null || kind == value_kind::string ||
             !(is_type || is_content || text == "values");
    if (!allows_block_members()) return false;
    const char element = *in_.tokens.following();
    return kind == value_kind::string ||
           (kind == value_kind::array && !(is_content && (element == '{' || element == ']')));
  }

  read_status read_values(const member_name& name, value_kind kind) {
    const bool is_extended = in_.options.extended;
    if (!type_.is_dense() && !(type_.is_scalar() && is_extended)) return report_wrong_form("values", name);
    if (kind == value_kind::array || (is_extended && kind == value_kind::string))
      return read_content("values", name, [&] { return content_.read_values(); });
    return report_wrong_value("values", errc::unexpected_token, is_extended ? "an array or a string" : "an array");
  }

  read_status read_cells(const member_name& name, value_kind kind) {
    if (kind == value_kind::array)
      return read_content("cells", name, [&] { return content_.read_array(value_form::cell); });
    if (kind != value_kind::object) return report_wrong_value("cells", errc::unexpected_token, "an array");
    if (allows_cell_members()) return read_content("cells", name, [&] { return content_.read_labels(); });
    return report_wrong_value("cells", errc::wrong_form, "an array of cells");
  }

  read_status read_blocks(const member_name& name, value_kind kind) {
    if (!type_.is_mixed()) return report_wrong_form("blocks", name);
    if (kind == value_kind::array)
      return read_content("blocks", name, [&] { return content_.read_array(value_form::block); });
    if (kind != value_kind::object)
      return report_wrong_value("blocks", errc::unexpected_token, "an array or an object");
    if (type_.mapped_count() == 1) return read_content("blocks", name, [&] { return content_.read_labels(); });
    return report_wrong_value("blocks", errc::wrong_form, "an array of blocks");
  }

  template <class Read>
  read_status read_content(std::string_view text, const member_name& name, Read&& read) {
    if (form_ == text) return in_.report_repeated_member(text, name.offset);
    if (has_labels_ || !form_.empty())
      return report_mixed_forms(has_labels_ ? "only labels" : "only " + std::string(form_), text, name);
    form_ = text;
    const auto step = in_.path.add_member(text);
    return read();
  }

  read_status read_label(const member_name& name) {
    if (!form_.empty() || has_type_)
      return report_mixed_forms("no label besides " + std::string(form_.empty() ? "type" : form_), name.raw, name);
    has_labels_ = true;
    return content_.read_labelled(name);
  }

  read_status read_type(const member_name& name) {
    if (has_type_) return in_.report_repeated_member("type", name.offset);
    if (has_labels_) return report_mixed_forms("only labels", "type", name);
    has_type_ = true;
    const auto step = in_.path.add_member("type");
    return check_type(in_, type_, is_type_declared_);
  }

  read_status report_mixed_forms(std::string expected, std::string_view found, const member_name& name) {
    return in_.report_and_skip({.cause = {.code = errc::mixed_forms, .offset = name.offset},
                                .expected = std::move(expected),
                                .found = '"' + printable(found) + '"'});
  }

  read_status report_wrong_value(std::string_view member, errc code, std::string expected) {
    const auto step = in_.path.add_member(member);
    return in_.report_wrong_value(code, std::move(expected));
  }

  read_status report_wrong_form(std::string_view member, const member_name& name) {
    return in_.report_and_skip({.cause = {.code = errc::wrong_form, .offset = name.offset},
                                .expected = "a form of " + printable(type_.text()),
                                .found = printable_quoted(member)});
  }

  parser& in_;
  const tensor_type& type_;
  bool is_type_declared_;
  content_reader content_;
  std::string_view form_{};  // the member with the content so far: values, cells or blocks
  bool has_type_ = false;    // the member `type` was read
  bool has_labels_ = false;  // members of the document are labels
  std::string scratch_{};
};

constexpr std::uint64_t default_max_bytes = std::uint64_t{1} << 30;

/// Returns the type that cells are read as. Returns nothing after an error.
std::optional<tensor_type> type_of_cells(parser& in) {
  auto type = in.options.type ? in.options.type : find_type(in);
  if (!type || !in.options.cell_type) return type;
  failure why;
  const auto all = type->dimensions();
  type = tensor_type::make(*in.options.cell_type, {all.begin(), all.end()}, why);
  why.offset = in.tokens.offset();
  if (!why) return type;
  (void)in.report_last({.cause = why});
  return {};
}

tensor_constant read_document(parser& in) {
  const std::uint64_t begin = in.tokens.offset();
  if (begin == 0 && !in.tokens.is_at_end() && in.tokens.scalar().starts_with("\xEF\xBB\xBF")) {
    (void)in.report_last({.cause = {.code = errc::bad_json}, .expected = "JSON", .found = "a byte order mark"});
    return {};
  }
  const auto type = type_of_cells(in);
  if (!type) return {};
  const std::uint64_t max_bytes =
      in.options.max_bytes != 0 ? in.options.max_bytes : std::max(default_max_bytes, 32 * in.tokens.text().size);
  failure why;
  builder into(*type, max_bytes, why);
  if (why) {
    why.offset = begin;
    const bool is_large = why.code == errc::too_large;
    (void)in.report_last({.cause = why,
                          .expected = is_large ? "at most " + std::to_string(max_bytes) + " bytes of cells" : "",
                          .found = is_large ? std::to_string(why.found) : ""});
    return {};
  }
  document_reader(in, *type, in.options.type && !in.options.cell_type, into).read();
  return in.problems ? tensor_constant() : into.finish();
}

}  // namespace

tensor_constant read_text(const text_view& text, const read_options& options, report& into,
                          std::size_t window) noexcept {
  return read_noexcept(into, [&] {
    parser in(text, options, into, window);
    tensor_constant out = read_document(in);
    in.find_lines_of_problems();
    return out;
  });
}

}  // namespace json

tensor_constant read_json(std::string_view text, const read_options& options, report& into) noexcept {
  return json::read_text({text.data(), text.size()}, options, into);
}

tensor_constant read_json(std::string_view text, const read_options& options) {
  report all;
  tensor_constant out = read_json(text, options, all);
  throw_first(all);
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
