// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/object.hpp>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

/// Decodes the elements of an object into memory. Unsupported strides are ignored: the elements are then in stored
/// order, as in the reference implementation. Errors: tgmap::error.
tensor decode_elements(const object&);
tensor decode_elements(const object&, failure&);

/// Also returns whether the strides were ignored.
tensor decode_elements(const object&, bool& as_stored);

/// Returns the pipeline stages that a failure concerns, for example "encoding simple_packing, compression szip"; empty
/// if it does not concern the pipeline.
std::string failed_stages(const object&, const failure&);

/// Returns why an object could not be decoded, without its position: "compression sz3: the codec is not built in, or
/// its library is not installed".
std::string decode_failure_text(const object&, const failure&);

/// Returns the error to report for an object that could not be decoded, with the next step, such as the build option of
/// a codec. `name` is the address of the object in `file`.
cli_error decode_error(const object&, const failure&, const std::string& name, const std::string& file);

}  // namespace tgmap::cli
