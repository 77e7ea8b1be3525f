// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/grids/grid_name.hpp"

#include <charconv>

namespace tgmap::bridge::grib {

namespace {

constexpr std::string_view ring_suffix = "_ring", nested_suffix = "_nested";

std::optional<named_grid_kind> kind_of(char letter) {
  switch (letter) {
    case 'O':
    case 'o': return named_grid_kind::octahedral;
    case 'N':
    case 'n': return named_grid_kind::reduced_gaussian;
    case 'F':
    case 'f': return named_grid_kind::regular_gaussian;
    case 'H':
    case 'h': return named_grid_kind::healpix_ring;
    default: return std::nullopt;
  }
}

/// Sets the order of the pixels that the keys state. Returns false if it is none.
bool apply_ordering(const metadata& keys, grid_name& to) {
  for (const std::string_view name : {"mars.ordering", "mars.order"}) {
    const auto stated = keys.find(name);
    if (!stated) continue;
    const std::string order = stated->text();
    if (order == "nested")
      to.kind = named_grid_kind::healpix_nested;
    else if (order != "ring" || to.kind == named_grid_kind::healpix_nested)
      return false;
  }
  return true;
}

}  // namespace

std::string grid_name::text() const {
  const char letter = "ONFHH"[static_cast<std::size_t>(kind)];
  const std::string out = letter + std::to_string(number);
  return kind == named_grid_kind::healpix_nested ? out + std::string(nested_suffix) : out;
}

std::optional<grid_name> parse_grid_name(std::string_view text) noexcept {
  if (text.empty()) return std::nullopt;
  const auto kind = kind_of(text.front());
  if (!kind) return std::nullopt;
  grid_name out{.kind = *kind};
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data() + 1, end, out.number);
  if (problem != std::errc{} || out.number == 0) return std::nullopt;
  const std::string_view suffix(stop, static_cast<std::size_t>(end - stop));
  if (suffix.empty()) return out;
  if (*kind != named_grid_kind::healpix_ring || (suffix != ring_suffix && suffix != nested_suffix)) return std::nullopt;
  if (suffix == nested_suffix) out.kind = named_grid_kind::healpix_nested;
  return out;
}

std::optional<grid_name> find_grid_name(const metadata& keys) {
  const auto stated = keys.find("mars.grid");
  if (!stated || stated->kind() != cbor_kind::text || keys.find("mars.area") || keys.find("mars.rotation"))
    return std::nullopt;
  auto out = parse_grid_name(stated->text());
  const bool is_healpix =
      out && (out->kind == named_grid_kind::healpix_ring || out->kind == named_grid_kind::healpix_nested);
  if (is_healpix && !apply_ordering(keys, *out)) return std::nullopt;
  return out;
}

}  // namespace tgmap::bridge::grib
