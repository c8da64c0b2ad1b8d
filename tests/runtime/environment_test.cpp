#include <cstdlib>

#include "files_support.h"
#include "runtime/environment.h"
#include "tests/support/catch.h"

using namespace einloom;

namespace {

// Sets a variable for the length of a scope.
class Setting {
 public:
  Setting(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old, had_ = true;
    value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  ~Setting() { had_ ? ::setenv(name_, old_.c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::string old_;
  bool had_ = false;
};

}  // namespace

TEST_CASE("EINLOOM_THREADS is a whole number or an error", "[environment]") {
  {
    const Setting s("EINLOOM_THREADS", nullptr);
    CHECK(environment_threads() == 0);
  }
  {
    const Setting s("EINLOOM_THREADS", "3");
    CHECK(environment_threads() == 3);
  }
  for (const char* bad : {"0", "-1", "two", "2x", "1.5", "99999999999"}) {
    const Setting s("EINLOOM_THREADS", bad);
    CHECK(message_of([] { environment_threads(); }) ==
          "EINLOOM_THREADS is '" + std::string(bad) + "': expected a whole number from 1 to 4096");
  }
}

TEST_CASE("the cache folder follows the environment", "[environment]") {
  const Setting home("HOME", "/home/x");
  {
    const Setting own("EINLOOM_CACHE_DIR", "/c"), xdg("XDG_CACHE_HOME", "/x");
    CHECK(cache_directory() == "/c");
  }
  {
    const Setting own("EINLOOM_CACHE_DIR", nullptr), xdg("XDG_CACHE_HOME", "/x");
    CHECK(cache_directory() == "/x/einloom");
  }
  {
    const Setting own("EINLOOM_CACHE_DIR", nullptr), xdg("XDG_CACHE_HOME", "relative");
    CHECK(cache_directory() == "/home/x/.cache/einloom");
  }
}
