// SPDX-License-Identifier: Apache-2.0
// Failures of ecCodes.
#pragma once

#include <vector>

#include "bridge/grib/eccodes/eccodes_library.hpp"
#include "bridge/grib/sections/section_failure.hpp"

namespace tgmap::bridge::grib {

/// Returns ecCodes, or null after an earlier failure, or with eccodes_absent.
inline const eccodes_library* find_library(failure& why) noexcept {
  if (why) return nullptr;
  const eccodes_library* const out = eccodes_library::get();
  if (out == nullptr) why = {.code = errc::eccodes_absent};
  return out;
}

/// Fills `why` with eccodes_failed. Returns false.
inline bool fail_by_eccodes(const field& of, int error, failure& why) noexcept {
  return fail(why, of, {}, errc::eccodes_failed, 0, static_cast<std::uint64_t>(error < 0 ? -error : error));
}

/// Calls `use(library, handle)` with a handle of a message, which is a copy of one field or a part of it.
/// Errors: eccodes_absent; eccodes_failed (no handle, or an assertion of ecCodes). Exceptions of `use` pass through.
template <class Use>
void use_handle(const std::vector<std::byte>& message, const field& of, failure& why, Use&& use) {
  constexpr int internal_error = 2;  // of eccodes.h
  const eccodes_library* const library = find_library(why);
  if (library == nullptr) return;
  const eccodes_call call(*library);
  try {
    const eccodes_handle handle(*library,
                                library->codes_handle_new_from_message_copy(nullptr, message.data(), message.size()));
    if (handle)
      use(*library, handle.get());
    else
      fail_by_eccodes(of, internal_error, why);
  } catch (const eccodes_assertion&) {
    fail_by_eccodes(of, internal_error, why);
  }
}

}  // namespace tgmap::bridge::grib
