// SPDX-License-Identifier: Apache-2.0
// Keys of fields: those of the message without data are those of the whole message, and those that ecCodes' tools print.
#include "bridge/grib/keys/key_reader.hpp"

#include <boost/test/unit_test.hpp>
#include <tgmap/query/metadata_key.hpp>

#include "bridge/grib/eccodes/eccodes_library.hpp"
#include "bridge/grib/keys/field_message.hpp"
#include "bridge/grib/keys/namespace_keys.hpp"
#include "grib_files.hpp"

using namespace tgmap_test;
using namespace tgmap::bridge::grib;
using tgmap::cbor_value;

BOOST_AUTO_TEST_SUITE(key_reader_test)

namespace {

const std::vector<std::string> all_namespaces{"ls", "geography", "time", "vertical", "parameter"};

std::string printed(const cbor_value& value) { return tgmap::key_result(value.view()).text(); }

std::string printed(const named_keys& keys) { return printed(map_of(keys)); }

/// Returns the namespaces that ecCodes reads from a message.
std::string namespaces_of(const std::vector<std::byte>& message) {
  const eccodes_library& library = *eccodes_library::get();
  const eccodes_call call(library);
  const eccodes_handle handle(library,
                              library.codes_handle_new_from_message_copy(nullptr, message.data(), message.size()));
  BOOST_REQUIRE(handle);
  const handle_reader reader(library, handle.get());
  std::string out = "mars " + printed(reader.read_namespace("mars"));
  for (const std::string& each : all_namespaces) {
    named_keys keys = reader.read_namespace(each.c_str());
    std::erase_if(keys, [](const auto& key) { return key.first == "bitmapPresent"; });
    out += '\n' + each + ' ' + printed(keys);
  }
  return out + '\n' + reader.read_text("shortName");
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_message_without_data_has_the_keys_of_the_whole_one) {
  if (!has_eccodes_tools()) return;
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(samples_folder())) {
    const std::string data = read_file(entry.path());
    if (!data.starts_with("GRIB")) continue;
    each_field(data, [&](const field& each) {
      BOOST_TEST_CONTEXT(entry.path().filename().string()) {
        failure why;
        const auto empty = message_without_data(each, why);
        BOOST_TEST(!why, why.text());
        BOOST_TEST(namespaces_of(empty) == namespaces_of(whole_message(each, why)));
        ++count;
      }
    });
  }
  BOOST_TEST(count > 20u);
}

BOOST_AUTO_TEST_SUITE_END()
