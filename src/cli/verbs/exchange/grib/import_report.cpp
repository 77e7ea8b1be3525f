// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/exchange/grib/import_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tgmap/bridge/errc.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "json/cbor_text.hpp"
#include "json/writer.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t errors_listed = 20;  // later ones are only counted

std::string_view code_name(const failure& why) {
  if (why.code.category() == bridge::category()) return to_string_view(static_cast<bridge::errc>(why.code.value()));
  if (why.code.category() == category()) return to_string_view(static_cast<errc>(why.code.value()));
  return "system";
}

/// Returns "f.grib@1234", and the number of the field in a message of several.
std::string address_in(const std::string& input, const bridge::grib_field_report& of) {
  std::string out = fmt::format("{}@{}", input, of.offset);
  if (of.fields > 1) out += fmt::format(" field {}", of.field);
  return out;
}

}  // namespace

import_report::import_report(const std::vector<std::string>& inputs, const std::string& to,
                             const std::vector<std::string>& merged, bool json, progress_bar& bar, session& run)
    : inputs_(inputs), to_(to), json_(json), bar_(bar), run_(run), counts_(inputs.size()), unseen_(merged) {}

void import_report::field(const bridge::grib_field_report& of) {
  input_counts& counts = counts_[of.input];
  if (of.why) {
    ++counts.failed;
    report_failed(of);
  } else {
    ++counts.fields;
    ++(of.method == "carried" ? carried_ : of.method == "reencoded" ? reencoded_ : decoded_);
    if (of.has_original) ++originals_;
    if (const auto mars = of.keys.find("mars"); mars && !unseen_.empty())
      std::erase_if(unseen_, [&](const std::string& key) { return mars->at_path(key).has_value(); });
  }
  if (json_) write_json(of);
}

void import_report::report_failed(const bridge::grib_field_report& of) {
  const bool is_inexact = of.why.code == bridge::errc::inexact_values;
  if (is_inexact) ++inexact_;
  if (failed_++ >= errors_listed) return is_inexact ? run_.report.mark_failed() : run_.report.mark_damaged();
  const std::string& file = inputs_[of.input];
  const std::string address = address_in(file, of);
  failure why = of.why;
  why.offset = 0;  // that of the message is in the address
  is_inexact ? run_.report.failed(address, why.text(), next_step(why, file))
             : run_.report.damaged(address, why.text(), next_step(why, file));
}

void import_report::write_json(const bridge::grib_field_report& of) {
  run_.out.write(json_of([&](json_text::writer<>& to) {
    to.begin_object();
    json_text::put_name(to, "file", inputs_[of.input]);
    to.key("offset").integer(of.offset);
    if (of.edition != 0) {
      to.key("edition").integer(of.edition);
      to.key("field").integer(of.field);
      to.key("fields").integer(of.fields);
    }
    to.key("bytes").integer(of.bytes_in);
    if (of.why) {
      to.key("error").string(code_name(of.why));
      to.key("text").string(of.why.text());
    } else {
      json_text::put_name(to, "output", to_);
      to.key("message").integer(of.message);
      to.key("object").integer(of.object);
      to.key("method").string(of.method);
      if (!of.reason.empty()) to.key("reason").string(of.reason);
      to.key("original").boolean(of.has_original);
      to.key("stored").integer(of.bytes_out);
      for (const char* const name : {"name", "mars", "grib"}) {
        const auto value = of.keys.find(name);
        if (!value) continue;
        json_text::memory_limit no_limit(UINT64_MAX);
        json_text::put_cbor(to.key(name), *value, no_limit);
      }
    }
    to.end_object();
  }));
  run_.out.write("\n");
}

void import_report::skipped(std::size_t input, std::uint64_t /*offset*/, std::uint64_t size) {
  counts_[input].skipped += size;
}

void import_report::input_failed(std::size_t input, const failure& why) {
  counts_[input].is_unreadable = true;
  run_.report.failed(inputs_[input], why);
}

void import_report::finish() {
  if (failed_ > errors_listed)
    run_.report.say(fmt::format("{}: {} more errors are not listed", to_, failed_ - errors_listed));
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const input_counts& counts = counts_[i];
    if (counts.is_unreadable) continue;
    if (counts.fields == 0 && counts.failed == 0)
      run_.report.damaged(inputs_[i], "has no GRIB message", "check that it is a GRIB file");
    else if (counts.skipped != 0)
      run_.report.hint(fmt::format("{}: {} that belong to no GRIB message are left out", inputs_[i],
                                   count_text(counts.skipped, "byte")));
  }
  if (carried_ + reencoded_ + decoded_ != 0)
    for (const std::string& key : unseen_)
      run_.report.hint(fmt::format("--merge {}: no field has this key in its mars namespace", key));
}

std::string import_report::methods_text() const {
  std::string out;
  const auto add = [&](std::uint64_t count, std::string_view what) {
    if (count != 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, what);
  };
  add(carried_, "carried");
  add(reencoded_, "encoded again");
  add(decoded_, "decoded");
  add(originals_, "with the original data");
  return out;
}

}  // namespace tgmap::cli
