// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <random>
#include <support/selection_samples.hpp>

#include "query/selection_parser.hpp"

using namespace tgmap_test;
using namespace tgmap::query;

BOOST_AUTO_TEST_SUITE(selection_trees)

namespace {

bool same(const operand& a, const operand& b) {
  if (a.text != b.text || a.number.has_value() != b.number.has_value()) return false;
  return !a.number || compare(*a.number, *b.number) == 0;
}

bool same(const alternative& a, const alternative& b) {
  return same(a.from, b.from) && a.to.has_value() == b.to.has_value() && (!a.to || same(*a.to, *b.to)) &&
         a.step == b.step && a.steps.has_value() == b.steps.has_value();
}

bool same(const node& a, const node& b) {
  const auto all = [](const auto& left, const auto& right) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](const auto& x, const auto& y) { return same(x, y); });
  };
  return a.kind == b.kind && a.condition.key.text() == b.condition.key.text() && a.condition.test == b.condition.test &&
         all(a.condition.values, b.condition.values) && all(a.children, b.children);
}

/// A `random_selection` makes selections of the grammar, with reserved words and operators in keys and values.
class random_selection {
 public:
  explicit random_selection(unsigned seed) : random_(seed) {}

  node any(unsigned depth) {
    node out;
    switch (depth == 0 ? 0 : below(5)) {
      case 1: return joined(node_kind::all_of, depth);
      case 2: return joined(node_kind::any_of, depth);
      case 3:
        out.kind = node_kind::negation;
        out.children.push_back(any(depth - 1));
        return out;
      default: return test();
    }
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  node joined(node_kind kind, unsigned depth) {
    node out{.kind = kind};
    for (unsigned i = 2 + below(3); i > 0; --i) out.children.push_back(any(depth - 1));
    return out;
  }

  node test() {
    node out;
    out.condition.key = tgmap::metadata_key(key());
    out.condition.test = static_cast<comparison>(below(tgmap::selection::supports_patterns() ? 8 : 6));
    if (out.condition.test == comparison::exists) return out;
    const bool takes_alternatives =
        out.condition.test == comparison::equal || out.condition.test == comparison::unequal;
    for (unsigned i = takes_alternatives ? 1 + below(3) : 1; i > 0; --i) {
      alternative c;
      if (takes_alternatives && below(3) == 0) {
        c.from = end();
        c.to = end();
      } else if (takes_alternatives && below(6) == 0) {
        const auto number = [&] {
          static constexpr std::string_view numbers[] = {"0", "-1.5", "1e3", "5.", ".5", "06", "-2"};
          return std::string(numbers[1 + below(std::size(numbers) - 1)]);
        };
        for (operand* const each : {&c.from, &c.to.emplace()}) each->number = read_number(each->text = number());
        c.steps = number_steps::make(c.from.text, c.to->text, c.step = number());
      } else if (takes_alternatives) {
        c.from.text = text();
      } else if (out.condition.test == comparison::matches) {
        c.from.text = "^(a|b c)";
      } else {
        c.from = end();
      }
      out.condition.values.push_back(std::move(c));
    }
    return out;
  }

  /// Returns a number, other text, or a number in quotes.
  operand end() {
    operand out{text(), std::nullopt};
    // Next to the dots of a range, text with a dot at its end is no number, unless the other end is in quotes.
    const bool dotted = out.text.starts_with('.') || out.text.ends_with('.');
    if (!dotted && below(2) == 0) out.number = read_number(out.text);
    return out;
  }

  std::string key() {
    const std::string name = text();
    return name.starts_with('@') ? "@offset" : name;
  }

  std::string text() {
    static constexpr std::string_view whole[] = {
        "",     "and", "or",  "not",  "has",  "0",    "-1.5",   "1e3", "5.", ".5",   "..",  "1..2",
        "a..b", "a b", "a.b", "x[0]", "x, y", "a,b=", "2t/10u", "\"",  "'",  "a\"b", "(x)", "not a",
        " x",   "x ",  "=",   "!=",   "~",    "é",    "12",     "00",  "to", "By"};
    if (below(2) == 0) return std::string(whole[below(std::size(whole))]);
    static constexpr std::string_view letters = "abz019 ._-=!<>~,/()\"'[]@\\\t\n";
    std::string out;
    for (unsigned i = below(8); i > 0; --i) out += letters[below(static_cast<unsigned>(letters.size()))];
    return out;
  }

  std::mt19937 random_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(parsing_the_printed_text_gives_the_same_selection) {
  for (unsigned seed = 0; seed < 20000; ++seed) {
    const node made = random_selection(seed).any(3);
    std::string text, again;
    print(made, text);
    tgmap::failure why;
    const node read = parse_selection(text, why);
    if (why || !same(made, read)) {
      print(read, again);
      BOOST_ERROR("seed " << seed << ": " << text << "\nis parsed as\n" << again << ": " << why.text());
      return;
    }
    print(read, again);
    BOOST_TEST_REQUIRE(again == text);
  }
}

BOOST_AUTO_TEST_CASE(random_text_gives_a_selection_or_a_column_within_it) {
  static constexpr std::string_view pieces[] = {"a",  "b", "1", "=",  "!=",  "<",   ">=", "~",   "/",
                                                "..", ",", "(", ")",  " ",   "and", "or", "not", "has",
                                                "\"", "'", "@", "\\", "x y", "to",  "BY"};
  std::mt19937 random(7);
  unsigned understood = 0;
  for (unsigned round = 0; round < 50000; ++round) {
    std::string text;
    for (std::size_t i = random() % 12; i > 0; --i) text += pieces[random() % std::size(pieces)];
    tgmap::failure why;
    const auto wanted = tgmap::selection::parse(text, tgmap::selection_syntax::full, why);
    if (why) {
      BOOST_TEST_REQUIRE((why.found >= 1 && why.found <= text.size() + 1), text);
      continue;
    }
    ++understood;
    BOOST_TEST_REQUIRE(tgmap::selection(wanted.text()).text() == wanted.text(), text);
  }
  BOOST_TEST(understood > 1000u);
}

BOOST_AUTO_TEST_SUITE_END()
