// Many threads on one Context and one Program, fork, overlap of output and operands, and the kinds of errors.
#include <einloom/einloom.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/oracle/case_support.h"

namespace einloom::test {

namespace {

template <class Work>
void in_threads(int count, Work work) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back([=] { work(t); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_CASE("one context used from eight threads, the same and different expressions") {
  Context context;
  std::atomic<int> wrong{0};
  in_threads(8, [&](int t) {
    Random random(static_cast<std::uint64_t>(t % 4));
    for (int round = 0; round < 12; ++round) {
      const std::int64_t n = 2 + round;
      const Tensor a = random_dense(random, {n, n + 1}), b = random_sparse(random, {n + 1, 3}, 0.5);
      const char* const text = round % 2 == 0 ? "ij,jk->ik" : "ij,jk->kj";
      const Tensor got = context.einsum(text, {a, b});
      if (!against_oracle(text, {a, b}, {}, got).empty()) ++wrong;
    }
  });
  CHECK(wrong == 0);
  const Tensor a = arange<double>({3, 4});
  context.einsum("ij,kj->ik", {a, a});
  const Context::Stats before = context.stats();
  context.einsum("ij,kj->ik", {a, a});
  CHECK(context.stats().plan_hits == before.plan_hits + 1);
  CHECK(context.stats().plan_misses == before.plan_misses);
}

TEST_CASE("one program run by eight threads at once") {
  Context context;
  Random random(2);
  const Tensor s = random_sparse(random, {40, 50}, 0.2), t = random_sparse(random, {50, 30}, 0.2);
  Options options;
  options.out_format = Layout::csf;
  const Program program = context.compile("ij,jk->ik", {s.desc(), t.desc()}, options);
  const Tensor want = program.run({s, t});
  CHECK(against_oracle("ij,jk->ik", {s, t}, {}, want) == "");
  std::atomic<int> wrong{0};
  in_threads(8, [&](int) {
    for (int round = 0; round < 50; ++round) {
      if (!identical(program.run({s, t}), want)) ++wrong;
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("a program refuses operands it was not compiled for") {
  Context context;
  const Tensor a = arange<double>({2, 3}), b = arange<double>({3, 2});
  const Program program = context.compile("ij,jk->ik", {a.desc(), b.desc()});
  CHECK(error_of([&] { program.run({a, a}); }).kind() == Error::Kind::input);
  CHECK(error_of([&] { program.run({a}); }).kind() == Error::Kind::input);
  CHECK(error_of([&] { program.run({a.to_dtype(DType::f32), b}); }).kind() == Error::Kind::input);
  CHECK(error_of([&] { program.run({a.to_sparse(), b}); }).kind() == Error::Kind::input);
  Tensor small = Tensor::zeros(DType::f64, {1, 2});
  CHECK(error_of([&] { program.run({a, b}, small); }).kind() == Error::Kind::input);
}

TEST_CASE("a context in a child after fork is an error that says so") {
  Context context;
  context.einsum("ij,jk->ik", {arange<double>({2, 3}), arange<double>({3, 2})});
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    std::string said = "nothing";
    try {
      context.einsum("ij,jk->ik", {arange<double>({2, 3}), arange<double>({3, 2})});
    } catch (const Error& error) {
      said = error.message();
    }
    const ssize_t written = ::write(ends[1], said.data(), said.size());
    _exit(written < 0);
  }
  close(ends[1]);
  char buffer[512] = {};
  const ssize_t size = ::read(ends[0], buffer, sizeof buffer - 1);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(size > 0);
  CHECK(has(buffer, "fork"));
}

TEST_CASE("an output that overlaps an operand or itself is refused and nothing is written") {
  std::vector<double> cells{1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<double> before = cells;
  const Tensor a = Tensor::view(cells.data(), {2, 2});
  Tensor out = Tensor::view(cells.data() + 3, {2, 2});
  const Error error = error_of([&] { shared_context().einsum_into(out, "ij,jk->ik", {a, a}); });
  CHECK(error.kind() == Error::Kind::input);
  CHECK(has(error.message(), "overlap"));
  Tensor self = Tensor::view(cells.data() + 4, {2, 2}, Ints{0, 1});
  CHECK(error_of([&] { shared_context().einsum_into(self, "ij,jk->ik", {a, a}); }).kind() == Error::Kind::input);
  CHECK(cells == before);

  Tensor apart = Tensor::view(cells.data() + 4, {2, 2});
  shared_context().einsum_into(apart, "ij,jk->ik", {a, a});
  CHECK(cells == std::vector<double>{1, 2, 3, 4, 7, 10, 15, 22});
  // Cells between one another, none shared: every second is an operand's, the others the output's.
  std::vector<double> mixed{1, 0, 2, 0, 3, 0, 4, 0};
  const Tensor even = Tensor::view(mixed.data(), {2, 2}, Ints{4, 2});
  Tensor odd = Tensor::view(mixed.data() + 1, {2, 2}, Ints{4, 2});
  try {
    shared_context().einsum_into(odd, "ij,jk->ik", {even, even});
    CHECK(mixed == std::vector<double>{1, 7, 2, 10, 3, 15, 4, 22});
  } catch (const Error& refused) {
    CHECK(has(refused.message(), "overlap"));
  }
}

TEST_CASE("an output must fit, and a read-only one is refused") {
  const Tensor a = arange<double>({2, 3}), b = arange<double>({3, 2});
  Tensor wrong_shape = Tensor::zeros(DType::f64, {2, 3});
  CHECK(error_of([&] { shared_context().einsum_into(wrong_shape, "ij,jk->ik", {a, b}); }).kind() == Error::Kind::input);
  Tensor narrow = Tensor::zeros(DType::i32, {2, 2});
  CHECK(error_of([&] { shared_context().einsum_into(narrow, "ij,jk->ik", {a, b}); }).kind() == Error::Kind::input);
  const std::vector<double> fixed(4, 0);
  Tensor constant = Tensor::view(fixed.data(), {2, 2});
  CHECK(error_of([&] { shared_context().einsum_into(constant, "ij,jk->ik", {a, b}); }).kind() == Error::Kind::input);
  CHECK(fixed == std::vector<double>(4, 0));
}

TEST_CASE("sizes that overflow or cannot be had are refused by kind") {
  static const double one = 1;
  const std::int64_t long_extent = std::int64_t{1} << 31;
  const Tensor line = Tensor::view(&one, {long_extent}, Ints{0});
  const Error huge = error_of([&] { shared_context().einsum("i,j,k->ijk", {line, line, line}); });
  CHECK((huge.kind() == Error::Kind::input || huge.kind() == Error::Kind::memory));
  const Error large = error_of([&] { shared_context().einsum("i,j->ij", {line, line}); });
  CHECK((large.kind() == Error::Kind::input || large.kind() == Error::Kind::memory));
  CHECK(error_of([&] {
          Tensor::zeros(DType::f64, {long_extent, long_extent, long_extent});
        }).kind() != Error::Kind::internal);
  CHECK(error_of([] { Tensor::from<double>({2, 3}, {1, 2}); }).kind() == Error::Kind::input);
  CHECK(error_of([] { Tensor::zeros(DType::f64, {-1}); }).kind() == Error::Kind::input);
  CHECK(error_of([] { Tensor::view(static_cast<double*>(nullptr), {2}); }).kind() == Error::Kind::input);
  CHECK(error_of([] { Tensor::from<double>({1}, {1}).data<float>(); }).kind() == Error::Kind::input);
}

}  // namespace einloom::test
