// einloom info: describes the tensor in a file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "frontend/text.h"
#include "runtime/interop.h"
#include "tools/commands.h"
#include "tools/report.h"

namespace einloom::tools {

namespace {

struct Arguments {
  std::string file;
  bool json = false;
};

// Children of a level's nodes on the level below.
struct FanOut {
  double mean = 0, cv = 0;  // cv: standard deviation over mean
  std::int64_t most = 0;
};

template <class I>
FanOut fan_out(const I* pos, std::int64_t nodes) {
  FanOut fan;
  double sum = 0, squares = 0;
  for (std::int64_t p = 0; p < nodes; ++p) {
    const auto children = static_cast<std::int64_t>(pos[p + 1] - pos[p]);
    fan.most = std::max(fan.most, children);
    sum += static_cast<double>(children);
  }
  if (nodes == 0 || sum == 0) return fan;
  fan.mean = sum / static_cast<double>(nodes);
  for (std::int64_t p = 0; p < nodes; ++p) {
    const double off = static_cast<double>(pos[p + 1] - pos[p]) - fan.mean;
    squares += off * off;
  }
  fan.cv = std::sqrt(squares / static_cast<double>(nodes)) / fan.mean;
  return fan;
}

struct LevelFacts {
  std::string format;
  int mode = 0;
  std::int64_t nodes = 0;
  std::optional<FanOut> fan;  // none at the leaves
};

// `tensor` is CSF.
std::vector<LevelFacts> level_facts(const Tensor& tensor) {
  std::vector<LevelFacts> facts;
  for (int l = 0; l < tensor.order(); ++l) {
    const auto i = static_cast<std::size_t>(l);
    LevelFacts level{
        name(tensor.desc().format.levels[i]), tensor.desc().format.order[i], native_level(tensor, l).nodes, {}};
    if (l + 1 < tensor.order()) {
      const void* const pos = native_level(tensor, l + 1).pos;
      level.fan = tensor.desc().wide ? fan_out(static_cast<const std::int64_t*>(pos), level.nodes)
                                     : fan_out(static_cast<const std::int32_t*>(pos), level.nodes);
    }
    facts.push_back(std::move(level));
  }
  return facts;
}

double coo_bytes(const Tensor& tensor) {
  const double index = tensor.desc().wide ? 8 : 4;
  return static_cast<double>(tensor.nnz()) * (tensor.order() * index + static_cast<double>(size_of(tensor.dtype())));
}

double csf_bytes(const Tensor& tensor, const std::vector<LevelFacts>& levels) {
  const double index = tensor.desc().wide ? 8 : 4;
  double bytes = static_cast<double>(tensor.nnz()) * static_cast<double>(size_of(tensor.dtype()));
  double parents = 1;
  for (const LevelFacts& level : levels) {
    bytes += index * (parents + 1 + static_cast<double>(level.nodes));
    parents = static_cast<double>(level.nodes);
  }
  return bytes;
}

double density_of(const Tensor& tensor) {
  double cells = 1;
  for (const std::int64_t extent : tensor.extents()) cells *= static_cast<double>(extent);
  return cells == 0 ? 0 : static_cast<double>(tensor.nnz()) / cells;
}

void report_json(const Arguments& arguments, const Tensor& file, const Tensor& tree,
                 const std::vector<LevelFacts>& levels) {
  const ValueRange range = value_range(file);
  Json json;
  json["file"] = arguments.file;
  json["order"] = file.order();
  json["shape"] = file.extents();
  json["dtype"] = name(file.dtype());
  json["sparse"] = file.sparse();
  json["nnz"] = tree.nnz();
  json["density"] = density_of(tree);
  json["levels"] = Json::array();
  for (const LevelFacts& level : levels) {
    Json entry = {{"mode", level.mode}, {"format", level.format}, {"nodes", level.nodes}, {"fan_out", nullptr}};
    if (level.fan) entry["fan_out"] = {{"mean", level.fan->mean}, {"max", level.fan->most}, {"cv", level.fan->cv}};
    json["levels"].push_back(std::move(entry));
  }
  json["coo_bytes"] = coo_bytes(tree);
  json["csf_bytes"] = csf_bytes(tree, levels);
  json["min"] = range.any ? Json(range.smallest) : Json(nullptr);
  json["max"] = range.any ? Json(range.largest) : Json(nullptr);
  json["nan"] = range.nan;
  put_json(json);
}

void report_text(const Tensor& file, const Tensor& tree, const std::vector<LevelFacts>& levels) {
  const ValueRange range = value_range(file);
  Writer out;
  out.line(fmt::format("order      {}", file.order()));
  out.line(fmt::format("shape      {}", shape_text(file.extents())));
  out.line(fmt::format("type       {}, stored {}", name(file.dtype()), file.sparse() ? "sparse" : "dense"));
  out.line(fmt::format("non-zeros  {}, density {:.3g}", tree.nnz(), density_of(tree)));
  if (!levels.empty())
    out.line(fmt::format("{:<6} {:>5} {:>12}   {}", "level", "mode", "nodes", "children a node: mean, max, cv"));
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const LevelFacts& level = levels[l];
    const std::string fan =
        level.fan ? fmt::format("{:.4g}, {}, {:.3g}", level.fan->mean, level.fan->most, level.fan->cv) : "leaves";
    out.line(fmt::format("{:<6} {:>5} {:>12}   {}", l, level.mode, level.nodes, fan));
  }
  out.line(fmt::format("as COO     {}", human_bytes(coo_bytes(tree))));
  out.line(fmt::format("as CSF     {}", human_bytes(csf_bytes(tree, levels))));
  const char* const what = is_complex(file.dtype()) ? "magnitudes" : "values    ";
  out.line(range.any ? fmt::format("{} {} to {}", what, real_text(range.smallest), real_text(range.largest))
                     : fmt::format("{} none", what));
  if (range.nan > 0) out.line(fmt::format("NaN        {}", range.nan));
  put(out.take());
}

int info(const Arguments& arguments) {
  const Tensor file = read(arguments.file);
  // A dense tensor is described by the tree it would be without its zeros.
  const Tensor tree = file.sparse() || file.order() == 0 ? file : file.to_sparse(csf());
  const std::vector<LevelFacts> levels = tree.sparse() ? level_facts(tree) : std::vector<LevelFacts>{};
  if (arguments.json) {
    report_json(arguments, file, tree, levels);
  } else {
    report_text(file, tree, levels);
  }
  return 0;
}

}  // namespace

Action setup_info(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("FILE", arguments->file, "the file to describe")->required();
  app.add_flag("--json", arguments->json, "one JSON object instead of text");
  app.footer(
      "Nodes and children are those of the tensor stored as CSF in its own mode order; cv is the standard deviation "
      "over the\n"
      "mean. Memory counts indices of 32 bits where they fit, 64 bits where not.\n\n"
      "Example: einloom info graph.mtx");
  return [arguments] { return info(*arguments); };
}

}  // namespace einloom::tools
