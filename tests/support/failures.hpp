// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/test/unit_test.hpp>
#include <ostream>
#include <tgmap/tgmap.hpp>

namespace tgmap {
inline namespace v0 {
// Boost.Test prints these types.
inline std::ostream& operator<<(std::ostream& out, errc e) { return out << make_error_code(e).message(); }
inline std::ostream& operator<<(std::ostream& out, optional_index i) { return i ? out << *i : out << "none"; }
inline std::ostream& operator<<(std::ostream& out, hash_result s) { return out << to_string_view(s); }
inline std::ostream& operator<<(std::ostream& out, cbor_kind k) { return out << to_string_view(k); }
inline std::ostream& operator<<(std::ostream& out, dtype d) { return out << to_string_view(d); }
inline std::ostream& operator<<(std::ostream& out, byte_order o) { return out << to_string_view(o); }
inline std::ostream& operator<<(std::ostream& out, frame_type t) { return out << to_string_view(t); }
inline std::ostream& operator<<(std::ostream& out, index_location l) { return out << to_string_view(l); }
inline std::ostream& operator<<(std::ostream& out, io_mode m) { return out << static_cast<int>(m); }
}  // namespace v0
}  // namespace tgmap

/// Checks that the expression throws tgmap::error with that errc.
#define TGMAP_THROWS(expression, which)                                                     \
  do {                                                                                      \
    try {                                                                                   \
      (void)(expression);                                                                   \
      BOOST_ERROR(#expression " throws nothing, not " #which);                              \
    } catch (const tgmap::error& thrown) {                                                  \
      BOOST_TEST(thrown.details().code == std::error_code(which),                           \
                 #expression " throws \"" << thrown.details().text() << "\", not " #which); \
    }                                                                                       \
  } while (false)

/// Checks that a call failed with that errc.
#define TGMAP_FAILED(expression, which)                                                                            \
  do {                                                                                                             \
    const tgmap::failure failed = (expression);                                                                    \
    BOOST_TEST(failed.code == std::error_code(which), #expression " is \"" << failed.text() << "\", not " #which); \
  } while (false)

/// Checks that a call did not fail.
#define TGMAP_SUCCEEDED(expression)                                     \
  do {                                                                  \
    const tgmap::failure failed = (expression);                         \
    BOOST_TEST(!failed, #expression " is \"" << failed.text() << "\""); \
  } while (false)
