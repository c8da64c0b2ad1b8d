#include "tests/support/oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

namespace einloom::test {

namespace {

struct Loops {
  std::vector<std::int64_t> extents;              // output labels first, each once, then the summed ones
  std::size_t outer = 0;                          // how many are output labels
  std::vector<std::vector<std::size_t>> strides;  // [operand][loop]
  std::vector<std::size_t> out_strides;           // [loop]
  std::vector<std::int64_t> shape;                // of the output
};

std::map<int, std::int64_t> extents_of(const OracleProblem& p) {
  std::map<int, std::int64_t> extents;
  for (std::size_t o = 0; o < p.operands.size(); ++o) {
    if (p.labels[o].size() != p.operands[o]->extents.size()) throw std::invalid_argument("rank differs from its term");
    for (std::size_t m = 0; m < p.labels[o].size(); ++m) {
      const int label = p.labels[o][m];
      const std::int64_t extent = p.operands[o]->extents[m];
      const auto [known, fresh] = extents.emplace(label, extent);
      if (fresh || known->second == extent) continue;
      const bool stretches = p.broadcast || label >= ellipsis_label;
      if (!stretches || (extent != 1 && known->second != 1)) throw std::invalid_argument("extents of a label differ");
      if (known->second == 1) known->second = extent;
    }
  }
  return extents;
}

Loops make_loops(const OracleProblem& p) {
  const std::map<int, std::int64_t> extents = extents_of(p);
  Loops loops;
  std::vector<int> order;
  const auto add = [&](int label) {
    if (std::find(order.begin(), order.end(), label) == order.end()) order.push_back(label);
  };
  for (const int label : p.output) add(label);
  loops.outer = order.size();
  for (const auto& term : p.labels) {
    for (const int label : term) add(label);
  }
  for (const int label : order) loops.extents.push_back(extents.at(label));
  const auto strides_of = [&](const std::vector<int>& labels, const std::vector<std::int64_t>& shape, bool stretch) {
    std::vector<std::size_t> strides(order.size(), 0);
    std::size_t stride = 1;
    for (std::size_t m = labels.size(); m-- > 0;) {
      const auto at = static_cast<std::size_t>(std::find(order.begin(), order.end(), labels[m]) - order.begin());
      if (!stretch || shape[m] == extents.at(labels[m])) strides[at] += stride;
      stride *= static_cast<std::size_t>(shape[m]);
    }
    return strides;
  };
  for (std::size_t o = 0; o < p.labels.size(); ++o) {
    loops.strides.push_back(strides_of(p.labels[o], p.operands[o]->extents, true));
  }
  for (const int label : p.output) loops.shape.push_back(extents.at(label));
  loops.out_strides = strides_of(p.output, loops.shape, false);
  return loops;
}

// The arithmetic of one scalar type.
struct Ring {
  Semiring semiring;
  DType result;

  std::int64_t times(std::int64_t a, std::int64_t b) const {
    const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    if (semiring == Semiring::or_and) return a != 0 && b != 0;
    if (semiring == Semiring::plus_times || semiring == Semiring::max_times) return static_cast<std::int64_t>(x * y);
    const std::int64_t none = identity_int(semiring, result);
    return a == none || b == none ? none : static_cast<std::int64_t>(x + y);
  }
  std::int64_t plus(std::int64_t a, std::int64_t b) const {
    if (semiring == Semiring::or_and) return a != 0 || b != 0;
    if (semiring == Semiring::min_plus) return std::min(a, b);
    if (semiring != Semiring::plus_times) return std::max(a, b);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }
  double times(double a, double b) const {
    if (semiring == Semiring::plus_times || semiring == Semiring::max_times) return a * b;
    const double infinity = std::numeric_limits<double>::infinity();
    const double none = semiring == Semiring::min_plus ? infinity : -infinity;  // absorbs
    return a == none || b == none ? none : a + b;
  }
  double plus(double a, double b) const {
    if (semiring == Semiring::plus_times) return a + b;
    return semiring == Semiring::min_plus ? std::min(a, b) : std::max(a, b);
  }
  std::complex<double> times(std::complex<double> a, std::complex<double> b) const { return a * b; }
  std::complex<double> plus(std::complex<double> a, std::complex<double> b) const { return a + b; }
  // The size of a term, and of a sum.
  double term(double a, double b) const {
    if (semiring != Semiring::min_plus && semiring != Semiring::max_plus) return a * b;
    return a + b;
  }
  double total(double a, double b) const { return semiring == Semiring::plus_times ? a + b : std::max(a, b); }
};

template <class S>
struct Sum {
  const OracleProblem& problem;
  const Loops& loops;
  Ring ring;
  const std::vector<std::vector<S>>& data;
  S none;

  std::vector<S> values;
  std::vector<double> magnitude;
  std::vector<char> possible;

  void run() {
    const std::size_t count = count_of(loops.shape);
    values.assign(count, none);
    magnitude.assign(count, 0.0);
    possible.assign(count, 0);
    for (const std::int64_t extent : loops.extents) {
      if (extent == 0) return;
    }
    std::vector<std::int64_t> index(loops.extents.size(), 0);
    std::vector<std::size_t> at(data.size(), 0);
    std::size_t out = 0;
    for (;;) {
      term(at, out);
      std::size_t l = index.size();
      for (; l-- > 0;) {
        if (++index[l] < loops.extents[l]) break;
        index[l] = 0;
        const auto back = static_cast<std::size_t>(loops.extents[l] - 1);
        for (std::size_t o = 0; o < at.size(); ++o) at[o] -= back * loops.strides[o][l];
        out -= back * loops.out_strides[l];
      }
      if (l == static_cast<std::size_t>(-1)) return;
      for (std::size_t o = 0; o < at.size(); ++o) at[o] += loops.strides[o][l];
      out += loops.out_strides[l];
    }
  }

  void term(const std::vector<std::size_t>& at, std::size_t out) {
    S product{};
    double size = 0;
    for (std::size_t o = 0; o < at.size(); ++o) {
      const Array& array = *problem.operands[o];
      if (!array.present.empty() && !array.present[at[o]]) return;
      const S value = data[o][at[o]];
      const double absolute = std::abs(array.values[at[o]]);
      product =
          o == 0 ? (ring.semiring == Semiring::or_and ? ring.times(value, value) : value) : ring.times(product, value);
      size = o == 0 ? absolute : ring.term(size, absolute);
    }
    possible[out] = 1;
    values[out] = ring.plus(values[out], product);
    if (std::isfinite(size)) magnitude[out] = ring.total(magnitude[out], size);
  }
};

template <class S, class Get>
Sum<S> sum_as(const OracleProblem& p, const Loops& loops, const Ring& ring, S none, std::vector<std::vector<S>>& data,
              Get get) {
  for (const Array* operand : p.operands) {
    data.emplace_back(operand->size());
    for (std::size_t i = 0; i < operand->size(); ++i) data.back()[i] = get(*operand, i);
  }
  Sum<S> sum{p, loops, ring, data, none, {}, {}, {}};
  sum.run();
  return sum;
}

void scale(const OracleProblem& p, bool integral, OracleAnswer& answer) {
  if (p.alpha == 1.0 && (p.beta == 0.0 || p.prior == nullptr)) return;
  for (std::size_t i = 0; i < answer.values.size(); ++i) {
    const bool reads = p.prior != nullptr && p.beta != 0.0;
    if (integral) {
      const auto alpha = static_cast<std::int64_t>(p.alpha.real()), beta = static_cast<std::int64_t>(p.beta.real());
      answer.ints[i] = alpha * answer.ints[i] + (reads ? beta * p.prior->ints[i] : 0);
      continue;
    }
    answer.values[i] = p.alpha * answer.values[i] + (reads ? p.beta * p.prior->values[i] : 0.0);
    answer.magnitude[i] =
        std::abs(p.alpha) * answer.magnitude[i] + (reads ? std::abs(p.beta * p.prior->values[i]) : 0.0);
  }
}

}  // namespace

std::complex<double> identity_value(Semiring semiring, DType dtype) {
  if (dtype == DType::boolean || is_integer(dtype)) return static_cast<double>(identity_int(semiring, dtype));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (semiring == Semiring::min_plus) return infinity;
  return semiring == Semiring::max_plus ? -infinity : 0.0;
}

std::int64_t identity_int(Semiring semiring, DType dtype) {
  const bool narrow = dtype == DType::i32;
  if (semiring == Semiring::min_plus) return narrow ? INT32_MAX : INT64_MAX;
  if (semiring == Semiring::max_plus) return narrow ? INT32_MIN : INT64_MIN;
  return 0;
}

OracleAnswer oracle(const OracleProblem& p) {
  const Loops loops = make_loops(p);
  const bool logical = p.result == DType::boolean;
  const Ring ring{logical ? Semiring::or_and : p.semiring, p.result};
  OracleAnswer answer;
  answer.extents = loops.shape;
  answer.terms = 1;
  for (std::size_t l = loops.outer; l < loops.extents.size(); ++l)
    answer.terms *= static_cast<double>(loops.extents[l]);
  const auto keep = [&](auto& sum) {
    answer.magnitude = std::move(sum.magnitude);
    answer.possible = std::move(sum.possible);
  };
  if (logical || is_integer(p.result)) {
    std::vector<std::vector<std::int64_t>> data;
    const std::int64_t none = logical ? 0 : identity_int(ring.semiring, p.result);
    const auto get = [&](const Array& a, std::size_t i) -> std::int64_t {
      if (logical) return a.values[i] != 0.0 || a.ints[i] != 0;
      return p.result == DType::i32 ? static_cast<std::int32_t>(a.ints[i]) : a.ints[i];
    };
    auto sum = sum_as<std::int64_t>(p, loops, ring, none, data, get);
    answer.ints = std::move(sum.values);
    answer.values.assign(answer.ints.size(), 0.0);
    keep(sum);
    if (!logical) scale(p, true, answer);
    for (std::int64_t& x : answer.ints) x = p.result == DType::i32 ? static_cast<std::int32_t>(x) : x;
  } else if (is_complex(p.result)) {
    std::vector<std::vector<std::complex<double>>> data;
    auto sum = sum_as<std::complex<double>>(p, loops, ring, 0.0, data,
                                            [](const Array& a, std::size_t i) { return a.values[i]; });
    answer.values = std::move(sum.values);
    keep(sum);
    scale(p, false, answer);
  } else {
    std::vector<std::vector<double>> data;
    const double none = identity_value(ring.semiring, p.result).real();
    auto sum =
        sum_as<double>(p, loops, ring, none, data, [](const Array& a, std::size_t i) { return a.values[i].real(); });
    answer.values.assign(sum.values.begin(), sum.values.end());
    keep(sum);
    scale(p, false, answer);
  }
  return answer;
}

}  // namespace einloom::test
