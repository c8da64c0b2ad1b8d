// Every expression of at most two operands over at most three labels, none repeated in one operand, up to renaming: all
// orders of labels, every ordered subset as output, operands dense, CSF or COO, the result dense or CSF. Each at four
// draws of extents from 0..3 with values that are small integers, so that results are compared exactly.
//
//   test_exhaustive [--seed S] [--one-in N] [--threads T]
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

#include "tests/support/arguments.h"
#include "tests/support/oracle.h"

namespace {

using namespace einloom;
using namespace einloom::test;

constexpr int draws = 4;
enum class Store { dense, csf, coo };
constexpr Store stores[] = {Store::dense, Store::csf, Store::coo};

struct Case {
  std::vector<std::vector<int>> inputs;
  std::vector<Store> formats;
  std::vector<int> output;
  bool sparse_result = false;
};

// Every ordered subset of 0..count-1.
std::vector<std::vector<int>> ordered_subsets(int count) {
  std::vector<std::vector<int>> all{{}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (int label = 0; label < count; ++label) {
      if (std::find(all[i].begin(), all[i].end(), label) != all[i].end()) continue;
      all.push_back(all[i]);
      all.back().push_back(label);
    }
  }
  return all;
}

// Labels new to the second operand must appear in ascending order without a hole: others are renamings.
bool canonical(const std::vector<int>& second, int first, int& total) {
  total = first;
  for (const int label : second) {
    if (label > total) return false;
    if (label == total) ++total;
  }
  return true;
}

void add_formats(std::vector<Case>& cases, Case base, std::size_t operand) {
  if (operand == base.inputs.size()) {
    cases.push_back(base);
    if (base.output.empty()) return;  // a scalar is dense
    base.sparse_result = true;
    cases.push_back(base);
    return;
  }
  for (const Store store : stores) {
    if (base.inputs[operand].empty() && store != Store::dense) continue;
    base.formats.resize(operand + 1);
    base.formats[operand] = store;
    add_formats(cases, base, operand + 1);
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (int first = 0; first <= 3; ++first) {
    std::vector<int> labels;
    for (int l = 0; l < first; ++l) labels.push_back(l);
    for (const auto& output : ordered_subsets(first)) add_formats(cases, {{labels}, {}, output, false}, 0);
    for (const auto& second : ordered_subsets(3)) {
      int total = 0;
      if (!canonical(second, first, total)) continue;
      for (const auto& output : ordered_subsets(total)) add_formats(cases, {{labels, second}, {}, output, false}, 0);
    }
  }
  return cases;
}

std::string text_of(const Case& c) {
  std::string text;
  for (std::size_t o = 0; o < c.inputs.size(); ++o) {
    if (o > 0) text += ',';
    for (const int label : c.inputs[o]) text += static_cast<char>('i' + label);
  }
  text += "->";
  for (const int label : c.output) text += static_cast<char>('i' + label);
  return text;
}

std::string describe(const Case& c, const std::vector<std::int64_t>& extents) {
  static constexpr const char* names[] = {"dense", "csf", "coo"};
  std::string text = text_of(c) + "  operands";
  for (std::size_t o = 0; o < c.inputs.size(); ++o) {
    text += std::string(" ") + names[static_cast<int>(c.formats[o])] + "(";
    for (const int label : c.inputs[o]) text += std::to_string(extents[static_cast<std::size_t>(label)]) + " ";
    text += ")";
  }
  return text + (c.sparse_result ? "  result csf" : "  result dense");
}

std::string check(Context& context, const Case& c, const std::vector<std::int64_t>& extents, Random& random) {
  std::vector<Array> arrays;
  for (std::size_t o = 0; o < c.inputs.size(); ++o) {
    std::vector<std::int64_t> shape;
    for (const int label : c.inputs[o]) shape.push_back(extents[static_cast<std::size_t>(label)]);
    arrays.push_back(make_array(DType::f64, shape));
    for (std::size_t i = 0; i < arrays[o].size(); ++i) arrays[o].set(i, static_cast<double>(draw(random, -3, 3)));
    if (c.formats[o] == Store::dense) continue;
    arrays[o].present.resize(arrays[o].size());
    for (char& present : arrays[o].present) present = chance(random, 0.5);
  }
  OracleProblem problem;
  std::vector<Held> held(arrays.size());
  std::vector<Tensor> operands;
  for (std::size_t o = 0; o < arrays.size(); ++o) {
    problem.operands.push_back(&arrays[o]);
    if (c.formats[o] == Store::dense) {
      held[o] = dense_tensor(arrays[o]);
      operands.push_back(held[o].tensor);
    } else {
      operands.push_back(sparse_tensor(arrays[o], c.formats[o] == Store::csf ? csf() : coo()));
    }
  }
  problem.labels = c.inputs;
  problem.output = c.output;
  Options options;
  options.out_format = c.sparse_result ? Layout::csf : Layout::dense;
  try {
    const Tensor got = context.einsum(text_of(c), Operands(operands), options);
    if (got.sparse() != c.sparse_result) return "the result's layout is not the one asked for";
    return compare(problem, oracle(problem), got, DType::f64, true);
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const auto seed = static_cast<std::uint64_t>(arguments.number("--seed", 1));
  const auto one_in = static_cast<std::size_t>(std::max<std::int64_t>(arguments.number("--one-in", 1), 1));
  const auto cores = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  const std::int64_t threads = arguments.number("--threads", cores);
  const std::vector<Case> cases = all_cases();
  Context context;
  const Stopwatch watch;
  std::atomic<std::size_t> next{0}, passed{0}, failed{0};
  std::mutex printing;
  const auto work = [&] {
    for (std::size_t n = next++; n < cases.size(); n = next++) {
      if ((n + seed) % one_in != 0) continue;
      for (int d = 0; d < draws; ++d) {
        Random random(seed * 1000003 + n * draws + static_cast<std::size_t>(d));
        std::vector<std::int64_t> extents;
        for (int label = 0; label < 3; ++label) extents.push_back(draw(random, 0, 3));
        const std::string wrong = check(context, cases[n], extents, random);
        if (wrong.empty()) {
          ++passed;
          continue;
        }
        if (++failed > 20) continue;
        const std::lock_guard<std::mutex> lock(printing);
        std::printf("FAIL case %zu draw %d: %s: %s\n", n, d, describe(cases[n], extents).c_str(), wrong.c_str());
      }
    }
  };
  std::vector<std::thread> workers;
  for (std::int64_t t = 0; t < threads; ++t) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  const Context::Stats stats = context.stats();
  std::printf("exhaustive: seed %llu, %zu cases, one in %zu at %d draws, %llu kernels, %.1f s\n",
              static_cast<unsigned long long>(seed), cases.size(), one_in, draws,
              static_cast<unsigned long long>(stats.kernel_misses), watch.seconds());
  std::printf("%zu passed, %zu failed\n", passed.load(), failed.load());
  return failed > 0;
}
