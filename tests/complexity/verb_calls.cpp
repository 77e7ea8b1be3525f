// SPDX-License-Identifier: Apache-2.0
#include "verb_calls.hpp"

namespace tgmap_test {

const std::vector<verb_call>& verb_calls() {
  static const std::vector<verb_call> all{
      {".tgm", "info --long --codecs {a}"},
      {".tgm", "ls {a}"},
      {".tgm", "ls -l {a}"},
      {".tgm", "ls --objects --json --typed -p name,mars.param,dtype,shape --sort dtype:desc {a}"},
      {".tgm", "get -p name,@offset {a}"},
      {".tgm", "count --objects -w name=n7 {a}"},
      {".tgm", "count -w name=n7 -w absent!=1 {a}"},
      {".tgm", "get -p name,@object -w absent=1 {a}"},
      {".tgm", "stats {a}"},
      {".tgm", "show {a}:0:0"},
      {".tgm", "extract {a} --no-sync -o {o}/all.npz"},
      {".tgm", "create --no-sync --dtype uint8 --shape {size} {o}/made.tgm {a}"},
      {".tgm", "copy --no-sync {a} {o}/copy.tgm"},
      {".tgm", "copy --no-sync --objects {a} {o}/[dtype].tgm"},
      {".tgm", "split --no-sync --size 8kB {a} -o {o}/part.tgm"},
      {".tgm", "set --no-sync -s zz:i=5 {a} {o}/set.tgm"},
      {".tgm", "rehash --no-sync {a} {o}/rehashed.tgm"},
      {".tgm", "reindex --no-sync --index footer {a} {o}/reindexed.tgm"},
      {".tgm", "reshuffle --no-sync {a} -o {o}/reshuffled.tgm"},
      {".tgm", "merge --no-sync --strategy first {a} -o {o}/merged.tgm"},
      {".tgm", "append --no-sync {o}/appended.tgm {a}"},
      {".tgm", "index create --no-sync --index {o}/made.tgx {a}"},
      {".tgm", "upgrade --no-sync {a} {o}/upgraded.tgm"},
      {".tgm", "convert --no-sync --allow-nan --compression lz4 {a} {o}/converted.tgm"},
      {".tgm", "diff {a} {b}"},
      {".tgm", "diff --objects --key dtype {a} {b}"},
      {".tgm", "dump {a}"},
      {".tgm", "dump --json --typed {a}"},
      {".tgm", "dump --frames --json {a}"},
      {".tgm", "du --by dtype {a}"},
      {".tgm", "validate --full --canonical {a}"},
      {".tgm", "validate --json {a}"},
      {".tgm", "explain {a}:-1:0"},
      {".tgm", "tens export --no-sync {a} -o {o}/[index].frame"},
      {".grib", "import grib --no-sync {a} {o}/imported.tgm"},
      {".grib", "import grib --no-sync --merge step {a} {o}/imported.tgm"},
      {".tgm", "export grib --no-sync {a} {o}/exported.grib"},
      {".frame", "tens show {a}"},
      {".frame", "tens show --json {a}"},
      {".frame", "tens import --no-sync {a} -o {o}/imported.tgm"},
      {".json", "constant check --all {a}"},
      {".json", "constant cells --json {a}"},
      {".json", "constant get {a} key=k1"},
      {".json", "constant import --no-sync {a} -o {o}/imported.tgm"},
      {".json", "constant export --form long {a}"},
      {".json", "constant sample --type tensor(x[{size}])"},
      {".tgm", "constant export --form long {a}:0"},
      {".tgm", "constant get {a}:0 key=k1"},
  };
  return all;
}

const std::vector<std::string>& verbs_without_files() {
  static const std::vector<std::string> all{
      "completion",   "doctor",      "help",                      // take no files
      "tens keys",                                                // writes two files of a hundred bytes
      "cube",                                                     // becomes another program before it reads
      "index update", "index check", "index show", "index drop",  // need an index; index create does the same work
      "send",         "recv",  // wait for a peer; tens export and import do the same work
  };
  return all;
}

}  // namespace tgmap_test
