// SPDX-License-Identifier: Apache-2.0
// The functions of ecCodes, loaded at their first use. ecCodes is needed for keys, for coordinates, and for values that
// are packed in ways that only it decodes.
#pragma once

#include <cstddef>
#include <exception>
#include <filesystem>
#include <mutex>
#include <tgmap/bridge/eccodes.hpp>

// Types of eccodes.h, which need not be there when tgmap is built.
struct grib_context;
struct grib_handle;
struct grib_iterator;
struct grib_keys_iterator;

namespace tgmap::bridge::grib {

using eccodes_log_function = void (*)(const grib_context*, int level, const char* text);
using eccodes_print_function = void (*)(const grib_context*, void* descriptor, const char* text);

// X(name, result, parameters)
#define TGMAP_ECCODES_FUNCTIONS(X)                                                                              \
  X(codes_get_api_version, long, ())                                                                            \
  X(codes_get_error_message, const char*, (int))                                                                \
  X(codes_context_get_default, grib_context*, ())                                                               \
  X(codes_context_set_logging_proc, void, (grib_context*, eccodes_log_function))                                \
  X(codes_context_set_print_proc, void, (grib_context*, eccodes_print_function))                                \
  X(codes_definition_path, char*, (const grib_context*))                                                        \
  X(codes_handle_new_from_message_copy, grib_handle*, (grib_context*, const void*, std::size_t))                \
  X(codes_grib_handle_new_from_samples, grib_handle*, (grib_context*, const char*))                             \
  X(codes_handle_clone, grib_handle*, (const grib_handle*))                                                     \
  X(codes_handle_delete, int, (grib_handle*))                                                                   \
  X(codes_get_message, int, (const grib_handle*, const void**, std::size_t*))                                   \
  X(codes_keys_iterator_new, grib_keys_iterator*, (grib_handle*, unsigned long filter, const char* name_space)) \
  X(codes_keys_iterator_next, int, (grib_keys_iterator*))                                                       \
  X(codes_keys_iterator_get_name, const char*, (const grib_keys_iterator*))                                     \
  X(codes_keys_iterator_delete, int, (grib_keys_iterator*))                                                     \
  X(codes_is_defined, int, (const grib_handle*, const char*))                                                   \
  X(codes_is_missing, int, (const grib_handle*, const char*, int*))                                             \
  X(codes_get_native_type, int, (const grib_handle*, const char*, int*))                                        \
  X(codes_get_size, int, (const grib_handle*, const char*, std::size_t*))                                       \
  X(codes_get_length, int, (const grib_handle*, const char*, std::size_t*))                                     \
  X(codes_get_long, int, (const grib_handle*, const char*, long*))                                              \
  X(codes_get_double, int, (const grib_handle*, const char*, double*))                                          \
  X(codes_get_string, int, (const grib_handle*, const char*, char*, std::size_t*))                              \
  X(codes_get_bytes, int, (const grib_handle*, const char*, unsigned char*, std::size_t*))                      \
  X(codes_get_long_array, int, (const grib_handle*, const char*, long*, std::size_t*))                          \
  X(codes_get_double_array, int, (const grib_handle*, const char*, double*, std::size_t*))                      \
  X(codes_set_long, int, (grib_handle*, const char*, long))                                                     \
  X(codes_set_double, int, (grib_handle*, const char*, double))                                                 \
  X(codes_set_string, int, (grib_handle*, const char*, const char*, std::size_t*))                              \
  X(codes_set_bytes, int, (grib_handle*, const char*, const unsigned char*, std::size_t*))                      \
  X(codes_set_long_array, int, (grib_handle*, const char*, const long*, std::size_t))                           \
  X(codes_set_double_array, int, (grib_handle*, const char*, const double*, std::size_t))                       \
  X(codes_set_missing, int, (grib_handle*, const char*))                                                        \
  X(codes_grib_iterator_new, grib_iterator*, (const grib_handle*, unsigned long flags, int* error))             \
  X(codes_grib_iterator_next, int, (grib_iterator*, double*, double*, double*))                                 \
  X(codes_grib_iterator_delete, int, (grib_iterator*))

// NOLINTBEGIN(bugprone-macro-parentheses): names of members and types
#define TGMAP_ECCODES_MEMBER(name, result, parameters) result(*name) parameters = nullptr;

/// An `eccodes_library` has the functions of ecCodes under their own names.
/// Thread safety: get() may be called by any thread. All functions need an `eccodes_call`.
struct eccodes_library {
  TGMAP_ECCODES_FUNCTIONS(TGMAP_ECCODES_MEMBER)
  /// Sets what is called when ecCodes finds that its own state is wrong; null, the default, ends the process. Null
  /// where ecCodes has no such function.
  void (*codes_set_codes_assertion_failed_proc)(void (*)(const char* text)) = nullptr;

  /// Loads ecCodes at the first call. Returns null where it is missing, or lacks a function.
  static const eccodes_library* get() noexcept;

  /// Sets the file that get() loads instead of the one in the usual places of the system. Returns false if get() was
  /// called before.
  /// Thread safety: any number of threads. Errors: throws std::bad_alloc.
  static bool set_file(const std::filesystem::path&);
};

#undef TGMAP_ECCODES_MEMBER
// NOLINTEND(bugprone-macro-parentheses)

/// Returns the mutex of all calls of ecCodes, which many distributions build without threads.
std::mutex& eccodes_mutex() noexcept;

/// An `eccodes_assertion` is thrown out of a function of ecCodes that finds its own state wrong, as it does for some
/// damaged messages, instead of ending the process. The handle must not be used again, not even deleted.
struct eccodes_assertion : std::exception {};

/// An `eccodes_call` is a time in which this thread may call ecCodes. Meanwhile, ecCodes prints nothing, and throws
/// eccodes_assertion.
/// Lifetime: what the functions return may be kept, but used in another `eccodes_call` only.
class eccodes_call {
 public:
  /// Waits for other threads. The library must be there.
  explicit eccodes_call(const eccodes_library&);
  ~eccodes_call();
  eccodes_call(const eccodes_call&) = delete;
  eccodes_call& operator=(const eccodes_call&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
  const eccodes_library& library_;
};

/// An `eccodes_handle` owns a handle of ecCodes. It is destroyed within the `eccodes_call` that it was made in. After
/// an eccodes_assertion it is not deleted.
class eccodes_handle {
 public:
  eccodes_handle(const eccodes_library& library, grib_handle* handle) noexcept : library_(&library), handle_(handle) {}
  ~eccodes_handle() {
    if (handle_ != nullptr && std::uncaught_exceptions() == exceptions_) library_->codes_handle_delete(handle_);
  }
  eccodes_handle(const eccodes_handle&) = delete;
  eccodes_handle& operator=(const eccodes_handle&) = delete;

  explicit operator bool() const noexcept { return handle_ != nullptr; }
  grib_handle* get() const noexcept { return handle_; }

 private:
  const eccodes_library* library_;
  grib_handle* handle_;
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace tgmap::bridge::grib
