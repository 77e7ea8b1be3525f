// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/metadata.hpp>
#include <variant>
#include <vector>

#include "cli/app/output.hpp"
#include "cli/print/json.hpp"

namespace tgmap::cli {

/// A limit on the JSON of some metadata: on its text, and separately on the memory used.
struct json_limit {
  std::uint64_t input = 0;      ///< bytes of the metadata
  std::uint64_t max_bytes = 0;  ///< the limit

  /// Returns the limit `asked` for, or 40 bytes per byte of metadata plus 64 KiB.
  static json_limit for_metadata(std::uint64_t input, const std::optional<std::uint64_t>& asked) noexcept;
};

/// Writes JSON piece by piece, in the format of `compact` and `pretty`, without building a tree: only the keys of open
/// maps are in memory. Names must be added in sorted order.
/// Errors: cli_error if the limit is exceeded; the output so far remains.
class json_stream {
 public:
  enum class layout : std::uint8_t { compact, pretty };

  struct member {
    std::string name;
    std::variant<cbor_view, sorted_json> what;
  };

  json_stream(output& to, layout as, const json_limit& limit) : to_(to), pretty_(as == layout::pretty), limit_(limit) {}

  void begin_object() { begin('{'); }
  void begin_array() { begin('['); }
  void end_object() { end('}'); }
  void end_array() { end(']'); }
  json_stream& key(std::string_view name);

  void put(const sorted_json&);     ///< for small values only, since it is a tree
  void put(const cbor_view&);       ///< same result as to_sorted_json
  void put(const metadata&);        ///< an object with the visible keys
  void put(std::vector<member>&&);  ///< an object of members in any order; the last of equal names wins

 private:
  void begin(char bracket);
  void end(char bracket);
  void before_value();
  void line();
  void write(std::string_view text);
  void count_memory(std::uint64_t bytes);
  void put(const cbor_view&, unsigned depth);
  void put_sorted(std::vector<member>&, unsigned depth);
  [[noreturn]] void refuse() const;

  output& to_;
  bool pretty_;
  json_limit limit_;
  std::uint64_t written_ = 0, memory_ = 0;
  std::vector<bool> filled_{};  ///< for each open container: has elements
  bool after_key_ = false;
};

}  // namespace tgmap::cli
