// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/metadata.hpp>
#include <variant>
#include <vector>

#include "cli/output.hpp"
#include "cli/reference_json.hpp"

namespace tgmap::cli {

/// How much the JSON of some metadata may take, as text and in memory, each by itself.
struct json_limit {
  std::uint64_t input = 0;  ///< bytes of the metadata
  std::uint64_t most = 0;   ///< bytes that it may take

  /// What was asked for; else 40 for each byte of the metadata, and 64 KiB.
  static json_limit of(std::uint64_t input, const std::optional<std::uint64_t>& asked) noexcept;
};

/// Writes JSON as `compact` and `pretty` do, piece by piece: no tree is built, and of each map that is open its keys
/// alone are in memory. Names must come in their order. Throws complaint: more than the limit; what was written stays.
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

  void put(const sorted_json&);     ///< as small as it is: this is a tree
  void put(const cbor_view&);       ///< as to_sorted_json makes it
  void put(const metadata&);        ///< an object of the keys that are visible there
  void put(std::vector<member>&&);  ///< an object of them, in any order; of equal names the last counts

 private:
  void begin(char bracket);
  void end(char bracket);
  void before_value();
  void line();
  void write(std::string_view text);
  void hold(std::uint64_t bytes);
  void put(const cbor_view&, unsigned depth);
  void put_sorted(std::vector<member>&, unsigned depth);
  [[noreturn]] void refuse() const;

  output& to_;
  bool pretty_;
  json_limit limit_;
  std::uint64_t written_ = 0, held_ = 0;
  std::vector<bool> filled_{};  ///< of each open container: whether anything is in it
  bool after_key_ = false;
};

}  // namespace tgmap::cli
