// Every plan, whatever is asked, keeps the rules of check_plan.
#include "check_plan.h"
#include "random_contraction.h"
#include "tests/support/catch.h"

using namespace einloom;

namespace {

void check_many(std::uint64_t seed, int count, const Draw& draw) {
  std::mt19937_64 random(seed);
  for (int i = 0; i < count; ++i) {
    const Case c = random_case(random, draw);
    INFO("seed " << seed << " case " << i << ": " << c.text);
    const Plan plan = make_plan(c.contraction, c.options, c.target);
    const std::string broken = check_plan(plan, c.contraction, c.options, c.target);
    INFO(to_string(plan));
    REQUIRE(broken == "");
    REQUIRE(!path_report(plan, c.contraction, c.target).empty());
  }
}

}  // namespace

TEST_CASE("random small contractions are planned legally") { check_many(1, 3000, {}); }

TEST_CASE("random large contractions are planned legally") {
  Draw draw;
  draw.extents = {1, 2, 7, 40, 300};
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
