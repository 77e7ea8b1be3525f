// SPDX-License-Identifier: Apache-2.0
// Messages and objects copied to one file or to several: tgmap::copy.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/selection_samples.hpp>
#include <support/temporary.hpp>
#include <tgmap/tools/copy.hpp>
#include <vector>

using namespace tgmap_test;
using tgmap::archive;
using tgmap::copy_options;
using tgmap::errc;
using tgmap::failure;
using tgmap::on_mismatch;

namespace {

struct copy_fixture {
  temporary_directory files;
  std::filesystem::path in = files.file("in.tgm", six_messages());

  std::string path(std::string_view name) const { return (files / name).string(); }
  std::vector<std::string> names(const tgmap::copy_result& of) const {
    std::vector<std::string> out;
    for (const auto& each : of.files) out.push_back(each.path.lexically_relative(files.path()).string());
    return out;
  }
};

using words = std::vector<std::string>;

/// Two messages of two objects; in the second one the metadata has another byte than its hash says.
bytes damaged_pair() {
  bytes second = two_named_objects();
  second[second.find("title")] = 'T';
  return two_named_objects() + second;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(archive_copies, copy_fixture)

BOOST_AUTO_TEST_CASE(selected_messages_are_copied_byte_for_byte) {
  const archive from(in);
  const int descriptor = ::open(in.c_str(), O_RDONLY | O_CLOEXEC);
  const tgmap::copy_source sources[] = {{.from = from, .name = in.string(), .descriptor = descriptor},
                                        {.from = from, .name = in.string()}};
  const auto done = tgmap::copy(sources, path("o.tgm"), {.selection = tgmap::selection("mars.step=6")});
  ::close(descriptor);
  const std::uint64_t begin = from[2].offset(), end = from[4].offset();
  const bytes some = six_messages().substr(begin, end - begin);
  BOOST_TEST((read_file(files / "o.tgm") == some + some));
  BOOST_TEST(done.messages == 4u);
  BOOST_TEST(done.selected == 4u);
  BOOST_TEST((names(done) == words{"o.tgm"}));
  BOOST_TEST(done.files[0].messages == 4u);
  BOOST_TEST(done.files[0].bytes == 2 * some.size());
}

BOOST_AUTO_TEST_CASE(templates_give_files_by_values) {
  const auto done = tgmap::copy(archive(in), path("d/[mars.param]_[mars.step].tgm"));
  BOOST_TEST(
      (names(done) == words{"d/2t_0.tgm", "d/10u_0.tgm", "d/2t_6.tgm", "d/10u_6.tgm", "d/2t_12.tgm", "d/10u_12.tgm"}));
  const archive one(files / "d/10u_6.tgm");
  BOOST_TEST(one.size() == 1u);
  const auto numbered =
      tgmap::copy(archive(in), path("n[index].tgm"), {.selection = tgmap::selection("mars.param=2t")});
  BOOST_TEST((names(numbered) == words{"n0000.tgm", "n0001.tgm", "n0002.tgm"}));
  const tgmap::copy_source source{.from = archive(in), .name = "somewhere/in.tgm"};
  BOOST_TEST((names(tgmap::copy(std::span(&source, 1), path("folder/"))) == words{"folder/in.tgm"}));
  const auto two = files.file("two.tgm", two_named_objects());
  const auto shown = tgmap::copy(archive(two), path("[name].tgm"), {.selection = tgmap::selection("unit=K")});
  BOOST_TEST((names(shown) == words{"b.tgm"}));  // of the object that matches
}

BOOST_AUTO_TEST_CASE(objects_of_one_message_stay_together) {
  const auto two = files.file("two.tgm", two_named_objects() + two_named_objects());
  const archive from(two);
  const auto all = tgmap::copy(from, path("all.tgm"), {.objects = true});
  BOOST_TEST((read_file(files / "all.tgm") == two_named_objects() + two_named_objects()));
  BOOST_TEST(all.selected == 4u);
  BOOST_TEST(all.messages == 2u);
  tgmap::copy(from, path("b.tgm"), {.selection = tgmap::selection("name=b"), .objects = true});
  const archive some(files / "b.tgm");
  BOOST_TEST(some.size() == 2u);
  BOOST_TEST(some[1].size() == 1u);
  BOOST_TEST((some[1][0].stored_hash() == from[1][1].stored_hash()));
  tgmap::key_lookup keys(some[1], some[1][0]);
  BOOST_TEST(keys.find(tgmap::metadata_key("title")).text() == "two");
  const auto apart = tgmap::copy(from, path("[name]_[@message].tgm"), {.objects = true});
  BOOST_TEST((names(apart) == words{"a_0.tgm", "b_0.tgm", "a_1.tgm", "b_1.tgm"}));
}

BOOST_AUTO_TEST_CASE(damage_of_messages_in_parts_is_refused_or_taken) {
  const archive from(files.file("damaged.tgm", damaged_pair()));
  failure why;
  copy_options how{.selection = tgmap::selection("name=a"), .objects = true};
  const auto done = tgmap::copy(from, path("o.tgm"), how, why);
  TGMAP_FAILED(why, errc::hash_mismatch);
  BOOST_TEST(*why.message == 1u);
  BOOST_TEST(*done.failed_source == 0u);
  BOOST_TEST(!std::filesystem::exists(files / "o.tgm"));
  std::size_t seen = 0;
  how.damaged = on_mismatch::take;
  how.damage = [&](const tgmap::message& m, const failure&) { seen += *m.index(); };
  BOOST_TEST(tgmap::copy(from, path("o.tgm"), how).messages == 2u);
  BOOST_TEST(seen == 1u);
}

BOOST_AUTO_TEST_CASE(accept_chooses_among_the_selected) {
  const auto odd = [](const tgmap::message& m, std::optional<std::size_t> object) {
    return !object && *m.index() % 2 == 1;
  };
  BOOST_TEST(tgmap::copy(archive(in), path("o.tgm"), {.accept = odd}).selected == 3u);
  const auto first = [](const tgmap::message&, std::optional<std::size_t> object) { return object == 0; };
  const auto two = files.file("two.tgm", two_named_objects());
  tgmap::copy(archive(two), path("o.tgm"), {.objects = true, .accept = first});
  const archive some(files / "o.tgm");
  BOOST_TEST(some[0].size() == 1u);
}

BOOST_AUTO_TEST_CASE(names_that_do_not_tell_messages_apart_are_refused) {
  failure why;
  tgmap::copy(archive(in), path("[mars.param"), {}, why);
  TGMAP_FAILED(why, errc::bad_name_template);
  BOOST_TEST(why.expected == static_cast<std::uint64_t>(tgmap::template_error::unclosed_bracket));
  BOOST_TEST(why.found == path("").size() + 1);
  const auto clash = files.file(
      "clash.tgm", with_keys({cbor::key("k", cbor::text("a/b"))}) + with_keys({cbor::key("k", cbor::text("a_b"))}));
  const auto done = tgmap::copy(archive(clash), path("[k]"), {}, why);
  TGMAP_FAILED(why, errc::output_conflict);
  BOOST_TEST(done.failed_output == path("a_b"));
  BOOST_TEST(!done.failed_source);
  std::filesystem::create_symlink("2t", files / "10u");
  tgmap::copy(archive(in), path("[mars.param]"), {}, why);
  TGMAP_FAILED(why, errc::output_conflict);
  BOOST_TEST(!std::filesystem::exists(files / "2t"));
}

BOOST_AUTO_TEST_CASE(nothing_is_written_without_a_message) {
  const auto done = tgmap::copy(archive(in), path("d/o.tgm"), {.selection = tgmap::selection("mars.step=7")});
  BOOST_TEST(done.files.empty());
  BOOST_TEST(!std::filesystem::exists(files / "d"));
}

BOOST_AUTO_TEST_CASE(incomplete_messages_are_left_out) {
  const bytes cut = two_named_objects() + message({.objects = {grid()}, .writing = writing::streamed}).substr(0, 400);
  const archive from(files.file("cut.tgm", cut), {.damage = tgmap::on_damage::skip});
  for (const bool objects : {false, true}) {
    std::uint64_t seen = 0;
    const auto count = [&](const tgmap::message&) { ++seen; };
    const auto done = tgmap::copy(from, path("o.tgm"), {.objects = objects, .left_out = count});
    BOOST_TEST((read_file(files / "o.tgm") == two_named_objects()));
    BOOST_TEST(done.left_out == seen);
    BOOST_TEST(done.messages == 1u);
  }
}

BOOST_AUTO_TEST_CASE(it_ends_after_a_stop_request) {
  std::stop_source stop;
  std::vector<std::uint64_t> progress;
  const auto note = [&](std::uint64_t done) {
    progress.push_back(done);
    if (progress.size() == 2) stop.request_stop();
  };
  const auto done = tgmap::copy(archive(in), path("o.tgm"), {.progress = note, .stop = stop.get_token()});
  BOOST_TEST(done.stopped);
  BOOST_TEST(done.messages == 2u);
  BOOST_TEST(std::ranges::is_sorted(progress));
  BOOST_TEST(!std::filesystem::exists(files / "o.tgm"));
}

BOOST_AUTO_TEST_SUITE_END()
