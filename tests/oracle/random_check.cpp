// Runs one random problem through the library, twice, and compares with the oracle.
#include <algorithm>
#include <cstring>
#include <limits>

#include "frontend/expr.h"
#include "tests/oracle/random_case.h"

namespace einloom::test {

std::vector<std::int64_t> RandomCase::shape_of(const RandomOperand& operand) const {
  std::vector<std::int64_t> shape;
  for (std::size_t m = 0; m < operand.labels.size(); ++m) {
    shape.push_back(operand.ones[m] ? 1 : extents.at(operand.labels[m]));
  }
  return shape;
}

std::vector<std::int64_t> RandomCase::out_shape() const {
  std::vector<std::int64_t> shape;
  for (const int label : output) shape.push_back(extents.at(label));
  return shape;
}

DType RandomCase::promoted() const {
  DType type = operands[0].dtype;
  for (const RandomOperand& operand : operands) type = promote(type, operand.dtype);
  return type;
}

DType RandomCase::result() const {
  if (semiring == Semiring::or_and) return DType::boolean;
  return options.dtype.value_or(promoted());
}

double RandomCase::work() const {
  double work = 1;
  for (const auto& [label, extent] : extents) work *= static_cast<double>(extent);
  return work;
}

namespace {

void set_value(Random& random, const RandomCase& c, Array& array, std::size_t at) {
  const bool ordered = c.semiring == Semiring::max_times;
  if (array.dtype == DType::boolean) return array.set_int(at, chance(random, 0.6));
  if (is_integer(array.dtype)) {
    return array.set_int(at, c.large_ints ? static_cast<std::int64_t>(random()) : draw(random, ordered ? 0 : -3, 3));
  }
  const auto real = [&] {
    return chance(random, 0.05) ? 0.0 : static_cast<double>(draw(random, -1000000, 1000000)) * 1e-6;
  };
  const double first = real();
  array.set(at, is_complex(array.dtype) ? std::complex<double>(first, real()) : ordered ? std::abs(first) : first);
}

// A stride of 0 makes all elements along a mode one: copies the first of them.
void flatten(const RandomOperand& operand, Array& array) {
  const Placement& placement = operand.placement;
  if (operand.sparse || placement.gap.empty()) return;
  std::vector<std::int64_t> index(array.extents.size(), 0);
  for (std::size_t at = 0; at < array.size(); ++at) {
    std::size_t from = 0;
    for (std::size_t m = 0; m < index.size(); ++m) {
      const std::int64_t i = placement.gap[m] == 0 ? 0 : index[m];
      from = from * static_cast<std::size_t>(array.extents[m]) + static_cast<std::size_t>(i);
    }
    array.values[at] = array.values[from];
    array.ints[at] = array.ints[from];
    next_index(index, array.extents);
  }
}

// Trailing dense levels store every position below a stored parent: those are possible non-zeros, holding the identity.
void fill_dense_levels(const RandomCase& c, const RandomOperand& operand, Array& array) {
  std::size_t stored = operand.format.levels.size();
  while (stored > 0 && operand.format.levels[stored - 1] == Level::dense) --stored;
  if (stored == operand.format.levels.size()) return;
  std::vector<char> filled(array.extents.size(), 0);
  for (std::size_t l = stored; l < filled.size(); ++l) filled[static_cast<std::size_t>(operand.format.order[l])] = 1;
  const auto group = [&](const std::vector<std::int64_t>& index) {
    std::size_t at = 0;
    for (std::size_t m = 0; m < index.size(); ++m) {
      if (!filled[m]) at = at * static_cast<std::size_t>(array.extents[m]) + static_cast<std::size_t>(index[m]);
    }
    return at;
  };
  std::vector<char> parents(array.size(), stored == 0);
  std::vector<std::int64_t> index(array.extents.size(), 0);
  for (std::size_t at = 0; at < array.size(); ++at, next_index(index, array.extents)) {
    if (array.present[at]) parents[group(index)] = 1;
  }
  index.assign(index.size(), 0);
  const Semiring semiring = c.result() == DType::boolean ? Semiring::or_and : c.semiring;
  for (std::size_t at = 0; at < array.size(); ++at, next_index(index, array.extents)) {
    if (array.present[at] || !parents[group(index)]) continue;
    array.present[at] = 1;
    array.values[at] = identity_value(semiring, array.dtype);
    array.ints[at] = is_float(array.dtype) ? 0 : identity_int(semiring, array.dtype);
  }
}

struct Prepared {
  std::vector<Array> arrays;
  std::vector<Held> held;
  std::vector<Tensor> operands;
  OracleProblem problem;
};

void prepare(const RandomCase& c, Prepared& p) {
  Random random(c.data_seed);
  p.arrays.reserve(c.operands.size());
  p.held.resize(c.operands.size());
  for (std::size_t o = 0; o < c.operands.size(); ++o) {
    const RandomOperand& operand = c.operands[o];
    Array array = make_array(operand.dtype, c.shape_of(operand));
    for (std::size_t at = 0; at < array.size(); ++at) set_value(random, c, array, at);
    if (operand.sparse) {
      array.present.resize(array.size());
      for (char& present : array.present) present = chance(random, operand.density);
      const Semiring semiring = c.result() == DType::boolean ? Semiring::or_and : c.semiring;
      p.operands.push_back(sparse_tensor(array, operand.format, semiring, &random));
      fill_dense_levels(c, operand, array);
    } else {
      flatten(operand, array);
      p.held[o] = dense_tensor(array, operand.placement);
      p.operands.push_back(p.held[o].tensor);
    }
    p.arrays.push_back(std::move(array));
    p.problem.operands.push_back(&p.arrays.back());
    p.problem.labels.push_back(operand.labels);
  }
  p.problem.output = c.output;
  p.problem.semiring = c.semiring;
  p.problem.result = c.into ? c.out_dtype : c.result();
  p.problem.broadcast = c.options.broadcast;
  p.problem.alpha = c.options.alpha;
  p.problem.beta = c.options.beta;
}

Tensor call(Context& context, const RandomCase& c, const Prepared& p) {
  if (c.form != Form::interleaved) return context.einsum(text_of(c), Operands(p.operands), c.options);
  static constexpr std::int64_t ids[] = {20, 27, 51, 1000, 1000000007, 1000000008, 1000000009, 3000000000};
  const auto convert = [](const std::vector<int>& labels) {
    std::vector<std::int64_t> out;
    for (const int label : labels) {
      if (label < ellipsis_label) {
        out.push_back(ids[label]);
      } else if (out.empty() || out.back() != ellipsis_id) {
        out.push_back(ellipsis_id);
      }
    }
    return out;
  };
  std::vector<Indexed> operands;
  for (std::size_t o = 0; o < c.operands.size(); ++o)
    operands.push_back({p.operands[o], convert(c.operands[o].labels)});
  const std::vector<std::int64_t> output = convert(c.output);
  return context.einsum(std::span<const Indexed>(operands), &output, c.options);
}

// einsum_into from a fresh copy of the same output; the cells between its elements must stay as they were.
std::string call_into(Context& context, const RandomCase& c, const Prepared& p, const Array& prior, Held& held) {
  held = dense_tensor(prior, c.out_placement);
  const std::vector<std::complex<double>> before = held.memory;
  context.einsum_into(held.tensor, text_of(c), Operands(p.operands), c.options);
  std::vector<std::complex<double>> after = held.memory;
  const std::int64_t size = static_cast<std::int64_t>(size_of(c.out_dtype));
  const std::int64_t first =
      static_cast<const char*>(held.tensor.data_raw()) - reinterpret_cast<const char*>(held.memory.data());
  std::vector<std::int64_t> index(prior.extents.size(), 0);
  for (std::size_t at = 0; at < prior.size(); ++at, next_index(index, prior.extents)) {
    std::int64_t place = first;
    for (std::size_t m = 0; m < index.size(); ++m) place += index[m] * held.tensor.desc().strides[m] * size;
    std::memcpy(reinterpret_cast<char*>(after.data()) + place, reinterpret_cast<const char*>(before.data()) + place,
                static_cast<std::size_t>(size));
  }
  const bool kept = std::memcmp(after.data(), before.data(), after.size() * sizeof(after[0])) == 0;
  return kept ? "" : "memory between the output's elements was changed";
}

Array make_prior(const RandomCase& c) {
  Random random(c.data_seed + 1);
  Array prior = make_array(c.out_dtype, c.out_shape());
  const bool reads = c.options.beta != 0.0;
  for (std::size_t at = 0; at < prior.size(); ++at) {
    set_value(random, c, prior, at);
    if (!reads && is_float(c.out_dtype)) prior.values[at] = std::numeric_limits<double>::quiet_NaN();
  }
  return prior;
}

// An option that was forced may not apply here; a memory limit may be too small.
bool may_refuse(const RandomCase& c, const Error& error) {
  if (error.kind() == Error::Kind::input && c.options.strategy != "auto") {
    return error.message().find(c.options.strategy) != std::string::npos;
  }
  const bool limit = error.message().find("limit") != std::string::npos;
  return c.options.memory_limit != 0 &&
         (error.kind() == Error::Kind::memory || (error.kind() == Error::Kind::input && limit));
}

// The narrowest type sums may be kept in.
DType compute_of(const RandomCase& c) {
  const DType promoted = accumulator(c.promoted()), result = accumulator(c.result());
  const auto narrow = [](DType t) { return t == DType::f32 || t == DType::c64; };
  return narrow(result) || !is_float(promoted) ? result : narrow(promoted) && c.into ? promoted : result;
}

std::string check_values(Context& context, const RandomCase& c, Prepared& p) {
  if (c.into) {
    const Array prior = make_prior(c);
    p.problem.prior = &prior;
    Held cold, warm;
    std::string wrong = call_into(context, c, p, prior, cold);
    if (wrong.empty()) wrong = compare(p.problem, oracle(p.problem), cold.tensor, compute_of(c));
    if (!wrong.empty()) return wrong;
    call_into(context, c, p, prior, warm);
    return identical(cold.tensor, warm.tensor) ? "" : "the second call gave other bits than the first";
  }
  const Tensor cold = call(context, c, p);
  if (cold.dtype() != c.result()) return std::string("the result is ") + name(cold.dtype());
  if (cold.sparse() != (c.options.out_format != Layout::dense)) return "the result's layout is not the one asked for";
  const std::string wrong = compare(p.problem, oracle(p.problem), cold, compute_of(c));
  if (!wrong.empty()) return wrong;
  return identical(cold, call(context, c, p)) ? "" : "the second call gave other bits than the first";
}

}  // namespace

Outcome check_case(Context& context, const RandomCase& c) {
  try {
    Prepared prepared;
    prepare(c, prepared);
    const std::string wrong = check_values(context, c, prepared);
    return wrong.empty() ? Outcome{} : Outcome{Verdict::failed, wrong};
  } catch (const Error& error) {
    return {may_refuse(c, error) ? Verdict::refused : Verdict::failed, error.what()};
  } catch (const std::exception& error) {
    return {Verdict::failed, std::string("not an einloom::Error: ") + error.what()};
  }
}

}  // namespace einloom::test
