#include "run_plan.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>
#include <random>

namespace einloom {

namespace {

using Coords = std::vector<std::int64_t>;

// Dense: by offset. Sparse: by coordinate.
struct Data {
  std::map<std::int64_t, double> dense;
  std::map<Coords, double> sparse;
};

constexpr double alpha = 3, beta = 2;

void each(const std::vector<std::int64_t>& extents, const std::function<void(const Coords&)>& body) {
  Coords at(extents.size(), 0);
  for (const std::int64_t e : extents) {
    if (e == 0) return;
  }
  while (true) {
    body(at);
    std::size_t m = at.size();
    while (m > 0 && ++at[m - 1] == extents[m - 1]) at[--m] = 0;
    if (m == 0) return;
  }
}

std::int64_t offset_of(const TensorDesc& desc, const Coords& at) {
  std::int64_t offset = 0;
  for (std::size_t m = 0; m < at.size(); ++m) offset += at[m] * desc.strides[m];
  return offset;
}

Coords coords_of(const std::vector<int>& labels, const Coords& at) {
  Coords coords;
  for (const int l : labels) coords.push_back(at[static_cast<std::size_t>(l)]);
  return coords;
}

class Machine {
 public:
  Machine(const Plan& plan, const Contraction& c, const PlanOptions& options, unsigned seed)
      : plan_(plan), c_(c), options_(options), operands_(c.operands.size()), temps_(plan.temps.size()) {
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const TensorDesc& desc = c.operands[i];
      each(desc.extents, [&](const Coords& at) {
        const double value = static_cast<double>(random() % 5) - 1;
        if (!desc.sparse) {
          operands_[i].dense[offset_of(desc, at)] = value;
        } else if (random() % 2) {
          operands_[i].sparse[at] = value;
        }
      });
    }
    if (options.layout == Layout::dense) {
      each(plan.output.extents,
           [&](const Coords& at) { output_.dense[offset_of(plan.output, at)] = options.accumulates ? 7 : NAN; });
    }
    before_ = output_;
  }

  std::string run() {
    if (plan_.zeroed_temp >= 0) {
      const TensorDesc& desc = plan_.temps[static_cast<std::size_t>(plan_.zeroed_temp)].desc;
      each(desc.extents, [&](const Coords& at) {
        temps_[static_cast<std::size_t>(plan_.zeroed_temp)].dense[offset_of(desc, at)] = 0;
      });
    }
    slice_.assign(c_.extents.size(), 0);
    for (std::size_t s = 0; s < plan_.body_begin; ++s) step(plan_.steps[s]);
    std::vector<std::int64_t> extents;
    for (const int l : plan_.sliced) extents.push_back(c_.extents[static_cast<std::size_t>(l)]);
    each(extents, [&](const Coords& at) {
      for (std::size_t d = 0; d < at.size(); ++d) slice_[static_cast<std::size_t>(plan_.sliced[d])] = at[d];
      for (std::size_t s = plan_.body_begin; s < plan_.body_end; ++s) step(plan_.steps[s]);
    });
    slice_.assign(c_.extents.size(), 0);
    for (std::size_t s = plan_.body_end; s < plan_.steps.size(); ++s) step(plan_.steps[s]);
    return compare();
  }

 private:
  std::int64_t sliced_offset(const Ref& ref) const {
    if (ref.kind == Ref::Kind::temp) return 0;
    const bool operand = ref.kind == Ref::Kind::operand;
    const auto i = static_cast<std::size_t>(ref.index);
    const std::vector<int>& labels = operand ? c_.inputs[i] : c_.output;
    const TensorDesc& desc = operand ? c_.operands[i] : plan_.output;
    if (desc.sparse) return 0;
    std::int64_t offset = 0;
    for (std::size_t m = 0; m < labels.size(); ++m)
      offset += slice_[static_cast<std::size_t>(labels[m])] * desc.strides[m];
    return offset;
  }
  Data& data(const Ref& ref) {
    switch (ref.kind) {
      case Ref::Kind::operand:
        return operands_[static_cast<std::size_t>(ref.index)];
      case Ref::Kind::temp:
        return temps_[static_cast<std::size_t>(ref.index)];
      case Ref::Kind::output:
        return output_;
    }
    return output_;
  }

  void step(const Step& s) {
    Data& out = data(s.output.tensor);
    const std::int64_t base = sliced_offset(s.output.tensor);
    const double a = s.scaled ? alpha : 1;
    const double b = !s.accumulates ? 0 : s.output.tensor.kind == Ref::Kind::temp ? 1 : beta;
    if (s.output.desc.sparse) {
      out.sparse.clear();
    } else if (s.accumulate == Accumulate::in_place && s.strategy == Strategy::loops) {
      each(s.whole_output.extents, [&](const Coords& at) {
        double& cell = out.dense[base + offset_of(s.whole_output, at)];
        cell = s.accumulates ? b * cell : 0;
      });
    }
    std::map<std::int64_t, double> sums;
    const bool store =
        !s.output.desc.sparse && !(s.strategy == Strategy::loops && s.accumulate == Accumulate::in_place);
    if (store) each(s.output.desc.extents, [&](const Coords& at) { sums[base + offset_of(s.output.desc, at)] = 0; });
    each(s.extents, [&](const Coords& at) {
      double value = 1;
      for (const Access& input : s.inputs) {
        const Data& from = data(input.tensor);
        const Coords coords = coords_of(input.labels, at);
        if (input.desc.sparse) {
          const auto found = from.sparse.find(coords);
          if (found == from.sparse.end()) return;
          value *= found->second;
        } else {
          value *= from.dense.at(sliced_offset(input.tensor) + offset_of(input.desc, coords));
        }
      }
      const Coords coords = coords_of(s.output.labels, at);
      if (s.output.desc.sparse) {
        out.sparse[coords] += a * value;
      } else if (store) {
        sums.at(base + offset_of(s.output.desc, coords)) += value;
      } else {
        out.dense.at(base + offset_of(s.output.desc, coords)) += a * value;
      }
    });
    for (const auto& [offset, sum] : sums) {
      double& cell = out.dense[offset];
      cell = a * sum + (s.accumulates ? b * cell : 0);
    }
  }

  std::string compare() {
    std::map<Coords, double> expected;
    const bool dense = options_.layout == Layout::dense;
    if (dense) {
      each(plan_.output.extents, [&](const Coords& at) {
        expected[at] = options_.accumulates ? beta * before_.dense.at(offset_of(plan_.output, at)) : 0;
      });
    }
    each(c_.extents, [&](const Coords& at) {
      double value = options_.scaled ? alpha : 1;
      for (std::size_t i = 0; i < operands_.size(); ++i) {
        const Coords coords = coords_of(c_.inputs[i], at);
        if (c_.operands[i].sparse) {
          const auto found = operands_[i].sparse.find(coords);
          value *= found == operands_[i].sparse.end() ? 0 : found->second;
        } else {
          value *= operands_[i].dense.at(offset_of(c_.operands[i], coords));
        }
      }
      expected[coords_of(c_.output, at)] += value;
    });
    for (const auto& [at, value] : expected) {
      double found = 0;
      if (dense) {
        found = output_.dense.at(offset_of(plan_.output, at));
      } else if (const auto cell = output_.sparse.find(at); cell != output_.sparse.end()) {
        found = cell->second;
      }
      if (found != value) return fmt::format("element ({}) is {}, expected {}", fmt::join(at, ","), found, value);
    }
    for (const auto& [at, value] : output_.sparse) {
      if (value != 0 && !expected.count(at))
        return fmt::format("element ({}) is {}, expected none", fmt::join(at, ","), value);
    }
    return {};
  }

  const Plan& plan_;
  const Contraction& c_;
  const PlanOptions& options_;
  std::vector<Data> operands_, temps_;
  Data output_, before_;
  std::vector<std::int64_t> slice_;
};

}  // namespace

std::string compare_with_definition(const Plan& plan, const Contraction& contraction, const PlanOptions& options,
                                    unsigned seed) {
  return Machine(plan, contraction, options, seed).run();
}

}  // namespace einloom
