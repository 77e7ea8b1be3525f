// SPDX-License-Identifier: Apache-2.0
// CBOR items as values of Python, and the way back.
#pragma once

#include <tgmap/cbor_view.hpp>
#include <tgmap/metadata.hpp>
#include <tgmap/write/cbor_value.hpp>

#include "cpp/interpreter/python.hpp"

namespace tgmap_python {

/// Returns an item as None, bool, int, float, str, bytes, list or dict. Items with a tag become the item inside, except
/// large integers. A key that is a list, a map or an integer of more than 64 bits becomes text. Ill-formed UTF-8
/// becomes U+FFFD. Raises RecursionError beyond 1,000 levels.
nb::object to_python(const tgmap::cbor_view&);

/// Returns all visible keys, which are text, as a dict.
nb::dict to_dict(const tgmap::metadata&);

/// Returns a value of Python as an item: None, bool, int, float, str, bytes, list, tuple, mapping with text keys, or a
/// scalar of NumPy. Raises TypeError for any other type, and an OverflowError that is a ValueError for an integer
/// beyond 64 bits. `where` names the value in the text of an error.
tgmap::cbor_value to_cbor(nb::handle value, const std::string& where);

/// Returns a mapping with text keys as an item; None as an empty map.
tgmap::cbor_value to_cbor_map(nb::handle mapping, const std::string& where);

}  // namespace tgmap_python
