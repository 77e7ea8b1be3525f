// SPDX-License-Identifier: Apache-2.0
// Metadata as a flat map of dotted keys to text.
#include <tgmap/query/metadata_key.hpp>

namespace tgmap {
inline namespace v0 {

namespace {

class flattener {
 public:
  explicit flattener(const metadata& from) noexcept : from_(from) {}

  std::map<std::string, std::string> run() {
    for (const metadata::entry& each : from_.entries()) add(each.key, each.value);
    return std::move(out_);
  }

 private:
  void add(const std::string& path, const cbor_view& item) {
    if (item.kind() == cbor_kind::map && item.size() != 0) return add_map(path, item);
    const auto [known, fresh] = out_.try_emplace(path, key_result(item).text());
    if (fresh) return;
    // Two ways lead to one path, over keys that hold dots: what counts is what find() gives.
    if (const auto found = from_.find(path)) known->second = key_result(*found).text();
  }

  void add_map(const std::string& path, const cbor_view& map) {
    cbor_view::cursor at;
    if (!map.first(at)) return;
    while (cbor_view::next(at))
      if (at.key.kind() == cbor_kind::text) add(path + '.' + at.key.text(), at.value);
  }

  const metadata& from_;
  std::map<std::string, std::string> out_;
};

}  // namespace

std::map<std::string, std::string> flatten(const metadata& from) { return flattener(from).run(); }

}  // namespace v0
}  // namespace tgmap
