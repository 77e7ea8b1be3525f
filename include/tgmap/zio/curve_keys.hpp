// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <tgmap/zio/errc.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Keys of one end of an encrypted connection (CURVE), each as 40 characters of Z85. A value.
struct curve_keys {
  std::string public_key{};
  std::string secret_key{};
};

/// A new pair. Errors: zmq_failed (this libzmq has no CURVE).
TGMAP_API curve_keys make_curve_keys();
TGMAP_API curve_keys make_curve_keys(failure&) noexcept;

/// The pair in a file: a ZeroMQ certificate, as pyzmq and CZMQ write them (`secret-key = "..."` in its section
/// `curve`), or one line of 40 characters, the secret key. The public key is made of the secret one; where the file has
/// another, it is refused. Errors: those of the operating system; bad_curve_key.
TGMAP_API curve_keys read_curve_keys(const std::filesystem::path&);
TGMAP_API curve_keys read_curve_keys(const std::filesystem::path&, failure&) noexcept;

/// The public key in a file: of a certificate, or one line of 40 characters. Errors: as above.
TGMAP_API std::string read_curve_public_key(const std::filesystem::path&);
TGMAP_API std::string read_curve_public_key(const std::filesystem::path&, failure&) noexcept;

/// Both keys as a certificate that read_curve_keys() takes, or, without the secret one, the public key alone.
TGMAP_API std::string curve_certificate(const curve_keys&);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
