// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <tgmap/constant/write.hpp>
#include <utility>

#include "constant/write/json_writer.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

constexpr std::pair<std::string_view, form> form_names[] = {
    {"long", form::long_form},          {"short", form::short_form}, {"long-value", form::long_value},
    {"short-value", form::short_value}, {"hex", form::hex},          {"hex-value", form::hex_value}};

class string_sink final : public sink {
 public:
  explicit string_sink(std::string& to) noexcept : to_(to) {}
  failure write(std::span<const std::span<const std::byte>> pieces) noexcept override try {
    for (const auto piece : pieces) to_.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    return {};
  } catch (const std::exception&) {  // std::length_error is no more than another lack of memory
    return {.code = tgmap::errc::out_of_memory};
  }

 private:
  std::string& to_;
};

}  // namespace

std::string_view to_string_view(form wanted) noexcept {
  for (const auto& [name, each] : form_names)
    if (each == wanted) return name;
  return {};
}

std::optional<form> form_from_name(std::string_view wanted) noexcept {
  for (const auto& [name, each] : form_names)
    if (name == wanted) return each;
  return {};
}

void write_json(const tensor_constant& from, const write_options& options, sink& to, failure& why) noexcept try {
  why = unwritable(from);
  if (why) return;
  output out(to);
  json_writer(from, options, out).write();
  why = out.finish();
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
}

void write_json(const tensor_constant& from, const write_options& options, sink& to) {
  failure why;
  write_json(from, options, to, why);
  tgmap::detail::raise_if(why);
}

std::string to_json(const tensor_constant& from, const write_options& options, failure& why) noexcept {
  std::string out;
  string_sink to(out);
  write_json(from, options, to, why);
  return why ? std::string() : out;
}

std::string to_json(const tensor_constant& from, const write_options& options) {
  failure why;
  std::string out = to_json(from, options, why);
  tgmap::detail::raise_if(why);
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
