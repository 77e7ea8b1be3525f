// SPDX-License-Identifier: Apache-2.0
#include "reports/statistics_json.hpp"

#include <tgmap/tools/caption.hpp>
#include <type_traits>
#include <variant>

#include "edit/decode_failure.hpp"

namespace tgmap::reports {

namespace {

json exact_json(const statistics::exact_number& number) {
  return std::visit(
      [](auto x) -> json {
        if constexpr (std::is_same_v<decltype(x), std::monostate>)
          return nullptr;
        else
          return x;
      },
      number);
}

}  // namespace

json to_json(const statistics::object_statistics& of) {
  const caption words = caption_of(of.object);
  json out{{"message", or_null(of.message.index())},
           {"object", of.object.index()},
           {"name", or_null(words.name_text)},
           {"units", or_null(words.unit_text)}};
  failure unread;
  const descriptor what = of.object.descriptor(unread);
  if (!unread)
    out.update({{"dtype", to_string_view(what.dtype)},
                {"shape", to_json(what.shape())},
                {"encoding", what.encoding_name.view()},
                {"filter", what.filter_name.view()},
                {"compression", what.compression_name.view()}});
  if (of.why) {
    out["error"] = edit::decode_failure_text(of.object, of.why);
    return out;
  }
  const auto& found = of.found;
  out.update({{"elements", found.elements},
              {"finite", found.finite_count()},
              {"masked", of.masked},
              {"nan", found.nan},
              {"inf+", found.positive_infinities},
              {"inf-", found.negative_infinities},
              {"min", exact_json(found.min)},
              {"max", exact_json(found.max)},
              {"mean", or_null(found.mean)},
              {"std", or_null(found.standard_deviation)}});
  return out;
}

}  // namespace tgmap::reports
