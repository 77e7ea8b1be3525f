// SPDX-License-Identifier: Apache-2.0
// Which form a document has: the members of its object, or what else it begins with.
#include "constant/json/content.hpp"
#include "constant/json/root.hpp"
#include "constant/json/type_member.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

namespace {

class document_reader {
 public:
  document_reader(parser& in, const tensor_type& type, bool declared, builder& into)
      : in_(in), type_(type), declared_(declared), into_(in, type, into) {}

  void read() {
    if (root() == outcome::stop) return;
    if (!in_.at.stopped()) {
      in_.problems.tell_last(
          {.why = {.code = errc::trailing_content}, .expected = "the end of the text", .found = in_.found_here()},
          in_.at.offset(), in_.where);
    } else if (in_.at.stop().why) {
      (void)in_.bad_json("the end of the text");
    }
  }

 private:
  bool single() const noexcept { return type_.is_sparse() && type_.mapped_count() == 1; }
  bool direct_blocks() const noexcept { return in_.options.extended && type_.is_mixed() && type_.mapped_count() == 1; }

  outcome root() {
    const char first = in_.at.kind();
    if (first == '{') return object();
    if (in_.options.extended && first == '[') return root_array();
    const bool hex = in_.options.extended && first == '"' && type_.mapped_count() == 0;
    if (hex || (first == '[' && type_.is_dense())) return into_.dense();
    const outcome came =
        in_.wrong_value(errc::unexpected_token, type_.mapped_count() == 0 && (in_.options.extended || type_.is_dense())
                                                    ? "an array or an object"
                                                    : "an object");
    return came;
  }

  /// A form that only documents have: what would stand in a member.
  outcome root_array() {
    if (*in_.at.following() == '{') return starts_with_blocks() ? into_.blocks_array() : into_.cells_array();
    if (type_.mapped_count() == 0) return into_.dense();
    if (*in_.at.following() == ']') return into_.cells_array();
    return in_.wrong_value(errc::unexpected_token, "an object, or an array of objects");
  }

  /// Whether the first element of the array here has a member `values`. Stays here.
  bool starts_with_blocks() {
    if (!type_.is_mixed()) return false;
    const std::uint64_t offset = in_.at.offset();
    in_.at.next();
    unsigned depth = 0;
    bool found = false;
    do {
      const char c = in_.at.kind();
      if (c == 0) break;
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      found = depth == 1 && c == '"' && in_.at.raw_string() == "values" && *in_.at.following() == ':';
      in_.at.next();
    } while (depth != 0 && !found);
    in_.at.seek(offset);
    return found;
  }

  outcome object() {
    const std::uint64_t begin = in_.at.offset();
    const outcome came = in_.members([&](const member_name& name) { return member(name); });
    if (came == outcome::stop) return came;
    if (in_.options.require_content && content_.empty() && labels_ == 0)
      return in_.tell({.why = {.code = errc::no_content}, .expected = "values, cells or blocks"}, begin);
    return came;
  }

  outcome member(const member_name& name) {
    const auto decoded = in_.text_of(name.raw, name.offset, scratch_);
    if (!decoded) return outcome::stop;
    const std::string_view text = *decoded;
    const value_kind kind = in_.kind();
    const bool scalar = kind == value_kind::number || kind == value_kind::null || kind == value_kind::string;
    if (text == "type") {
      if (kind == value_kind::string) return type_member(name);
      if (single() && (kind == value_kind::number || kind == value_kind::null)) return label(name);
      if (direct_blocks() && kind == value_kind::array) return label(name);
      return wrong("type", errc::unexpected_token, single() ? "a string or a number" : "a string");
    }
    if (text == "values") return values(name, kind, scalar);
    if (text == "cells") return cells(name, kind, scalar);
    if (text == "blocks") return blocks(name, kind, scalar);
    if (single() || (direct_blocks() && (kind == value_kind::array || kind == value_kind::string))) return label(name);
    const outcome told = in_.tell({.why = {.code = errc::unknown_member},
                                   .expected = "type, values, cells or blocks",
                                   .found = shown_quoted(text)},
                                  name.offset);
    return told == outcome::stop ? told : left_behind();
  }

  outcome values(const member_name& name, value_kind kind, bool scalar) {
    if (type_.is_dense() || (type_.is_scalar() && in_.options.extended)) {
      const bool right = kind == value_kind::array || (in_.options.extended && kind == value_kind::string);
      if (!right)
        return wrong("values", errc::unexpected_token, in_.options.extended ? "an array or a string" : "an array");
      return content_member("values", name, [&] { return into_.dense(); });
    }
    if (single() && scalar) return label(name);
    if (direct_blocks() && (kind == value_kind::array || kind == value_kind::string)) return label(name);
    return wrong_form("values", name);
  }

  outcome cells(const member_name& name, value_kind kind, bool scalar) {
    if (single() && scalar) return label(name);
    if (direct_blocks() && (kind == value_kind::string || (kind == value_kind::array && holds_values())))
      return label(name);
    if (kind == value_kind::array) return content_member("cells", name, [&] { return into_.cells_array(); });
    if (kind == value_kind::object && single())
      return content_member("cells", name, [&] { return into_.cells_object(); });
    if (kind == value_kind::object) return wrong("cells", errc::wrong_form, "an array of cells");
    return wrong("cells", errc::unexpected_token, "an array");
  }

  outcome blocks(const member_name& name, value_kind kind, bool scalar) {
    if (single() && scalar) return label(name);
    if (!type_.is_mixed()) return wrong_form("blocks", name);
    if (direct_blocks() && (kind == value_kind::string || (kind == value_kind::array && holds_values())))
      return label(name);
    if (kind == value_kind::array) return content_member("blocks", name, [&] { return into_.blocks_array(); });
    if (kind != value_kind::object) return wrong("blocks", errc::unexpected_token, "an array or an object");
    if (type_.mapped_count() == 1) return content_member("blocks", name, [&] { return into_.blocks_object(); });
    return wrong("blocks", errc::wrong_form, "an array of blocks");
  }

  /// Whether the array here is one of values, not of objects.
  bool holds_values() const noexcept {
    const char first = *in_.at.following();
    return first != '{' && first != ']';
  }

  template <class Read>
  outcome content_member(std::string_view text, const member_name& name, Read&& read) {
    if (content_ == text) return repeated(text, name);
    const bool beside = labels_ != 0;
    if (beside || !content_.empty()) {
      const outcome told = in_.tell({.why = {.code = errc::mixed_forms},
                                     .expected = beside ? "labels alone" : std::string(content_) + " alone",
                                     .found = shown_quoted(text)},
                                    name.offset);
      return told == outcome::stop ? told : left_behind();
    }
    content_ = text;
    in_.where.member(text);
    const outcome came = read();
    in_.where.pop();
    return came;
  }

  outcome label(const member_name& name) {
    if (!content_.empty() || typed_) {
      const outcome told = in_.tell({.why = {.code = errc::mixed_forms},
                                     .expected = "no label beside " + std::string(content_.empty() ? "type" : content_),
                                     .found = '"' + shown(name.raw) + '"'},
                                    name.offset);
      return told == outcome::stop ? told : left_behind();
    }
    ++labels_;
    return type_.is_sparse() ? into_.labelled_cell(name) : into_.labelled_block(name);
  }

  outcome type_member(const member_name& name) {
    if (typed_) return repeated("type", name);
    if (labels_ != 0) {
      const outcome told =
          in_.tell({.why = {.code = errc::mixed_forms}, .expected = "labels alone", .found = "\"type\""}, name.offset);
      return told == outcome::stop ? told : left_behind();
    }
    typed_ = true;
    in_.where.member("type");
    const outcome came = check_type(in_, type_, declared_);
    in_.where.pop();
    return came;
  }

  outcome repeated(std::string_view text, const member_name& name) {
    const outcome told = in_.tell({.why = {.code = errc::repeated_member},
                                   .expected = "another member",
                                   .found = shown_quoted(text) + " for the second time"},
                                  name.offset);
    return told == outcome::stop ? told : left_behind();
  }

  outcome wrong(std::string_view member, errc code, std::string expected) {
    in_.where.member(member);
    const outcome came = in_.wrong_value(code, std::move(expected));
    in_.where.pop();
    return came;
  }

  outcome wrong_form(std::string_view member, const member_name& name) {
    const outcome told = in_.tell({.why = {.code = errc::wrong_form},
                                   .expected = "a form of " + shown(type_.text()),
                                   .found = shown_quoted(member)},
                                  name.offset);
    return told == outcome::stop ? told : left_behind();
  }

  outcome left_behind() { return in_.skip() == outcome::stop ? outcome::stop : outcome::wrong; }

  parser& in_;
  const tensor_type& type_;
  bool declared_;
  content into_;
  std::string_view content_{};  // which of values, cells and blocks has come
  bool typed_ = false;          // type has
  std::uint64_t labels_ = 0;    // that stand for themselves
  std::string scratch_{};
};

}  // namespace

void read_root(parser& in, const tensor_type& type, bool declared, builder& into) {
  document_reader(in, type, declared, into).read();
}

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
