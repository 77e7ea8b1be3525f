// SPDX-License-Identifier: Apache-2.0
// The index beside a byte_source: used if it was made of the version that the source has, and compared as any other.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <stdexcept>
#include <support/counted_source.hpp>
#include <support/numbered.hpp>

#include "indexed.hpp"

using namespace tgmap_test;
using tgmap::archive;
using tgmap::errc;
using tgmap::failure;
using tgmap::index_use;

BOOST_AUTO_TEST_SUITE(source_index_test)

namespace {

/// A source of 200 messages with the index of its version beside it.
struct indexed_source {
  bytes data = several(0, 200, 3000);
  std::shared_ptr<counted_source> source = std::make_shared<counted_source>(data);
  std::shared_ptr<counted_source> index{};

  explicit indexed_source(std::string version = "v1") {
    source->version = std::move(version);
    tgmap::memory_sink to;
    tgmap::create_index(archive::from_source(source, {.index = index_use::none}), to, {.keys = {"n"}});
    index = std::make_shared<counted_source>(bytes(view_of(to.bytes())));
    source->beside = index;
    source->reset_counts();
    source->siblings.clear();
  }
  ~indexed_source() { BOOST_TEST(source->breach + index->breach == ""); }

  archive open(const tgmap::open_options& options = {}) const { return archive::from_source(source, options); }

  /// Opens the source, whose index must be refused with that code.
  void check_refused(std::error_code code, const tgmap::open_options& options = {}) const {
    const archive a = open(options);
    BOOST_TEST(!a.index_status().is_used);
    TGMAP_FAILED(a.index_status().refusal, code);
    BOOST_TEST(a.size() == 200u);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(an_index_of_the_version_answers_without_a_scan, indexed_source) {
  const archive a = open();
  const tgmap::index_status status = a.index_status();
  BOOST_TEST(status.is_used);
  BOOST_TEST(status.is_current);
  BOOST_TEST(a.size() == 200u);
  BOOST_TEST(source->siblings == ".tgx");
  BOOST_TEST(source->opens + index->opens == 2u);
  BOOST_TEST(source->calls == 1u, "three samples at once; one came with the size");
  BOOST_TEST(index->calls <= 1u, "the last pages came with the size");
  BOOST_TEST(number_of(a[150]) == 150u);
  BOOST_TEST(source->calls <= 4u, source->calls.load());
  std::size_t found = 0;
  for (const auto& each : a.find(tgmap::selection("n=77"))) found += each.index == 77 ? 1 : 0;
  BOOST_TEST(found == 1u);
  BOOST_TEST(source->calls <= 7u, "the column answers: " << source->calls);
  BOOST_TEST(survey_of(a).text == survey_of(open({.index = index_use::none})).text);
  BOOST_TEST(a.index_bytes().size() == index->data.size());
}

BOOST_FIXTURE_TEST_CASE(an_index_of_another_version_is_not_used, indexed_source) {
  source->version = "v2";
  check_refused(errc::index_mismatch);
  BOOST_TEST(index->calls <= 1u, "nothing but its last pages is read");
}

BOOST_FIXTURE_TEST_CASE(a_check_makes_an_index_of_another_version_current, indexed_source) {
  source->version = "v2";
  const archive a = open({.index = index_use::checked});
  BOOST_TEST(a.index_status().is_current);
  BOOST_TEST((a.index_status().trust == tgmap::index_trust::checked));
  source->data = several(1, 200, 3000);
  source->version = "v3";
  check_refused(errc::index_mismatch, {.index = index_use::checked});
}

BOOST_FIXTURE_TEST_CASE(without_a_version_no_index_is_looked_for, indexed_source) {
  source->version.clear();
  const archive a = open();
  BOOST_TEST(!a.index_status().is_used);
  BOOST_TEST(!a.index_status().refusal);
  BOOST_TEST(source->siblings == "");
  BOOST_TEST(a.size() == 200u);
}

BOOST_FIXTURE_TEST_CASE(an_index_made_without_a_version_is_never_current, indexed_source) {
  const indexed_source other("");
  source->beside = other.index;
  check_refused(errc::index_mismatch);
}

BOOST_FIXTURE_TEST_CASE(the_index_of_a_file_is_not_that_of_a_source, indexed_source) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", data);
  write_index(file);
  index->data = read_file(index_path(file));
  check_refused(errc::index_mismatch);
  // And the index of a source is not current for a file.
  write_file(index_path(file), indexed_source().index->data);
  const archive of_file(file);
  BOOST_TEST(of_file.index_status().is_used);
  BOOST_TEST(!of_file.index_status().is_current);
}

BOOST_FIXTURE_TEST_CASE(siblings_that_cannot_be_used, indexed_source) {
  const auto missing = std::make_error_code(std::errc::no_such_file_or_directory);
  index->on_open = [=] { return failure{.code = missing}; };
  archive a = open();
  BOOST_TEST(!a.index_status().refusal);
  BOOST_TEST(a.size() == 200u);
  index->on_open = [] { return failure{.code = std::make_error_code(std::errc::permission_denied)}; };
  check_refused(std::make_error_code(std::errc::permission_denied));
  index->on_open = []() -> failure { throw std::runtime_error("no"); };
  check_refused(errc::source_failed);
  index->on_open = nullptr;
  index->data = "no index";
  check_refused(errc::not_an_index);
  index->data.clear();
  check_refused(errc::not_an_index);
  source->beside = nullptr;
  a = open();
  BOOST_TEST(!a.index_status().refusal);
  BOOST_TEST(source->siblings.find(".tgx.tgx") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(an_index_of_other_bytes_under_the_same_version_is_noticed, indexed_source) {
  source->data = several(500, 200, 3000);  // the store says that it is the same version
  check_refused(errc::index_mismatch);
  source->data = data.substr(0, 300000);
  const archive a = open();
  BOOST_TEST(!a.index_status().is_used);
}

BOOST_FIXTURE_TEST_CASE(flipped_bytes_of_an_index_give_the_answers_of_a_scan_or_an_error, indexed_source) {
  const bytes whole = index->data;
  const std::string expected = survey_of(open({.index = index_use::none})).text;
  for (std::size_t at = 0; at < whole.size(); at += whole.size() / 60 + 1) {
    index->data = whole;
    index->data[at] = static_cast<char>(index->data[at] ^ 0x20);
    const archive a = open();
    failure why;
    const std::size_t count = a.size(why);
    BOOST_TEST((why || count == 200u));
    for (std::size_t i = 0; i < count && !why; i += 50) {
      const auto m = a.at(i, why);
      if (!why) BOOST_TEST(number_of(m) == i);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(an_index_that_fails_later_is_an_error, indexed_source) {
  const archive a = open();
  index->on_read = [](auto, auto&) { return failure{.code = std::make_error_code(std::errc::connection_reset)}; };
  failure why;
  (void)a.at(150, why);
  if (why) TGMAP_FAILED(why, std::make_error_code(std::errc::connection_reset));
  index->on_read = nullptr;
  BOOST_TEST(number_of(a[150]) == 150u);
}

BOOST_FIXTURE_TEST_CASE(an_index_may_be_named, indexed_source) {
  const temporary_directory temporary;
  const auto path = temporary.file("other.tgx", index->data);
  source->beside = nullptr;
  const archive a = open({.index_path = path.native()});
  BOOST_TEST(a.index_status().is_current);
  BOOST_TEST(source->siblings == "");
  source->version = "v2";
  const archive later = open({.index_path = path.native()});
  BOOST_TEST(later.index_status().is_used);
  BOOST_TEST(!later.index_status().is_current, "as the index of a file that has changed");
  BOOST_TEST(later.size() == 200u);
  failure why;
  (void)archive::from_source(source, {.index_path = "/dev/null/none"}, why);
  BOOST_TEST(static_cast<bool>(why));
}

BOOST_FIXTURE_TEST_CASE(a_reopened_source_keeps_its_index_while_it_has_the_same_version, indexed_source) {
  const archive a = open();
  source->reset_counts();
  const archive same = a.reopen();
  BOOST_TEST(same.index_status().is_current);
  BOOST_TEST(same.size() == 200u);
  BOOST_TEST(source->calls == 0u);
  source->replace(data + numbered(200), "v2");
  const archive other = a.reopen();
  BOOST_TEST(!other.index_status().is_used);
  BOOST_TEST(other.scan_progress().messages == 0u);
  BOOST_TEST(other.size() == 201u);
  BOOST_TEST(!a.index_status().is_current);
}

BOOST_FIXTURE_TEST_CASE(an_index_of_a_part_of_a_source, indexed_source) {
  const tgmap::open_options part{.offset = 8, .length = data.size()};
  source->data = "whatever" + data;
  auto scanned = part;
  scanned.index = index_use::none;
  index->data = index_of(archive::from_source(source, scanned));
  BOOST_TEST(open(part).index_status().is_current);
  check_refused(errc::index_mismatch, {.damage = tgmap::on_damage::skip});
}

BOOST_FIXTURE_TEST_CASE(the_cache_has_indexes_of_sources_too, indexed_source) {
  const temporary_directory temporary;
  source->beside = nullptr;
  ::setenv("XDG_CACHE_HOME", temporary.path().c_str(), 1);
  const auto made = tgmap::create_cached_index(open());
  BOOST_TEST(!made.path.empty());
  const archive a = open({.index_cache = true});
  BOOST_TEST(a.index_status().is_current);
  BOOST_TEST(a.size() == 200u);
  source->version = "v2";
  BOOST_TEST(!open({.index_cache = true}).index_status().is_current);
  ::unsetenv("XDG_CACHE_HOME");
}

BOOST_AUTO_TEST_SUITE_END()
