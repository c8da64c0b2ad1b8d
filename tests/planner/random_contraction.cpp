#include "random_contraction.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace einloom {

namespace {

std::int64_t pick(std::mt19937_64& random, std::int64_t below) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
}

std::vector<int> labels_of(const std::string& text, std::string& seen) {
  std::vector<int> labels;
  for (const char c : text) {
    if (seen.find(c) == std::string::npos) seen += c;
    labels.push_back(static_cast<int>(seen.find(c)));
  }
  return labels;
}

Format random_format(std::mt19937_64& random, int order) {
  std::vector<int> modes(static_cast<std::size_t>(order));
  std::iota(modes.begin(), modes.end(), 0);
  std::shuffle(modes.begin(), modes.end(), random);
  switch (pick(random, 4)) {
    case 0:
      return csf();
    case 1:
      return csf(modes);
    case 2:
      return coo(modes);
    default:
      break;
  }
  Format format;
  format.order = modes;
  for (int l = 0; l < order; ++l) format.levels.push_back(pick(random, 2) ? Level::dense : Level::compressed);
  return format;
}

TensorDesc random_dense(std::mt19937_64& random, DType type, const std::vector<std::int64_t>& extents) {
  std::vector<std::size_t> modes(extents.size());
  std::iota(modes.begin(), modes.end(), std::size_t{0});
  if (pick(random, 2)) std::shuffle(modes.begin(), modes.end(), random);
  std::vector<std::int64_t> strides(extents.size());
  std::int64_t stride = pick(random, 4) ? 1 : 2;
  for (std::size_t m = modes.size(); m-- > 0;) {
    strides[modes[m]] = stride;
    stride *= std::max<std::int64_t>(1, extents[modes[m]]);
  }
  return dense_desc(type, extents, strides);
}

}  // namespace

Contraction contraction_of(const std::string& text, std::vector<TensorDesc> operands, DType result) {
  Contraction c;
  std::string seen;
  const std::size_t arrow = text.find("->");
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= arrow; ++at) {
    if (at < arrow && text[at] != ',') continue;
    c.inputs.push_back(labels_of(text.substr(begin, at - begin), seen));
    begin = at + 1;
  }
  c.output = labels_of(text.substr(arrow + 2), seen);
  c.extents.assign(seen.size(), 1);
  for (std::size_t i = 0; i < c.inputs.size(); ++i) {
    for (std::size_t m = 0; m < c.inputs[i].size(); ++m)
      c.extents[static_cast<std::size_t>(c.inputs[i][m])] = operands[i].extents[m];
  }
  c.operands = std::move(operands);
  c.result = result;
  c.compute = accumulator(result);
  for (const char l : seen) c.names.emplace_back(1, l);
  return c;
}

Contraction dense_contraction(const std::string& text, const std::string& labels,
                              const std::vector<std::int64_t>& extents, DType type) {
  std::vector<TensorDesc> operands;
  std::size_t begin = 0;
  const std::size_t arrow = text.find("->");
  for (std::size_t at = 0; at <= arrow; ++at) {
    if (at < arrow && text[at] != ',') continue;
    std::vector<std::int64_t> shape;
    for (std::size_t p = begin; p < at; ++p) shape.push_back(extents[labels.find(text[p])]);
    operands.push_back(dense_desc(type, shape));
    begin = at + 1;
  }
  return contraction_of(text, operands, type);
}

Case random_case(std::mt19937_64& random, const Draw& draw) {
  static constexpr DType types[] = {DType::f64, DType::f64, DType::f32, DType::f16, DType::c128, DType::i64};
  const DType type = types[pick(random, 6)];
  const auto operands = static_cast<std::size_t>(1 + pick(random, draw.most_operands));
  const std::int64_t labels = 1 + pick(random, draw.most_labels);
  std::vector<std::int64_t> extents;
  for (std::int64_t l = 0; l < labels; ++l)
    extents.push_back(
        draw.extents[static_cast<std::size_t>(pick(random, static_cast<std::int64_t>(draw.extents.size())))]);
  std::string text, used;
  std::vector<TensorDesc> descs;
  for (std::size_t i = 0; i < operands; ++i) {
    std::vector<std::int64_t> shape;
    if (i > 0) text += ',';
    for (std::int64_t m = pick(random, draw.most_modes + 1); m > 0; --m) {
      const std::int64_t l = pick(random, labels);
      text += static_cast<char>('a' + l);
      used += static_cast<char>('a' + l);
      shape.push_back(extents[static_cast<std::size_t>(l)]);
    }
    if (draw.sparse && pick(random, 2)) {
      double cells = 1;
      for (const std::int64_t e : shape) cells *= static_cast<double>(e);
      const auto most = static_cast<std::int64_t>(std::min(cells, 1e6));
      descs.push_back(
          sparse_desc(type, shape, pick(random, most + 1), random_format(random, static_cast<int>(shape.size()))));
    } else {
      descs.push_back(random_dense(random, type, shape));
    }
  }
  std::sort(used.begin(), used.end());
  const bool diagonal = pick(random, 8) == 0;
  if (!diagonal) used.erase(std::unique(used.begin(), used.end()), used.end());
  std::shuffle(used.begin(), used.end(), random);
  text += "->" + used.substr(0, static_cast<std::size_t>(pick(
                                    random, static_cast<std::int64_t>(std::min<std::size_t>(used.size(), 4)) + 1)));
  Case c;
  c.contraction = contraction_of(text, descs, type);
  c.options.layout = draw.sparse ? static_cast<Layout>(pick(random, 3)) : Layout::dense;
  c.options.scaled = pick(random, 4) == 0;
  if (c.options.layout == Layout::dense && pick(random, 3) == 0) {
    c.options.has_output = true;
    c.options.output =
        random_dense(random, type == DType::f32 && pick(random, 2) ? DType::f64 : type, c.contraction.output_extents());
    c.options.accumulates = pick(random, 2) == 0;
  }
  static constexpr const char* strategies[] = {"auto", "auto", "auto", "loops", "fused", "pairwise"};
  c.options.strategy = strategies[pick(random, 6)];
  c.target.units = pick(random, 2) ? 1 : 8;
  if (pick(random, 2)) c.target.vector_bytes = 64, c.target.vector_registers = 32;
  c.text = fmt::format("{} layout {} strategy {} units {}:", text, name(c.options.layout), c.options.strategy,
                       c.target.units);
  for (const TensorDesc& d : descs) {
    c.text += fmt::format(" {}{}", name(d.dtype), fmt::join(d.extents, "x"));
    if (d.sparse) c.text += fmt::format(":{}:{}", to_string(d.format), d.nnz());
  }
  return c;
}

}  // namespace einloom
