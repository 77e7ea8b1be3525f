// SPDX-License-Identifier: Apache-2.0
// Groups of errors, as documented in <tgmap/error.hpp>.
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <map>
#include <set>
#include <system_error>

#include "errc_table.hpp"

using tgmap::condition;
using tgmap::errc;
using tgmap_test::all_errcs;

BOOST_AUTO_TEST_SUITE(condition_test)

namespace {

constexpr condition conditions[] = {condition::usage,       condition::truncated, condition::corrupt,
                                    condition::unsupported, condition::limit,     condition::io};

/// The contents of each group. Everything else is corrupt.
const std::map<condition, std::set<errc>> groups{
    {condition::usage,
     {errc::out_of_range,
      errc::no_archive,
      errc::invalid_option,
      errc::wrong_kind,
      errc::value_out_of_range,
      errc::read_past_end,
      errc::dtype_mismatch,
      errc::bad_selection,
      errc::bad_key,
      errc::bad_name_template,
      errc::bad_address,
      errc::output_conflict,
      errc::codec_forbidden,
      errc::not_representable,
      errc::invalid_strides,
      errc::unsupported_dtype,
      errc::unsupported_sample_bits,
      errc::non_finite,
      errc::reserved_key,
      errc::unsupported_wire_version,
      errc::not_streamable,
      errc::call_out_of_order,
      errc::no_index}},
    {condition::truncated,
     {errc::message_exceeds_file, errc::unterminated_stream, errc::file_shrank, errc::incomplete_message,
      errc::incomplete_tail}},
    {condition::unsupported,
     {errc::unknown_version, errc::version_1, errc::not_contiguous, errc::encoded, errc::filtered, errc::compressed,
      errc::masked, errc::foreign_byte_order, errc::misaligned, errc::unsupported_strides, errc::not_mapped,
      errc::unknown_dtype, errc::too_many_dimensions, errc::unknown_codec, errc::codec_absent, errc::bad_combination,
      errc::unsupported_upgrade, errc::cannot_overwrite, errc::unknown_index_version}},
    {condition::limit,
     {errc::too_many_gaps, errc::padding_too_long, errc::cbor_too_deep, errc::out_of_memory, errc::resident_limit,
      errc::metadata_limit, errc::object_limit, errc::decoded_limit, errc::decoded_total_limit, errc::too_large}},
    {condition::io,
     {errc::is_directory, errc::archive_locked, errc::archive_changed, errc::cannot_lock, errc::foreign_file,
      errc::output_changed, errc::source_changed, errc::source_failed, errc::index_not_owned}},
};

condition expected_of(errc code) {
  for (const auto& [group, codes] : groups)
    if (codes.contains(code)) return group;
  return condition::corrupt;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_errc_has_exactly_one_group) {
  for (const auto& row : all_errcs()) {
    unsigned of = 0;
    for (const condition c : conditions) of += make_error_code(row.code()) == c;
    BOOST_TEST(of == 1u, row.name << " is of " << of << " groups");
  }
}

BOOST_AUTO_TEST_CASE(each_errc_has_its_group) {
  for (const auto& row : all_errcs())
    BOOST_TEST((make_error_code(row.code()) == expected_of(row.code())), row.name << " is not of its group");
}

BOOST_AUTO_TEST_CASE(system_errors_are_in_the_group_io) {
  for (const int code : {EIO, ENOENT, EACCES, EMFILE, ENOSPC, EISDIR}) {
    const std::error_code system(code, std::system_category());
    BOOST_TEST((system == condition::io));
    for (const condition c : conditions)
      if (c != condition::io) BOOST_TEST((system != c));
  }
}

BOOST_AUTO_TEST_CASE(codes_of_other_categories_have_no_group) {
  class other final : public std::error_category {
    const char* name() const noexcept override { return "other"; }
    std::string message(int) const override { return "?"; }
  };
  static const other category;
  for (const condition c : conditions)
    for (const int value : {1, 10, 110}) BOOST_TEST((std::error_code(value, category) != c));
}

BOOST_AUTO_TEST_CASE(success_has_no_group) {
  for (const condition c : conditions) BOOST_TEST((std::error_code() != make_error_condition(c)));
}

BOOST_AUTO_TEST_CASE(groups_have_names_and_messages) {
  std::set<std::string> seen;
  for (const condition c : conditions) {
    const auto as = make_error_condition(c);
    BOOST_TEST(as.value() == static_cast<int>(c));
    BOOST_TEST((as.category() == tgmap::condition_category()));
    BOOST_TEST(seen.insert(as.message()).second);
    BOOST_TEST(!as.message().empty());
  }
  BOOST_TEST(tgmap::condition_category().message(99) == "unknown condition");
  BOOST_TEST(std::string(tgmap::category().name()) == "tgmap");
  BOOST_TEST((tgmap::category() != tgmap::condition_category()));
}

BOOST_AUTO_TEST_CASE(enumerators_compare_without_being_wrapped) {
  const std::error_code code = errc::masked;
  BOOST_TEST((code == errc::masked));
  BOOST_TEST((code != errc::encoded));
  BOOST_TEST((code == condition::unsupported));
  static_assert(std::is_error_code_enum_v<errc>);
  static_assert(std::is_error_condition_enum_v<condition>);
}

BOOST_AUTO_TEST_SUITE_END()
