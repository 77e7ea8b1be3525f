// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>

#include "../rewriting.hpp"

using namespace tgmap_test;
using namespace std::string_literals;

namespace {

struct other_kind {
  bytes start;
  std::string name, next_step;
};

const std::vector<other_kind> other_kinds{
    {"\x93NUMPY\1\0"s, "a NumPy file (.npy)", "`tgmap create` packs it"},
    {"PK\3\4"s, "a ZIP file, such as .npz or Zarr", "`tgmap create` packs the arrays of an .npz"},
    {"GRIB\0\0"s, "a GRIB file", "`tgmap import grib` makes an archive of it"},
    {"CDF\1"s, "a NetCDF file", "convert it with `tensogram convert-netcdf`"},
    {"CDF\2"s, "a NetCDF file", "convert it with `tensogram convert-netcdf`"},
    {"CDF\5"s, "a NetCDF file", "convert it with `tensogram convert-netcdf`"},
    {"\x89HDF\r\n\x1a\n"s, "an HDF5 file, such as NetCDF-4",
     "if it is NetCDF-4, convert it with `tensogram convert-netcdf`"},
    {"\x1f\x8b\x08"s, "a file compressed by gzip", "unpack it with `gunzip`"},
    {"\x28\xb5\x2f\xfd"s, "a file compressed by zstd", "unpack it with `zstd -d`"},
    {"\x04\x22\x4d\x18"s, "a file compressed by lz4", "unpack it with `lz4 -d`"},
    {"\xfd"
     "7zXZ\0\0"s,
     "a file compressed by xz", "unpack it with `xz -d`"},
    {"BZh91AY&SY\1"s, "a file compressed by bzip2", "unpack it with `bunzip2`"},
    {"BUFR\0\0"s, "a BUFR file", "decode it with ecCodes, and pack its arrays with `tgmap create`"},
    {"\xb3ZIO5TENS{"s, "a frame of a ZIO message", "`tgmap tens import` makes an archive of it"},
    {"\xff\0\0\1\0ZIO5TENS{"s, "a frame of a ZIO message", "`tgmap tens import` makes an archive of it"},
    {"# notes\n"s, "a text file", "name an archive; `tgmap constant import` takes tensor constants"},
    {"Größe\n"s, "a text file", "name an archive; `tgmap constant import` takes tensor constants"}};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(file_kind, rewriting)

BOOST_AUTO_TEST_CASE(other_files_are_named_with_a_next_step) {
  for (const other_kind& each : other_kinds) {
    const std::string file = make("f", each.start);
    const outcome seen = run({"ls", file});
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.err ==
               "tgmap: " + file + ": is not a Tensogram archive: " + each.name + "; " + each.next_step + "\n");
    BOOST_TEST(seen.out == "");
    BOOST_TEST(run({"ls", "-"}, each.start).status == 1);
  }
}

BOOST_AUTO_TEST_CASE(every_verb_says_so) {
  const std::string file = make("f", "GRIB, or so it seems"), said = "is not a Tensogram archive: a GRIB file; ";
  for (const std::vector<std::string>& how :
       std::vector<std::vector<std::string>>{{"info", file},
                                             {"ls", file},
                                             {"get", "-p", "a", file},
                                             {"count", file},
                                             {"stats", file},
                                             {"show", file},
                                             {"extract", file, "-o", path("o.npy")},
                                             {"copy", file, path("o")},
                                             {"split", file, "-o", path("o[index]")},
                                             {"set", "-s", "a=1", file, path("o")},
                                             {"rehash", file, path("o")},
                                             {"merge", file, "-o", path("o")},
                                             {"append", make("a.tgm", two_objects()), file},
                                             {"upgrade", file, path("o")},
                                             {"dump", file},
                                             {"du", file},
                                             {"validate", file},
                                             {"validate", "--json", file},
                                             {"explain", file}}) {
    const outcome seen = run(how);
    BOOST_TEST(seen.status == 1, how.front());
    BOOST_TEST(seen.err.find(said) != std::string::npos, how.front() << ": " << seen.err);
  }
  const outcome compared = run({"diff", file, make("a.tgm", two_objects())});
  BOOST_TEST(compared.status == 4);
  BOOST_TEST(compared.err.find(said) != std::string::npos, compared.err);
  const outcome target = run({"append", file, make("a.tgm", two_objects())});
  BOOST_TEST(target.status == 1);
  BOOST_TEST(
      target.err.find("is not a Tensogram archive: a GRIB file; name the archive to add to first") != std::string::npos,
      target.err);
}

BOOST_AUTO_TEST_CASE(damaged_archives_are_archives) {
  for (const bytes& damage : {"GRIB"s, "# notes\n"s, "PK\3\4"s}) {
    const std::string file = make("f", damage + two_objects());
    const outcome seen = run({"count", file});
    BOOST_TEST(seen.status == 3);
    BOOST_TEST(seen.out == "1\n");
    BOOST_TEST(run({"ls", file + "@" + std::to_string(damage.size())}).status == 0);
    BOOST_TEST(run({"copy", file, path("o")}).status == 3);
    BOOST_TEST((read("o") == two_objects()));
  }
  const std::string cut = make("cut", two_objects().substr(0, 30)), magic_only = make("magic", "TENSOGRM");
  BOOST_TEST(run({"ls", cut}).status == 3);
  BOOST_TEST(run({"ls", magic_only}).status == 3);
  BOOST_TEST(run({"ls", make("unknown", "\x01\x02\x03\x04"s)}).status == 3);
}

BOOST_AUTO_TEST_CASE(an_empty_file_is_not_valid) {
  const std::string file = make("empty", "");
  for (const std::vector<std::string>& how : std::vector<std::vector<std::string>>{
           {"validate", file}, {"validate", "--quick", file}, {"validate", "--json", file}}) {
    const outcome seen = run(how);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(seen.err ==
               "tgmap: " + file + ": is empty: there is no message to validate; get the file again from its source\n");
  }
  // As the reference implementation prints it.
  BOOST_TEST(nlohmann::json::parse(run({"validate", "--json", file}).out)[0]["status"] == "ok");
}

BOOST_AUTO_TEST_CASE(verbs_for_other_files_name_archives) {
  const std::string file = make("a.tgm", two_objects());
  const outcome created = run({"create", path("o"), file});
  BOOST_TEST(created.status == 1);
  BOOST_TEST(created.err.find("is a Tensogram archive, not an array; `tgmap copy`, ") != std::string::npos,
             created.err);
  const outcome other = run({"create", path("o"), make("h5", "\x89HDF\r\n\x1a\n"s)});
  BOOST_TEST(other.status == 1);
  BOOST_TEST(other.err.find("is not a .npy file: an HDF5 file, such as NetCDF-4; if ") != std::string::npos, other.err);
  for (const std::vector<std::string>& how :
       std::vector<std::vector<std::string>>{{"tens", "show", file}, {"tens", "import", file, "-o", path("o")}}) {
    const outcome seen = run(how);
    BOOST_TEST(seen.status == 1);
    BOOST_TEST(
        seen.err.find("is a Tensogram archive, not a frame of a ZIO message; `tgmap info` and `tgmap ls` show it; "
                      "`tgmap tens export` makes frames of its messages") != std::string::npos,
        seen.err);
  }
}

BOOST_AUTO_TEST_CASE(verbs_for_other_files_name_other_kinds) {
  const std::string file = make("f", "GRIB\0\0\0\2"s);
  if (has_zeromq_or_skip("tens show"))
    for (const std::vector<std::string>& how :
         std::vector<std::vector<std::string>>{{"tens", "show", file}, {"tens", "import", file, "-o", path("o")}}) {
      const outcome seen = run(how);
      BOOST_TEST(seen.status == 1);
      BOOST_TEST(
          seen.err.find("is not a frame of a ZIO message: a GRIB file; `tgmap import grib` makes") != std::string::npos,
          seen.err);
    }
  if (has_simdjson_or_skip("constant check"))
    for (const std::vector<std::string>& how :
         std::vector<std::vector<std::string>>{{"constant", "check", file}, {"constant", "cells", file}}) {
      const outcome seen = run(how);
      BOOST_TEST(seen.status == 1);
      BOOST_TEST(seen.err.find("is not a tensor constant: a GRIB file; `tgmap import grib` makes") != std::string::npos,
                 seen.err);
    }
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_a_zarr_store_is_named) {
  const temporary_directory files;
  const std::string store = files.path().string();
  BOOST_TEST(run({"ls", store}).err.ends_with("is a directory; name the archives in the directory\n"));
  static_cast<void>(files.file(".zgroup", "{}"));
  const outcome seen = run({"ls", store});
  BOOST_TEST(seen.status == 1);
  BOOST_TEST(seen.err.find("is a directory; it is a Zarr store: save its arrays with numpy.save") != std::string::npos,
             seen.err);
}

BOOST_AUTO_TEST_SUITE_END()
