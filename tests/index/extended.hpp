// SPDX-License-Identifier: Apache-2.0
// Indexes that were made of the beginning of an archive, and extended.
#pragma once

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <vector>

#include "index/add_stamp.hpp"
#include "indexed.hpp"

namespace tgmap_test {

/// Stamps the index beside an archive whatever it describes, as a check of an archive that has grown does.
inline void stamp(const std::filesystem::path& archive) {
  age(archive);
  tgmap::failure why;
  const auto file = tgmap::io::file::open(archive, why);
  const auto index = tgmap::index_file::reader::open(
      tgmap::io::source::from_file(tgmap::io::file::open(index_path(archive), why), {}, why), why);
  if (!why) why = tgmap::detail::add_stamp(index_path(archive), *index, file.stamp().value());
  BOOST_REQUIRE_MESSAGE(!why, why.text());
}

/// Extends the index beside an archive, whose bytes it describes.
inline tgmap::index_summary extend_index(const std::filesystem::path& archive) {
  stamp(archive);
  tgmap::memory_sink to;
  const auto out =
      tgmap::update_index(tgmap::archive(archive, {.index = tgmap::index_use::none}), index_path(archive), to);
  const auto all = to.release();
  write_file(index_path(archive), {reinterpret_cast<const char*>(all.data()), all.size()});
  return out;
}

/// Lets an archive grow from one size to the next, and its index with it: made at the first size, extended at the
/// others and at the end.
inline tgmap::index_summary grow(const std::filesystem::path& archive, const bytes& data,
                                 const std::vector<std::size_t>& sizes) {
  write_file(archive, data.substr(0, sizes.front()));
  write_index(archive);
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    write_file(archive, data.substr(0, sizes[i]));
    extend_index(archive);
  }
  write_file(archive, data);
  return extend_index(archive);
}

/// Checks that the extended index of an archive says what one that was made at once does.
inline void check_extended(const std::filesystem::path& archive, const tgmap::index_summary& extended) {
  const tgmap::archive scanned(archive, {.damage = tgmap::on_damage::skip, .index = tgmap::index_use::none});
  tgmap::memory_sink to;
  const auto made = tgmap::create_index(scanned, to);
  BOOST_TEST(extended.structure == made.structure);
  BOOST_TEST(extended.covered_bytes == made.covered_bytes);
  BOOST_TEST(extended.messages == made.messages);
  BOOST_TEST(extended.objects == made.objects);
  BOOST_TEST(extended.layouts == made.layouts);
  BOOST_TEST(extended.gaps == made.gaps);
  BOOST_TEST(extended.index_bytes == std::filesystem::file_size(index_path(archive)));
  tgmap::failure why;
  const auto checked = tgmap::check_index(scanned, index_path(archive), {}, why);
  BOOST_TEST(!why, why.text());
  BOOST_TEST(checked.messages == made.messages);
  const auto described = tgmap::describe_index(index_path(archive));
  BOOST_CHECK(described.columns == extended.columns);
  BOOST_TEST(described.structure == extended.structure);
  BOOST_TEST(survey_with(archive, {.damage = tgmap::on_damage::skip}).text ==
             survey_with(archive, {.damage = tgmap::on_damage::skip, .index = tgmap::index_use::none}).text);
}

}  // namespace tgmap_test
