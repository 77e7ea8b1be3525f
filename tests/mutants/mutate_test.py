#!/usr/bin/env python3
"""Tests which mutants mutate.py makes."""

import unittest

from mutate import mutants_of


def changed(text):
    return [mutant.apply(text) for mutant in mutants_of("file.cpp", text)]


class Mutants(unittest.TestCase):
    def test_operators_become_others(self):
        self.assertIn("return a <= b;", changed("return a < b;"))
        self.assertIn("x = a - b;", changed("x = a + b;"))
        self.assertIn("return a || b;", changed("return a && b;"))
        self.assertIn("for (; i < n; --i)", changed("for (; i < n; ++i)"))
        self.assertIn("while (at--)", changed("while (at++)"))

    def test_constants_are_off_by_one(self):
        self.assertEqual(changed("int f(int = 8u);"), ["int f(int = 7u);", "int f(int = 9u);"])
        self.assertEqual(changed("int f(int = 0x1f);"), ["int f(int = 30);", "int f(int = 32);"])
        self.assertEqual(changed("std::uint8_t x1;"), [])

    def test_results_are_swapped(self):
        self.assertIn("  return false;", changed("  return true;"))
        self.assertIn("  return {};", changed("  return fail(errc::io, a,\n      b);"))

    def test_conditions_are_negated_unless_that_is_done_already(self):
        self.assertIn("if (!(f(x) && y)) z();", changed("if (f(x) && y) z();"))
        self.assertIn("if (int a = 1; !(a)) z();", changed("if (int a = 1; a) z();"))
        self.assertEqual([text for text in changed("if (a == b) z();") if "!(" in text], [])
        self.assertEqual([text for text in changed("if (failure why = f()) z();") if "!(" in text], [])

    def test_statements_are_removed_and_declarations_are_not(self):
        self.assertIn("{\n  ;\n}", changed("{\n  x.at = f(y);\n}"))
        self.assertIn("{\n  ;\n}", changed("{\n  call(a, b(c));\n}"))
        self.assertIn("{\n  if (a) ;\n}", changed("{\n  if (a) ++b;\n}"))
        self.assertEqual(changed("{\n  const auto x = f(y);\n  std::lock_guard lock(m);\n}"), [])
        self.assertEqual(changed("{\n  const auto x = f(y,\n    g(z), w);\n}"), [])

    def test_what_is_no_code_stays(self):
        for text in ("// a < b", "/* a\n < b */", 'f("a < b");', "#define X a < b", "static_assert(a <\n b);",
                     "[[deprecated]] f();", "template <class T = 1>"):
            self.assertEqual(changed(text), [], text)

    def test_places_are_told(self):
        (only,) = mutants_of("f.cpp", "\n\nreturn true;")
        self.assertEqual((only.line, only.name), (3, "f.cpp:3: result: return true; -> return false;"))


if __name__ == "__main__":
    unittest.main()
