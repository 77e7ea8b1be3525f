// SPDX-License-Identifier: Apache-2.0
#include <tgmap/tools/copy.hpp>
#include <utility>

#include "edit/message_failure.hpp"
#include "edit/output/file_template.hpp"
#include "edit/output/message_outputs.hpp"
#include "edit/output/output_location.hpp"

namespace tgmap {

namespace edit {

namespace {

/// One run of tgmap::copy.
class archive_copier {
 public:
  archive_copier(file_template& names, const std::string& text, const copy_options& how)
      : names_(names), text_(text), how_(how), set_(how.output, {.makes_folders = true}) {}

  /// Copies what is selected of one archive. Errors: throws write_error, tgmap::error.
  void add(const copy_source& from) {
    how_.objects ? add_objects(from) : add_messages(from);
    objects_.flush();
    done_bytes_ += from.from.size_bytes();
  }

  /// Gives the files their names.
  void finish() {
    outputs_.finish();
    if (!result_.stopped) set_.commit();
    result_.files = outputs_.files();
    result_.messages = outputs_.messages();
  }

  copy_result& result() noexcept { return result_; }

 private:
  void add_messages(const copy_source& from) {
    selected_messages all = from.from.find(how_.selection);
    failure why;
    for (selected_message each; goes_on(each.message) && all.next(each, why);) {
      if (each.message.is_incomplete()) {
        leave_out(each.message);
      } else if (!how_.accept || how_.accept(each.message, std::nullopt)) {
        key_lookup keys(each.message);
        if (names_.several()) static_cast<void>(how_.selection.first_match(keys));  // shows the object that matches
        outputs_.add(from, each.message, outputs_.file_number(name_for(keys, from), names_.makes_folders()));
        ++result_.selected;
      }
    }
    if (why) throw error(why);
  }

  void add_objects(const copy_source& from) {
    selected_objects all = from.from.objects(how_.selection);
    failure why;
    for (selected_object each; goes_on(each.message) && all.next(each, why);) {
      if (how_.accept && !how_.accept(each.message, each.index)) continue;
      key_lookup keys(each.message, each.object);
      objects_.add(from, each.message, each.index, name_for(keys, from), names_.makes_folders());
      if (!each.message.is_incomplete()) ++result_.selected;
    }
    if (why) throw error(why);
  }

  /// Reports the progress after a message. Returns false after a stop request.
  bool goes_on(const message& last) {
    if (how_.progress && last.length() != 0) how_.progress(done_bytes_ + last.offset());
    result_.stopped = result_.stopped || how_.stop.stop_requested();
    return !result_.stopped;
  }

  const std::string& name_for(key_lookup& keys, const copy_source& from) {
    return names_.several() ? given_names_.name_for(keys, {result_.selected, from.name}) : text_;
  }

  void leave_out(const message& m) {
    ++result_.left_out;
    if (how_.left_out) how_.left_out(m);
  }

  void accept_damage(const message& m, const failure& damage) const {
    if (how_.damage) how_.damage(m, damage);
    if (how_.damaged == on_mismatch::refuse) throw error(failure_in(m, damage));
  }

  const file_template& names_;
  const std::string& text_;
  const copy_options& how_;
  output_set set_;
  file_names given_names_{names_};
  message_outputs outputs_{set_};
  object_outputs objects_{
      outputs_,
      {.damage = [this](const copy_source&, const message& m, const failure& why) { accept_damage(m, why); },
       .left_out = [this](const copy_source&, const message& m) { leave_out(m); }}};
  copy_result result_{};
  std::uint64_t done_bytes_ = 0;
};

}  // namespace

}  // namespace edit

inline namespace v0 {

copy_result copy(std::span<const copy_source> sources, std::string_view names, const copy_options& how, failure& why) {
  const std::string text = edit::output_name(names);
  edit::file_template parsed = edit::file_template::parse(text, why);
  if (why) return {};
  if (parsed.is_folder()) parsed.add_archive_name();
  edit::archive_copier all(parsed, text, how);
  copy_result& out = all.result();
  try {
    for (const copy_source& each : sources) {
      out.failed_source = static_cast<std::size_t>(&each - sources.data());
      all.add(each);
      if (out.stopped) break;
    }
    out.failed_source.reset();
    all.finish();
  } catch (const edit::write_error& thrown) {
    why = thrown.fault().why;
    out.failed_source.reset();
    out.failed_output = thrown.fault().name;
  } catch (const error& thrown) {
    why = thrown.details();
  }
  return std::move(out);
}

copy_result copy(std::span<const copy_source> sources, std::string_view names, const copy_options& how) {
  failure why;
  copy_result out = copy(sources, names, how, why);
  edit::throw_naming(why, out.failed_output);
  return out;
}

}  // namespace v0
}  // namespace tgmap
