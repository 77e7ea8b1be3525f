// SPDX-License-Identifier: Apache-2.0
// Keys of descriptors, specification §6.1 and §7.
#include "wire/descriptor_keys.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

using namespace tgmap::wire;

BOOST_AUTO_TEST_SUITE(descriptor_keys_test)

namespace {

/// The keys that have a meaning of their own, copied by hand.
const std::vector<std::pair<std::string, descriptor_key>> named{
    {"type", descriptor_key::type},
    {"ndim", descriptor_key::ndim},
    {"shape", descriptor_key::shape},
    {"strides", descriptor_key::strides},
    {"dtype", descriptor_key::dtype},
    {"encoding", descriptor_key::encoding},
    {"filter", descriptor_key::filter},
    {"compression", descriptor_key::compression},
    {"byte_order", descriptor_key::byte_order},
    {"masks", descriptor_key::masks},
    {"hash", descriptor_key::hash},
};

const std::vector<std::string> parameters{"sp_reference_value",
                                          "sp_binary_scale_factor",
                                          "sp_decimal_scale_factor",
                                          "sp_bits_per_value",
                                          "reference_value",
                                          "binary_scale_factor",
                                          "decimal_scale_factor",
                                          "bits_per_value",
                                          "shuffle_element_size",
                                          "szip_rsi",
                                          "szip_block_size",
                                          "szip_flags",
                                          "szip_block_offsets",
                                          "zfp_mode",
                                          "zfp_rate",
                                          "zfp_precision",
                                          "zfp_tolerance"};

const std::vector<std::string> never_read{"zstd_level",      "blosc2_codec",         "blosc2_clevel",
                                          "sz3_error_bound", "sz3_error_bound_mode", "_reserved_"};

bool is_parameter(descriptor_key key) { return key >= descriptor_key::parameter && key < descriptor_key::other; }

}  // namespace

BOOST_AUTO_TEST_CASE(each_key_is_found) {
  for (const auto& [name, key] : named) {
    BOOST_TEST((key_named(name) == key), name);
    BOOST_TEST(is_library_key(name), name);
  }
  std::vector<descriptor_key> found;
  for (const std::string& name : parameters) {
    BOOST_TEST(is_parameter(key_named(name)), name);
    BOOST_TEST((std::find(found.begin(), found.end(), key_named(name)) == found.end()), name);
    BOOST_TEST(is_library_key(name), name);
    found.push_back(key_named(name));
  }
}

BOOST_AUTO_TEST_CASE(keys_that_no_reader_needs_belong_to_the_library) {
  for (const std::string& name : never_read) {
    BOOST_TEST((key_named(name) == descriptor_key::other), name);
    BOOST_TEST(is_library_key(name), name);
  }
}

BOOST_AUTO_TEST_CASE(other_names_are_no_keys) {
  const auto is_other = [](const std::string& name) {
    return key_named(name) == descriptor_key::other && !is_library_key(name);
  };
  BOOST_TEST(is_other(""));
  for (const auto& [name, key] : named) {
    BOOST_TEST(is_other(name + "_"), name);
    BOOST_TEST(is_other(name.substr(0, name.size() - 1)), name);
    std::string changed = name;
    changed[name.size() / 3] = '~';
    BOOST_TEST(is_other(changed), name);
  }
  for (int first = 1; first < 256; ++first) BOOST_TEST(is_other(std::string(1, static_cast<char>(first))));
}

BOOST_AUTO_TEST_SUITE_END()
