// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <tgmap/cbor_view.hpp>
#include <tgmap/metadata.hpp>

namespace tgmap_test {

/// A value in the notation of the reference manifest: what JSON lacks is {"$bytes": hex}, {"$float": "nan"},
/// {"$map": [[key, value]]} for maps with keys that are no text; tags are text as the reference prints them.
nlohmann::json to_json(const tgmap::cbor_view&);

/// Returns the visible keys of metadata as a JSON object.
nlohmann::json to_json(const tgmap::metadata&);

/// Returns JSON text with sorted keys, in which 10 and 10.0 differ, for comparisons.
std::string canonical(const nlohmann::json&);

}  // namespace tgmap_test
