// SPDX-License-Identifier: Apache-2.0
// Objects of the reference implementation have the same values with any number of threads.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <deque>
#include <support/rounds.hpp>
#include <support/shared_data.hpp>

#include "executors.hpp"
#include "objects.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(reference_test)

namespace {

struct collection {
  std::deque<tgmap::archive> archives{};
  std::vector<tgmap::object> objects{};
};

collection all_of(const std::filesystem::path& directory, tgmap::io_mode mode) {
  std::vector<std::filesystem::path> paths;
  for (const auto& each : std::filesystem::directory_iterator(directory))
    if (each.path().extension() == ".tgm") paths.push_back(each.path());
  std::ranges::sort(paths);
  collection out;
  for (const auto& path : paths) {
    tgmap::failure why;
    const auto a = tgmap::archive::open(path, {.io = mode, .damage = tgmap::on_damage::skip}, why);
    if (why) continue;  // files that are invalid on purpose
    out.archives.push_back(a);
    const auto objects = objects_of(a);
    out.objects.insert(out.objects.end(), objects.begin(), objects.end());
  }
  return out;
}

bool same(const tgmap::failure& a, const tgmap::failure& b) {
  return a.code == b.code && a.offset == b.offset && a.expected == b.expected && a.found == b.found &&
         a.message == b.message && a.object == b.object;
}

/// Decodes every object alone, and then all of them with each executor. Returns the number of objects that decode.
std::size_t check_all(const std::vector<tgmap::object>& objects) {
  const output_buffers expected(objects);
  std::vector<tgmap::failed_object> failures;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    tgmap::failure why;
    objects[i].decode_into(expected.spans()[i], {}, why);
    if (why) failures.push_back({i, why});
  }
  const auto same_failures = [&](const tgmap::decode_many_result& done) {
    BOOST_TEST(std::ranges::equal(done.failures, failures, [](const auto& a, const auto& b) {
      return a.index == b.index && same(a.cause, b.cause);
    }));
    BOOST_TEST(done.decoded == objects.size() - failures.size());
  };
  std::vector<bool> fails(objects.size());
  for (const auto& each : failures) fails[each.index] = true;

  case_sampler cases(3);
  for (const auto& [name, threads] : all_executors()) BOOST_TEST_CONTEXT(name) {
      if (!cases.takes_next()) continue;
      const tgmap::decode_many_options options{.decode = {.executor = threads.get()},
                                               .failures = tgmap::on_failure::keep_going};
      const output_buffers out(objects);
      tgmap::failure why;
      same_failures(tgmap::decode_many(objects, out.spans(), options, why));
      std::size_t wrong = 0, wrong_each = 0;
      for (std::size_t i = 0; i < objects.size(); ++i) wrong += !fails[i] && out[i] != expected[i];
      BOOST_TEST(wrong == 0u);
      auto each = options;
      each.decode.strides = tgmap::stride_policy::ignore;  // as decode_into above
      const auto done = tgmap::decode_each(
          objects,
          [&](std::size_t i, tgmap::tensor&& t, const tgmap::failure&) {
            wrong_each += !fails[i] && view_of(t.bytes()) != expected[i];
            return true;
          },
          each);
      same_failures(done);
      BOOST_TEST(wrong_each == 0u);
    }
  return objects.size() - failures.size();
}

}  // namespace

BOOST_AUTO_TEST_CASE(files_in_the_tree) {
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read})
    BOOST_TEST(check_all(all_of(test_data(), mode).objects) >= 100u);
}

BOOST_AUTO_TEST_CASE(shared_files) {
  const auto shared = shared_data_or_skip("the same values with any number of threads, of 581 reference files");
  if (!shared) return;
  const collection all = all_of(*shared / "data" / "tgm" / "reference", tgmap::io_mode::map);
  BOOST_TEST(all.archives.size() > 500u);
  const std::size_t decoded = check_all(all.objects);
  BOOST_TEST(decoded > 4000u);
  BOOST_TEST_MESSAGE(decoded << " of " << all.objects.size() << " objects decode");
}

BOOST_AUTO_TEST_SUITE_END()
