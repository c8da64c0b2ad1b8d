// bind(): an expression meets its operands. Every mode is first given a key (a named label, or a dimension of the
// ellipsis counted from the left of the widest one), keys get their extents, and modes then become canonical labels.
#include <fmt/format.h>

#include <algorithm>

#include "bind_parts.h"
#include "error.h"

namespace einloom {

namespace {

constexpr std::int64_t unseen = -1;

struct Mode {
  std::size_t operand, mode;
  std::size_t position;  // in the text
  std::size_t key;
};

// What is known of a key so far: the first extent other than 1 decides where broadcasting is allowed, else the first.
struct Known {
  std::int64_t extent = unseen;
  std::size_t operand = 0, mode = 0;
};

class Binder {
 public:
  Binder(const Expr& expr, const std::vector<TensorDesc>& operands, const BindOptions& options)
      : expr_(expr), options_(options), widths_(check_operands(expr, operands)) {
    contraction_.operands = operands;
    contraction_.accumulate = expr.accumulate;
    width_ = static_cast<std::size_t>(widths_.empty() ? 0 : *std::max_element(widths_.begin(), widths_.end()));
  }

  Contraction bind() {
    list_modes();
    known_.resize(expr_.names.size() + width_);
    for (const Mode& mode : modes_) learn(mode);
    number_labels();
    place_output();
    bind_types(expr_, options_, contraction_);
    return std::move(contraction_);
  }

 private:
  bool is_ellipsis(std::size_t key) const { return key >= expr_.names.size(); }
  std::size_t ellipsis_key(std::size_t dimension) const { return expr_.names.size() + dimension; }
  std::int64_t extent_of(const Mode& mode) const { return contraction_.operands[mode.operand].extents[mode.mode]; }
  std::size_t place(std::size_t position) const { return expr_.text.empty() ? Error::no_position : position; }
  std::size_t label_position(const Term& term, std::size_t i) const {
    return i < term.positions.size() ? term.positions[i] : term.begin;
  }

  void list_modes() {
    for (std::size_t t = 0; t < expr_.inputs.size(); ++t) {
      const Term& term = expr_.inputs[t];
      const auto width = static_cast<std::size_t>(widths_[t]);
      std::size_t mode = 0;
      for (std::size_t i = 0; i <= term.labels.size(); ++i) {
        if (term.ellipsis == static_cast<int>(i)) {
          const std::size_t dots = expr_.text.find("...", term.begin);
          for (std::size_t d = width_ - width; d < width_; ++d) modes_.push_back({t, mode++, dots, ellipsis_key(d)});
        }
        if (i == term.labels.size()) break;
        modes_.push_back({t, mode++, label_position(term, i), static_cast<std::size_t>(term.labels[i])});
      }
    }
  }

  void learn(const Mode& mode) {
    Known& known = known_[mode.key];
    const std::int64_t extent = extent_of(mode);
    const bool broadcast = options_.broadcast || is_ellipsis(mode.key);
    if (known.extent == unseen || (broadcast && known.extent == 1)) {
      known = {extent, mode.operand, mode.mode};
    } else if (extent != known.extent && !(broadcast && extent == 1)) {
      mismatch(known, mode);
    }
  }

  [[noreturn]] void mismatch(const Known& known, const Mode& mode) const {
    const std::int64_t extent = extent_of(mode);
    const std::string what = is_ellipsis(mode.key)
                                 ? fmt::format("dimension -{} of the ellipsis", expr_.names.size() + width_ - mode.key)
                                 : fmt::format("label {}", expr_.names[mode.key]);
    std::string message =
        known.operand == mode.operand
            ? fmt::format("{} is {} in mode {} and {} in mode {} of {}", what, known.extent, known.mode, extent,
                          mode.mode, operand_text(expr_, mode.operand))
            : fmt::format("{} is {} in {} and {} in {}", what, known.extent, operand_text(expr_, known.operand), extent,
                          operand_text(expr_, mode.operand));
    if (known.extent == 1 || extent == 1) message += " (with --broadcast an extent of 1 would stretch)";
    throw Error::input(std::move(message), expr_.text, place(mode.position));
  }

  int new_label(std::int64_t extent, std::string name) {
    contraction_.extents.push_back(extent);
    contraction_.names.push_back(std::move(name));
    return static_cast<int>(contraction_.extents.size()) - 1;
  }

  std::string display(std::size_t key) const {
    return is_ellipsis(key) ? fmt::format("...{}", key - expr_.names.size()) : expr_.names[key];
  }

  void number_labels() {
    label_of_.assign(known_.size(), -1);
    contraction_.inputs.resize(expr_.inputs.size());
    for (const Mode& mode : modes_) {
      int& label = label_of_[mode.key];
      const std::int64_t extent = extent_of(mode);
      // An extent of 1 that stretches is summed or dropped by itself: it gets a label of its own.
      const bool stretched = extent != known_[mode.key].extent;
      if (!stretched && label < 0) label = new_label(extent, display(mode.key));
      const int own = stretched ? new_label(1, display(mode.key) + "'") : label;
      contraction_.inputs[mode.operand].push_back(own);
    }
  }

  void place_output() {
    const Term& term = expr_.output;
    std::vector<bool> written(known_.size(), false);
    for (std::size_t i = 0; i <= term.labels.size(); ++i) {
      if (term.ellipsis == static_cast<int>(i)) {
        for (std::size_t d = 0; d < width_; ++d) contraction_.output.push_back(label_of_[ellipsis_key(d)]);
      }
      if (i == term.labels.size()) break;
      const auto key = static_cast<std::size_t>(term.labels[i]);
      if (written[key] && !options_.write_diagonal) {
        throw Error::input(
            fmt::format("label {} stands twice in the output: a diagonal is written only with --write-diagonal",
                        expr_.names[key]),
            expr_.text, place(label_position(term, i)));
      }
      written[key] = true;
      contraction_.output.push_back(label_of_[key]);
    }
  }

  const Expr& expr_;
  const BindOptions& options_;
  std::vector<int> widths_;
  std::size_t width_ = 0;  // modes of the widest ellipsis
  std::vector<Mode> modes_;
  std::vector<Known> known_;
  std::vector<int> label_of_;
  Contraction contraction_;
};

}  // namespace

Contraction bind(const Expr& expr, const std::vector<TensorDesc>& operands, const BindOptions& options) {
  if (expr.inputs.empty()) throw Error::input("an expression has at least one operand");
  return Binder(expr, operands, options).bind();
}

}  // namespace einloom
