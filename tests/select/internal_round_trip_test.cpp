// SPDX-License-Identifier: Apache-2.0
// Printing a selection and reading it again gives the same one: for selections made at random.
#include <boost/test/unit_test.hpp>
#include <random>

#include "samples.hpp"
#include "select/selection_parser.hpp"

using namespace tgmap_test;
using namespace tgmap::select;

BOOST_AUTO_TEST_SUITE(internal_round_trip_test)

namespace {

bool same(const operand& a, const operand& b) {
  if (a.text != b.text || a.numeric.has_value() != b.numeric.has_value()) return false;
  return !a.numeric || compare(*a.numeric, *b.numeric) == 0;
}

bool same(const choice& a, const choice& b) {
  return same(a.from, b.from) && a.to.has_value() == b.to.has_value() && (!a.to || same(*a.to, *b.to));
}

bool same(const node& a, const node& b) {
  const auto all = [](const auto& left, const auto& right) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](const auto& x, const auto& y) { return same(x, y); });
  };
  return a.how == b.how && a.test.key.text() == b.test.key.text() && a.test.is == b.test.is &&
         all(a.test.values, b.test.values) && all(a.parts, b.parts);
}

/// Selections as the grammar can say them, with words and signs where they do not belong.
class maker {
 public:
  explicit maker(unsigned seed) : random_(seed) {}

  node any(unsigned depth) {
    node out;
    switch (depth == 0 ? 0 : below(5)) {
      case 1: return joined(node::joint::all, depth);
      case 2: return joined(node::joint::any, depth);
      case 3:
        out.how = node::joint::negation;
        out.parts.push_back(any(depth - 1));
        return out;
      default: return test();
    }
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  node joined(node::joint how, unsigned depth) {
    node out{.how = how};
    for (unsigned i = 2 + below(3); i > 0; --i) out.parts.push_back(any(depth - 1));
    return out;
  }

  node test() {
    node out;
    out.test.key = tgmap::metadata_key(key());
    out.test.is = static_cast<relation>(below(tgmap::selection::supports_patterns() ? 8 : 6));
    if (out.test.is == relation::has) return out;
    const bool lists = out.test.is == relation::equal || out.test.is == relation::unequal;
    for (unsigned i = lists ? 1 + below(3) : 1; i > 0; --i) {
      choice c;
      if (lists && below(3) == 0) {
        c.from = end();
        c.to = end();
      } else if (lists) {
        c.from.text = text();
      } else if (out.test.is == relation::matches) {
        c.from.text = "^(a|b c)";
      } else {
        c.from = end();
      }
      out.test.values.push_back(std::move(c));
    }
    return out;
  }

  /// A number that is one, text that is none, or text in quotes that reads as one.
  operand end() {
    operand out{text(), std::nullopt};
    // A number with a dot at its end is none beside the dots of a range, unless the other end is in quotes.
    const bool dotted = out.text.starts_with('.') || out.text.ends_with('.');
    if (!dotted && below(2) == 0) out.numeric = read_number(out.text);
    return out;
  }

  std::string key() {
    const std::string name = text();
    return name.starts_with('@') ? "@offset" : name;
  }

  std::string text() {
    static constexpr std::string_view whole[] = {"",     "and",  "or",     "not",  "has",  "0",    "-1.5", "1e3",
                                                 "5.",   ".5",   "..",     "1..2", "a..b", "a b",  "a.b",  "x[0]",
                                                 "x, y", "a,b=", "2t/10u", "\"",   "'",    "a\"b", "(x)",  "not a",
                                                 " x",   "x ",   "=",      "!=",   "~",    "é",    "12",   "00"};
    if (below(2) == 0) return std::string(whole[below(std::size(whole))]);
    static constexpr std::string_view letters = "abz019 ._-=!<>~,/()\"'[]@\\\t\n";
    std::string out;
    for (unsigned i = below(8); i > 0; --i) out += letters[below(static_cast<unsigned>(letters.size()))];
    return out;
  }

  std::mt19937 random_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(printed_and_read_it_is_the_same) {
  for (unsigned seed = 0; seed < 20000; ++seed) {
    const node made = maker(seed).any(3);
    std::string text, again;
    print(made, text);
    tgmap::failure why;
    const node read = parse_selection(text, why);
    if (why || !same(made, read)) {
      print(read, again);
      BOOST_ERROR("seed " << seed << ": " << text << "\nis read as\n" << again << ": " << why.text());
      return;
    }
    print(read, again);
    BOOST_TEST_REQUIRE(again == text);
  }
}

BOOST_AUTO_TEST_CASE(text_at_random_is_read_to_a_selection_or_a_column_within_it) {
  static constexpr std::string_view pieces[] = {"a", "b", "1",   "=",  "!=",  "<",   ">=", "~", "/", "..", ",",  "(",
                                                ")", " ", "and", "or", "not", "has", "\"", "'", "@", "\\", "x y"};
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
