// SPDX-License-Identifier: Apache-2.0
// Owned descriptors stay as they were read.
#include "archive/owned_descriptor.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;
namespace inner = tgmap::detail;

BOOST_AUTO_TEST_SUITE(owned_descriptor_test)

BOOST_AUTO_TEST_CASE(objects_without_an_archive_have_no_descriptor) {
  inner::owned_descriptor owned;
  TGMAP_FAILED(owned.read(tgmap::object()), tgmap::errc::no_archive);
  BOOST_TEST(owned.get().rank() == 0u);
}

BOOST_AUTO_TEST_CASE(entries_outlive_changes_of_the_file) {
  const temporary_directory temporary;
  object_spec object = numbers_object<float>("float32", {1, 2, 3});
  object.more = {cbor::key("note", cbor::text("first text"))};
  const bytes data = message({.objects = {object}});
  const auto path = temporary.file("a.tgm", data);
  const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
  inner::owned_descriptor owned;
  TGMAP_SUCCEEDED(owned.read(archive[0][0]));
  bytes changed = data;
  changed.replace(changed.find("first text"), 10, "other text");
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.write(changed.data(), static_cast<std::streamsize>(changed.size()));
  }
  BOOST_TEST((owned.get().entries.find("note")->as<std::string_view>() == "first text"));
  BOOST_TEST(owned.get().shape()[0] == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
