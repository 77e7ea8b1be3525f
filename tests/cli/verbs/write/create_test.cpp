// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <support/decoded.hpp>
#include <support/failures.hpp>
#include <tgmap/tgmap.hpp>

#include "../../process.hpp"
#include "../../samples.hpp"
#include "convert/npy_header.hpp"
#include "convert/zip_writer.hpp"
#include "convert/zlib.hpp"

using namespace tgmap_test;
using tgmap::dtype;

namespace {

struct creation {
  temporary_directory files;
  std::string out = (files / "o.tgm").string();

  std::string npy(const std::string& name, dtype type, std::vector<std::uint64_t> shape, const bytes& data,
                  bool fortran = false) const {
    return files.file(name, tgmap::convert::make_npy_header(type, shape, fortran) + data).string();
  }
  std::string floats(const std::string& name, std::initializer_list<float> values) const {
    return npy(name, dtype::float32, {values.size()}, native(values));
  }
  std::string npz(const std::string& name, const std::vector<std::pair<std::string, bytes>>& members) const {
    bytes all;
    tgmap::convert::zip_writer zip([&](std::span<const std::byte> piece) { all += view_of(piece); });
    for (const auto& [member, contents] : members) {
      zip.begin(member, contents.size(), tgmap::convert::crc32(span_of(contents)));
      zip.write(span_of(contents));
    }
    zip.finish();
    return files.file(name, all).string();
  }

  /// Runs `create OUT …`, which must succeed.
  std::string made(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"create", out});
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 0, seen.err);
    return seen.out;
  }

  /// Runs `create`, which must fail with `why` and leave no file.
  void refused(std::vector<std::string> arguments, int status, const std::string& why) const {
    std::filesystem::remove(out);
    arguments.insert(arguments.begin(), {"create", out});
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == status, why);
    BOOST_TEST(seen.err.find(why) != std::string::npos, seen.err << "not: " << why);
    BOOST_TEST(!std::filesystem::exists(out));
    for (const auto& each : std::filesystem::directory_iterator(files.path()))
      BOOST_TEST(!each.path().filename().string().starts_with(".tgmap-"));
  }

  /// Returns the output archive, valid until the next call.
  const tgmap::archive& archive() const { return opened.emplace(out); }
  mutable std::optional<tgmap::archive> opened{};
};

bytes counting(std::size_t length) {
  bytes all;
  for (std::size_t i = 0; i < length; ++i) all += static_cast<char>(i % 60);  // no NaN, whatever they are
  return all;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(create, creation)

BOOST_AUTO_TEST_CASE(what_a_pipe_got_is_not_called_nothing) {
  const std::string large = npy("large.npy", dtype::uint8, {8 << 20}, bytes(8 << 20, 'x')),
                    nan = floats("nan.npy", {std::numeric_limits<float>::quiet_NaN()});
  const outcome seen = run({"create", "-q", "--separate", "-", large, nan});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST_REQUIRE(!seen.out.empty());
  BOOST_TEST(seen.err.ends_with("tgmap: -: incomplete: " + std::to_string(seen.out.size()) +
                                " bytes were written before the error above\n"),
             seen.err);
  const outcome file = run({"create", "--separate", out, large, nan});
  BOOST_TEST(file.err.ends_with(out + ": nothing was written because of the error above\n"), file.err);
  BOOST_TEST(!std::filesystem::exists(out));
}

BOOST_AUTO_TEST_CASE(extract_and_create_are_inverses) {
  for (std::size_t i = 0; i < tgmap::dtype_count; ++i) {
    const auto type = static_cast<dtype>(i);
    const std::string name(tgmap::to_string_view(type));
    const bool bits = type == dtype::bitmask;
    for (const std::vector<std::uint64_t>& shape : std::vector<std::vector<std::uint64_t>>{{}, {0}, {5}, {2, 3, 4}}) {
      std::uint64_t elements = 1;
      for (const std::uint64_t extent : shape) elements *= extent;
      bytes data = counting(elements * (bits ? 1 : element_size(type)));
      if (bits)
        for (char& each : data) each &= 1;
      const std::string first = npy("first.npy", type, shape, data), second = (files / "second.npy").string();
      BOOST_TEST_CONTEXT(name << " of rank " << shape.size()) {
        std::vector<std::string> arguments{first};
        if (bits) arguments.insert(arguments.end(), {"--dtype", "bitmask"});
        made(arguments);
        BOOST_TEST(archive()[0][0].descriptor().dtype == type);
        BOOST_TEST(run({"extract", out + ":0:0", "-o", second}).status == 0);
        BOOST_TEST((read_file(second) == read_file(first)));

        const std::string raw = (files / "a.raw").string(), again = (files / "b.raw").string();
        BOOST_TEST(run({"extract", out + ":0:0", "-o", raw}).status == 0);
        std::string extents;
        for (const std::uint64_t extent : shape) extents += (extents.empty() ? "" : ",") + std::to_string(extent);
        made({raw, "--dtype", name, "--shape", shape.empty() ? "()" : extents});
        BOOST_TEST(run({"extract", out + ":0:0", "-o", again}).status == 0);
        BOOST_TEST((read_file(again) == read_file(raw)));
        BOOST_TEST((read_file(again) == data));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_npz_of_extract_comes_back) {
  const std::string from = files.file("f.tgm", forecast()).string();
  const std::string first = (files / "a.npz").string(), second = (files / "b.npz").string();
  BOOST_TEST(run({"extract", from, "-o", first}).status == 0);
  made({first});
  const tgmap::archive archive(out);
  BOOST_TEST_REQUIRE(archive[0].size() == 4u);
  BOOST_TEST(archive[0][1].metadata().get<std::string_view>("name").value() == "0_1");
  for (std::size_t j = 0; j < 4; ++j) {
    const std::string one = (files / "one.npy").string();
    BOOST_TEST(run({"extract", out + ":0:" + std::to_string(j), "-o", one}).status == 0);
    BOOST_TEST(read_file(first).find(read_file(one)) != bytes::npos);
  }
}

BOOST_AUTO_TEST_CASE(fortran_order_becomes_c_order) {
  made({npy("f.npy", dtype::int8, {2, 3}, "adbecf", true)});
  const auto elements = archive()[0][0].decode();
  BOOST_TEST(view_of(elements.bytes()) == "abcdef");
}

BOOST_AUTO_TEST_CASE(one_message_or_one_each) {
  const std::string a = floats("a.npy", {1, 2}), b = floats("b.npy", {3});
  BOOST_TEST(made({a, b}).starts_with(out + ": 1 message, 2 objects, "));
  BOOST_TEST(archive()[0].size() == 2u);
  BOOST_TEST(made({a, b, "--separate"}).starts_with(out + ": 2 messages, 2 objects, "));
  for (const char* stream : {"", "--stream"}) {
    std::vector<std::string> arguments{a, b, "--separate"};
    if (*stream != '\0') arguments.push_back(stream);
    made(arguments);
    const auto& all = archive();
    BOOST_TEST_REQUIRE(all.size() == 2u);
    BOOST_TEST(all[1][0].view<float>()(0) == 3.0f);
  }
}

BOOST_AUTO_TEST_CASE(layouts) {
  const std::string a = floats("a.npy", {1, 2, 3});
  const auto sound = [&](std::vector<std::string> arguments) {
    arguments.push_back(a);
    made(arguments);
    BOOST_TEST(run({"validate", "--full", out}).status == 0);
    const auto& all = archive();
    BOOST_TEST(all[0][0].view<float>()(2) == 3.0f);
    return std::pair(all[0].version(), all[0].index_location());
  };
  BOOST_TEST((sound({}) == std::pair(3, tgmap::index_location::header)));
  BOOST_TEST((sound({"--index", "footer"}) == std::pair(3, tgmap::index_location::footer)));
  BOOST_TEST((sound({"--stream"}) == std::pair(3, tgmap::index_location::footer)));
  BOOST_TEST((sound({"--wire", "2"}) == std::pair(2, tgmap::index_location::header)));
  BOOST_TEST(sound({"--index", "none", "--no-hash"}).first == 3);
  sound({"--align", "4096"});
  BOOST_TEST(archive()[0][0].payload_offset() % 4096 == 0u);
  refused({a, "--align", "24"}, 2, "'24' is not a power of two from 8 to 4096");
  refused({a, "--wire", "1"}, 2, "'1' is not one of 2|3");
  refused({a, "--stream", "--index", "header"}, 2,
          "a stream has its index after the objects; leave out --index header");
  BOOST_TEST((sound({"--stream", "--index", "footer"}) == std::pair(3, tgmap::index_location::footer)));
}

BOOST_AUTO_TEST_CASE(a_stream_into_a_file_tells_its_length_in_the_end) {
  const std::string a = floats("a.npy", {1, 2, 3}), b = npy("b.npy", dtype::uint8, {300000}, bytes(300000, 'x'));
  made({"--stream", "--separate", a, b, a});
  const tgmap::archive& all = archive();
  BOOST_TEST_REQUIRE(all.size() == 3u);
  for (const tgmap::message& m : all) BOOST_TEST(!m.is_streamed());
  BOOST_TEST(all[2][0].view<float>()(2) == 3.0f);
  BOOST_TEST(run({"validate", "--full", out}).status == 0);
  const std::uint64_t length = all[1].length();
  made({"--stream", "--wire", "2", a});  // which has no other place for it
  BOOST_TEST(archive()[0].is_streamed());

  const outcome piped = shell("\"$TGMAP\" create -q --stream --separate - '" + a + "' '" + b + "' | cat");
  const std::string copy = files.file("piped", piped.out).string();
  const tgmap::archive through(copy);
  BOOST_TEST_REQUIRE(through.size() == 2u);
  BOOST_TEST(through[1].is_streamed());
  BOOST_TEST(through[1].length() == length);
}

BOOST_AUTO_TEST_CASE(objects_that_cannot_be_stored_name_the_next_step) {
  const std::string a = npy("a.npy", dtype::float64, {3}, native<double>({1, 2, 3}));
  const std::string number = "; change that number, or leave out --filter or --compression";
  refused({a, "--compression", "zstd", "--compression-level", "99"}, 2, "--compression-level 99 is out of range; give");
  refused({a, "--encoding", "simple_packing", "--bits", "-1"}, 2,
          "--bits -1 is out of range; give a number from 0 to 64");
  refused({a, "--compression", "zfp", "--zfp-precision", "-1"}, 2, "--zfp-precision -1 is out of range; give a number");
  refused({a, "--encoding", "simple_packing", "--bits", "few"}, 2,
          "--bits: 'few' is not a number this option takes; run");
  refused({a, "--threads", "-1"}, 2, "--threads: '-1' is not an integer of at least 0; run");
  refused({a, "--encoding", "simple_packing", "--bits", "17", "--filter", "shuffle"}, 1, "(3)" + number);
  refused({a, "--filter", "shuffle", "--compression", "zfp", "--zfp-rate", "8"}, 1,
          "do not go together; choose another --encoding, --filter or --compression, or leave one out");
  refused({a, "--encoding", "simple_packing", "--bits", "0"}, 1,
          "element 1; raise --bits, use --max-error, or leave out --encoding");
}

BOOST_AUTO_TEST_CASE(float32_is_packed_as_float64) {
  const std::string a = floats("a.npy", {1, -2.5f, 300}), b = floats("b.npy", {0, 1});
  const std::string big =
      npy("big.npy", dtype::float32, {2, 2}, native<float>({1, 2, 3, 4}), true);  // another order of elements
  for (const char* how : {"--wire=3", "--stream", "--separate"}) {
    const outcome seen = run({"create", "-f", out, a, b, big, "--encoding", "simple_packing", "--bits", "24", how});
    BOOST_TEST(seen.status == 0, seen.err);
    BOOST_TEST(seen.err == "tgmap: " + out + ": 3 arrays of float32 packed as float64, which simple_packing needs\n");
    const auto& in = archive();
    const auto object = [&](std::size_t j) { return in.size() == 1 ? in[0][j] : in[j][0]; };
    BOOST_TEST((object(0).descriptor().dtype == dtype::float64));
    BOOST_TEST(std::abs(object(0).to_vector<double>()[1] + 2.5) < 1e-4);
    BOOST_TEST(std::abs(object(2).to_vector<double>()[1] - 3) < 1e-4);
  }
  const outcome swapped = run({"create", "-f", out, "-", "--dtype", "float32", "--shape", "2", "--byte-order", "big",
                               "--encoding", "simple_packing", "--bits", "24"},
                              bytes("\x40\x49\0\0\xc0\xa0\0\0", 8));  // 3.140625 and -5
  BOOST_TEST(swapped.status == 0, swapped.err);
  BOOST_TEST(std::abs(archive()[0][0].to_vector<double>()[0] - 3.140625) < 1e-4);
  BOOST_TEST(std::abs(archive()[0][0].to_vector<double>()[1] + 5) < 1e-4);
  BOOST_TEST(run({"create", "-q", "-f", out, a, "--encoding", "simple_packing"}).err == "");
  BOOST_TEST(run({"create", "-f", out, a, "--compression", "lz4"}).err == "");
  refused({a, "--encoding", "simple_packing", "--compression", "zfp", "--zfp-rate", "8"}, 1, "do not go together");
  const outcome added = run({"append", (files / "added.tgm").string(), a, "--encoding", "simple_packing"});
  BOOST_TEST(added.status == 0, added.err);
  BOOST_TEST(added.err.find("1 array of float32 packed as float64") != std::string::npos, added.err);
}

BOOST_AUTO_TEST_CASE(the_same_bytes_every_time) {
  const std::string a = floats("a.npy", {1, 2, 3});
  for (const char* how : {"--wire=2", "--wire=3", "--stream"}) {
    made({a, "--reproducible", how});
    const bytes first = read_file(out);
    made({a, "--reproducible", how});
    BOOST_TEST((read_file(out) == first), how);
  }
  made({a});
  const bytes first = read_file(out);
  made({a});
  BOOST_TEST((read_file(out) != first));
}

BOOST_AUTO_TEST_CASE(keys_of_objects) {
  const std::string a = floats("a.npy", {1}), b = floats("b.npy", {2});
  made({a, b, "-s", "mars.param=2t,mars.step:i=12", "-s", R"(levels:j=[500,850])", "--meta",
        R"({"base":[{"name":"first"},{"mars":{"class":"od"}}],"extra":{"run":"a"}})"});
  const auto& all = archive();
  const auto first = all[0][0].metadata(), second = all[0][1].metadata();
  BOOST_TEST(first.get<std::string_view>("name").value() == "first");
  BOOST_TEST(first.get<std::string_view>("mars.param").value() == "2t");
  BOOST_TEST(second.get<std::int64_t>("mars.step").value() == 12);
  BOOST_TEST(second.get<std::string_view>("mars.class").value() == "od");
  BOOST_TEST(second.get<std::int64_t>("levels[1]").value() == 850);
  BOOST_TEST(second.get<std::string_view>("run").value() == "a");

  const std::string meta = files.file("meta.json", R"({"name":"of all","n":1.0})").string();
  made({a, npz("z.npz", {{"z.npy", read_file(b)}, {"y.npy", read_file(a)}}), "--meta", "@" + meta});
  BOOST_TEST(archive()[0][2].metadata().get<std::string_view>("name").value() == "of all");
  made({npz("z.npz", {{"z.npy", read_file(b)}, {"y.npy", read_file(a)}}), "-s", "k=v"});
  BOOST_TEST(archive()[0][1].metadata().get<std::string_view>("name").value() == "y");
}

BOOST_AUTO_TEST_CASE(keys_that_do_not_fit) {
  const std::string a = floats("a.npy", {1});
  refused({a, "--meta", R"({"base":[]})"}, 1, "a.npy: base in --meta has 0 maps, but there are more objects");
  refused({a, "--meta", R"({"base":[{},{}]})"}, 1, "base in --meta has 2 maps for 1 object");
  for (const char* const none : {"", " "}) refused({a, "--meta", none}, 2, "--meta: the JSON ends too early");
  refused({a, "-s", "k:j="}, 2, "k: the JSON ends too early");
  refused({a, "--meta", R"({"base":[{}],"more":1})"}, 2, "has keys other than base and extra");
  refused({a, "--meta", R"({"base":[1]})"}, 2, "base[0] in --meta is not a map");
  for (const char* meta :
       {R"({"base":{"k":1}})", R"({"extra":1})", R"({"base":[{}],"extra":1})", R"({"base":1,"k":2})"})
    refused({a, "--meta", meta}, 2, "or one of them has the wrong type; write {");
  for (const char* meta : {R"({"_reserved_":{}})", R"({"base":[{"_reserved_":1}]})", R"({"extra":{"_reserved_":{}}})"})
    refused({a, "--meta", meta}, 2, "--meta has the key '_reserved_'");
  refused({a, "--meta", "1"}, 2, "--meta is not a map");
  refused({a, "--meta", "[]"}, 2, "--meta is not a map");
  refused({a, "--meta", R"([{"a":1}])"}, 2, "--meta is not a map");
  refused({a, R"(--meta=[{"a":1},{}])"}, 2, "--meta is not a map");
  refused({a, "--meta", "{"}, 2, "the JSON ends too early, at line 1, column 1");
  refused({a, "--meta", "@" + (files / "none").string()}, 1, "No such file");
  refused({a, "-s", "a"}, 2, "'a' has no value");
  refused({a, "-s", "a:i=x"}, 2, "'x' for a is not an integer");
  refused({a, "-s", "_reserved_.x=1"}, 2, "'_reserved_.x' cannot be changed");
}

BOOST_AUTO_TEST_CASE(an_array_is_not_taken_for_the_archive_to_write) {
  const std::string a = floats("a.npy", {1}), b = npz("b.npz", {{"b.npy", read_file(a)}});
  const bytes was_a = read_file(a), was_b = read_file(b);
  for (const auto& arguments :
       {std::vector<std::string>{"create", a, b}, {"create", b, a}, {"create", "-f", "n.npy", a}}) {
    const outcome seen = run(arguments);
    BOOST_TEST(seen.status == 2);
    BOOST_TEST(seen.err.find("OUT must be an archive") != std::string::npos, seen.err);
  }
  BOOST_TEST((read_file(a) == was_a));
  BOOST_TEST((read_file(b) == was_b));
}

BOOST_AUTO_TEST_CASE(unsupported_arrays) {
  const std::string a = floats("a.npy", {1});
  refused({a, (files / "none.npy").string()}, 1, "none.npy: No such file or directory");
  refused({a, files.path().string()}, 1, "is a directory; name the files in it");
  refused({files.file("t.txt", "text").string()}, 1, "t.txt: is not a .npy file");
  refused({files.file("cut.npy", read_file(a).substr(0, 130)).string()}, 1, "cut.npy: is truncated");
  refused({npz("e.npz", {})}, 1, "e.npz: contains no arrays");
  refused({npz("n.npz", {{"a.txt", "x"}})}, 1, "n.npz: member 'a.txt': is not a .npy file");
  refused({npz("u.npz", {{"\xff.npy", read_file(a)}})}, 1, "has a name that is not UTF-8");
  refused({a, "--dtype", "float64"}, 1, "a.npy: the elements are float32, not float64");
  refused({a, "--dtype", "bitmask"}, 1, "has elements of 4 bytes, not bits");
  refused({floats("nan.npy", {1, std::numeric_limits<float>::quiet_NaN()})}, 1, "nan.npy: element 1 is NaN");
  refused({a, "--shape", "1"}, 2, "raw bytes have no dtype of their own");
  refused({a, "--shape", "1,", "--dtype", "uint8"}, 2, "is not a list of at most 32 extents such as 2,3,4");
  refused({a, "--byte-order", "big"}, 2, "--byte-order is only for raw bytes");
  const std::string raw = files.file("raw", "12345678").string();
  refused({raw, "--dtype", "uint16", "--shape", "5"}, 1,
          "raw: is truncated: 10 bytes are needed, 8 are left; correct --shape");
  refused({raw, "--dtype", "uint16", "--shape", "1,3"}, 1, "raw: has 2 bytes after its elements; correct --shape");
  refused({"-", "-"}, 2, "standard input can be read only once");
  refused({}, 2, "FILE is required");
}

BOOST_AUTO_TEST_CASE(missing_elements_are_allowed_in_several_ways) {
  const std::string a = floats("a.npy", {1, std::numeric_limits<float>::quiet_NaN()});
  const auto masks = [&](const std::string& line) {
    std::filesystem::remove(out);
    const outcome seen = shell(line);
    return seen.status == 0 ? archive()[0][0].descriptor().masks().size() : 100 + seen.status;
  };
  const std::string rest = " create '" + out + "' '" + a + "'";
  BOOST_TEST(masks("\"$TGMAP\"" + rest) == 101u);
  BOOST_TEST(masks("\"$TGMAP\"" + rest + " --allow-inf") == 101u);
  BOOST_TEST(masks("\"$TGMAP\"" + rest + " --allow-nan") == 1u);
  BOOST_TEST(masks("\"$TGMAP\" --allow-nan" + rest) == 1u);
  BOOST_TEST(masks("TENSOGRAM_ALLOW_NAN=1 \"$TGMAP\"" + rest) == 1u);
  BOOST_TEST(masks("TENSOGRAM_ALLOW_NAN=0 \"$TGMAP\"" + rest) == 101u);
  BOOST_TEST(masks("TENSOGRAM_NAN_MASK_METHOD=bogus \"$TGMAP\"" + rest) == 102u);
  BOOST_TEST(masks("\"$TGMAP\" --allow-nan --nan-mask-method lz4 --small-mask-threshold 0" + rest) == 1u);
  BOOST_TEST(archive()[0][0].descriptor().masks()[0].method.view() == "lz4");
  const std::string second = (files / "b.npy").string();
  BOOST_TEST(run({"extract", out + ":0:0", "-o", second}).status == 0);
  BOOST_TEST((read_file(second) == read_file(a)));
}

BOOST_AUTO_TEST_CASE(ambiguous_dtypes_need_an_option) {
  const bytes truth = "\x93NUMPY\1" + bytes("\0\x3f\0", 3) +
                      "{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}       \n" + bytes("\1\0\1", 3);
  const std::string file = files.file("b.npy", truth).string();
  refused({file}, 1, "NumPy's bool, which Tensogram does not have; add --dtype bitmask");
  made({file, "--dtype", "bitmask"});
  BOOST_TEST(archive()[0][0].payload().size() == 1u);
  made({file, "--dtype", "uint8"});
  BOOST_TEST(bytes_of(archive()[0][0].decode()) == bytes("\1\0\1", 3));
}

BOOST_AUTO_TEST_CASE(pipes) {
  const std::string a = floats("a.npy", {1, 2});
  BOOST_TEST(run({"create", out, "-"}, read_file(a)).status == 0);
  BOOST_TEST(archive()[0][0].view<float>()(1) == 2.0f);
  BOOST_TEST(run({"create", out, "-", "--dtype", "uint16", "--shape", "2", "--byte-order", "big"}, bytes("\0\1\0\2", 4))
                 .status == 0);
  BOOST_TEST(archive()[0][0].to_vector<std::uint16_t>()[1] == 2);
  const outcome to_pipe = run({"create", "-", a, "--reproducible"});
  made({a, "--reproducible"});
  BOOST_TEST((to_pipe.out == read_file(out)));
  for (const char* name : {"-", "/dev/stdout", "/dev/fd/1"}) {
    BOOST_TEST(run({"create", name, a, "--json"}).status == 2, name);
    const outcome seen = run({"create", name, a, "--reproducible"});
    BOOST_TEST((seen.out == to_pipe.out), name);
    BOOST_TEST(seen.err == std::string("tgmap: ") + name + ": 1 message, 1 object, " + std::to_string(seen.out.size()) +
                               " bytes\n");
  }
}

BOOST_AUTO_TEST_CASE(existing_files) {
  const std::string a = floats("a.npy", {1, 2});
  write_file(out, "something");
  const outcome kept = run({"create", out, a, "--no-clobber"});
  BOOST_TEST(kept.status == 1);
  BOOST_TEST(read_file(out) == "something");
  const outcome dry = run({"create", out, a, "--dry-run"});
  BOOST_TEST(dry.status == 0);
  BOOST_TEST(dry.out.ends_with("bytes, not written\n"));
  BOOST_TEST(read_file(out) == "something");
  made({a});
  BOOST_TEST(archive().size() == 1u);
  // The output is also an input.
  const std::string plain = files.file("plain", read_file(a)).string();
  BOOST_TEST(run({"create", plain, plain}).status == 0);
  const tgmap::archive made_of_itself(plain);
  BOOST_TEST(made_of_itself[0][0].view<float>()(1) == 2.0f);
}

BOOST_AUTO_TEST_CASE(told_as_json) {
  const std::string a = floats("a.npy", {1, 2}), z = npz("z.npz", {{"m.npy", read_file(a)}});
  const auto lines = json_lines(made({a, z, "--json"}));
  BOOST_TEST_REQUIRE(lines.size() == 2u);
  BOOST_TEST((lines[1] == nlohmann::json({{"output", out},
                                          {"message", 0},
                                          {"object", 1},
                                          {"file", z},
                                          {"member", "m.npy"},
                                          {"dtype", "float32"},
                                          {"shape", {2}},
                                          {"bytes", 8},
                                          {"stored", 8}})));
}

BOOST_AUTO_TEST_CASE(keys_of_the_message_are_set) {
  const std::string a = floats("a.npy", {1});
  made({"-s", "extra.title=x,_extra_.n:i=2,k.extra.title=y", "--meta", R"({"extra":{"title":"old","more":1}})", a});
  const tgmap::archive in(out);
  BOOST_TEST(in[0].metadata().find("title")->text() == "x");
  BOOST_TEST(in[0].metadata().find("n")->as<std::int64_t>() == 2);
  BOOST_TEST(in[0].metadata().find("more")->as<std::int64_t>() == 1);
  BOOST_TEST(!in[0].base(0).find("extra").has_value());
  BOOST_TEST(in[0].base(0).find("k")->at_path("extra.title")->text() == "y");
}

BOOST_AUTO_TEST_CASE(keys_that_are_none) {
  const std::string a = floats("a.npy", {1});
  for (const std::string name : {"shape", "mars.dtype", "_reserved_.uuid"})
    refused({"-s", name + "=x", a}, 2, "'" + name + "' cannot be changed");
  for (const std::string name : {"objects.0.x", "base[0].x"})
    refused({"-s", name + "=x", a}, 2, "'" + name + "' belongs to one object, but -s sets keys of all objects");
  for (const std::string name : {"a..b", ".a", "a.", "extra.", "[0]"}) refused({"-s", name + "=x", a}, 2, "'" + name);
  refused({"-s", "k=a\xff", a}, 2, "the value for k is not UTF-8; ");
  refused({"-s", "k\xff=a", a}, 2, "UTF-8; ");
}

BOOST_AUTO_TEST_CASE(raw_bytes_of_another_size) {
  const std::string raw = files.file("raw", "12345").string();
  refused({"--shape", "2,4", "--dtype", "uint8", raw}, 1, "; correct --shape or --dtype");
  refused({files.path().string()}, 1, "is a directory; name the files in it");
}

BOOST_AUTO_TEST_CASE(wrong_environment_variables_are_usage_errors) {
  const std::string rest = " create " + out + " " + floats("a.npy", {1}) + " 2>&1";
  const outcome truth = shell("TENSOGRAM_ALLOW_NAN=x \"$TGMAP\"" + rest);
  BOOST_TEST(truth.status == 2);
  BOOST_TEST(truth.out.find("TENSOGRAM_ALLOW_NAN") != std::string::npos, truth.out);
  const outcome date = shell("SOURCE_DATE_EPOCH=abc \"$TGMAP\"" + rest);
  BOOST_TEST(date.status == 2);
  BOOST_TEST(date.out.find("SOURCE_DATE_EPOCH is 'abc', not a time; ") != std::string::npos, date.out);
  BOOST_TEST(shell("SOURCE_DATE_EPOCH=abc \"$TGMAP\" merge " + out + " -o " + out).status == 2);
  BOOST_TEST(!std::filesystem::exists(out));
  BOOST_TEST(shell("SOURCE_DATE_EPOCH=12 \"$TGMAP\"" + rest).status == 0);
  refused({"--small-mask-threshold", "-1", (files / "a.npy").string()}, 2, "'-1' is not an integer of at least 0");
}

BOOST_AUTO_TEST_CASE(version_2_of_what_may_be_missing) {
  const std::string whole = floats("a.npy", {1, 2}), some = floats("b.npy", {1, NAN});
  BOOST_TEST(shell("TENSOGRAM_ALLOW_NAN=1 \"$TGMAP\" create --wire 2 " + out + " " + whole).status == 0);
  const tgmap::archive in(out);
  BOOST_TEST(in[0].version() == 2);
  refused({"--wire", "2", "--allow-nan", some}, 1, "version");
}

BOOST_AUTO_TEST_SUITE_END()
