// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/shared_data.hpp>

#include "../../process.hpp"
#include "../../samples.hpp"

using namespace tgmap_test;
using nlohmann::json;

BOOST_AUTO_TEST_SUITE(du_verb)

namespace {

json of_objects(std::uint64_t count, std::uint64_t stored, std::uint64_t decoded) {
  return {{"count", count},
          {"bytes", stored},
          {"decoded_bytes", decoded},
          {"ratio", static_cast<double>(decoded) / static_cast<double>(stored)}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_byte_is_counted_once) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm") continue;
    const json found = json::parse(run({"du", "-j", entry.path().string()}).out);
    std::uint64_t sum = 0;
    for (const auto& [part, share] : found["parts"].items()) sum += share["bytes"].get<std::uint64_t>();
    BOOST_TEST(sum == entry.file_size(), entry.path());
    BOOST_TEST(found["bytes"] == entry.file_size());
    ++files;
  }
  BOOST_TEST(files >= 70u);
}

BOOST_AUTO_TEST_CASE(by_part_dtype_and_codec) {
  const temporary_directory directory;
  const auto path = directory.file("all.tgm", two_objects() + packed_message() + "junk").string();
  const outcome seen = run({"du", "-j", path});
  BOOST_TEST(seen.status == 3);
  const json found = json::parse(seen.out);
  BOOST_TEST(found["parts"]["payload"] == json({{"count", 3}, {"bytes", 24 + 4 + 15}}));
  BOOST_TEST(found["parts"]["masks"] == json({{"count", 1}, {"bytes", 2}}));
  BOOST_TEST(found["parts"]["gap"]["bytes"] == 4);
  BOOST_TEST(found["objects"] == of_objects(3, 45, 43));
  BOOST_TEST(found["dtypes"]["float32"] == of_objects(1, 24, 24));
  BOOST_TEST(found["codecs"]["shuffle+zstd"] == of_objects(1, 17, 15));
  BOOST_TEST(found["codecs"]["none"] == of_objects(2, 28, 28));
}

BOOST_AUTO_TEST_CASE(usage_of_a_selection) {
  const temporary_directory directory;
  const auto entry = [](const char* param) { return cbor::map({cbor::key("param", cbor::text(param))}); };
  const bytes first =
                  message({.objects = {bytes_object("abcd"), bytes_object("ef")}, .base = {entry("2t"), entry("tp")}}),
              second = message({.objects = {bytes_object("g")}, .base = {entry("2t")}});
  const auto path = directory.file("two.tgm", first + second + "junk").string();
  const auto parts = [&](std::vector<std::string> how, int status = 3) {
    how.insert(how.begin(), {"du", "-j"});
    how.push_back(path);
    const outcome seen = run(how);
    BOOST_TEST(seen.status == status, seen.err);
    return json::parse(seen.out);
  };
  const json one = parts({"-w", "@message=1"});
  BOOST_TEST(one["bytes"] == second.size());
  BOOST_TEST(one["parts"].contains("gap") == false);
  BOOST_TEST(parts({"-w", "param=2t"})["bytes"] == first.size() + second.size());
  BOOST_TEST(parts({})["bytes"] == first.size() + second.size() + 4);
  const json objects = parts({"--objects", "-w", "param=2t"});
  BOOST_TEST(objects["parts"]["payload"] == json({{"count", 2}, {"bytes", 5}}));
  BOOST_TEST(objects["parts"].contains("metadata") == false);
  BOOST_TEST(parts({"--objects", "-w", "param=tp"})["parts"]["payload"]["bytes"] == 2);
  BOOST_TEST(run({"du", "-w", "parm=2t", path}).err.find("did you mean 'param'?") != std::string::npos);
  BOOST_TEST(run({"du", "-w", "param=2t and", path}).status == 2);
}

BOOST_AUTO_TEST_CASE(by_key) {
  const temporary_directory directory;
  const auto entry = [](const char* param) { return cbor::map({cbor::key("param", cbor::text(param))}); };
  const auto path =
      directory
          .file("keys.tgm", message({.objects = {bytes_object("abcd"), bytes_object("ef"), bytes_object("g")},
                                     .base = {entry("2t"), entry("2t"), cbor::map({})}}))
          .string();
  const json found = json::parse(run({"du", "-j", "--by", "param", path}).out);
  BOOST_TEST(found["keys"]["param"] == json({{"2t", of_objects(2, 6, 6)}, {"N/A", of_objects(1, 1, 1)}}));
  const std::string table = run({"du", "--by", "param", path}).out;
  BOOST_TEST(table.find("\nparam") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(by_a_path_or_a_fact) {
  const temporary_directory directory;
  const bytes mars = cbor::map({cbor::key("mars", cbor::map({cbor::key("param", cbor::text("2t"))}))});
  const auto path =
      directory
          .file("facts.tgm", message({.objects = {bytes_object("abcd"), numbers_object<float>("float32", {1})},
                                      .base = {mars, mars}}) +
                                 message({.objects = {bytes_object("xy")}}))
          .string();
  const auto by = [&](const char* key) -> json {
    return json::parse(run({"du", "-j", "--by", key, path}).out)["keys"][key];
  };
  BOOST_TEST(by("mars.param") == json({{"2t", of_objects(2, 8, 8)}, {"N/A", of_objects(1, 2, 2)}}));
  BOOST_TEST(by("dtype") == json({{"uint8", of_objects(2, 6, 6)}, {"float32", of_objects(1, 4, 4)}}));
  BOOST_TEST(by("@message") == json({{"0", of_objects(2, 8, 8)}, {"1", of_objects(1, 2, 2)}}));
  BOOST_TEST(run({"du", "--by", "@nothing", path}).status == 2);
  BOOST_TEST(run({"du", "--by", "a,b", path}).status == 2);
}

BOOST_AUTO_TEST_CASE(as_a_table) {
  const temporary_directory directory;
  const auto path = directory.file("old.tgm", old_message()).string();
  const std::string out = run({"du", path + ":0:0"}).out;
  BOOST_TEST(out ==
             "by\tbytes\tshare\tcount\tdecoded\tratio\twhat\n"
             "part\t6\t100.0%\t1\t\t\tpayload\n"
             "object\t6\t100.0%\t1\t6\t1.00\tpayload and masks\n"
             "dtype\t6\t100.0%\t1\t6\t1.00\tint16\n"
             "codec\t6\t100.0%\t1\t6\t1.00\tnone\n"
             "total\t6\t\t\t\t\t\n");
}

BOOST_AUTO_TEST_CASE(unreadable_parts_are_counted) {
  auto built = build({.objects = {bytes_object("abcd"), bytes_object("efgh")}});
  put_u64(built.data, built.objects[1] + 8, 1);
  const temporary_directory directory;
  const auto path = directory.file("odd.tgm", built.data).string();
  const outcome seen = run({"du", "-j", path});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(json::parse(seen.out)["bytes"] == built.data.size());
  BOOST_TEST(json::parse(seen.out)["parts"].contains("unreadable"));
}

BOOST_AUTO_TEST_CASE(sizes_that_nobody_can_tell_are_left_out_of_the_ratio) {
  object_spec unknown = bytes_object("abcd");
  unknown.encoding = "secret_packing";
  const temporary_directory directory;
  const auto path = directory.file("odd.tgm", message({.objects = {unknown, bytes_object("0123456789")}})).string();
  const json found = json::parse(run({"du", "-j", path}).out);
  BOOST_TEST(found["objects"] == json({{"count", 2}, {"bytes", 14}, {"decoded_bytes", 10}, {"ratio", 1.0}}));
  BOOST_TEST(found["codecs"]["secret_packing"] ==
             json({{"count", 1}, {"bytes", 4}, {"decoded_bytes", 0}, {"ratio", nullptr}}));
}

BOOST_AUTO_TEST_SUITE_END()
