// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <tgmap/zio/errc.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// A `curve_keys` is the key pair of one end of an encrypted connection (CURVE).
struct curve_keys {
  std::string public_key{};  ///< 40 characters of Z85; the other end may know it
  std::string secret_key{};  ///< 40 characters of Z85
};

/// Returns a new random pair.
/// Errors: zmq_absent; zmq_failed (this libzmq was built without CURVE).
TGMAP_API curve_keys make_curve_keys();
TGMAP_API curve_keys make_curve_keys(failure&) noexcept;

/// Reads a key pair from a file.
///
/// The file is a ZeroMQ certificate, as pyzmq and CZMQ write it (`secret-key = "..."` in the section `curve`), or one
/// line of 40 characters, the secret key. The public key is computed from the secret key.
/// Errors: bad_curve_key (the file holds no secret key, or a public key that does not match it); those of the operating
/// system.
TGMAP_API curve_keys read_curve_keys(const std::filesystem::path&);
TGMAP_API curve_keys read_curve_keys(const std::filesystem::path&, failure&) noexcept;

/// Reads a public key from a file: a certificate, or one line of 40 characters.
/// Errors: bad_curve_key; those of the operating system.
TGMAP_API std::string read_curve_public_key(const std::filesystem::path&);
TGMAP_API std::string read_curve_public_key(const std::filesystem::path&, failure&) noexcept;

/// Returns the text of a certificate that `read_curve_keys` reads.
///
/// If `secret_key` is empty, the certificate holds the public key alone.
TGMAP_API std::string curve_certificate(const curve_keys&);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
