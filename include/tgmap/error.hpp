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

/// Groups of errors to branch on: `if (e.code() == tgmap::condition::corrupt)`.
enum class condition : int {
  usage = 1,    ///< the call asks for something impossible
  truncated,    ///< bytes are missing at the end
  corrupt,      ///< bytes are there but wrong
  unsupported,  ///< sound, but not supported by this version of the library, or not in place
  limit,        ///< a limit of `open_options`, or memory, is reached
  io,           ///< the operating system cannot deliver the bytes
};

/// Returns the category of `errc`.
TGMAP_API const std::error_category& category() noexcept;
/// Returns the category of `condition`.
TGMAP_API const std::error_category& condition_category() noexcept;
TGMAP_API std::error_code make_error_code(errc) noexcept;
TGMAP_API std::error_condition make_error_condition(condition) noexcept;

/// An `optional_index` is the number of a message or of an object, or nothing. It works like
/// `std::optional<std::uint64_t>` in 8 bytes.
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

/// A `failure` says why a call failed and where. An empty one, which converts to false, means success.
///
/// Calls that can fail have two overloads: one throws `error`, the other fills a `failure&`. The latter empties it
/// first, so one variable serves many calls. A returned failure must not be ignored. It is trivially copyable and never
/// allocates.
/// Thread safety: copies are independent.
struct [[nodiscard]] failure {
  std::error_code code{};      ///< `errc`, or `std::system_category()` for errors of the operating system
  std::uint64_t offset = 0;    ///< bytes at fault, counted from the start of the archive
  std::uint64_t expected = 0;  ///< with `found`, the two numbers that disagree; see each `errc`
  std::uint64_t found = 0;
  optional_index message{};        ///< number of the message, if known
  optional_index object{};         ///< number of the object in its message, if known
  const char* argument = nullptr;  ///< option, parameter or kind of frame at fault, as static text; or null
  explicit operator bool() const noexcept { return static_cast<bool>(code); }
  operator std::error_code() const noexcept { return code; }
  /// Returns one line for people: "frame length 812 exceeds the 640 bytes left (message 17, offset 0x3a10)".
  TGMAP_API std::string text() const;
};

/// An `error` is the exception that throwing overloads throw. They call the overload with `failure&` and throw the
/// failure. If memory is short they throw std::bad_alloc instead.
class TGMAP_API error : public std::system_error {
 public:
  explicit error(const failure&);
  /// Puts `context` before the text of the failure: "cannot open 'x.tgm': No such file or directory".
  error(const failure&, const std::string& context);
  ~error() override;
  const failure& details() const noexcept { return details_; }  ///< the failure
  const char* what() const noexcept override;  ///< the context, if there is one, and `details().text()`

 private:
  failure details_;
  std::shared_ptr<const std::string> text_;  // shared: copying an exception must not throw
};

namespace detail {
/// A category whose messages contain the two numbers of a failure. For the library and its components.
class TGMAP_API numbered_category : public std::error_category {
 public:
  ~numbered_category() override;
  /// Returns the message of a code with placeholders for the numbers: "{f} parts where {e} are needed".
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
