// SPDX-License-Identifier: Apache-2.0
#include "constant/json/json_reader.hpp"

#include <algorithm>
#include <new>
#include <tgmap/constant/read.hpp>

#include "constant/json/content_reader.hpp"
#include "constant/json/json_string.hpp"
#include "constant/json/type_member.hpp"
#include "constant/model/report.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace json {

namespace {

/// A `document_reader` finds the form of a document: members of an object, or a value without its member.
class document_reader {
 public:
  document_reader(parser& in, const tensor_type& type, bool is_declared, builder& into)
      : in_(in), type_(type), is_type_declared_(is_declared), content_(in, type, into) {}

  void read() {
    if (read_root() == read_status::stop) return;
    if (!in_.tokens.is_at_end()) {
      in_.problems.add_last(
          {.why = {.code = errc::trailing_content}, .expected = "the end of the text", .found = in_.describe_token()},
          in_.tokens.offset(), in_.path);
    } else if (in_.tokens.end().why) {
      (void)in_.report_bad_json("the end of the text");
    }
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
      return starts_with_blocks() ? content_.read_blocks_array() : content_.read_cells_array();
    if (type_.mapped_count() == 0) return content_.read_values();
    if (*in_.tokens.following() == ']') return content_.read_cells_array();
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
    if (result == read_status::stop) return result;
    if (in_.options.require_content && form_.empty() && labels_ == 0)
      return in_.report_problem({.why = {.code = errc::no_content}, .expected = "values, cells or blocks"}, begin);
    return result;
  }

  read_status read_member(const member_name& name) {
    const auto unescaped = in_.unescaped(name.raw, name.offset, scratch_);
    if (!unescaped) return read_status::stop;
    const std::string_view text = *unescaped;
    const value_kind kind = in_.kind();
    const bool is_scalar = kind == value_kind::number || kind == value_kind::null || kind == value_kind::string;
    if (text == "type") {
      if (kind == value_kind::string) return read_type(name);
      if (allows_cell_members() && (kind == value_kind::number || kind == value_kind::null)) return read_label(name);
      if (allows_block_members() && kind == value_kind::array) return read_label(name);
      return report_wrong_value("type", errc::unexpected_token,
                                allows_cell_members() ? "a string or a number" : "a string");
    }
    if (text == "values") return read_values(name, kind, is_scalar);
    if (text == "cells") return read_cells(name, kind, is_scalar);
    if (text == "blocks") return read_blocks(name, kind, is_scalar);
    if (allows_cell_members() || (allows_block_members() && (kind == value_kind::array || kind == value_kind::string)))
      return read_label(name);
    return in_.report_and_skip({.why = {.code = errc::unknown_member},
                                .expected = "type, values, cells or blocks",
                                .found = printable_quoted(text)},
                               name.offset);
  }

  read_status read_values(const member_name& name, value_kind kind, bool is_scalar) {
    if (type_.is_dense() || (type_.is_scalar() && in_.options.extended)) {
      const bool is_expected = kind == value_kind::array || (in_.options.extended && kind == value_kind::string);
      if (!is_expected)
        return report_wrong_value("values", errc::unexpected_token,
                                  in_.options.extended ? "an array or a string" : "an array");
      return read_content("values", name, [&] { return content_.read_values(); });
    }
    if (allows_cell_members() && is_scalar) return read_label(name);
    if (allows_block_members() && (kind == value_kind::array || kind == value_kind::string)) return read_label(name);
    return report_wrong_form("values", name);
  }

  read_status read_cells(const member_name& name, value_kind kind, bool is_scalar) {
    if (allows_cell_members() && is_scalar) return read_label(name);
    if (allows_block_members() && (kind == value_kind::string || (kind == value_kind::array && is_array_of_values())))
      return read_label(name);
    if (kind == value_kind::array) return read_content("cells", name, [&] { return content_.read_cells_array(); });
    if (kind == value_kind::object && allows_cell_members())
      return read_content("cells", name, [&] { return content_.read_cells_object(); });
    if (kind == value_kind::object) return report_wrong_value("cells", errc::wrong_form, "an array of cells");
    return report_wrong_value("cells", errc::unexpected_token, "an array");
  }

  read_status read_blocks(const member_name& name, value_kind kind, bool is_scalar) {
    if (allows_cell_members() && is_scalar) return read_label(name);
    if (!type_.is_mixed()) return report_wrong_form("blocks", name);
    if (allows_block_members() && (kind == value_kind::string || (kind == value_kind::array && is_array_of_values())))
      return read_label(name);
    if (kind == value_kind::array) return read_content("blocks", name, [&] { return content_.read_blocks_array(); });
    if (kind != value_kind::object)
      return report_wrong_value("blocks", errc::unexpected_token, "an array or an object");
    if (type_.mapped_count() == 1) return read_content("blocks", name, [&] { return content_.read_blocks_object(); });
    return report_wrong_value("blocks", errc::wrong_form, "an array of blocks");
  }

  /// Returns true if the current array has elements that are not objects.
  bool is_array_of_values() const noexcept {
    const char first = *in_.tokens.following();
    return first != '{' && first != ']';
  }

  template <class Read>
  read_status read_content(std::string_view text, const member_name& name, Read&& read) {
    if (form_ == text) return report_repeated(text, name);
    const bool has_labels = labels_ != 0;
    if (has_labels || !form_.empty()) {
      return in_.report_and_skip({.why = {.code = errc::mixed_forms},
                                  .expected = has_labels ? "only labels" : "only " + std::string(form_),
                                  .found = printable_quoted(text)},
                                 name.offset);
    }
    form_ = text;
    in_.path.push_member(text);
    const read_status result = read();
    in_.path.pop();
    return result;
  }

  read_status read_label(const member_name& name) {
    if (!form_.empty() || has_type_) {
      return in_.report_and_skip({.why = {.code = errc::mixed_forms},
                                  .expected = "no label besides " + std::string(form_.empty() ? "type" : form_),
                                  .found = '"' + printable(name.raw) + '"'},
                                 name.offset);
    }
    ++labels_;
    return type_.is_sparse() ? content_.read_labelled_cell(name) : content_.read_labelled_block(name);
  }

  read_status read_type(const member_name& name) {
    if (has_type_) return report_repeated("type", name);
    if (labels_ != 0) {
      return in_.report_and_skip({.why = {.code = errc::mixed_forms}, .expected = "only labels", .found = "\"type\""},
                                 name.offset);
    }
    has_type_ = true;
    in_.path.push_member("type");
    const read_status result = check_type(in_, type_, is_type_declared_);
    in_.path.pop();
    return result;
  }

  read_status report_repeated(std::string_view text, const member_name& name) {
    return in_.report_and_skip({.why = {.code = errc::repeated_member},
                                .expected = "another member",
                                .found = "a second " + printable_quoted(text)},
                               name.offset);
  }

  read_status report_wrong_value(std::string_view member, errc code, std::string expected) {
    in_.path.push_member(member);
    const read_status result = in_.report_wrong_value(code, std::move(expected));
    in_.path.pop();
    return result;
  }

  read_status report_wrong_form(std::string_view member, const member_name& name) {
    return in_.report_and_skip({.why = {.code = errc::wrong_form},
                                .expected = "a form of " + printable(type_.text()),
                                .found = printable_quoted(member)},
                               name.offset);
  }

  parser& in_;
  const tensor_type& type_;
  bool is_type_declared_;
  content_reader content_;
  std::string_view form_{};   // the member with the content so far: values, cells or blocks
  bool has_type_ = false;     // whether the member `type` was read
  std::uint64_t labels_ = 0;  // number of labels that are members of the document
  std::string scratch_{};
};

constexpr std::uint64_t default_max_bytes = std::uint64_t{1} << 30;

/// Reports a byte order mark. Returns false if there is none.
bool report_byte_order_mark(parser& in) {
  if (!in.tokens.is_at_end() && in.tokens.offset() == 0 && in.tokens.scalar().starts_with("\xEF\xBB\xBF")) {
    in.problems.add_last({.why = {.code = errc::bad_json}, .expected = "JSON", .found = "a byte order mark"}, 0,
                         in.path);
    return true;
  }
  return false;
}

tensor_constant read_document(parser& in, const text_view& text) {
  if (report_byte_order_mark(in)) return {};
  const bool is_declared = in.options.type.has_value();
  tensor_type type;
  if (is_declared) {
    type = *in.options.type;
  } else {
    const auto found = find_type(in);
    if (!found) return {};
    type = *found;
  }
  if (in.options.cell_type) {
    failure why;
    const auto all = type.dimensions();
    type = tensor_type::make(*in.options.cell_type, {all.begin(), all.end()}, why);
    if (why) {
      in.problems.add_last({.why = why}, in.tokens.offset(), in.path);
      return {};
    }
  }
  const std::uint64_t max_bytes =
      in.options.max_bytes != 0 ? in.options.max_bytes : std::max(default_max_bytes, 32 * text.size);
  failure why;
  builder into(type, max_bytes, why);
  if (why) {
    const bool is_large = why.code == errc::too_large;
    in.problems.add_last({.why = why,
                          .expected = is_large ? "at most " + std::to_string(max_bytes) + " bytes of cells" : "",
                          .found = is_large ? std::to_string(why.found) : ""},
                         in.tokens.offset(), in.path);
    return {};
  }
  document_reader(in, type, is_declared && !in.options.cell_type, into).read();
  return in.problems.empty() ? into.finish() : tensor_constant();
}

}  // namespace

tensor_constant read_text(const text_view& text, const read_options& options, report& into,
                          std::size_t window) noexcept {
  return read_noexcept(into, [&] {
    parser in(text, options, into, window);
    tensor_constant out = read_document(in, text);
    in.problems.finish(text);
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
