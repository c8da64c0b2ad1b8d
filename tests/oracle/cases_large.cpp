// Inputs on which einsum systems have failed: many operands, long chains, paths, memory and mode orders.
#include <algorithm>
#include <functional>
#include <map>

#include "tests/oracle/case_support.h"
#include "tests/support/arguments.h"

namespace einloom::test {

namespace {

Tensor shear() { return Tensor::from<double>({2, 2}, {1, 1, 0, 1}); }  // its n-th power is [[1, n], [0, 1]]

std::string utf8(unsigned code) {
  const char bytes[] = {static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 63)),
                        static_cast<char>(0x80 | (code & 63))};
  return std::string(bytes, 3);
}

std::string chain_text(int count, const std::function<std::string(int)>& label) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i > 0 ? "," : "") + label(i) + label(i + 1);
  return text + "->" + label(0) + label(count);
}

void check_power(const Tensor& got, double n) {
  CHECK(got.extents() == Ints{2, 2});
  const double* const x = got.data<double>();
  CHECK(std::vector<double>(x, x + 4) == std::vector<double>{1, n, 0, 1});
}

Tensor interleaved_chain(int count, const Options& options = {}) {
  std::vector<Indexed> operands;
  for (int i = 0; i < count; ++i) operands.push_back({shear(), {i * 7, (i + 1) * 7}});
  const std::vector<std::int64_t> output{0, count * 7};
  return shared_context().einsum(std::span<const Indexed>(operands), &output, options);
}

}  // namespace

TEST_CASE("chains of 26, 40 and 500 matrices") {
  const auto ascii = [](int i) { return std::string(1, static_cast<char>(i < 26 ? 'a' + i : 'A' + i - 26)); };
  const auto unicode = [](int i) { return utf8(0x4e00U + static_cast<unsigned>(i)); };
  for (const int count : {26, 40}) {
    const std::vector<Tensor> operands(static_cast<std::size_t>(count), shear());
    check_power(shared_context().einsum(chain_text(count, ascii), Operands(operands)), count);
  }
  const std::vector<Tensor> operands(500, shear());
  check_power(shared_context().einsum(chain_text(500, unicode), Operands(operands)), 500);
  check_power(interleaved_chain(500), 500);
}

TEST_CASE("networks of thousands of labels, with a memory limit") {
  Options options;
  options.memory_limit = std::int64_t{1} << 30;
  const Stopwatch watch;
  check_power(interleaved_chain(2000, options), 2000);
  CHECK(watch.seconds() < 120);
}

TEST_CASE("a network of eight tensors stays far below the work of its fourteen labels") {
  const std::string text = "gfl,egh,efj,mjk,cdn,bck,bdi,oih";
  const std::vector<Tensor> operands(8, filled<double>({6, 6, 6}, 1));
  for (const std::int64_t limit : {std::int64_t{0}, std::int64_t{1} << 20}) {
    Options options;
    options.memory_limit = limit;
    const Tensor got = shared_context().einsum(text, Operands(operands), options);
    CHECK(got.extents() == Ints{6, 6, 6, 6});
    const double* const x = got.data<double>();
    CHECK(std::all_of(x, x + 1296, [](double value) { return value == 60466176; }));
    std::vector<TensorDesc> descs(8, operands[0].desc());
    CHECK(shared_context().compile(text, std::span<const TensorDesc>(descs), options).stats().flops < 1e8);
  }
}

TEST_CASE("ten operands over four labels are planned in milliseconds") {
  const std::string text = "a,c,d,db,ab,cb,ac,cd,ad,b->dbc";
  std::vector<Tensor> operands;
  for (const char* term : {"a", "c", "d", "db", "ab", "cb", "ac", "cd", "ad", "b"}) {
    operands.push_back(arange<double>(Ints(std::string(term).size(), 2)));
  }
  check(text, operands);
  std::vector<TensorDesc> descs;
  for (const Tensor& operand : operands) descs.push_back(operand.desc());
  Options afresh;
  afresh.no_cache = true;
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    best = std::min(best, shared_context().compile(text, std::span<const TensorDesc>(descs), afresh).stats().plan_us);
  }
  CHECK(best < EINLOOM_PLAN_BOUND_US);
}

TEST_CASE("sixteen wide operands and a core stay below the memory limit") {
  const std::int64_t limit = std::int64_t{1} << 30;
  std::vector<TensorDesc> descs;
  std::string text, core;
  for (int i = 0; i < 16; ++i) {
    const std::string own(1, static_cast<char>('A' + i));
    text += "abc" + own + ",";
    core += own;
    descs.push_back(dense_desc(DType::f64, {512, 25, 25, 2}));
  }
  text += core + "w->abcw";
  descs.push_back(dense_desc(DType::f64, Ints(17, 2)));
  Options options;
  options.memory_limit = limit;
  try {
    CHECK(shared_context().compile(text, std::span<const TensorDesc>(descs), options).stats().peak_bytes <= limit);
  } catch (const Error& error) {
    CHECK(error.kind() != Error::Kind::internal);
    CHECK(has(error.message(), "limit"));
  }
}

TEST_CASE("a small network under a small memory limit is sliced, or refused by name") {
  Random random(7);
  const std::vector<Tensor> operands{random_dense(random, {20, 6, 6}), random_dense(random, {20, 6, 6}),
                                     random_dense(random, {6, 6, 6}), random_dense(random, {20, 6})};
  const std::string text = "aij,ajk,jkl,al->ai";
  int answered = 0;
  for (const std::int64_t limit : {1 << 12, 1 << 14, 1 << 16, 1 << 20}) {
    Options options;
    options.memory_limit = limit;
    try {
      const Tensor got = shared_context().einsum(text, Operands(operands), options);
      CHECK(against_oracle(text, operands, options, got) == "");
      ++answered;
    } catch (const Error& error) {
      CHECK(error.kind() != Error::Kind::internal);
      CHECK(has(error.message(), "limit"));
    }
  }
  CHECK(answered > 0);
}

TEST_CASE("a Hadamard product of two matrices is formed first") {
  const std::vector<TensorDesc> descs(4, dense_desc(DType::f64, {500, 500}));
  const Program program = shared_context().compile("ij,jk,kl,jk->il", std::span<const TensorDesc>(descs));
  CHECK(program.stats().peak_bytes <= std::int64_t{8} * 500 * 500 * 4);
  Random random(9);
  const Tensor m = random_dense(random, {12, 12});
  check("ij,jk,kl,jk->il", {m, m, m, m});
}

TEST_CASE("a path given by the caller, with a step of three operands") {
  Random random(13);
  const std::vector<Tensor> operands{random_dense(random, {3, 4}), random_dense(random, {4, 5}),
                                     random_dense(random, {5, 2}), random_dense(random, {2, 3})};
  for (const char* path : {"(0,1,2),(0,1)", "(0,1),(0,1),(0,1)", "(0,1,2,3)", "(1,3),(0,2),(0,1)", "(2,3),(0,1,2)"}) {
    Options options;
    options.path = path;
    INFO(path);
    const Tensor got = shared_context().einsum("ab,bc,cd,de->ae", Operands(operands), options);
    CHECK(against_oracle("ab,bc,cd,de->ae", operands, options, got) == "");
  }
  for (const char* path : {"(0,9)", "(0,0)", "(0,1", "nonsense", "(0,1),(0,1),(0,1),(0,1)", "(-1,0)"}) {
    Options options;
    options.path = path;
    INFO(path);
    const Error error = error_of([&] { shared_context().einsum("ab,bc,cd,de->ae", Operands(operands), options); });
    CHECK(error.kind() == Error::Kind::input);
  }
}

TEST_CASE("bonds of extent 1 and labels of size 1 on many operands") {
  check("abcd,defg,ghij,jkla->bcefhikl", {arange<double>({2, 1, 1, 1}), arange<double>({1, 2, 1, 1}),
                                          arange<double>({1, 1, 2, 1}), arange<double>({1, 1, 1, 2})});
  std::vector<Tensor> operands;
  std::string text;
  for (int i = 0; i < 12; ++i) {
    operands.push_back(arange<double>({2, 1, 2}));
    text += (i > 0 ? "," : "") + std::string(1, static_cast<char>('a' + i)) + "z" +
            std::string(1, static_cast<char>('b' + i));
  }
  check(text + "->za", operands);
}

TEST_CASE("a hundred thousand products of 1x1 matrices") {
  const std::int64_t batch = std::int64_t{1} << 17;
  const Tensor ones = filled<double>({batch, 1, 1}, 1);
  const Tensor got = shared_context().einsum("bij,bjk->bik", {ones, ones});
  CHECK(got.extents() == Ints{batch, 1, 1});
  CHECK(got.sum() == 131072);
}

TEST_CASE("matrix-vector products over a batch and over the inner modes") {
  Random random(21);
  check("ac,abc->cb", {random_dense(random, {2, 2000}), random_dense(random, {2, 2, 2000})});
  check("jk,ijkl->il", {random_dense(random, {16, 17}), random_dense(random, {15, 16, 17, 18})});
}

TEST_CASE("batched products in every mode order") {
  Random random(17);
  const auto permuted = [&](std::string term) {
    std::shuffle(term.begin(), term.end(), random);
    return term;
  };
  const std::map<char, std::int64_t> extents{{'b', 3}, {'m', 37}, {'k', 19}, {'n', 21}};
  for (int i = 0; i < 121; ++i) {
    const std::string left = i == 0 ? "bmk" : permuted("bmk"), right = i == 0 ? "bkn" : permuted("bkn");
    const std::string text = left + "," + right + "->" + (i == 0 ? "bmn" : permuted("bmn"));
    const auto shape = [&](const std::string& term) {
      Ints out;
      for (const char label : term) out.push_back(extents.at(label));
      return out;
    };
    const DType type = i % 2 == 0 ? DType::f64 : DType::f32;
    const std::vector<Tensor> operands{random_dense(random, shape(left), type),
                                       random_dense(random, shape(right), type)};
    INFO(text);
    const Tensor got = shared_context().einsum(text, Operands(operands));
    CHECK(against_oracle(text, operands, {}, got) == "");
  }
}

}  // namespace einloom::test
