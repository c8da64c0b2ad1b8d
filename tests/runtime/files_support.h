// A folder of its own for each test, and what several tests of files need.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "runtime/einloom.h"

namespace einloom {

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "einloom-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }
  std::string put(const std::string& name, const std::string& bytes) const {
    std::ofstream(*this / name, std::ios::binary) << bytes;
    return *this / name;
  }
  std::string get(const std::string& name) const {
    std::ostringstream out;
    out << std::ifstream(*this / name, std::ios::binary).rdbuf();
    return out.str();
  }

 private:
  std::string path_;
};

template <class T>
std::vector<T> values_of(const Tensor& tensor) {
  return std::vector<T>(tensor.data<T>(), tensor.data<T>() + tensor.nnz());
}

// A number up to a relative or absolute error; Catch's own is spelled differently in versions 2 and 3.
struct Near {
  explicit Near(double x) : wanted(x) {}
  Near epsilon(double e) const { return with(e, absolute); }
  Near margin(double m) const { return with(relative, m); }
  friend bool operator==(double found, const Near& near) {
    return std::abs(found - near.wanted) <= near.absolute + near.relative * std::abs(near.wanted);
  }

  double wanted, relative = 1e-5, absolute = 0;

 private:
  Near with(double r, double a) const {
    Near out(wanted);
    out.relative = r, out.absolute = a;
    return out;
  }
};

// The message of the Error that f throws, "" when it throws none.
template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace einloom
