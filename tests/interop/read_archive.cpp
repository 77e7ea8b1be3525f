// SPDX-License-Identifier: Apache-2.0
#include "read_archive.hpp"

#include <fstream>
#include <iostream>
#include <support/json.hpp>
#include <tgmap/tgmap.hpp>

namespace tgmap_interop {

namespace {

nlohmann::json read_object(const tgmap::object& object, std::ofstream& values) {
  const tgmap::tensor read = object.decode();
  const auto bytes = read.bytes();
  values.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return {{"dtype", to_string_view(read.dtype())},
          {"shape", std::vector<std::uint64_t>(read.shape().begin(), read.shape().end())},
          {"size", bytes.size()},
          {"hash", to_string_view(object.verify())},
          {"base", tgmap_test::to_json(object.metadata())}};
}

}  // namespace

void read_archive(const std::filesystem::path& path, const std::filesystem::path& to) {
  const tgmap::archive archive(path);
  std::ofstream values(to, std::ios::binary);
  for (const tgmap::message& message : archive) {
    nlohmann::json objects = nlohmann::json::array();
    for (std::size_t j = 0; j < message.size(); ++j) objects.push_back(read_object(message[j], values));
    std::cout << nlohmann::json{{"version", message.version()},
                                {"at", message.offset()},
                                {"layout", to_string_view(message.index_location())},
                                {"extra", tgmap_test::to_json(message.metadata())},
                                {"objects", std::move(objects)}}
                     .dump()
              << '\n';
  }
}

}  // namespace tgmap_interop
