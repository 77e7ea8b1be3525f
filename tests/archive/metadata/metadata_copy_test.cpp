// SPDX-License-Identifier: Apache-2.0
// Copied metadata stays as it was, whatever happens to the file.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;
using tgmap::metadata_copy;

BOOST_AUTO_TEST_SUITE(metadata_copy_test)

namespace {

/// Returns an archive whose metadata has a short entry for its object, a section of `size` bytes and a free key.
bytes archive_with(std::size_t size) {
  message_spec spec;
  spec.objects = {bytes_object(payload_of(1, 20'000))};
  spec.base = {cbor::map({cbor::key("entry", cbor::text("entry-1"))})};
  spec.extra = {cbor::key("long", cbor::text(std::string(size, 'x'))), cbor::key("last", cbor::text("last-1"))};
  spec.top = {cbor::key("free", cbor::text("free-1"))};
  return message(spec);
}

void overwrite(const std::filesystem::path& path, std::string_view contents) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
}

bytes replaced(bytes data, std::string_view from, std::string_view to) {
  return data.replace(data.find(from), from.size(), to);
}

}  // namespace

BOOST_AUTO_TEST_CASE(metadata_of_a_mapped_file_is_copied) {
  const temporary_directory temporary;
  for (const std::size_t size : {std::size_t{10}, std::size_t{4096}, std::size_t{4200}, std::size_t{50'000}}) {
    const bytes data = archive_with(size);
    const auto path = temporary.file("a.tgm", data);
    const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
    const auto object = archive[0][0];
    const tgmap::metadata mapped = object.metadata();
    metadata_copy copy(mapped);
    overwrite(path, replaced(replaced(replaced(data, "entry-1", "entry-2"), "last-1", "last-2"), "free-1", "free-2"));
    BOOST_TEST((mapped.get<std::string_view>("entry") == "entry-2"));
    for (const auto& [key, value] :
         {std::pair("entry", "entry-1"), std::pair("last", "last-1"), std::pair("free", "free-1")})
      BOOST_TEST((copy.keys().get<std::string_view>(key) == std::string_view(value)), key << " has changed");
    BOOST_TEST(copy.keys().get<std::string_view>("long")->size() == size);
  }
}

BOOST_AUTO_TEST_CASE(metadata_in_memory_is_not_copied) {
  const temporary_directory temporary;
  const bytes data = archive_with(10);
  const auto in_memory = open(data);
  const tgmap::archive unmapped(temporary.file("a.tgm", data), {.io = tgmap::io_mode::read});
  for (const tgmap::archive* const archive : {&in_memory, &unmapped}) {
    const tgmap::metadata metadata = (*archive)[0].base(0);
    const metadata_copy copy(metadata);
    BOOST_TEST(copy.keys().find("entry")->bytes_to_end().data() == metadata.find("entry")->bytes_to_end().data());
  }
  BOOST_TEST(metadata_copy(tgmap::metadata()).keys().entries().empty());
}

BOOST_AUTO_TEST_CASE(metadata_of_a_shorter_file_is_not_copied) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", numbered(1) + archive_with(50'000));
  const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
  const auto message = archive[1];
  const tgmap::metadata metadata = message.metadata();
  std::filesystem::resize_file(path, message.offset() + 20'000);
  TGMAP_THROWS(metadata_copy(metadata), tgmap::errc::file_shrank);
}

// The rest of the last page reads as zeros, without a signal.
BOOST_AUTO_TEST_CASE(a_cut_within_a_page_is_noticed) {
  const temporary_directory temporary;
  const bytes data = archive_with(30);
  const std::size_t begin = data.find("entry-1"), end = data.find("free-1") + 6;
  for (std::size_t size = begin; size < end; ++size) {
    const auto path = temporary.file("a.tgm", data);
    const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
    const tgmap::metadata metadata = archive[0][0].metadata();
    std::filesystem::resize_file(path, size);
    TGMAP_THROWS(metadata_copy(metadata), tgmap::errc::file_shrank);
  }
}

BOOST_AUTO_TEST_CASE(objects_share_a_copy_of_large_message_wide_keys) {
  const temporary_directory temporary;
  message_spec spec;
  for (unsigned j = 0; j < 20; ++j) {
    spec.objects.push_back(bytes_object("abcd"));
    spec.base.push_back(cbor::map({cbor::key("entry", cbor::unsigned_integer(j))}));
  }
  spec.extra = {cbor::key("long", cbor::text(std::string(20'000, 'x'))), cbor::key("last", cbor::text("last-1"))};
  const bytes data = message(spec);
  const auto path = temporary.file("a.tgm", data);
  const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
  std::vector<metadata_copy> copies;
  for (const tgmap::object& object : archive[0]) copies.emplace_back(object.metadata());
  overwrite(path, replaced(data, "last-1", "last-2"));
  const auto* const shared = copies[0].find("last")->bytes_to_end().data();
  for (std::size_t j = 0; j < copies.size(); ++j) {
    BOOST_TEST(copies[j].keys().get<std::uint64_t>("entry").value() == j);
    BOOST_TEST((copies[j].keys().get<std::string_view>("last") == "last-1"));
    BOOST_TEST(copies[j].find("last")->bytes_to_end().data() == shared);
  }
  metadata_copy message_wide(archive[0].summary().message_metadata);  // has them as its first layers
  BOOST_TEST(message_wide.find("last")->bytes_to_end().data() == shared);
}

BOOST_AUTO_TEST_CASE(the_name_of_a_descriptor_is_copied_too) {
  const temporary_directory temporary;
  object_spec object = bytes_object("abcd");
  object.more = {cbor::key("name", cbor::text("name-1"))};
  const bytes data = message({.objects = {object}});
  const auto path = temporary.file("a.tgm", data);
  const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
  metadata_copy copy(archive[0][0].metadata());
  const auto name = copy.find("name");
  overwrite(path, replaced(data, "name-1", "name-2"));
  BOOST_TEST((name->get<std::string_view>() == "name-1"));
}

BOOST_AUTO_TEST_SUITE_END()
