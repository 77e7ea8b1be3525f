// SPDX-License-Identifier: Apache-2.0
#include "cpp/arguments/threads.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tgmap_python {

tgmap::executor& executor_of(unsigned threads) {
  constexpr unsigned max_threads = 1024;  // more gain nothing, and each takes memory
  threads = std::min(threads, max_threads);
  static std::map<std::pair<pid_t, unsigned>, tgmap::executor*> known;
  tgmap::executor*& found = known[{getpid(), threads}];
  if (found == nullptr) found = tgmap::make_thread_executor(threads).release();  // its threads may outlive any owner
  return *found;
}

}  // namespace tgmap_python
