// The steps of one path: temporaries chosen, sums of private labels taken early, strategies decided.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "build.h"
#include "frontend/error.h"
#include "frontend/text.h"

namespace einloom {

namespace {

constexpr double sparse_density = 0.1, sparse_cells = 65536;

class Builder {
 public:
  explicit Builder(const Problem& problem, Plan plan = {})
      : problem_(problem), extents_(problem.contraction.extents), plan_(std::move(plan)) {}
  void body(const Path& path, const std::vector<int>& sliced);
  void finish(std::vector<Item> inputs);
  Item dense_temp(const std::vector<int>& labels, std::vector<std::int64_t> extents);
  Plan take(std::string method);

 private:
  Item result(std::vector<Item> inputs, const std::vector<int>& labels);
  void presum(std::vector<Item>& inputs, const std::vector<int>& labels);
  Item emit(const std::vector<Item>& inputs, Item output, bool scaled, bool accumulates, bool free_order);
  void emit_loops(Local local, const Nest& nest, Step step);
  void sparsify(Item input, const Item& output);
  Access realigned(const Access& input, const std::vector<int>& order);
  Item temp_for(const std::vector<Item>& inputs, const std::vector<int>& labels, bool* free_order);
  int add_temp(TensorDesc desc);
  double leaves_of(const std::vector<Item>& inputs) const;
  std::int64_t extent(int label) const { return extents_[static_cast<std::size_t>(label)]; }

  const Problem& problem_;
  std::vector<std::int64_t> extents_;
  Plan plan_;
};

bool contains(const std::vector<int>& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

void sort_unique(std::vector<int>& labels) {
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
}

bool any_sparse(const std::vector<Item>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [](const Item& i) { return i.desc.sparse; });
}

// Step labels in the order given, everything else following.
void renumber(Step& step, const Local& local, const std::vector<int>& order) {
  std::vector<int> number(local.ids.size());
  for (std::size_t d = 0; d < order.size(); ++d) {
    const auto l = static_cast<std::size_t>(order[d]);
    number[l] = static_cast<int>(d);
    step.extents.push_back(local.extents[l]);
    step.label_ids.push_back(local.ids[l]);
    step.label_names.push_back(local.names[l]);
  }
  const auto apply = [&](std::vector<int>& labels) {
    for (int& l : labels) l = number[static_cast<std::size_t>(l)];
  };
  for (Access& a : step.inputs) apply(a.labels);
  apply(step.output.labels);
  for (Loop& loop : step.loops) loop.label = number[static_cast<std::size_t>(loop.label)];
  for (std::vector<int>* group : {&step.gett.batch, &step.gett.m, &step.gett.n, &step.gett.k}) apply(*group);
}

std::int64_t whole(double count) {
  return count >= 9e18 ? std::int64_t{9'000'000'000'000'000'000} : static_cast<std::int64_t>(count);
}

}  // namespace

int Builder::add_temp(TensorDesc desc) {
  Temp temp;
  temp.desc = std::move(desc);
  temp.bytes = whole(bytes_of(temp.desc));
  plan_.temps.push_back(std::move(temp));
  return static_cast<int>(plan_.temps.size()) - 1;
}

Item Builder::dense_temp(const std::vector<int>& labels, std::vector<std::int64_t> extents) {
  const double bytes = cells_of(extents) * static_cast<double>(size_of(problem_.contraction.compute));
  if (bytes >= 9e18) {
    std::vector<std::string> names;
    for (const int l : labels) names.push_back(label_name(problem_.contraction, l));
    const std::string text = names.size() > 20 ? fmt::format("{} labels", names.size()) : join(names, ",");
    throw Error::memory(fmt::format("the intermediate over [{}]", text),
                        bytes < 1.8e19 ? static_cast<unsigned long long>(bytes) : ~0ULL);
  }
  Item item;
  item.labels = labels;
  item.desc = dense_desc(problem_.contraction.compute, std::move(extents));
  item.tensor = {Ref::Kind::temp, add_temp(item.desc)};
  return item;
}

double Builder::leaves_of(const std::vector<Item>& inputs) const {
  std::vector<int> labels;
  double leaves = 1;
  for (const Item& item : inputs) {
    labels.insert(labels.end(), item.labels.begin(), item.labels.end());
    leaves *= density(item.desc);
  }
  sort_unique(labels);
  for (const int l : labels) leaves *= static_cast<double>(extent(l));
  return leaves;
}

Item Builder::temp_for(const std::vector<Item>& inputs, const std::vector<int>& labels, bool* free_order) {
  std::vector<std::int64_t> extents;
  bool covered = true;
  for (const int l : labels) {
    extents.push_back(extent(l));
    covered = covered && std::any_of(inputs.begin(), inputs.end(),
                                     [&](const Item& i) { return i.desc.sparse && contains(i.labels, l); });
  }
  *free_order = false;
  if (any_sparse(inputs) && !labels.empty() && !problem_.no_sparse_temps) {
    const double cells = cells_of(extents);
    const double stored = expected_distinct(cells, leaves_of(inputs));
    const double dense_bytes = cells * static_cast<double>(size_of(problem_.contraction.compute));
    const double room = static_cast<double>(problem_.target.memory);
    const bool sparse = covered && cells > sparse_cells && stored < sparse_density * cells;
    const bool forced = dense_bytes > room / 4 && stored * 24 < dense_bytes;
    if (sparse || forced) {
      Item item;
      item.labels = labels;
      item.desc = sparse_desc(problem_.contraction.compute, std::move(extents), 0);
      const std::int64_t nnz = std::min(whole(std::ceil(stored)), item.desc.size());
      item.desc = sparse_desc(problem_.contraction.compute, item.desc.extents, nnz);
      item.tensor = {Ref::Kind::temp, add_temp(item.desc)};
      *free_order = true;
      return item;
    }
  }
  return dense_temp(labels, std::move(extents));
}

Access Builder::realigned(const Access& input, const std::vector<int>& order) {
  Access anew = input;
  const std::int64_t nnz = std::min(whole(stored_values(input.desc)), input.desc.size());
  anew.desc = sparse_desc(input.desc.dtype, input.desc.extents, nnz, csf(order));
  for (const Step& step : plan_.steps) {
    if (step.strategy == Strategy::realign && step.inputs[0].tensor == input.tensor && step.output.desc == anew.desc) {
      anew.tensor = step.output.tensor;
      return anew;
    }
  }
  anew.tensor = {Ref::Kind::temp, add_temp(anew.desc)};
  Step step;
  step.strategy = Strategy::realign;
  step.semiring = problem_.contraction.semiring;
  step.compute = input.desc.dtype;
  step.inputs = {input};
  step.output = anew;
  for (std::size_t m = 0; m < input.labels.size(); ++m) {
    step.inputs[0].labels[m] = step.output.labels[m] = static_cast<int>(m);
    step.extents.push_back(input.desc.extents[m]);
    step.label_ids.push_back(-1);
    step.label_names.push_back(fmt::format("m{}", m));
  }
  step.bytes = bytes_of(input.desc) + bytes_of(anew.desc);
  step.nnz_out = stored_values(anew.desc);
  step.seconds = realign_seconds(anew.desc, problem_.target);
  step.note = "stored anew, so that a later loop nest follows it in order";
  plan_.steps.push_back(std::move(step));
  return anew;
}

void Builder::sparsify(Item input, const Item& output) {
  Step step;
  step.strategy = Strategy::sparsify;
  step.semiring = problem_.contraction.semiring;
  step.compute = problem_.contraction.compute;
  Access from{input.tensor, {}, input.desc};
  Access to{output.tensor, {}, output.desc};
  for (std::size_t m = 0; m < output.labels.size(); ++m) {
    const auto at = static_cast<std::size_t>(std::find(input.labels.begin(), input.labels.end(), output.labels[m]) -
                                             input.labels.begin());
    from.desc.extents[m] = input.desc.extents[at];
    from.desc.strides[m] = input.desc.strides[at];
    from.labels.push_back(static_cast<int>(m));
    to.labels.push_back(static_cast<int>(m));
    step.extents.push_back(output.desc.extents[m]);
    step.label_ids.push_back(output.labels[m]);
    step.label_names.push_back(label_name(problem_.contraction, output.labels[m]));
  }
  step.bytes = bytes_of(from.desc) + bytes_of(to.desc);
  step.nnz_out = stored_values(to.desc);
  step.seconds = std::max(step.bytes / problem_.target.bytes_per_second, 5e-9 * step.nnz_out);
  step.note = "dense result to sparse, identities dropped";
  step.inputs = {std::move(from)};
  step.output = std::move(to);
  plan_.steps.push_back(std::move(step));
}

void Builder::emit_loops(Local local, const Nest& nest, Step step) {
  step.seconds = nest.seconds;
  for (std::size_t i = 0; i < local.inputs.size(); ++i) {
    if (nest.realigned[i].empty()) continue;
    step.seconds -= realign_seconds(local.inputs[i].desc, problem_.target);
    local.inputs[i] = realigned(local.inputs[i], nest.realigned[i]);
  }
  step.seconds = std::max(step.seconds, 0.0);
  step.strategy = Strategy::loops;
  step.inputs = local.inputs;
  step.loops = nest.loops;
  step.accumulate = nest.accumulate;
  step.workspace = nest.workspace;
  step.chunks = nest.chunks;
  step.bytes = nest.bytes;
  step.nnz_out = nest.rows;
  step.note = nest.note;
  const bool sums =
      std::any_of(nest.order.begin(), nest.order.end(), [&](int l) { return !contains(local.output.labels, l); });
  step.flops = nest.leaves * flops_per_leaf(local.inputs.size(), sums, local.compute);
  renumber(step, local, nest.order);
  plan_.steps.push_back(std::move(step));
}

Item Builder::emit(const std::vector<Item>& inputs, Item output, bool scaled, bool accumulates, bool free_order) {
  Local local = localise(problem_, inputs, output, free_order);
  Step step;
  const auto complete = [&](Step& s) {
    s.semiring = local.semiring;
    s.compute = local.compute;
    s.output = local.output;
    if (!output.desc.sparse) s.whole_output = local.whole_output;
    s.scaled = scaled;
    s.accumulates = accumulates;
  };
  const std::string& wish = problem_.options.strategy;
  if (wish != "loops" && (wish == "gett" ? gett_legal(local) : gett_worthwhile(local, problem_.target))) {
    step = gett_step(local, problem_.target);
    complete(step);
    std::vector<int> order = step.gett.batch;
    for (const std::vector<int>* group : {&step.gett.m, &step.gett.n, &step.gett.k}) {
      order.insert(order.end(), group->begin(), group->end());
    }
    step.seconds = std::max(step.flops / (0.7 * problem_.target.flops(local.compute)),
                            step.bytes / problem_.target.bytes_per_second);
    renumber(step, local, order);
    plan_.steps.push_back(std::move(step));
    return output;
  }
  std::optional<Nest> tiled = tile_transpose(local, problem_);
  const Nest nest = tiled ? std::move(*tiled) : choose_loops(local, problem_);
  if (nest.through_temp) {
    if (!local.diagonal) {
      std::vector<int> labels;
      std::vector<std::int64_t> extents;
      for (std::size_t m = 0; m < output.labels.size(); ++m) {
        if (output.desc.extents[m] == 1) continue;
        labels.push_back(output.labels[m]);
        extents.push_back(output.desc.extents[m]);
      }
      const Item temp = emit(inputs, dense_temp(labels, extents), false, false, false);
      return emit({temp}, output, scaled, accumulates, false);
    }
    // The copy runs over the whole output, so its modes get labels of their own.
    Item whole = dense_temp(output.labels, output.desc.extents);
    emit(inputs, whole, false, false, false);
    for (std::size_t m = 0; m < output.labels.size(); ++m) {
      whole.labels[m] = static_cast<int>(extents_.size());
      extents_.push_back(output.desc.extents[m]);
    }
    output.labels = whole.labels;
    return emit({whole}, output, scaled, accumulates, false);
  }
  if (free_order) {
    // The temporary's modes are stored as the loops produce them.
    std::vector<int> labels;
    std::vector<std::int64_t> extents;
    for (const int l : nest.order) {
      if (!contains(local.output.labels, l)) continue;
      labels.push_back(l);
      extents.push_back(local.extents[static_cast<std::size_t>(l)]);
      output.labels[labels.size() - 1] = local.ids[static_cast<std::size_t>(l)];
    }
    output.desc =
        sparse_desc(output.desc.dtype, extents, std::min(whole(stored_values(output.desc)), output.desc.size()));
    local.output.labels = labels;
    local.output.desc = output.desc;
    plan_.temps[static_cast<std::size_t>(output.tensor.index)].desc = output.desc;
  }
  complete(step);
  emit_loops(std::move(local), nest, std::move(step));
  return output;
}

// Labels that one input alone has and nobody asks for are summed first where that saves work.
void Builder::presum(std::vector<Item>& inputs, const std::vector<int>& labels) {
  if (inputs.size() < 2) return;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::vector<int> kept, mine = inputs[i].labels;
    sort_unique(mine);
    double summed = 1;
    for (const int l : mine) {
      if (extent(l) == 1) continue;
      bool used = contains(labels, l);
      for (std::size_t j = 0; j < inputs.size() && !used; ++j) used = j != i && contains(inputs[j].labels, l);
      if (used) {
        kept.push_back(l);
      } else {
        summed *= static_cast<double>(extent(l));
      }
    }
    if (summed == 1) continue;
    double cells = 1;
    for (const int l : kept) cells *= static_cast<double>(extent(l));
    const double stored = inputs[i].desc.sparse ? stored_values(inputs[i].desc) : cells * summed;
    const double left = expected_distinct(cells, stored), leaves = leaves_of(inputs);
    const double pays = inputs[i].desc.sparse ? 6 : 1;  // what an early sum costs a value, in multiply-adds of the step
    const bool forced = problem_.options.strategy == "gett" && !inputs[i].desc.sparse;
    if (!forced && !(leaves > leaves * left / std::max(stored, 1.0) + pays * stored)) continue;
    bool free_order = false;
    Item temp = temp_for({inputs[i]}, kept, &free_order);
    inputs[i] = emit({inputs[i]}, std::move(temp), false, false, free_order);
  }
}

Item Builder::result(std::vector<Item> inputs, const std::vector<int>& labels) {
  if (inputs.size() == 1) {
    // Nothing to do for a mere renaming.
    std::vector<int> have, want = labels;
    for (const int l : inputs[0].labels) {
      if (inputs[0].desc.sparse || extent(l) != 1) have.push_back(l);
    }
    std::sort(have.begin(), have.end());
    std::sort(want.begin(), want.end());
    if (have == want) return inputs[0];
  }
  presum(inputs, labels);
  bool free_order = false;
  Item temp = temp_for(inputs, labels, &free_order);
  return emit(inputs, std::move(temp), false, false, free_order);
}

void Builder::finish(std::vector<Item> inputs) {
  const Item& out = problem_.output;
  presum(inputs, out.labels);
  const bool scaled = problem_.options.scaled;
  if (!out.desc.sparse || any_sparse(inputs)) {
    emit(inputs, out, scaled, problem_.options.accumulates, false);
    return;
  }
  std::vector<int> distinct = out.labels;
  sort_unique(distinct);
  const bool diagonal = distinct.size() != out.labels.size();
  if (inputs.size() == 1) {
    std::vector<int> have = inputs[0].labels;
    std::sort(have.begin(), have.end());
    if (!diagonal && have == distinct && !scaled && inputs[0].desc.dtype == problem_.contraction.compute) {
      sparsify(inputs[0], out);
      return;
    }
  }
  std::vector<int> labels = diagonal ? distinct : out.labels;
  std::vector<std::int64_t> extents;
  for (const int l : labels) extents.push_back(extent(l));
  const Item temp = emit(inputs, dense_temp(labels, extents), scaled, false, false);
  if (diagonal) {
    emit({temp}, out, false, false, false);
  } else {
    sparsify(temp, out);
  }
}

void Builder::body(const Path& path, const std::vector<int>& sliced) {
  std::vector<Item> items = problem_.operands;
  const std::vector<std::vector<int>> labels = result_labels(problem_, path);
  for (std::size_t s = 0; s < path.steps.size(); ++s) {
    std::vector<Item> inputs;
    for (const int id : path.steps[s]) inputs.push_back(items[static_cast<std::size_t>(id)]);
    if (s + 1 == path.steps.size()) {
      finish(std::move(inputs));
    } else {
      items.push_back(result(std::move(inputs), labels[s]));
    }
  }
  plan_.body_end = plan_.steps.size();
  plan_.sliced = sliced;
  if (sliced.empty()) return;
  // What is the same for every coordinate is done once, before.
  const auto once = [](const Step& step) {
    return step.strategy == Strategy::realign && step.inputs[0].tensor.kind == Ref::Kind::operand;
  };
  const auto begin = std::stable_partition(plan_.steps.begin(), plan_.steps.end(), once);
  plan_.body_begin = static_cast<std::size_t>(begin - plan_.steps.begin());
}

Plan Builder::take(std::string method) {
  plan_.output = problem_.output.desc;
  plan_.path_method = std::move(method);
  double slices = 1;
  for (const int l : plan_.sliced) slices *= static_cast<double>(extent(l));
  for (std::size_t s = 0; s < plan_.steps.size(); ++s) {
    const Step& step = plan_.steps[s];
    const double times = s >= plan_.body_begin && s < plan_.body_end ? slices : 1;
    plan_.flops += times * step.flops;
    plan_.bytes += times * step.bytes;
    plan_.seconds += times * (step.seconds + 1e-7);
  }
  place_temps(plan_);
  return std::move(plan_);
}

Plan build_plan(const Problem& problem, const Path& path, const std::vector<int>& sliced) {
  Builder builder(problem);
  builder.body(path, sliced);
  return builder.take(path.method);
}

Plan build_gathered(const Problem& whole, Problem problem, const Path& path, const std::vector<int>& sliced) {
  std::vector<int> labels = whole.contraction.output;
  sort_unique(labels);
  if (labels.size() == whole.contraction.output.size()) labels = whole.contraction.output;
  std::vector<std::int64_t> extents;
  for (const int l : labels) extents.push_back(whole.contraction.extents[static_cast<std::size_t>(l)]);
  problem.options.scaled = false;
  problem.options.accumulates = true;
  problem.contraction.output = labels;
  Builder builder(problem);
  const Item gathered = builder.dense_temp(labels, extents);
  problem.output = gathered;
  builder.body(path, sliced);
  Plan plan = builder.take(path.method);
  plan.zeroed_temp = gathered.tensor.index;
  plan.flops = plan.bytes = plan.seconds = 0;
  Builder last(whole, std::move(plan));
  last.finish({gathered});
  return last.take(path.method);
}

}  // namespace einloom
