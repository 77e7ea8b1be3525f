// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

namespace tgmap::cli {

/// The text of these keys as one, which no two lists of values share: "2:2t1:6-", of a key that is not there "-". To
/// find what has the same; nobody reads it. Throws tgmap::error when they cannot be read.
std::string joined_values(const std::vector<metadata_key>&, key_lookup&);

}  // namespace tgmap::cli
