// Paths: known optima, every path against the one found, paths given by the user, large networks.
#include <chrono>
#include <cstdio>

#include "check_plan.h"
#include "frontend/error.h"
#include "random_contraction.h"
#include "tests/support/catch.h"

using namespace einloom;

namespace {

Plan planned(const Contraction& c, PlanOptions options = {}) {
  const Plan plan = make_plan(c, options, Target{});
  REQUIRE(check_plan(plan, c, options, Target{}) == "");
  return plan;
}

PlanOptions with_path(const std::string& path) {
  PlanOptions options;
  options.path = path;
  return options;
}

// Every pairwise path of n operands, as text.
void all_paths(int left, const std::string& so_far, std::vector<std::string>& out) {
  if (left == 1) return out.push_back(so_far);
  for (int a = 0; a < left; ++a) {
    for (int b = a + 1; b < left; ++b) {
      all_paths(left - 1,
                so_far + (so_far.empty() ? "" : ",") + "(" + std::to_string(a) + "," + std::to_string(b) + ")", out);
    }
  }
}

Contraction chain(int matrices, std::int64_t extent) {
  Contraction c;
  for (int i = 0; i < matrices; ++i) {
    c.inputs.push_back({i, i + 1});
    c.operands.push_back(dense_desc(DType::f64, {extent, extent}));
  }
  c.extents.assign(static_cast<std::size_t>(matrices) + 1, extent);
  c.output = {0, matrices};
  return c;
}

}  // namespace

TEST_CASE("the textbook matrix chain takes 15125 multiply-adds") {
  const Contraction c = dense_contraction("ab,bc,cd,de,ef,fg->ag", "abcdefg", {30, 35, 15, 5, 10, 20, 25});
  REQUIRE(planned(c).flops == 2 * 15125);
  REQUIRE(planned(c).path_method == "optimal");
}

TEST_CASE("of all paths of four operands none has far fewer flops than the one found") {
  std::vector<std::string> paths;
  all_paths(4, "", paths);
  REQUIRE(paths.size() == 18);
  std::mt19937_64 random(7);
  Draw draw;
  draw.sparse = false;
  draw.most_labels = 6;
  draw.extents = {8, 13, 21};
  int compared = 0;
  for (int i = 0; i < 400 && compared < 60; ++i) {
    const Case c = random_case(random, draw);
    if (c.contraction.operands.size() != 4) continue;
    ++compared;
    INFO(c.text);
    double least = INFINITY;
    for (const std::string& path : paths) least = std::min(least, planned(c.contraction, with_path(path)).flops);
    PlanOptions pairwise;
    pairwise.strategy = "pairwise";
    REQUIRE(planned(c.contraction, pairwise).flops <= 1.5 * least + 2000);
  }
  REQUIRE(compared == 60);
}

TEST_CASE("given paths are taken as opt_einsum counts") {
  const Contraction c = dense_contraction("ab,bc,cd->ad", "abcd", {5, 6, 7, 8});
  REQUIRE(planned(c, with_path("(0,1),(0,1)")).path_text == "(0,1),(0,1)");
  REQUIRE(planned(c, with_path("[(1, 2), (0, 1)]")).steps.size() == 2);
  REQUIRE(planned(c, with_path("(0,1,2)")).steps.size() == 1);
  REQUIRE(planned(c, with_path("(0,),(0,1,2)")).path_method == "given");
  REQUIRE(planned(dense_contraction("ab->ba", "ab", {2, 3}), with_path("(0,)")).steps.size() == 1);
}

TEST_CASE("a bad path is refused with what was expected") {
  const Contraction c = dense_contraction("ab,bc,cd->ad", "abcd", {5, 6, 7, 8});
  const auto message = [&](const std::string& path) {
    try {
      make_plan(c, with_path(path), Target{});
    } catch (const Error& error) {
      REQUIRE(error.kind() == Error::Kind::input);
      return error.message();
    }
    return std::string("accepted");
  };
  REQUIRE(message("fast") == "a path is auto, optimal, greedy or steps like \"(0,1),(0,1)\": expected '(' here");
  REQUIRE(message("") == "a path is auto, optimal, greedy or steps like \"(0,1),(0,1)\": expected '(' here");
  REQUIRE(message("(0,1") == "a path is auto, optimal, greedy or steps like \"(0,1),(0,1)\": expected ',' or ')' here");
  REQUIRE(message("(0,1),(0,1)x") ==
          "a path is auto, optimal, greedy or steps like \"(0,1),(0,1)\": expected ',' or the end here");
  REQUIRE(message("(0,-1)") ==
          "a path is auto, optimal, greedy or steps like \"(0,1),(0,1)\": expected a position here");
  REQUIRE(message("(0,3),(0,1)") == "step 0 of the path names position 3, expected less than 3 as 3 operands are left");
  REQUIRE(message("(1,1),(0,1)") == "step 0 of the path names a position twice, expected distinct ones");
  REQUIRE(message("(0,1)") == "the path leaves 2 operands, expected one");
  REQUIRE(message("(0,1),(0,1),(0,1)") ==
          "step 2 of the path names position 1, expected less than 1 as 1 operand is left");
}

TEST_CASE("chains of 26, 40 and 500 matrices cost what a chain costs") {
  for (const int n : {26, 40, 500}) REQUIRE(planned(chain(n, 2)).flops == 16.0 * (n - 1));
}

TEST_CASE("networks of a thousand operands are planned") {
  const auto begin = std::chrono::steady_clock::now();
  const Contraction c = chain(1000, 3);
  const Plan plan = planned(c);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  std::printf("1000 matrices planned in %.1f ms\n", taken.count());
  REQUIRE(plan.steps.size() == 999);
  const std::string report = path_report(plan, c, Target{});
  REQUIRE(report.find("more steps") != std::string::npos);
  REQUIRE(report.size() < 20000);
}

TEST_CASE("a label that a thousand vectors share stays cheap") {
  Contraction c;
  for (int i = 0; i < 1000; ++i) {
    c.inputs.push_back({0, i + 1});
    c.operands.push_back(dense_desc(DType::f64, {7, 3}));
  }
  c.extents.assign(1001, 3);
  c.extents[0] = 7;
  REQUIRE(planned(c).flops < 1e6);
}

TEST_CASE("the same arguments give the same plan") {
  const Contraction c =
      dense_contraction("gfl,egh,efj,mjk,cdn,bck,bdi,oih->lmno", "abcdefghijklmno", std::vector<std::int64_t>(15, 6));
  REQUIRE(to_string(planned(c)) == to_string(planned(c)));
}
