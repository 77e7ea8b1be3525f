#include "bridge/grib/keys/key_reader.hpp"
#include "bridge/grib/keys/eccodes_values.hpp"
#include <boost/test/unit_test.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <chrono>
#include "grib_files.hpp"
using namespace tgmap_test;
using namespace tgmap::bridge::grib;
BOOST_AUTO_TEST_CASE(zz_print) {
  const char* p = getenv("KK_FILES"); if (!p) return;
  key_options o; if (getenv("KK_NS")) o.namespaces={"ls","geography","time","vertical","parameter","statistics"};
  for (auto& e : std::filesystem::recursive_directory_iterator(p)) {
    if (!e.is_regular_file()) continue;
    std::string d = read_file(e.path()); if (!d.starts_with("GRIB")) continue;
    key_reader r(o);
    each_field(d, [&](const field& f){ failure w; auto t0=std::chrono::steady_clock::now(); auto k = r.read(f, w);
      double us=std::chrono::duration<double,std::micro>(std::chrono::steady_clock::now()-t0).count();
      printf("%s %.0f us: %s %s\n", e.path().filename().c_str(), us, tgmap::key_result(k.view()).text().c_str(), w?w.text().c_str():"");
      if (getenv("KK_VAL")) { auto v=read_values_by_eccodes(f,w); double s=0; size_t m=0; for(double x:v) if(x==x) s+=x; else ++m; printf("   values %zu missing %zu sum %.10g %s\n", v.size(), m, s, w?w.text().c_str():""); }
    });
  }
}
#include <random>
BOOST_AUTO_TEST_CASE(zz_fuzz) {
  const char* p = getenv("KK_FUZZ"); if (!p) return;
  const bool vals = getenv("KK_VAL") != nullptr;
  std::vector<std::pair<std::string,std::string>> files;
  for (auto& e : std::filesystem::recursive_directory_iterator(getenv("KK_FILES"))) if (e.is_regular_file() && e.file_size() < 20000) { auto d = read_file(e.path()); if (d.starts_with("GRIB")) files.emplace_back(e.path().filename().string(), d); }
  unsigned seed0 = getenv("KK_SEED") ? atoi(getenv("KK_SEED")) : 1;
  size_t ok=0, bad=0, unparsed=0; double worst=0;
  for (unsigned s = seed0; s < seed0 + atoi(p); ++s) {
    std::mt19937 r(s);
    auto d = files[r() % files.size()];
    const int flips = 1 + r() % 4;
    for (int i = 0; i < flips; ++i) { size_t range = (r()%3==0)? d.second.size() : std::min<size_t>(d.second.size(), 220); size_t at = 8 + r() % (range-8); int how=r()%4; d.second[at] = how==0 ? char(r()) : how==1 ? char(0xFF) : how==2 ? char(0) : char(d.second[at] ^ (1 << r()%8)); }
    { FILE* f = fopen("/tmp/kk/t/last", "wb"); fwrite(d.second.data(),1,d.second.size(),f); fclose(f); f = fopen("/tmp/kk/t/seed","w"); fprintf(f,"%u %s\n",s,d.first.c_str()); fclose(f); }
    key_reader rd(getenv("KK_NS") ? key_options{.namespaces={"ls","geography","time","vertical","parameter","statistics"}} : key_options{});
    failure w0; field_reader fr(std::as_bytes(std::span(d.second)), 0, w0); field f; bool any=false;
    failure w; while (fr.next(f, w)) { any = true; auto t0=std::chrono::steady_clock::now(); failure w2; auto k = rd.read(f, w2); w2 ? ++bad : ++ok; if (vals) { failure w3; read_values_by_eccodes(f,w3,1<<24); }
      double ms=std::chrono::duration<double,std::milli>(std::chrono::steady_clock::now()-t0).count(); if (ms>worst) { worst=ms; fprintf(stdout,"seed %u %s %.0f ms\n",s,d.first.c_str(),ms); } }
    if (!any) ++unparsed;
  }
  printf("ok %zu bad %zu unparsed %zu\n", ok,bad,unparsed);
}
