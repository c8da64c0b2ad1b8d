#include "gett_problem.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <set>

#include "tests/codegen/run_kernel.h"

namespace einloom::testing {

namespace {

template <class T>
T read(const unsigned char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
template <class T>
void write(unsigned char* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

TensorDesc desc_of(DType type, const std::string& labels, const std::map<char, std::int64_t>& extents,
                   const std::vector<std::int64_t>& strides) {
  std::vector<std::int64_t> sizes;
  for (char l : labels) sizes.push_back(extents.at(l));
  return strides.empty() ? dense_desc(type, sizes) : dense_desc(type, sizes, strides);
}

std::complex<double> identity(Semiring semiring, DType type) {
  const double infinity = std::numeric_limits<double>::infinity();
  const bool low = semiring == Semiring::max_plus;
  if (semiring != Semiring::min_plus && !low) return 0;
  if (type == DType::i32)
    return low ? std::numeric_limits<std::int32_t>::min() : std::numeric_limits<std::int32_t>::max();
  return low ? -infinity : infinity;
}

std::complex<double> combine(Semiring semiring, std::complex<double> a, std::complex<double> b, bool logical) {
  if (logical) return a != 0.0 && b != 0.0 ? 1 : 0;
  return semiring == Semiring::min_plus || semiring == Semiring::max_plus ? a + b : a * b;
}

std::complex<double> reduce(Semiring semiring, std::complex<double> a, std::complex<double> b, bool logical) {
  if (logical) return a != 0.0 || b != 0.0 ? 1 : 0;
  if (semiring == Semiring::plus_times) return a + b;
  return semiring == Semiring::min_plus ? std::min(a.real(), b.real()) : std::max(a.real(), b.real());
}

std::int64_t offset_of(const TensorDesc& desc, const std::string& labels, const std::map<char, std::int64_t>& index) {
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) offset += index.at(labels[i]) * desc.strides[i];
  return offset;
}

// Calls body for every index of `labels`.
void each_index(const std::vector<char>& labels, const std::map<char, std::int64_t>& extents,
                std::map<char, std::int64_t>& index, const std::function<void()>& body, std::size_t depth = 0) {
  if (depth == labels.size()) return body();
  for (std::int64_t i = 0; i < extents.at(labels[depth]); ++i) {
    index[labels[depth]] = i;
    each_index(labels, extents, index, body, depth + 1);
  }
}

}  // namespace

std::complex<double> Data::get(std::int64_t offset) const {
  const unsigned char* at = bytes.data() + (origin + offset) * static_cast<std::int64_t>(size_of(desc.dtype));
  switch (desc.dtype) {
    case DType::boolean:
      return *at != 0 ? 1 : 0;
    case DType::i32:
      return read<std::int32_t>(at);
    case DType::i64:
      return static_cast<double>(read<std::int64_t>(at));
    case DType::f16:
      return to_float(read<f16>(at));
    case DType::bf16:
      return to_float(read<bf16>(at));
    case DType::f32:
      return read<float>(at);
    case DType::f64:
      return read<double>(at);
    case DType::c64:
      return read<std::complex<float>>(at);
    default:
      return read<std::complex<double>>(at);
  }
}

void Data::set(std::int64_t offset, std::complex<double> value) {
  unsigned char* at = bytes.data() + (origin + offset) * static_cast<std::int64_t>(size_of(desc.dtype));
  switch (desc.dtype) {
    case DType::boolean:
      *at = value != 0.0;
      return;
    case DType::i32:
      return write(at, static_cast<std::int32_t>(value.real()));
    case DType::i64:
      return write(at, static_cast<std::int64_t>(value.real()));
    case DType::f16:
      return write(at, to_f16(static_cast<float>(value.real())));
    case DType::bf16:
      return write(at, to_bf16(static_cast<float>(value.real())));
    case DType::f32:
      return write(at, static_cast<float>(value.real()));
    case DType::f64:
      return write(at, value.real());
    case DType::c64:
      return write(at, std::complex<float>(value));
    default:
      return write(at, value);
  }
}

Data make_data(TensorDesc desc) {
  std::int64_t low = 0, high = 0;
  for (std::size_t i = 0; i < desc.extents.size(); ++i) {
    const std::int64_t reach = std::max<std::int64_t>(0, desc.extents[i] - 1) * desc.strides[i];
    (reach < 0 ? low : high) += reach;
  }
  Data data;
  data.bytes.assign(static_cast<std::size_t>(high - low + 1) * size_of(desc.dtype), 0);
  data.origin = -low;
  data.desc = std::move(desc);
  return data;
}

void fill(Data& data, std::mt19937& random) {
  const auto count = static_cast<std::int64_t>(data.bytes.size() / size_of(data.desc.dtype));
  std::uniform_int_distribution<int> number(-2, 3);
  for (std::int64_t i = 0; i < count; ++i)
    data.set(i - data.origin,
             {static_cast<double>(number(random)), is_complex(data.desc.dtype) ? number(random) : 0.0});
}

Step make_step(const GettProblem& p) {
  std::string labels;
  for (char l : p.a + p.b + p.c)
    if (labels.find(l) == std::string::npos) labels += l;
  auto access = [&](const std::string& modes, DType type, const std::vector<std::int64_t>& strides, Ref ref) {
    Access result;
    result.tensor = ref;
    for (char l : modes) result.labels.push_back(static_cast<int>(labels.find(l)));
    result.desc = desc_of(type, modes, p.extents, strides);
    return result;
  };
  Step step;
  step.strategy = Strategy::gett;
  step.semiring = p.semiring;
  step.compute = p.compute;
  step.inputs = {access(p.a, p.a_type, p.a_strides, {Ref::Kind::operand, 0}),
                 access(p.b, p.b_type, p.b_strides, {Ref::Kind::operand, 1})};
  step.output = access(p.c, p.c_type, p.c_strides, {Ref::Kind::output, 0});
  step.scaled = p.scaled;
  step.accumulates = p.accumulates;
  step.gett = p.tiles;
  auto has = [](const std::string& s, char l) { return s.find(l) != std::string::npos; };
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const char l = labels[i];
    step.extents.push_back(p.extents.at(l));
    const bool in_a = has(p.a, l), in_b = has(p.b, l), in_c = has(p.c, l);
    auto& group = in_a && in_b ? (in_c ? step.gett.batch : step.gett.k) : in_a ? step.gett.m : step.gett.n;
    group.push_back(static_cast<int>(i));
  }
  auto by_stride = [&](std::vector<int>& group, const Access& where) {
    auto stride = [&](int l) {
      for (std::size_t i = 0; i < where.labels.size(); ++i)
        if (where.labels[i] == l) return std::llabs(where.desc.strides[i]);
      return 0LL;
    };
    std::stable_sort(group.begin(), group.end(), [&](int x, int y) { return stride(x) > stride(y); });
  };
  for (auto* group : {&step.gett.batch, &step.gett.m, &step.gett.n}) by_stride(*group, step.output);
  by_stride(step.gett.k, step.inputs[0]);
  return step;
}

std::int64_t mismatches(const GettProblem& p) {
  std::mt19937 random(12345);
  const Step step = make_step(p);
  Data a = make_data(step.inputs[0].desc), b = make_data(step.inputs[1].desc), c = make_data(step.output.desc);
  fill(a, random);
  fill(b, random);
  // Without accumulation the old result must not be read: it is not a number.
  if (p.accumulates)
    fill(c, random);
  else
    std::fill(c.bytes.begin(), c.bytes.end(), 0xff);
  Data expected = c;

  Target target = host_target();
  target.units = p.units;
  if (p.vector_bytes) target.vector_bytes = p.vector_bytes;
  if (p.vector_bytes) target.vector_registers = 16;
  target.flops_f32 = target.flops_f64 = p.flops;
  run_kernel(step, target, {a.address(), b.address()}, c.address(), p.alpha, p.beta);

  std::vector<char> outer, inner;
  for (char l : p.c) outer.push_back(l);
  for (const auto& [l, extent] : p.extents) {
    const bool used = (p.a + p.b).find(l) != std::string::npos;
    if (used && p.c.find(l) == std::string::npos) inner.push_back(l);
  }
  const bool logical = p.compute == DType::boolean || p.semiring == Semiring::or_and;
  std::int64_t wrong = 0;
  std::map<char, std::int64_t> index;
  std::set<std::int64_t> named;
  each_index(outer, p.extents, index, [&] {
    std::complex<double> sum = identity(p.semiring, p.compute);
    each_index(inner, p.extents, index, [&] {
      const auto product =
          combine(p.semiring, a.get(offset_of(a.desc, p.a, index)), b.get(offset_of(b.desc, p.b, index)), logical);
      sum = reduce(p.semiring, sum, product, logical);
    });
    if (p.scaled) sum *= p.alpha;
    const std::int64_t at = offset_of(c.desc, p.c, index);
    if (p.accumulates) {
      const auto old = expected.get(at);
      sum = p.semiring == Semiring::plus_times && !logical ? sum + p.beta * old : reduce(p.semiring, old, sum, logical);
    }
    expected.set(at, sum);
    named.insert(at);
    if (expected.get(at) != c.get(at)) ++wrong;
  });
  const auto size = static_cast<std::int64_t>(size_of(c.desc.dtype));
  for (std::int64_t i = 0; i * size < static_cast<std::int64_t>(c.bytes.size()); ++i) {
    if (named.count(i - c.origin)) continue;
    if (std::memcmp(c.bytes.data() + i * size, expected.bytes.data() + i * size, static_cast<std::size_t>(size)) != 0)
      ++wrong;
  }
  return wrong;
}

}  // namespace einloom::testing
