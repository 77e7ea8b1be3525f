// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpp/handles/handles.hpp"

namespace tgmap_python {

/// Returns the elements as a DLPack capsule. A consumer that asks for version 1 or newer gets them in place, marked as
/// read-only; an older one, which cannot know that, gets a copy. Raises BufferError if the device is not a CPU, if
/// `copy` is False and only a copy is possible, and for elements in foreign byte order.
nb::object to_dlpack(py_object&, nb::handle stream, nb::handle max_version, nb::handle device, nb::handle copy);

}  // namespace tgmap_python
