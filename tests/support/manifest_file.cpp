// SPDX-License-Identifier: Apache-2.0
#include "manifest_file.hpp"

#include <string_view>
#include <support/temporary.hpp>

namespace tgmap_test {

nlohmann::json manifest_of(const std::filesystem::path& directory) {
  // Python writes a tolerance that is no number as NaN, which JSON does not know; tolerances are not looked at.
  bytes text = read_file(directory / "MANIFEST.json");
  static constexpr std::string_view bad = R"("tolerance":{"abs":NaN})";
  for (auto at = text.find(bad); at != bytes::npos; at = text.find(bad, at))
    text.replace(at, bad.size(), R"("tolerance":"?")");
  return nlohmann::json::parse(text);
}

}  // namespace tgmap_test
