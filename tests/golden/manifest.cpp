// SPDX-License-Identifier: Apache-2.0
#include "manifest.hpp"

#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>

namespace tgmap_test {

golden_count check_manifest(const std::filesystem::path& directory) {
  golden_count count;
  for (const auto& one : manifest_of(directory)) {
    const auto path = directory / one.at("file").get<std::string>();
    BOOST_TEST_CONTEXT(one.at("file")) {
      ++count.files;
      const bytes data = read_file(path);
      golden_count* count_of_file = &count;
      in_every_mode_of_file(path, data,
                            [&](const tgmap::archive& archive) {
                              try {
                                check_structure(archive, data, one, count_of_file);
                              } catch (const std::exception& e) {
                                BOOST_ERROR("throws " << e.what());
                              }
                              count_of_file = nullptr;  // hashes are compared once for each file, bytes in every mode
                            },
                            {.damage = tgmap::on_damage::skip});
    }
  }
  return count;
}

}  // namespace tgmap_test
