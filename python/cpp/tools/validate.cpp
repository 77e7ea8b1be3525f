// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tools/validate.hpp>

#include <vector>

#include "cpp/arguments/choices.hpp"
#include "cpp/handles/handles.hpp"
#include "cpp/interpreter/errors.hpp"
#include "cpp/interpreter/scalars.hpp"
#include "cpp/interpreter/text.hpp"

namespace tgmap_python {
namespace {

/// The part of a message_report that outlives the call.
struct checked_message {
  std::size_t index = 0;
  std::uint64_t offset = 0, length = 0, objects = 0;
  bool hash_verified = false;
  std::uint64_t objects_not_decoded = 0;
};

/// Keeps what a validation finds. It runs without the lock of the interpreter.
class findings_list final : public tgmap::validation_visitor {
 public:
  void unclaimed_bytes(const tgmap::finding& what) override { findings.push_back(what); }
  void message(const tgmap::message_report& report) override {
    messages.push_back({report.index, report.message.offset(), report.message.length(), report.objects,
                        report.hash_verified, report.objects_not_decoded});
    findings.insert(findings.end(), report.findings.begin(), report.findings.end());
  }
  /// Ends the validation after Ctrl-C.
  void progress(const tgmap::validation_result&) override {
    const lock_hold locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }

  std::vector<tgmap::finding> findings{};
  std::vector<checked_message> messages{};
};

nb::object number_or_none(tgmap::optional_index number) {
  return number ? nb::object(nb::int_(*number)) : nb::object(nb::none());
}

nb::list to_list(const std::vector<tgmap::finding>& findings) {
  const nb::object type = from_package("tgmap._validation", "Finding");
  nb::list out;
  for (const tgmap::finding& each : findings)
    out.append(type(tgmap::to_string_view(each.code), tgmap::to_string_view(each.severity),
                    tgmap::to_string_view(each.level), each.offset, each.length, number_or_none(each.message),
                    number_or_none(each.object), shown_text(each.text)));
  return out;
}

nb::list to_list(const std::vector<checked_message>& messages) {
  const nb::object type = from_package("tgmap._validation", "CheckedMessage");
  nb::list out;
  for (const checked_message& each : messages)
    out.append(type(each.index, each.offset, each.length, each.objects, each.hash_verified, each.objects_not_decoded));
  return out;
}

tgmap::validation_mode mode_of(std::string_view level) {
  using enum tgmap::validation_mode;
  return choice<tgmap::validation_mode>(level, {quick, standard, checksum, full}, "level");
}

nb::object validate(const nb::object& opened, std::string_view level, argument<bool> check_canonical,
                    argument<unsigned> threads, argument<std::size_t> max_findings) {
  const shared_archive from(opened);
  const tgmap::validate_options options{
      .mode = mode_of(level), .check_canonical = check_canonical, .threads = threads, .max_findings = max_findings};
  findings_list found;
  tgmap::failure why;
  const tgmap::validation_result result =
      without_lock(true, [&] { return tgmap::validate(from->archive, options, found, why); });
  raise_if(why, from->path);
  return from_package("tgmap._validation", "Validation")(
      result.is_sound(), result.errors, result.warnings, to_list(found.findings), to_list(found.messages),
      result.objects, result.messages_verified, result.objects_not_decoded, result.unclaimed_ranges,
      result.checked_bytes);
}

}  // namespace

void register_validate(nb::module_& m) {
  m.def("_validate", validate, "opened"_a, "level"_a, "check_canonical"_a, "threads"_a, "max_findings"_a);
}

}  // namespace tgmap_python
