// Every plan, whatever is asked, keeps the rules of check_plan.
#include "check_plan.h"
#include "frontend/error.h"
#include "random_contraction.h"
#include "run_plan.h"
#include "tests/support/catch.h"

using namespace einloom;

namespace {

void check_many(std::uint64_t seed, int count, const Draw& draw, bool run = false) {
  std::mt19937_64 random(seed);
  for (int i = 0; i < count; ++i) {
    const Case c = random_case(random, draw);
    INFO("seed " << seed << " case " << i << ": " << c.text);
    const Plan plan = make_plan(c.contraction, c.options, c.target);
    const std::string broken = check_plan(plan, c.contraction, c.options, c.target);
    INFO(to_string(plan));
    REQUIRE(broken == "");
    if (run) REQUIRE(compare_with_definition(plan, c.contraction, c.options, static_cast<unsigned>(i)) == "");
    REQUIRE(!path_report(plan, c.contraction, c.target).empty());
  }
}

}  // namespace

TEST_CASE("random small contractions are planned legally and mean what is asked") {
  check_many(1, 3000, {}, true);
  Draw dense;
  dense.sparse = false;
  check_many(5, 1500, dense, true);
}

TEST_CASE("random large contractions are planned legally") {
  Draw draw;
  draw.extents = {1, 2, 7, 40, 67, 96, 300};
  check_many(2, 2000, draw);
  draw.sparse = false;
  check_many(3, 1000, draw);
}

TEST_CASE("random contractions of many operands and labels are planned legally") {
  Draw draw;
  draw.most_operands = 8;
  draw.most_labels = 9;
  draw.most_modes = 4;
  draw.extents = {1, 2, 3, 5};
  check_many(4, 500, draw);
}

TEST_CASE("memory limits are kept by slicing, and the result is still what is asked") {
  std::mt19937_64 random(6);
  Draw draw;
  draw.most_operands = 5;
  draw.most_labels = 6;
  draw.extents = {1, 2, 3};
  int sliced = 0, refused = 0, gathered = 0;
  for (int i = 0; i < 8000; ++i) {
    Case c = random_case(random, draw);
    c.options.strategy = i % 3 ? "auto" : "pairwise";
    INFO("case " << i << ": " << c.text);
    const Plan free = make_plan(c.contraction, c.options, c.target);
    if (free.peak_bytes == 0) continue;
    c.options.memory_limit =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(free.peak_bytes)));
    try {
      const Plan plan = make_plan(c.contraction, c.options, c.target);
      INFO(to_string(plan));
      REQUIRE(check_plan(plan, c.contraction, c.options, c.target) == "");
      REQUIRE(compare_with_definition(plan, c.contraction, c.options, static_cast<unsigned>(i)) == "");
      sliced += !plan.sliced.empty();
      gathered += plan.zeroed_temp >= 0;
    } catch (const Error& error) {
      REQUIRE(error.kind() == Error::Kind::memory);
      ++refused;
    }
  }
  REQUIRE(sliced > 10);
  REQUIRE(gathered > 5);
  REQUIRE(refused > 0);
}

TEST_CASE("transposes are cut into tiles, and still mean what is asked") {
  const Target target;
  for (const auto& [rows, columns] :
       {std::pair<std::int64_t, std::int64_t>{64, 96}, {67, 64}, {64, 67}, {67, 71}, {24, 300}, {300, 24}}) {
    for (const std::string text : {"ij->ji", "ij,ji->ij", "aij->jai", "ji,j->ij"}) {
      INFO(text << " " << rows << "x" << columns);
      const Contraction c = dense_contraction(text, "ija", {rows, columns, 3});
      PlanOptions options;
      options.scaled = true;
      const Plan plan = make_plan(c, options, target);
      REQUIRE(check_plan(plan, c, options, target) == "");
      REQUIRE(compare_with_definition(plan, c, options, 1) == "");
      REQUIRE(plan.steps[0].accumulate == Accumulate::direct);
      const bool tiled = plan.steps[0].note.find("tiles") != std::string::npos;
      REQUIRE(tiled == (rows != 67 || columns != 71));
    }
  }
}
