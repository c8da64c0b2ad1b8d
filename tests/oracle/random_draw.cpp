// Draws a random problem from a seed.
#include <algorithm>
#include <numeric>

#include "tests/oracle/random_case.h"

namespace einloom::test {

namespace {

constexpr DType all_types[] = {DType::boolean, DType::i32, DType::i64, DType::f16, DType::bf16,
                               DType::f32,     DType::f64, DType::c64, DType::c128};
constexpr DType ordered_types[] = {DType::i32, DType::i64, DType::f16, DType::bf16, DType::f32, DType::f64};

template <class T, std::size_t N>
T pick(Random& random, const T (&from)[N]) {
  return from[random() % N];
}

struct Scale {
  int least_operands, most_operands, most_labels, most_modes;
  std::int64_t low, high;
  double work;
  double sparse;  // chance of a sparse operand
};

Scale draw_scale(Random& random) {
  const double kind = static_cast<double>(random() % 100);
  if (kind < 8) return {2, 2, 4, 4, 3, 140, 3e6, 0.0};   // packed panels with edge tiles
  if (kind < 16) return {5, 8, 8, 4, 1, 3, 2e4, 0.4};    // many operands
  if (kind < 26) return {1, 3, 4, 3, 8, 120, 1e6, 0.8};  // many non-zeros
  return {1, 4, 6, 5, 1, 7, 5e4, 0.45};
}

int kind_of(DType type) {
  if (type == DType::boolean) return 0;
  if (is_integer(type)) return 1;
  return is_complex(type) ? 3 : 2;
}

std::vector<int> shuffled(Random& random, std::size_t count) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

Format draw_format(Random& random, std::size_t modes) {
  Format format;
  const std::uint64_t kind = random() % 10;
  if (kind < 3) {
    format.levels.assign(modes, Level::compressed);
  } else if (kind < 5) {
    format.levels.assign(modes, Level::singleton);
    format.levels[0] = Level::nonunique;
  } else {
    for (std::size_t l = 0; l < modes; ++l) {
      const bool follows = l > 0 && format.levels.back() >= Level::nonunique;
      const std::uint64_t level = random() % (follows ? 6 : 5);
      format.levels.push_back(level < 2                    ? Level::dense
                              : level < 4                  ? Level::compressed
                              : level < 5 && l + 1 < modes ? Level::nonunique
                              : follows                    ? Level::singleton
                                                           : Level::compressed);
    }
  }
  format.order = shuffled(random, modes);
  if (chance(random, 0.5)) std::sort(format.order.begin(), format.order.end());
  return format;
}

Placement draw_placement(Random& random, std::size_t modes, bool output) {
  Placement placement;
  if (chance(random, 0.4)) return placement;
  if (chance(random, 0.6)) placement.order = shuffled(random, modes);
  placement.gap.assign(modes, 1);
  for (std::int64_t& gap : placement.gap) {
    if (chance(random, 0.25)) gap = -1;
    if (chance(random, 0.2)) gap *= draw(random, 2, 3);
    if (!output && chance(random, 0.06)) gap = 0;
  }
  placement.offset = static_cast<int>(draw(random, 0, 3));
  return placement;
}

void draw_types(Random& random, RandomCase& c) {
  if (chance(random, 0.35)) c.semiring = static_cast<Semiring>(random() % semiring_count);
  const bool ordered = c.semiring != Semiring::plus_times && c.semiring != Semiring::or_and;
  const auto one = [&] { return ordered ? pick(random, ordered_types) : pick(random, all_types); };
  const bool mixed = chance(random, 0.4);
  const DType common = chance(random, 0.4) ? DType::f64 : one();
  for (RandomOperand& operand : c.operands) operand.dtype = mixed ? one() : common;
  if (c.semiring != Semiring::or_and && chance(random, 0.1)) {
    const DType asked = one();
    if (kind_of(asked) >= kind_of(c.promoted()) && !(ordered && asked == DType::boolean)) c.options.dtype = asked;
  }
  c.options.semiring = c.semiring;
  c.large_ints = c.semiring == Semiring::plus_times && is_integer(c.result()) && chance(random, 0.3);
}

std::vector<int> draw_term(Random& random, const std::vector<int>& labels, int most) {
  std::vector<int> term;
  const std::vector<int> order = shuffled(random, labels.size());
  const auto modes =
      static_cast<std::size_t>(draw(random, 0, std::min<std::int64_t>(most, static_cast<std::int64_t>(labels.size()))));
  for (std::size_t m = 0; m < modes; ++m) term.push_back(labels[static_cast<std::size_t>(order[m])]);
  for (int& label : term) {
    if (chance(random, 0.06)) label = labels[random() % labels.size()];
  }
  return term;
}

// Puts the last `width` ellipsis dimensions into a term, together.
void insert_ellipsis(Random& random, std::vector<int>& term, int width) {
  std::vector<int> dimensions;
  for (int d = width; d-- > 0;) dimensions.push_back(ellipsis_label + d);
  term.insert(term.begin() + draw(random, 0, static_cast<std::int64_t>(term.size())), dimensions.begin(),
              dimensions.end());
}

void draw_labels(Random& random, RandomCase& c, const Scale& scale) {
  std::vector<int> labels(static_cast<std::size_t>(draw(random, 1, scale.most_labels)));
  std::iota(labels.begin(), labels.end(), 0);
  const auto count = static_cast<std::size_t>(draw(random, scale.least_operands, scale.most_operands));
  c.operands.resize(count);
  for (RandomOperand& operand : c.operands) operand.labels = draw_term(random, labels, scale.most_modes);

  std::vector<int> used;
  for (const RandomOperand& operand : c.operands) used.insert(used.end(), operand.labels.begin(), operand.labels.end());
  std::sort(used.begin(), used.end());
  std::vector<int> once;
  for (const int label : used) {
    if (std::count(used.begin(), used.end(), label) == 1) once.push_back(label);
  }
  used.erase(std::unique(used.begin(), used.end()), used.end());

  int width = 0;
  if (chance(random, 0.15)) {
    for (RandomOperand& operand : c.operands) {
      const int own = static_cast<int>(draw(random, 0, 2));
      width = std::max(width, own);
      if (own > 0) insert_ellipsis(random, operand.labels, own);
    }
  }
  c.form = chance(random, 0.15) ? Form::implicit : chance(random, 0.15) ? Form::interleaved : Form::text;
  if (c.form == Form::implicit) {
    for (int d = width; d-- > 0;) c.output.push_back(ellipsis_label + d);
    c.output.insert(c.output.end(), once.begin(), once.end());
  } else {
    if (!used.empty()) c.output = draw_term(random, used, 5);
    std::vector<int> distinct;
    for (const int label : c.output) {
      if (std::find(distinct.begin(), distinct.end(), label) == distinct.end()) distinct.push_back(label);
    }
    if (chance(random, 0.5)) c.output = distinct;
    c.options.write_diagonal = c.output.size() != distinct.size();
    if (width > 0 && chance(random, 0.8)) insert_ellipsis(random, c.output, width);
  }
  bool plain = width == 0 && c.form == Form::text;
  for (const RandomOperand& operand : c.operands) plain = plain && !operand.labels.empty();
  plain = plain && c.operands.size() > 1;  // one operand does not name a semiring
  if (plain && !c.output.empty() && chance(random, 0.15)) c.form = Form::index;

  for (const RandomOperand& operand : c.operands) {
    for (const int label : operand.labels)
      c.extents[label] = chance(random, 0.02) ? 0 : draw(random, scale.low, scale.high);
  }
  c.options.broadcast = chance(random, 0.1);
  for (RandomOperand& operand : c.operands) {
    for (const int label : operand.labels) {
      operand.ones.push_back((c.options.broadcast || label >= ellipsis_label) && chance(random, 0.25));
    }
  }
  // A label that is 1 in every operand is 1.
  for (auto& [label, extent] : c.extents) {
    bool whole = false;
    for (const RandomOperand& operand : c.operands) {
      for (std::size_t m = 0; m < operand.labels.size(); ++m)
        whole = whole || (operand.labels[m] == label && !operand.ones[m]);
    }
    if (!whole) extent = 1;
  }
  while (c.work() > scale.work) {
    auto largest = c.extents.begin();
    for (auto at = c.extents.begin(); at != c.extents.end(); ++at)
      largest = at->second > largest->second ? at : largest;
    largest->second = (largest->second * 2 + 2) / 3;
  }
}

std::string draw_path(Random& random, std::size_t operands) {
  std::string path;
  for (std::size_t left = operands; left > 1;) {
    const std::size_t size = left > 2 && chance(random, 0.2) ? 3 : 2;
    std::vector<int> chosen = shuffled(random, left);
    chosen.resize(size);
    path += path.empty() ? "(" : ",(";
    for (std::size_t i = 0; i < size; ++i) path += (i > 0 ? "," : "") + std::to_string(chosen[i]);
    path += ")";
    left -= size - 1;
  }
  return path;
}

void draw_options(Random& random, RandomCase& c) {
  static const char* const paths[] = {"greedy", "optimal", "given"};
  static const char* const strategies[] = {"loops", "gett", "fused", "pairwise"};
  if (chance(random, 0.3)) c.options.path = pick(random, paths);
  if (c.options.path == "given") c.options.path = c.operands.size() > 1 ? draw_path(random, c.operands.size()) : "auto";
  if (chance(random, 0.25)) c.options.strategy = pick(random, strategies);
  if (chance(random, 0.06)) c.options.memory_limit = std::int64_t{1} << draw(random, 10, 24);
  c.options.no_cache = chance(random, 0.03);
  if (!c.output.empty() && chance(random, 0.3)) c.options.out_format = chance(random, 0.7) ? Layout::csf : Layout::coo;
  c.out_dtype = c.result();
  if (c.form == Form::interleaved || c.options.out_format != Layout::dense || !chance(random, 0.25)) return;
  c.into = true;
  c.out_placement = draw_placement(random, c.output.size(), true);
  const bool scales = c.semiring == Semiring::plus_times && c.result() != DType::boolean && !c.large_ints;
  if (!scales) return;
  if (c.operands.size() <= 4 && chance(random, 0.3)) {
    const DType wider = promote(c.result(), pick(random, ordered_types));
    if (!c.options.dtype && kind_of(wider) >= kind_of(c.result())) c.out_dtype = wider;
  }
  static constexpr double factors[] = {1, 2, -1, 3};
  c.options.alpha = pick(random, factors);
  c.options.beta = chance(random, 0.4) ? 0.0 : pick(random, factors);
  if (is_complex(c.result()) && chance(random, 0.5)) c.options.alpha += std::complex<double>(0, 0.5);
}

}  // namespace

RandomCase draw_case(std::uint64_t seed) {
  Random random(seed);
  RandomCase c;
  const Scale scale = draw_scale(random);
  draw_labels(random, c, scale);
  draw_types(random, c);
  for (RandomOperand& operand : c.operands) {
    operand.placement = draw_placement(random, operand.labels.size(), false);
    if (operand.labels.empty() || !chance(random, scale.sparse)) continue;
    static constexpr double densities[] = {0.0, 0.02, 0.1, 0.3, 0.6, 1.0};
    operand.sparse = true;
    operand.density = pick(random, densities);
    operand.format = draw_format(random, operand.labels.size());
    const bool fills = operand.format.levels.back() == Level::dense;
    const bool plain = c.semiring == Semiring::plus_times || c.semiring == Semiring::or_and || is_float(operand.dtype);
    if (fills && !plain && operand.dtype != c.result())
      operand.format.levels.assign(operand.labels.size(), Level::compressed);
  }
  draw_options(random, c);
  c.data_seed = random();
  return c;
}

}  // namespace einloom::test
