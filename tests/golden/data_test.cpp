// SPDX-License-Identifier: Apache-2.0
#include "manifest.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <support/shared_data.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(data_test)

namespace {

void report(const golden_count& c) {
  BOOST_TEST_MESSAGE(c.files << " files, " << c.messages << " messages, " << c.objects << " objects; " << c.digests
                             << " decoded objects, " << c.masked_digests << " with masks, " << c.mask_blobs
                             << " mask blobs; " << c.encoded_objects << " objects need a codec, "
                             << c.unsupported_values << " values that the reference does not represent");
}

}  // namespace

BOOST_AUTO_TEST_CASE(files_in_the_tree_are_what_the_reference_reads) {
  const auto count = check_manifest(test_data());
  report(count);
  BOOST_TEST(count.files >= 70);
  BOOST_TEST(count.digests >= 100);
  BOOST_TEST(count.masked_digests > 0);
}

BOOST_AUTO_TEST_CASE(every_file_in_the_tree_is_in_the_manifest) {
  std::set<std::string> listed, present;
  for (const auto& one : manifest_of(test_data())) listed.insert(one.at("file").get<std::string>());
  for (const auto& entry : std::filesystem::directory_iterator(test_data()))
    if (entry.path().extension() == ".tgm") present.insert(entry.path().filename().string());
  BOOST_TEST(listed == present, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(all_shared_reference_files_are_what_the_reference_reads) {
  const auto shared = shared_data_or_skip("581 reference files");
  if (!shared) return;
  const auto count = check_manifest(*shared / "data" / "tgm" / "reference");
  report(count);
  BOOST_TEST(count.files >= 581);
  BOOST_TEST(count.objects >= 5862);
}

BOOST_AUTO_TEST_SUITE_END()
