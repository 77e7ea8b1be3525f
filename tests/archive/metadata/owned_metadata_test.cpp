// SPDX-License-Identifier: Apache-2.0
// Owned metadata stays as it was, whatever happens to the file.
#include "archive/metadata/owned_metadata.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;
using tgmap::detail::owned_metadata;

BOOST_AUTO_TEST_SUITE(owned_metadata_test)

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
    owned_metadata owned;
    TGMAP_SUCCEEDED(owned.assign(archive[0], mapped));
    overwrite(path, replaced(replaced(replaced(data, "entry-1", "entry-2"), "last-1", "last-2"), "free-1", "free-2"));
    BOOST_TEST((mapped.get<std::string_view>("entry") == "entry-2"));
    for (const auto& [key, value] :
         {std::pair("entry", "entry-1"), std::pair("last", "last-1"), std::pair("free", "free-1")})
      BOOST_TEST((owned.get().get<std::string_view>(key) == std::string_view(value)), key << " has changed");
    BOOST_TEST(owned.get().get<std::string_view>("long")->size() == size);
  }
}

BOOST_AUTO_TEST_CASE(metadata_in_memory_is_not_copied) {
  const temporary_directory temporary;
  const bytes data = archive_with(10);
  const auto in_memory = open(data);
  const tgmap::archive unmapped(temporary.file("a.tgm", data), {.io = tgmap::io_mode::read});
  for (const tgmap::archive* const archive : {&in_memory, &unmapped}) {
    const tgmap::metadata metadata = (*archive)[0].base(0);
    owned_metadata owned;
    TGMAP_SUCCEEDED(owned.assign((*archive)[0], metadata));
    BOOST_TEST(owned.get().find("entry")->bytes_to_end().data() == metadata.find("entry")->bytes_to_end().data());
  }
  owned_metadata none;
  TGMAP_SUCCEEDED(none.assign(tgmap::message(), tgmap::metadata()));
  BOOST_TEST(none.get().entries().empty());
}

BOOST_AUTO_TEST_CASE(metadata_of_a_shorter_file_is_not_copied) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", numbered(1) + archive_with(50'000));
  const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
  const auto message = archive[1];
  const tgmap::metadata metadata = message.metadata();
  owned_metadata owned;
  std::filesystem::resize_file(path, message.offset() + 20'000);
  const tgmap::failure why = owned.assign(message, metadata);
  TGMAP_FAILED(why, tgmap::errc::file_shrank);
  BOOST_TEST(why.message == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
