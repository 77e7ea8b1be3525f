// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tgmap/decode/codecs.hpp>
#include <tgmap/error.hpp>
#include <tgmap/object.hpp>

namespace tgmap::edit {

/// Returns true if a stage of the pipeline failed, rather than the file or its structure.
bool is_codec_failure(const failure&) noexcept;

/// Returns the stages that such a failure concerns, for example "encoding simple_packing, compression szip"; empty for
/// other failures. Names of unknown stages are those of the archive, unescaped.
std::string failed_stages(const object&, const failure&);

/// Returns the codec that this build or system lacks; null if the failure is another one.
const codec_info* absent_codec(const object&, const failure&);

/// Returns why an object could not be decoded, without the object: "compression sz3: the codec is not built in, or its
/// library is not installed". `offset` is the position that the text states; 0: none. Names as by `failed_stages`.
std::string decode_failure_text(const object&, const failure&, std::uint64_t offset = 0);

}  // namespace tgmap::edit
