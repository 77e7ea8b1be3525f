// SPDX-License-Identifier: Apache-2.0
// Reading large values on several threads has the same result as on one.
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <random>
#include <string>
#include <support/rounds.hpp>
#include <tgmap/constant/read.hpp>

namespace constant = tgmap::constant;
using constant::read_json;
using constant::read_options;
using constant::tensor_type;

namespace {

/// Returns nested arrays of random numbers, with strings, null and spaces.
std::string nested_text(const std::vector<std::uint64_t>& shape, std::mt19937_64& random, bool spaces) {
  std::string out;
  const auto gap = [&] {
    if (spaces && random() % 8 == 0) out += random() % 2 == 0 ? " " : "\n  ";
  };
  const auto one = [&](const auto& self, std::size_t d) -> void {
    if (d == shape.size()) {
      gap();
      switch (random() % 64) {
        case 0: out += "\"-inf\""; break;
        case 1: out += "null"; break;
        case 2: out += "1e-320"; break;
        case 3: out += "0.1000000000000000055511151231257827"; break;
        case 4: out += "\"1.5\""; break;
        default: out += std::to_string(static_cast<double>(random() % 1'000'000) / 1024); break;
      }
      gap();
      return;
    }
    gap();
    out += '[';
    for (std::uint64_t i = 0; i < shape[d]; ++i) {
      if (i != 0) out += ',';
      self(self, d + 1);
    }
    out += ']';
    gap();
  };
  one(one, 0);
  return out;
}

struct read_result {
  std::string problems{};
  std::vector<std::byte> bytes{};
  bool operator==(const read_result&) const = default;
};

read_result read_with(const std::string& text, const char* type, tgmap::executor* threads) {
  constant::report report;
  const auto read = read_json(text, {.type = tensor_type::parse(type), .max_problems = 5, .executor = threads}, report);
  read_result out;
  for (const auto& one : report.problems) out.problems += one.text() + '\n';
  out.bytes.assign(read.bytes().begin(), read.bytes().end());
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(json_threads)

BOOST_AUTO_TEST_CASE(the_number_of_threads_makes_no_difference) {
  std::mt19937_64 random(11);
  const auto two = tgmap::make_thread_executor(2), five = tgmap::make_thread_executor(5);
  const auto check = [&](const std::string& text, const char* type) {
    const read_result alone = read_with(text, type, nullptr);
    BOOST_TEST((read_with(text, type, two.get()) == alone));
    BOOST_TEST((read_with(text, type, five.get()) == alone));
    return alone;
  };
  for (const bool spaces : {false, true}) {
    const std::string flat = nested_text({700'000}, random, spaces);
    BOOST_TEST(check(flat, "tensor<float>(x[700000])").problems == "");
    BOOST_TEST(check(flat, "tensor(x[699999])").problems != "");
    BOOST_TEST(check(flat, "tensor(x[700001])").problems != "");
    const std::string deep = nested_text({10, 700, 1, 100}, random, spaces);
    const std::string member = "{\"values\":" + deep + ",\"type\":\"tensor(a[10],b[700],c[1],d[100])\"} ";
    BOOST_TEST(check(member, "tensor(a[10],b[700],c[1],d[100])").problems == "");
    BOOST_TEST(check(member + ']', "tensor(a[10],b[700],c[1],d[100])").problems != "");
    BOOST_TEST(check(deep, "tensor(a[10],b[700],c[100],d[1])").problems != "");
    BOOST_TEST(check(deep, "tensor(a[700],b[10],c[1],d[100])").problems != "");
    // change one byte: brackets in strings, too many commas
    for (int i = 0; i < tgmap_test::rounds(12); ++i) {
      std::string changed = deep;
      changed[random() % changed.size()] = "],[\"x0 \\"[random() % 8];
      check(changed, "tensor(a[10],b[700],c[1],d[100])");
    }
  }
}

BOOST_AUTO_TEST_CASE(one_thread_is_as_no_executor) {
  std::mt19937_64 random(12);
  const auto one = tgmap::make_thread_executor(1);
  const std::string text = nested_text({600, 1000}, random, false);
  BOOST_TEST(
      (read_with(text, "tensor(x[600],y[1000])", one.get()) == read_with(text, "tensor(x[600],y[1000])", nullptr)));
}

BOOST_AUTO_TEST_SUITE_END()
