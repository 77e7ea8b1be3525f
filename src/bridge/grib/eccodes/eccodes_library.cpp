// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/eccodes/eccodes_library.hpp"

#include <string>
#include <type_traits>

#include "runtime/loaded_library.hpp"

#if TGMAP_HAS_ECCODES
#include <eccodes.h>
#endif

namespace tgmap::bridge::grib {

namespace {

// The header of ecCodes, where it is found, has the same types.
#if TGMAP_HAS_ECCODES
#define TGMAP_ECCODES_CHECK(name, result, parameters) \
  static_assert(std::is_same_v<decltype(&::name), decltype(eccodes_library::name)>);
TGMAP_ECCODES_FUNCTIONS(TGMAP_ECCODES_CHECK)
#undef TGMAP_ECCODES_CHECK
#endif

#define TGMAP_ECCODES_FIND(name, result, parameters) &&from.find(#name, out.name)

/// Finds all functions in a shared library. Returns false if one is missing.
[[maybe_unused]] bool find_functions(const char* file, eccodes_library& out) noexcept {
  const runtime::shared_library from(file);
  from.find("codes_set_codes_assertion_failed_proc", out.codes_set_codes_assertion_failed_proc);
  return true TGMAP_ECCODES_FUNCTIONS(TGMAP_ECCODES_FIND);
}

#undef TGMAP_ECCODES_FIND

/// The file to load, and whether loading was tried.
struct library_file {
  std::mutex mutex{};
  std::string path{};
  bool is_used = false;
};

library_file& file_to_load() noexcept {
  static library_file out;
  return out;
}

bool load(eccodes_library& out) noexcept {
  library_file& file = file_to_load();
  const std::lock_guard lock(file.mutex);
  file.is_used = true;
  if (!file.path.empty()) return find_functions(file.path.c_str(), out);
#if TGMAP_HAS_ECCODES && !defined(TGMAP_LOADS_ECCODES)
#define TGMAP_ECCODES_LINKED(name, result, parameters) out.name = &::name;
  TGMAP_ECCODES_FUNCTIONS(TGMAP_ECCODES_LINKED)
#undef TGMAP_ECCODES_LINKED
  return true;
#else
#ifndef TGMAP_LOADS_ECCODES
#define TGMAP_LOADS_ECCODES "libeccodes.so.0"
#endif
  // Distributions number the library; ecCodes' own packages do not.
  for (const char* name : {TGMAP_LOADS_ECCODES, "libeccodes.so", "libeccodes.dylib"})
    if (find_functions(name, out)) return true;
  return false;
#endif
}

void print_nothing(const grib_context*, void*, const char*) {}
void log_nothing(const grib_context*, int, const char*) {}

/// Frames of C need no clean-up but memory, which is lost.
void throw_assertion(const char*) { throw eccodes_assertion(); }

void set_assertion(const eccodes_library& in, void (*function)(const char*)) noexcept {
  if (in.codes_set_codes_assertion_failed_proc != nullptr) in.codes_set_codes_assertion_failed_proc(function);
}

}  // namespace

const eccodes_library* eccodes_library::get() noexcept {
  static eccodes_library functions;
  static const bool is_loaded = load(functions);
  return is_loaded ? &functions : nullptr;
}

bool eccodes_library::set_file(const std::filesystem::path& path) {
  library_file& file = file_to_load();
  const std::lock_guard lock(file.mutex);
  if (file.is_used) return false;
  file.path = path.string();
  return true;
}

std::mutex& eccodes_mutex() noexcept {
  static std::mutex out;
  return out;
}

eccodes_call::eccodes_call(const eccodes_library& library) : lock_(eccodes_mutex()), library_(library) {
  grib_context* const context = library.codes_context_get_default();
  library.codes_context_set_logging_proc(context, log_nothing);
  library.codes_context_set_print_proc(context, print_nothing);
  set_assertion(library, throw_assertion);
}

eccodes_call::~eccodes_call() {
  grib_context* const context = library_.codes_context_get_default();
  library_.codes_context_set_logging_proc(context, nullptr);  // the default
  library_.codes_context_set_print_proc(context, nullptr);
  set_assertion(library_, nullptr);
}

}  // namespace tgmap::bridge::grib

namespace tgmap {
inline namespace v0 {
namespace bridge {

bool set_eccodes_library(const std::filesystem::path& file) { return grib::eccodes_library::set_file(file); }

std::optional<eccodes_info> find_eccodes() {
  const grib::eccodes_library* const library = grib::eccodes_library::get();
  if (library == nullptr) return std::nullopt;
  const grib::eccodes_call call(*library);
  const long version = library->codes_get_api_version();
  const char* const definitions = library->codes_definition_path(library->codes_context_get_default());
  return eccodes_info{.version = std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) + '.' +
                                 std::to_string(version % 100),
                      .definitions = definitions == nullptr ? "" : definitions};
}

}  // namespace bridge
}  // namespace v0
}  // namespace tgmap
