// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <tgmap/archive.hpp>
#include <tgmap/query/key_columns.hpp>

#include "collection/selector.hpp"

namespace tgmap::archives {

/// Receives the values of keys in a selected message, or in its object with the given number. Returns false to stop.
/// The values are valid during the call.
using row_callback =
    std::function<bool(std::size_t message, std::optional<std::size_t> object, std::span<const key_result>)>;

/// Calls `take` for each message or object that is selected, with the first values in the index, and reads no message.
/// Errors: throws tgmap::error.
tally visit_indexed(const archive&, const indexed_selection& known, const indexed_keys&, std::size_t value_count,
                    bool of_objects, const row_callback& take);

/// Calls `take` for each message or object of an archive that is selected, in order. An index that knows all of these
/// values answers without reading messages. Errors: throws tgmap::error.
tally for_each_row(const selector&, const archive&, std::span<const metadata_key>, const row_callback& take);

}  // namespace tgmap::archives
