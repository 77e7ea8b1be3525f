// SPDX-License-Identifier: Apache-2.0
// Recursive descent over the grammar of docs/selection.md. `not` binds closest, then `and`, then `or`.
#include "query/selection_parser.hpp"

#include "query/selection_scanner.hpp"

namespace tgmap::query {

namespace {

class selection_parser {
 public:
  explicit selection_parser(std::string_view text) noexcept : scanner_(text) {}

  node parse(failure& why) {
    node out = parse_any_of(max_selection_depth);
    if (!scanner_.at_end())
      scanner_.fail(scanner_.take(')') ? selection_error::unmatched_parenthesis : selection_error::trailing_text,
                    rest_begin_);
    why = scanner_.error();
    return out;
  }

 private:
  template <class Part, class More>
  node parse_list(node_kind kind, Part&& parse_part, More&& more) {
    node first = parse_part();
    if (scanner_.error() || !more()) return first;
    node out{.kind = kind};
    out.children.push_back(std::move(first));
    do out.children.push_back(parse_part());
    while (!scanner_.error() && more());
    return out;
  }

  node parse_any_of(unsigned depth) {
    return parse_list(
        node_kind::any_of, [&] { return parse_all_of(depth); }, [&] { return mark_rest() && scanner_.take_or(); });
  }

  node parse_all_of(unsigned depth) {
    return parse_list(
        node_kind::all_of, [&] { return parse_one(depth); }, [&] { return mark_rest() && scanner_.take_and(); });
  }

  /// Skips blanks after a condition and remembers where the rest begins. Always true, for use in conditions.
  bool mark_rest() noexcept {
    scanner_.skip_blanks();
    rest_begin_ = scanner_.at();
    return true;
  }

  node parse_one(unsigned depth) {
    scanner_.skip_blanks();
    const std::size_t begin = scanner_.at();
    node out;
    if (depth == 0) {
      scanner_.fail(selection_error::too_deep, begin);
    } else if (scanner_.take_not()) {
      out.kind = node_kind::negation;
      out.children.push_back(parse_one(depth - 1));
    } else if (scanner_.take('(')) {
      out = parse_any_of(depth - 1);
      scanner_.skip_blanks();
      if (!scanner_.take(')') && !scanner_.error())
        scanner_.fail(scanner_.at_end() ? selection_error::unclosed_parenthesis : selection_error::trailing_text,
                      scanner_.at_end() ? begin : scanner_.at());
    } else if (scanner_.take_has()) {
      scanner_.skip_blanks();
      out.condition.key = scanner_.take_key();
    } else {
      out.condition.key = scanner_.take_key();
      if (!scanner_.error()) out.condition.test = scanner_.take_operator();
      if (!scanner_.error()) scanner_.take_values(out.condition);
    }
    return out;
  }

  selection_scanner scanner_;
  std::size_t rest_begin_ = 0;
};

}  // namespace

node parse_selection(std::string_view text, failure& why) { return selection_parser(text).parse(why); }

node parse_single_clause(std::string_view text, failure& why) {
  node out;
  std::size_t at = text.find("!=");
  const bool unequal = at != text.npos;
  if (!unequal) at = text.find('=');
  if (at == text.npos) {
    selection_scanner scanner(text);
    scanner.fail(selection_error::missing_operator, text.size());
    why = scanner.error();
    return out;
  }
  out.condition.key = metadata_key::parse(text.substr(0, at), why);
  if (why.code == make_error_code(errc::bad_key)) {
    selection_scanner scanner(text);
    scanner.fail(selection_error::unknown_property, 0);
    why = scanner.error();
  }
  out.condition.test = unequal ? comparison::unequal : comparison::equal;
  std::string_view rest = text.substr(at + (unequal ? 2 : 1));
  for (std::size_t slash = 0; slash != rest.npos;) {
    slash = rest.find('/');
    out.condition.values.push_back({.from = {.text = std::string(rest.substr(0, slash))}});
    if (slash != rest.npos) rest.remove_prefix(slash + 1);
  }
  return out;
}

}  // namespace tgmap::query
