// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tgmap/errc.hpp>
#include <tgmap/export.hpp>
#include <type_traits>

namespace tgmap {
inline namespace v0 {

/// Groups of errors, to branch on: `if (e.code() == tgmap::condition::corrupt)`.
enum class condition : int {
  usage = 1,    ///< the caller asked for something that cannot be
  truncated,    ///< bytes are missing at the end
  corrupt,      ///< bytes are there but wrong
  unsupported,  ///< sound, but not by this version of the library, or not in place
  limit,        ///< a limit of `open_options`, or memory
  io,           ///< the operating system could not deliver the bytes
};

TGMAP_API const std::error_category& category() noexcept;
TGMAP_API const std::error_category& condition_category() noexcept;
TGMAP_API std::error_code make_error_code(errc) noexcept;
TGMAP_API std::error_condition make_error_condition(condition) noexcept;

/// The number of a message or of an object, or nothing. Works like `std::optional<std::uint64_t>`, in 8 bytes.
class optional_index {
 public:
  constexpr optional_index() noexcept = default;
  constexpr optional_index(std::nullopt_t) noexcept {}                           // NOLINT: as std::optional
  constexpr optional_index(std::uint64_t number) noexcept : number_(number) {}   // NOLINT: as std::optional
  constexpr optional_index(const std::optional<std::uint64_t>& number) noexcept  // NOLINT: as std::optional
      : number_(number.value_or(none)) {}

  constexpr bool has_value() const noexcept { return number_ != none; }
  constexpr explicit operator bool() const noexcept { return has_value(); }

  /// Returns the number. The behaviour is undefined if there is none, as for `std::optional`.
  constexpr std::uint64_t operator*() const noexcept { return number_; }

  constexpr std::uint64_t value_or(std::uint64_t other) const noexcept { return has_value() ? number_ : other; }
  constexpr void reset() noexcept { number_ = none; }

  friend constexpr bool operator==(optional_index, optional_index) noexcept = default;

 private:
  static constexpr std::uint64_t none = UINT64_MAX;
  std::uint64_t number_ = none;
};

/// Why a call failed, and where. Empty (false) means success. Every function that takes a `failure&` empties it first,
/// so one can be used again and again. A returned failure must not be ignored.
///
/// Trivially copyable, never allocates. `offset` counts from the start of the archive.
/// Thread safety: copies are independent.
struct [[nodiscard]] failure {
  std::error_code code{};      ///< `errc`, or `std::system_category()` for errors of the operating system
  std::uint64_t offset = 0;    ///< archive offset of the bytes at fault
  std::uint64_t expected = 0;  ///< with `found`, the two numbers that disagree; see each `errc`
  std::uint64_t found = 0;
  optional_index message{};        ///< number of the message, if known
  optional_index object{};         ///< number of the object in its message, if known
  const char* argument = nullptr;  ///< static text: the option or parameter at fault, "open_options::offset"; or null
  explicit operator bool() const noexcept { return static_cast<bool>(code); }
  operator std::error_code() const noexcept { return code; }
  /// One line for people: "frame length 812 exceeds the 640 bytes left (message 17, offset 0x3a10)".
  TGMAP_API std::string text() const;
};

/// The throwing door. Every throwing member calls its `failure&` twin and throws this; std::bad_alloc without memory.
class TGMAP_API error : public std::system_error {
 public:
  explicit error(const failure&);
  /// Puts `context` before the text of the failure: "cannot open 'x.tgm': No such file or directory".
  error(const failure&, const std::string& context);
  ~error() override;
  const failure& details() const noexcept { return details_; }
  const char* what() const noexcept override;  ///< the context, if there is one, and `details().text()`

 private:
  failure details_;
  std::shared_ptr<const std::string> text_;  // shared: copying an exception must not throw
};

namespace detail {
/// A category whose messages take the two numbers of a failure. For the library and its components.
class TGMAP_API numbered_category : public std::error_category {
 public:
  ~numbered_category() override;
  /// Returns the message of a code with places for the numbers: "{f} parts where {e} are needed".
  virtual std::string_view phrase(int value) const noexcept = 0;
};

[[noreturn]] TGMAP_API void raise(const failure&);
inline void raise_if(const failure& why) {
  if (why) raise(why);
}
}  // namespace detail

}  // namespace v0
}  // namespace tgmap

template <>
struct std::is_error_code_enum<tgmap::errc> : std::true_type {};
template <>
struct std::is_error_condition_enum<tgmap::condition> : std::true_type {};
