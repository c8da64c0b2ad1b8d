// The oracle's own splitter of einsum strings, and the comparison with what the library gave.
#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>

#include "tests/support/oracle.h"

namespace einloom::test {

namespace {

std::vector<int> labels_of(const std::string& term, int width, bool is_output) {
  std::vector<int> labels;
  const int named = static_cast<int>(std::count_if(term.begin(), term.end(), [](char c) { return c != '.'; }));
  const int dots = is_output ? width : width - named;
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (term[i] != '.') {
      labels.push_back(static_cast<unsigned char>(term[i]));
      continue;
    }
    if (term.compare(i, 3, "...") != 0) throw std::invalid_argument("a stray dot");
    for (int d = dots; d-- > 0;) labels.push_back(ellipsis_label + d);
    i += 2;
  }
  return labels;
}

double epsilon_of(DType type) {
  switch (type) {
    case DType::f16:
      return 0x1p-10;
    case DType::bf16:
      return 0x1p-7;
    case DType::f32:
    case DType::c64:
      return 0x1p-23;
    default:
      return 0x1p-52;
  }
}

double largest_of(DType type) {
  if (type == DType::f16) return 65504;
  return type == DType::f64 || type == DType::c128 ? 1.7e308 : 3.38e38;
}

double smallest_of(DType type) {
  if (type == DType::f16) return 0x1p-24;
  return type == DType::f64 || type == DType::c128 ? 1e-300 : 1e-37;
}

}  // namespace

SplitText split_einsum(const std::string& given, const std::vector<int>& ranks) {
  std::string text;
  std::copy_if(given.begin(), given.end(), std::back_inserter(text), [](char c) { return c != ' '; });
  const std::size_t arrow = text.find("->");
  const std::string left = text.substr(0, arrow);
  SplitText split;
  int widest = 0;
  std::size_t begin = 0;
  for (const int rank : ranks) {
    const std::size_t end = std::min(left.find(',', begin), left.size());
    const std::string term = left.substr(begin, end - begin);
    const std::vector<int> labels = labels_of(term, rank, false);
    if (labels.size() != static_cast<std::size_t>(rank)) throw std::invalid_argument("rank differs from its term");
    for (const int label : labels)
      widest = label >= ellipsis_label ? std::max(widest, label - ellipsis_label + 1) : widest;
    split.inputs.push_back(labels);
    begin = end + 1;
  }
  if (arrow != std::string::npos) {
    split.output = labels_of(text.substr(arrow + 2), widest, true);
    return split;
  }
  for (int d = widest; d-- > 0;) split.output.push_back(ellipsis_label + d);
  std::map<int, int> seen;
  for (const auto& term : split.inputs) {
    for (const int label : term) ++seen[label];
  }
  for (const auto& [label, times] : seen) {
    if (label < ellipsis_label && times == 1) split.output.push_back(label);
  }
  return split;
}

std::string compare(const OracleProblem& p, const OracleAnswer& answer, const Tensor& tensor, DType compute,
                    bool exact) {
  std::ostringstream wrong;
  if (tensor.extents() != answer.extents) return "the shape is wrong";
  std::string fault;
  const Array got = read_tensor(tensor, &fault);
  if (!fault.empty()) return fault;
  const bool counted = got.dtype == DType::boolean || is_integer(got.dtype);
  const double grow = 8 * epsilon_of(compute) * (answer.terms + static_cast<double>(p.operands.size()) + 2);
  const double own = got.dtype == DType::boolean ? 0 : epsilon_of(got.dtype);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool stored = got.present.empty() || got.present[i];
    // Through a dense intermediate of three operands and more, a place no product reaches may be stored: as the
    // identity.
    if (!got.present.empty() && stored && !answer.possible[i]) {
      const bool empty = got.values[i] == identity_value(p.semiring, got.dtype);
      if (!empty || p.operands.size() < 3) return "a coordinate no product reaches is stored";
    }
    if (counted) {
      const std::int64_t value = stored ? got.ints[i] : identity_int(p.semiring, got.dtype);
      if (value == answer.ints[i]) continue;
      wrong << "element " << i << " is " << value << ", expected " << answer.ints[i];
      return wrong.str();
    }
    const std::complex<double> value = stored ? got.values[i] : identity_value(p.semiring, got.dtype);
    const std::complex<double> want = answer.values[i];
    if (value == want) continue;
    const double bound = exact ? 0 : grow * answer.magnitude[i] + own * std::abs(want) + smallest_of(got.dtype);
    if (std::abs(value - want) <= bound) continue;
    if (!exact && std::isinf(std::abs(value)) && std::abs(want) + bound > largest_of(got.dtype)) continue;
    wrong << "element " << i << " is " << value << ", expected " << want << " within " << bound;
    return wrong.str();
  }
  return {};
}

}  // namespace einloom::test
