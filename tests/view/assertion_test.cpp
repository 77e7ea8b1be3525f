// SPDX-License-Identifier: Apache-2.0
// Indices outside of a view abort the program if assertions are on, as in this program in every build.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <string>
#include <tgmap/adapters/mdspan.hpp>
#include <tgmap/array_view.hpp>
#include <tgmap/decode/missing_mask.hpp>

using tgmap::array_view;

BOOST_AUTO_TEST_SUITE(assertion_test)

namespace {

/// Returns what `body()` prints on standard error before it aborts; "survived" if it does not.
template <class F>
std::string last_words(F&& body) {
  int ends[2];
  BOOST_REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    std::signal(SIGABRT, SIG_DFL);
    ::dup2(ends[1], STDERR_FILENO);
    body();
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string out;
  char some[256];
  for (ssize_t n = 0; (n = ::read(ends[0], some, sizeof some)) > 0;) out.append(some, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? out : "survived";
}

/// Checks that the message names the file and the check.
void dies(const std::string& words, const std::string& file, const std::string& expression) {
  BOOST_TEST(words.find(file) != std::string::npos, words);
  BOOST_TEST(words.find("assertion failed: ") != std::string::npos, words);
  BOOST_TEST(words.find(expression) != std::string::npos, words);
}

constexpr std::array<int, 6> numbers{0, 1, 2, 3, 4, 5};
constexpr std::array<std::uint64_t, 2> shape{2, 3};
constexpr std::array<std::int64_t, 2> strides{3, 1};
volatile int sum = 0;

}  // namespace

BOOST_AUTO_TEST_CASE(an_index_within_the_shape_is_fine) {
  const array_view<int> view(numbers.data(), shape, strides);
  const auto span = tgmap::as_mdspan<2>(view);
  BOOST_TEST(last_words([&] { sum = view(1, 2) + span(1, 2) + view(0u, 0L); }) == "survived");
}

BOOST_AUTO_TEST_CASE(a_view_asserts_rank_and_bounds) {
  const array_view<int> view(numbers.data(), shape, strides);
  const std::string file = "array_view.hpp";
  dies(last_words([&] { sum = view(2, 0); }), file, "< shape()[d]");
  dies(last_words([&] { sum = view(0, 3); }), file, "< shape()[d]");
  dies(last_words([&] { sum = view(-1, 0); }), file, "< shape()[d]");
  dies(last_words([&] { sum = view(UINT64_MAX, 0); }), file, "< shape()[d]");
  dies(last_words([&] { sum = view(0); }), file, "== rank()");
  dies(last_words([&] { sum = view(0, 0, 0); }), file, "== rank()");
  dies(last_words([&] { sum = view(0, 0, 0, 0, 0, 0, 0); }), file, "== rank()");
  dies(last_words([] { sum = array_view<int>()(0); }), file, "< shape()[d]");
}

BOOST_AUTO_TEST_CASE(a_strided_span_asserts_bounds) {
  const tgmap::strided_span<int, 2> span(array_view<int>(numbers.data(), shape, strides));
  dies(last_words([&] { sum = span(2, 0); }), "mdspan.hpp", "extent(d)");
  dies(last_words([&] { sum = span(0, -1); }), "mdspan.hpp", "extent(d)");
}

BOOST_AUTO_TEST_CASE(a_mask_asserts_bounds) {
  const tgmap::missing_mask mask(tgmap::mask_kind::nan, 3, {std::byte{0x40}});
  BOOST_TEST(mask[1]);
  dies(last_words([&] { sum = mask[3]; }), "missing_mask.hpp", "i < size()");
  dies(last_words([] { sum = tgmap::missing_mask()[0]; }), "missing_mask.hpp", "i < size()");
}

BOOST_AUTO_TEST_SUITE_END()
