// SPDX-License-Identifier: Apache-2.0
// For a file that is compiled once for each instruction set, of which one is chosen at run time: by Highway, or, in a
// build without it, once for what every machine of the kind has. The file defines HWY_TARGET_INCLUDE as itself before
// this, and includes this itself each time: no guard.
#ifdef TGMAP_HIGHWAY

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#elif !defined(HWY_NAMESPACE)

#define HWY_NAMESPACE every_machine
#define HWY_ONCE 1
#define HWY_BEFORE_NAMESPACE() static_assert(true)
#define HWY_AFTER_NAMESPACE() static_assert(true)
#define HWY_EXPORT(name) static_assert(true)
#define HWY_DYNAMIC_DISPATCH(name) every_machine::name

#endif
