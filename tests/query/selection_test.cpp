// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <support/failures.hpp>
#include <support/selection_samples.hpp>
#include <thread>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(selections)

namespace {

/// Returns true if a message whose object has the key `k` is selected.
bool holds(const bytes& item, const std::string& text) {
  return selected(with_keys({cbor::key("k", item)}), text) == "0";
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_and_unequal_compare_printed_text) {
  const bytes data = six_messages();
  BOOST_TEST(selected(data, "mars.param=2t") == "0 2 4");
  BOOST_TEST(selected(data, "mars.param!=2t") == "1 3 5");
  BOOST_TEST(selected(data, "mars.step=0/12") == "0 1 4 5");
  BOOST_TEST(selected(data, "mars.step!=0/12") == "2 3");
  BOOST_TEST(selected(data, "mars.param=2T") == "");
  BOOST_TEST(selected(data, "x=1.5") == "0 1 2 3 4 5");
  BOOST_TEST(selected(data, "ok=true") == "0 1 2 3 4 5");
  BOOST_TEST(selected(data, "mars.levelist=\"[500,850]\"") == "0 1 2 3 4 5");
  BOOST_TEST(selected(data, "version=3 and mars.step=6") == "2 3");
}

BOOST_AUTO_TEST_CASE(equal_numbers_have_one_text) {
  for (const bytes& one : {cbor::integer(1), cbor::real(1.0), cbor::half(0x3c00), cbor::text("1")}) {
    BOOST_TEST(holds(one, "k=1"));
    BOOST_TEST(!holds(one, "k=\"1.0\""));
    BOOST_TEST(!holds(one, "k!=1"));
    BOOST_TEST(holds(one, "k<=1.0"));
    BOOST_TEST(holds(one, "k>=1"));
    BOOST_TEST(holds(one, "k=1.0..1.0"));
  }
}

BOOST_AUTO_TEST_CASE(equal_numbers_are_equal_in_any_spelling) {
  for (const bytes& one : {cbor::integer(6), cbor::real(6.0)})
    for (const char* text : {"k=6.0", "k=06", "k=0.6e1", "k=60e-1", "k=6.", "k= 6", "k=5/6.0", "not k!=6.0"})
      BOOST_TEST(holds(one, text), text);
  BOOST_TEST(holds(cbor::integer(0), "k=0.0 and k=-0"));
  BOOST_TEST(holds(cbor::real(-0.0), "k=0"));
  BOOST_TEST(holds(cbor::real(0.1), "k=0.10"));
  BOOST_TEST(holds(cbor::integer(-1000), "k=-1e3"));
  BOOST_TEST(!holds(cbor::integer(6), "k=6.1"));
  BOOST_TEST(!holds(cbor::integer(9007199254740993), "k=9007199254740992.0"));
  BOOST_TEST(holds(cbor::integer(9007199254740993), "k=9007199254740993.0"));
  BOOST_TEST(!holds(cbor::integer(1), "k=1e400"));
  BOOST_TEST(!holds(cbor::text("0001"), "k=1"));  // text stays text
  for (const char* text : {"k=01", "k=1.0", "k=1e0"}) BOOST_TEST(!holds(cbor::text("1"), text), text);
  BOOST_TEST(holds(cbor::text("0001"), "k=0001"));
}

BOOST_AUTO_TEST_CASE(key_that_does_not_exist) {
  const bytes data = six_messages();
  for (const char* text : {"no=1", "no=", "no<1", "no>1", "no=0..9", "has no", "not no!=1", "no<=x", "no>=x"})
    BOOST_TEST(selected(data, text) == "", text);
  for (const char* text : {"no!=1", "not has no", "not no=1", "no!=0..9"})
    BOOST_TEST(selected(data, text) == "0 1 2 3 4 5", text);
}

BOOST_AUTO_TEST_CASE(has_accepts_any_value) {
  BOOST_TEST(holds(cbor::null(), "has k"));
  BOOST_TEST(holds(cbor::text(""), "has k"));
  BOOST_TEST(holds(cbor::boolean(false), "has k"));
  BOOST_TEST(holds(cbor::integer(1), "has @hash and has dtype and not has l"));
}

BOOST_AUTO_TEST_CASE(numbers_are_ordered_as_numbers) {
  BOOST_TEST(holds(cbor::integer(9), "k<10"));
  BOOST_TEST(holds(cbor::integer(-9), "k<-8.5"));
  BOOST_TEST(holds(cbor::real(0.5), "k>0 and k<1"));
  BOOST_TEST(holds(cbor::integer(1000), "k=1e3..1e3"));
  BOOST_TEST(holds(cbor::text("9"), "k<10"));  // text that is a number, as in older archives
  BOOST_TEST(holds(cbor::text("0600"), "k<1200"));
  BOOST_TEST(!holds(cbor::real(std::nan("")), "k<1"));
  BOOST_TEST(!holds(cbor::real(std::nan("")), "k>=1"));
  BOOST_TEST(holds(cbor::real(INFINITY), "k>1e300"));
  BOOST_TEST(holds(cbor::real(-INFINITY), "k<-18446744073709551617"));
}

BOOST_AUTO_TEST_CASE(numbers_beyond_the_range_of_float64_keep_their_order) {
  const bytes inf = cbor::real(INFINITY), largest = cbor::real(std::numeric_limits<double>::max());
  for (const char* text : {"k=1e400", "k=1e400/1e999", "k<=1e400", "k<1e999", "k=0..1e400", "k=-1e400..1e400",
                           "k=-1e999999999999999999999", "k!=inf"})
    BOOST_TEST(!holds(inf, text), text);
  for (const char* text : {"k>1e400", "k>=1e400", "k!=1e400", "k=1e400..inf"}) BOOST_TEST(holds(inf, text), text);
  for (const char* text : {"k<1e400", "k<=1e309", "k=0..1e400", "k>-1e400"}) BOOST_TEST(holds(largest, text), text);
  for (const char* text : {"k>1e400", "k=1e309", "k=1e400..1e500"}) BOOST_TEST(!holds(largest, text), text);
  BOOST_TEST(holds(cbor::real(-INFINITY), "k<-1e400"));
  for (const bytes& zero : {cbor::integer(0), cbor::real(0.0), cbor::real(-0.0)}) {
    for (const char* text : {"k<1e-400", "k>-1e-400", "k!=1e-400", "k=0e-400", "k=-1e-400..1e-400"})
      BOOST_TEST(holds(zero, text), text);
    for (const char* text : {"k=1e-400", "k=1e-999", "k>=1e-400", "k=1e-400..1", "k=1/1e-400"})
      BOOST_TEST(!holds(zero, text), text);
  }
  BOOST_TEST(holds(cbor::real(5e-324), "k>1e-400"));
}

BOOST_AUTO_TEST_CASE(large_integers_are_compared_exactly) {
  const auto big = cbor::unsigned_integer((std::uint64_t{1} << 53) + 1);
  BOOST_TEST(holds(big, "k>9007199254740992"));
  BOOST_TEST(!holds(big, "k<=9007199254740992"));
  BOOST_TEST(holds(cbor::unsigned_integer(UINT64_MAX), "k<18446744073709551616"));
  BOOST_TEST(holds(cbor::negative(UINT64_MAX), "k>=-18446744073709551616"));
  BOOST_TEST(holds(cbor::negative(UINT64_MAX - 1), "k>-18446744073709551616 and k<-18446744073709551614"));
}

BOOST_AUTO_TEST_CASE(other_text_is_ordered_byte_by_byte) {
  BOOST_TEST(holds(cbor::text("2024-03-01"), "k>=2024-02-01 and k<2024-10-01"));
  BOOST_TEST(holds(cbor::text("b"), "k>a and k<ba"));
  BOOST_TEST(holds(cbor::text("\xc3\xa9"), "k>z"));  // bytes compare as unsigned
  BOOST_TEST(holds(cbor::text("9"), "k>\"10\""));    // text in quotes is no number
  BOOST_TEST(holds(cbor::integer(9), "k>\"10\""));
  BOOST_TEST(holds(cbor::integer(9), "k<9t"));
  BOOST_TEST(!holds(cbor::integer(9), "k<2t"));
  BOOST_TEST(holds(cbor::boolean(true), "k>false"));
}

BOOST_AUTO_TEST_CASE(lists_and_maps_have_no_order) {
  for (const bytes& item : {cbor::numbers({1, 2}), cbor::map({}), cbor::array({})})
    for (const char* text : {"k<z", "k>=\"\"", "k<=9", "k>0", "k=\"\"..\"~\""}) BOOST_TEST(!holds(item, text), text);
  BOOST_TEST(holds(cbor::numbers({1}), "shape=\"[4]\""));
  BOOST_TEST(!holds(cbor::numbers({1}), "shape>\"[0]\""));
  BOOST_TEST(holds(cbor::numbers({1, 2}), "k[1]>1"));
}

BOOST_AUTO_TEST_CASE(ranges_include_both_ends) {
  const bytes data = six_messages();
  BOOST_TEST(selected(data, "mars.step=0..6") == "0 1 2 3");
  BOOST_TEST(selected(data, "mars.step=1..5") == "");
  BOOST_TEST(selected(data, "mars.step=6..6") == "2 3");
  BOOST_TEST(selected(data, "mars.step=0..5/7..12") == "0 1 4 5");
  BOOST_TEST(selected(data, "mars.step!=0..6") == "4 5");
  BOOST_TEST(selected(data, "mars.param=10..10z") == "1 3 5");
  BOOST_TEST(selected(data, "mars.step=6..0") == "");
  BOOST_TEST(selected(data, "mars.step=-1.5..0.5") == "0 1");
}

BOOST_AUTO_TEST_CASE(ranges_in_steps) {
  const bytes data = six_messages();
  BOOST_TEST(selected(data, "mars.step=0/to/6") == "0 1 2 3");
  BOOST_TEST(selected(data, "mars.step=0/to/24/by/12") == "0 1 4 5");
  BOOST_TEST(selected(data, "mars.step=3/to/24/by/3") == "2 3 4 5");
  BOOST_TEST(selected(data, "mars.step=1/to/24/by/5") == "2 3");
  BOOST_TEST(selected(data, "mars.step!=0/TO/24/BY/12") == "2 3");
  BOOST_TEST(selected(data, "mars.step=12/to/0/by/-6") == "0 1 2 3 4 5");
  BOOST_TEST(selected(data, "mars.step=12/to/0") == "");
  BOOST_TEST(selected(data, "mars.step=0/to/5/12") == "0 1 4 5");
  BOOST_TEST(selected(data, "mars.step=0/to/1e300/by/1e-300") == "0 1 2 3 4 5");
  BOOST_TEST(selected(data, "mars.param=10/to/10z") == "1 3 5");
  BOOST_TEST(selected(data, "no=0/to/24/by/6") == "");
  BOOST_TEST(selected(data, "no!=0/to/24/by/6") == "0 1 2 3 4 5");
  BOOST_TEST(selected(data, "mars.levelist=0/to/1000/by/1") == "");
}

BOOST_AUTO_TEST_CASE(steps_compare_printed_digits) {
  const std::string tenths = "k=0/to/1/by/0.1";
  for (const bytes& one : {cbor::integer(0), cbor::integer(1), cbor::real(0.1), cbor::real(0.3), cbor::real(1.0),
                           cbor::single(0.0F), cbor::text("0.7"), cbor::text("1e-1"), cbor::text("00.70")})
    BOOST_TEST(holds(one, tenths), tgmap::key_result(tgmap::cbor_view(span_of(one))).text());
  for (const bytes& other :
       {cbor::real(0.1 + 0.2), cbor::real(0.25), cbor::real(std::nan("")), cbor::real(INFINITY), cbor::real(-0.1),
        cbor::single(0.3F),  // 0.30000001192092896
        cbor::text("0.1x"), cbor::text(""), cbor::boolean(true), cbor::null(), cbor::numbers({0}), cbor::integer(2)})
    BOOST_TEST(!holds(other, tenths));
  BOOST_TEST(holds(cbor::real(-0.0), "k=0/to/24/by/6"));
  BOOST_TEST(holds(cbor::unsigned_integer(UINT64_MAX), "k=0/to/1e20/by/5"));
  BOOST_TEST(!holds(cbor::unsigned_integer(UINT64_MAX), "k=0/to/1e20/by/2"));
  BOOST_TEST(holds(cbor::negative(UINT64_MAX), "k=0/to/-1e20/by/-2"));  // -2^64
}

BOOST_AUTO_TEST_CASE(precedence_of_not_and_or) {
  const bytes data = six_messages();
  BOOST_TEST(selected(data, "mars.step=0 or mars.step=12 and mars.param=2t") == "0 1 4");
  BOOST_TEST(selected(data, "(mars.step=0 or mars.step=12) and mars.param=2t") == "0 4");
  BOOST_TEST(selected(data, "not mars.step=0 and mars.param=2t") == "2 4");
  BOOST_TEST(selected(data, "not (mars.step=0 and mars.param=2t)") == "1 2 3 4 5");
  BOOST_TEST(selected(data, "not not mars.step=0") == "0 1");
  BOOST_TEST(selected(data, "mars.param=2t,mars.step=6") == "2");
}

BOOST_AUTO_TEST_CASE(properties) {
  const bytes data = six_messages() + two_named_objects();
  BOOST_TEST(selected(data, "@objects>1") == "6");
  BOOST_TEST(selected(data, "@message>=5 and dtype=float32") == "5 6");
  BOOST_TEST(selected(data, "shape[1]=3 and ndim=2 and @stored<25 and @message=0") == "0");
  BOOST_TEST(selected(data, "@streamed=false and @offset=0") == "0");
}

BOOST_AUTO_TEST_CASE(matching_of_objects) {
  const bytes data = two_named_objects();
  const auto archive = open(data);
  const auto m = archive[0];
  const tgmap::selection wanted("name=b and unit=K and @object=1");
  BOOST_TEST(wanted.matches(m));
  BOOST_TEST(!wanted.matches(m, m[0]));
  BOOST_TEST(wanted.matches(m, m[1]));
  tgmap::key_lookup scope(m, m[1]);
  BOOST_TEST(wanted.matches(scope));
}

BOOST_AUTO_TEST_CASE(patterns_search_the_text) {
  if (!tgmap::selection::supports_patterns()) return;
  const bytes data = six_messages();
  BOOST_TEST(selected(data, "mars.param~u") == "1 3 5");
  BOOST_TEST(selected(data, "mars.param~^2") == "0 2 4");
  BOOST_TEST(selected(data, "mars.param~^(2t|10v)$") == "0 2 4");
  BOOST_TEST(selected(data, "mars.param~^0") == "");
  BOOST_TEST(selected(data, "mars.step~^1?2$") == "4 5");
  BOOST_TEST(selected(data, "mars.param~\"(?i)T\" or mars.param~U") == "0 2 4");
  BOOST_TEST(selected(data, "no~.*") == "");
  BOOST_TEST(selected(data, "mars.levelist~850") == "0 1 2 3 4 5");
}

BOOST_AUTO_TEST_CASE(patterns_take_linear_time) {
  if (!tgmap::selection::supports_patterns()) return;
  // Backtracking would never end.
  BOOST_TEST(!holds(cbor::text(std::string(2000, 'a')), "k~^(a+)+$|^(a|aa)+b and k=b"));
}

BOOST_AUTO_TEST_CASE(conjunction_of_selections) {
  const bytes data = six_messages();
  const tgmap::selection step("mars.step=0 or mars.step=6"), param("mars.param=2t"), everything;
  BOOST_TEST(selected(data, step && param) == "0 2");
  BOOST_TEST(selected(data, param && step && tgmap::selection("mars.step>0")) == "2");
  BOOST_TEST(selected(data, everything && param) == "0 2 4");
  BOOST_TEST(selected(data, param && everything) == "0 2 4");
  BOOST_TEST((everything && everything).selects_all());
  BOOST_TEST((step && param).text() == "(mars.step=0 or mars.step=6) and mars.param=2t");
}

BOOST_AUTO_TEST_CASE(default_selects_everything) {
  const tgmap::selection everything;
  BOOST_TEST(everything.selects_all());
  BOOST_TEST(everything.text() == "");
  BOOST_TEST(everything.keys().empty());
  BOOST_TEST(selected(six_messages(), everything) == "0 1 2 3 4 5");
  BOOST_TEST(everything.matches(tgmap::message()));
  BOOST_TEST(!tgmap::selection("a=1").selects_all());
}

BOOST_AUTO_TEST_CASE(keys_in_order_without_repetition) {
  const tgmap::selection wanted("b=1 and (a<2 or not b>x) and has @hash");
  std::string names;
  for (const tgmap::metadata_key& key : wanted.keys()) names += key.text() + " ";
  BOOST_TEST(names == "b a @hash ");
}

BOOST_AUTO_TEST_CASE(keys_that_what_is_selected_may_lack) {
  const auto optional = [](std::string_view text) {
    std::string names;
    for (const tgmap::metadata_key& key : tgmap::selection(text).optional_keys()) names += key.text() + " ";
    return names;
  };
  BOOST_TEST(optional("a=1 and not has b and c!=3 and not d=4") == "c d ");
  BOOST_TEST(optional("a=1 and b<2 and c=0..1") == "");
  BOOST_TEST(optional("a!=1") == "a ");
  BOOST_TEST(optional("has a and not has b") == "");
  BOOST_TEST(optional("has a or a=1 or b=1") == "a b ");
  BOOST_TEST(optional("has a and not a=1") == "");
  BOOST_TEST(optional("not a!=1 and not not b=1") == "");
  BOOST_TEST(optional("a=1 or b=2") == "a b ");
  BOOST_TEST(optional("a=1 or b=2 and a=3") == "b ");
  BOOST_TEST(optional("a=1 and (b=2 or c=3) and a!=2") == "b c ");
  BOOST_TEST(optional("not (a=1 or b!=2)") == "a ");
  BOOST_TEST(optional("not (a!=1 and b!=2)") == "a b ");
  BOOST_TEST(optional("not (a!=1 and a!=2)") == "");
  BOOST_TEST(tgmap::selection().optional_keys().empty());
}

BOOST_AUTO_TEST_CASE(unreadable_metadata_is_a_failure) {
  const bytes data = message({.objects = {bytes_object("abcd")}, .header_metadata = cbor::text("no map")});
  const auto archive = open(data);
  for (const char* text :
       {"a=1", "a!=1", "not a=1", "has a", "not has a", "a=1 or dtype=uint8", "@dtype=uint8 and a=1"}) {
    tgmap::failure why;
    BOOST_TEST(!tgmap::selection(text).matches(archive[0], why), text);
    BOOST_TEST(static_cast<bool>(why), text);
    BOOST_CHECK_THROW((void)tgmap::selection(text).matches(archive[0]), tgmap::error);
  }
  tgmap::failure why{.code = errc::damaged};
  BOOST_TEST(tgmap::selection("@dtype=uint8 or a=1").matches(archive[0], why));  // true before metadata is needed
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_CASE(threads_share_a_selection) {
  const bytes data = six_messages();
  const auto archive = open(data);
  const tgmap::selection wanted("mars.param=2t and mars.step>=6");
  std::array<int, 4> found{};
  {
    std::vector<std::jthread> threads;
    for (int& count : found)
      threads.emplace_back([&] {
        for (int round = 0; round < 50; ++round)
          for (std::size_t i = 0; i < 6; ++i) count += wanted.matches(archive[i]) ? 1 : 0;
      });
  }
  for (const int count : found) BOOST_TEST(count == 100);
}

BOOST_AUTO_TEST_SUITE_END()
