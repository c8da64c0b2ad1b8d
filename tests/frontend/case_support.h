// Helpers of the frontend tests: operands and options written as short texts.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "frontend/contraction.h"
#include "frontend/error.h"

namespace einloom::test {

// "2x3 4:i32 .": shapes with an optional element type; '.' is a scalar.
inline std::vector<TensorDesc> operands_from(const std::string& shapes) {
  std::vector<TensorDesc> operands;
  std::istringstream words(shapes);
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    const DType dtype = colon == std::string::npos ? DType::f64 : parse_dtype(word.substr(colon + 1)).value();
    word = word.substr(0, colon);
    std::vector<std::int64_t> extents;
    if (word != ".") {
      std::istringstream numbers(word);
      for (std::string number; std::getline(numbers, number, 'x');) extents.push_back(std::stoll(number));
    }
    operands.push_back(dense_desc(dtype, extents));
  }
  return operands;
}

// "broadcast diagonal dtype=f32 semiring=min-plus", any of them.
inline BindOptions options_from(const std::string& text) {
  BindOptions options;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "broadcast") options.broadcast = true;
    if (word == "diagonal") options.write_diagonal = true;
    if (word.rfind("dtype=", 0) == 0) options.has_dtype = true, options.dtype = parse_dtype(word.substr(6)).value();
    if (word.rfind("semiring=", 0) == 0) {
      options.has_semiring = true, options.semiring = parse_semiring(word.substr(9)).value();
    }
  }
  return options;
}

inline Contraction bind_text(const std::string& text, const std::string& shapes, const std::string& options = "") {
  return einloom::bind(parse(text), operands_from(shapes), options_from(options));
}

// Runs `call` and gives the Error it must throw.
template <class Call>
Error error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return Error::internal("nothing was thrown");
}

}  // namespace einloom::test
