// SPDX-License-Identifier: Apache-2.0
// The grammar: `not` binds before `and`, `and` before `or`.
#include "select/selection_parser.hpp"

#include "select/selection_scanner.hpp"

namespace tgmap::select {

namespace {

class reader {
 public:
  explicit reader(std::string_view text) noexcept : text_(text) {}

  node whole(failure& why) {
    node out = any_of(max_selection_depth);
    if (!text_.at_end())
      text_.fail(text_.take(')') ? selection_error::unmatched_parenthesis : selection_error::trailing_text, begin_);
    why = text_.fault();
    return out;
  }

 private:
  template <class Part, class More>
  node joined(node::joint how, Part&& part, More&& more) {
    node first = part();
    if (text_.fault() || !more()) return first;
    node out{.how = how};
    out.parts.push_back(std::move(first));
    do out.parts.push_back(part());
    while (!text_.fault() && more());
    return out;
  }

  node any_of(unsigned depth) {
    return joined(
        node::joint::any, [&] { return all_of(depth); }, [&] { return continues() && text_.take_word("or"); });
  }

  node all_of(unsigned depth) {
    return joined(
        node::joint::all, [&] { return one(depth); },
        [&] { return continues() && (text_.take_word("and") || text_.take_comma()); });
  }

  /// Behind a condition: where the next word, or what is no word, begins.
  bool continues() noexcept {
    text_.skip_blanks();
    begin_ = text_.at();
    return true;
  }

  node one(unsigned depth) {
    text_.skip_blanks();
    const std::size_t begin = text_.at();
    node out;
    if (depth == 0) {
      text_.fail(selection_error::too_deep, begin);
    } else if (text_.take_word("not")) {
      out.how = node::joint::negation;
      out.parts.push_back(one(depth - 1));
    } else if (text_.take('(')) {
      out = any_of(depth - 1);
      text_.skip_blanks();
      if (!text_.take(')') && !text_.fault())
        text_.fail(text_.at_end() ? selection_error::unclosed_parenthesis : selection_error::trailing_text,
                   text_.at_end() ? begin : text_.at());
    } else if (text_.take_word("has")) {
      text_.skip_blanks();
      out.test.key = text_.take_key();
    } else {
      out.test.key = text_.take_key();
      if (!text_.fault()) out.test.is = text_.take_operator();
      if (!text_.fault()) text_.take_values(out.test);
    }
    return out;
  }

  selection_scanner text_;
  std::size_t begin_ = 0;
};

}  // namespace

node parse_selection(std::string_view text, failure& why) { return reader(text).whole(why); }

node parse_single_clause(std::string_view text, failure& why) {
  node out;
  std::size_t at = text.find("!=");
  const bool unequal = at != text.npos;
  if (!unequal) at = text.find('=');
  if (at == text.npos) {
    selection_scanner whole(text);
    whole.fail(selection_error::missing_operator, text.size());
    why = whole.fault();
    return out;
  }
  out.test.key = metadata_key::parse(text.substr(0, at), why);
  if (why.code == make_error_code(errc::bad_key)) {
    selection_scanner whole(text);
    whole.fail(selection_error::unknown_property, 0);
    why = whole.fault();
  }
  out.test.is = unequal ? relation::unequal : relation::equal;
  std::string_view rest = text.substr(at + (unequal ? 2 : 1));
  for (std::size_t slash = 0; slash != rest.npos;) {
    slash = rest.find('/');
    out.test.values.push_back({{std::string(rest.substr(0, slash)), std::nullopt}, std::nullopt});
    if (slash != rest.npos) rest.remove_prefix(slash + 1);
  }
  return out;
}

}  // namespace tgmap::select
