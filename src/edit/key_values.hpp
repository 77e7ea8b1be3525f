// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <tgmap/query/metadata_key.hpp>

namespace tgmap::edit {

/// Returns the values of the keys as one string, "2:2t1:6-", that is equal only for equal values; "-" is an absent key.
/// Errors: those of key_lookup::find. Both forms throw std::bad_alloc.
std::string key_values(std::span<const metadata_key>, key_lookup&);
std::string key_values(std::span<const metadata_key>, key_lookup&, failure&);

}  // namespace tgmap::edit
