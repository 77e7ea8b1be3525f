// SPDX-License-Identifier: Apache-2.0
// Metadata, which lies in layers, as one item.
#pragma once

#include <tgmap/metadata.hpp>
#include <tgmap/write/cbor_value.hpp>

namespace tgmap::write {

/// As item::copy; memory of the item is used again. With a failure it means nothing. Throws std::bad_alloc.
failure copy_metadata(const metadata&, cbor_value& to);

/// Takes what the library writes itself out of the keys of an object, a map. Errors: out_of_memory.
failure take_own_keys(cbor_value& base);

}  // namespace tgmap::write
