// SPDX-License-Identifier: Apache-2.0
// Columns of keys, as Python has them.
#pragma once

#include <memory>
#include <string>
#include <tgmap/query/key_columns.hpp>
#include <tgmap/query/key_listing.hpp>
#include <vector>

#include "cpp/handles/opened_archive.hpp"

namespace tgmap_python {

/// A `py_table` is the result of read_key_columns. Arrays of NumPy and of Arrow borrow from it.
struct py_table {
  std::shared_ptr<const tgmap::key_columns> data;
  bool has_objects = true;
};

/// Returns the selection of text, of a mapping of keys to values, or of None: everything. Raises Error if the text is
/// no selection, and TypeError or ValueError for other values.
tgmap::selection to_selection(nb::handle where);

/// Returns keys by their names. Raises TypeError if one is no text, and Error if it is no key.
std::vector<tgmap::metadata_key> to_keys(nb::handle names);

/// The arguments of a table, as Python gives them.
struct table_arguments {
  nb::handle keys, where;
  bool objects = true, skip_unread = false;
  unsigned threads = 0;
  nb::handle all_keys;  ///< a bool, or a list of parts of the last names of keys that are left out
};

/// Returns the options of a table.
tgmap::key_columns_options to_options(const table_arguments&);

/// Returns (keys, unread, by index, whether there are more): name, messages, values, whether there may be more, and
/// kinds of each key; archive, message and reason of each that is unread.
nb::tuple to_python(const tgmap::key_listing&);

/// Returns the table as a capsule with an Arrow stream of one batch. Text is dictionary-encoded.
/// Lifetime: the stream shares the columns; it needs neither the table nor the archive.
nb::object to_arrow_stream(const py_table&);

}  // namespace tgmap_python
