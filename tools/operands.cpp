#include "tools/operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

#include "frontend/counted.h"
#include "frontend/text.h"

namespace einloom::tools {

namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// The extension without ".gz", in lower case: ".tns" of "x.TNS.gz".
std::string extension(const std::string& file) {
  std::string path = lower_case(file);
  if (path.ends_with(".gz")) path.resize(path.size() - 3);
  const std::size_t dot = path.find_last_of("./");
  return dot == std::string::npos || path[dot] == '/' ? "" : path.substr(dot);
}

// A list given for the operands must have one entry each.
template <class T>
std::vector<T> one_each(std::vector<T> list, std::size_t operands, const char* option) {
  if (list.size() != operands) {
    throw Error::input(fmt::format("{} has {}, the expression has {}; give one each, '-' for none", option,
                                   counted(list.size(), "entry", "entries"), counted(operands, "operand")));
  }
  return list;
}

std::size_t operand_count(const Expr& expr, std::vector<std::string>* names = nullptr) {
  std::size_t count = 0;
  for (const int operand : operand_of(expr, names)) count = std::max(count, static_cast<std::size_t>(operand) + 1);
  return count;
}

std::vector<std::string> formats_of(const CallOptions& call, std::size_t count) {
  if (call.format.empty()) return std::vector<std::string>(count);
  return one_each(split_formats(call.format), count, "--format");
}

// The format a word asks for before the file's order is known: csf and coo fit any order, the others tell their own.
Format format_for_reading(const std::string& text) {
  if (text == "csf") return csf();
  if (text == "coo") return coo();
  const std::size_t colon = text.find(':');
  const std::string word = text.substr(0, colon);
  int order = static_cast<int>(word.size());
  if (word == "csr" || word == "csc") {
    order = 2;
  } else if (colon != std::string::npos) {
    order = static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(colon), text.end(), ',')) + 1;
  }
  return parse_format(text, order);
}

Tensor load(const std::string& file, const std::optional<Shape>& shape, const std::string& format, Semiring semiring) {
  ReadOptions options;
  options.semiring = semiring;
  if (!format.empty() && format != "dense") options.format = format_for_reading(format);
  const Tensor tensor = read_shaped(file, shape, options);
  if (format == "dense") return tensor.to_dense(semiring);
  if (!format.empty() && !tensor.sparse()) return tensor.to_sparse(*options.format, semiring);
  return tensor;
}

}  // namespace

std::vector<std::string> bind_files(const Expr& expr, const std::vector<std::string>& arguments) {
  std::vector<std::string> names;
  const std::size_t count = operand_count(expr, &names);
  std::vector<std::string> files(count);
  std::vector<bool> bound(count, false);
  std::vector<std::string> unnamed;
  const bool named = !expr.inputs.empty() && !expr.inputs[0].name.empty();
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    const auto at = named && equals != std::string::npos
                        ? static_cast<std::size_t>(std::find(names.begin(), names.end(), argument.substr(0, equals)) -
                                                   names.begin())
                        : count;
    if (at >= count) {
      unnamed.push_back(argument);
      continue;
    }
    if (bound[at])
      throw Error::input(fmt::format("tensor {} is given two files, {} and {}", names[at], files[at], argument));
    files[at] = argument.substr(equals + 1);
    bound[at] = true;
  }
  const auto open = static_cast<std::size_t>(std::count(bound.begin(), bound.end(), false));
  if (unnamed.size() != open) {
    const std::string hint =
        named ? " (a name stands for one file, however often it appears)" : " (a file used twice is named twice)";
    throw Error::input(fmt::format("the expression has {}, {} given{}", counted(count, "operand"),
                                   counted(arguments.size(), "file is", "files are"), hint));
  }
  auto next = unnamed.begin();
  for (std::size_t i = 0; i < count; ++i) {
    if (!bound[i]) files[i] = *next++;
  }
  return files;
}

std::vector<Tensor> load_operands(const Expr& expr, const std::vector<std::string>& arguments,
                                  const CallOptions& call) {
  const std::vector<std::string> files = bind_files(expr, arguments);
  const std::vector<std::string> formats = formats_of(call, files.size());
  std::vector<std::optional<Shape>> shapes(files.size());
  if (!call.shape.empty()) shapes = one_each(parse_shapes(call.shape), files.size(), "--shape");
  const Semiring semiring = semiring_in_force(call, expr);

  std::map<std::tuple<std::string, std::optional<Shape>, std::string>, Tensor> read_before;
  std::vector<Tensor> tensors;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto key = std::make_tuple(files[i], shapes[i], formats[i]);
    auto found = read_before.find(key);
    if (found == read_before.end())
      found = read_before.emplace(key, load(files[i], shapes[i], formats[i], semiring)).first;
    tensors.push_back(found->second);
  }
  return tensors;
}

std::vector<TensorDesc> describe_operands(const Expr& expr, const std::string& shapes_text, const std::string& nnz_text,
                                          const CallOptions& call) {
  const std::size_t count = operand_count(expr);
  const std::vector<std::string> formats = formats_of(call, count);
  const auto shapes = one_each(parse_shapes(shapes_text), count, "--shapes");
  std::vector<std::optional<std::int64_t>> counts(count);
  if (!nnz_text.empty()) counts = one_each(parse_counts(nnz_text), count, "--nnz");
  const DType type = dtype_or_none(call.dtype).value_or(DType::f64);

  std::vector<TensorDesc> descs;
  for (std::size_t i = 0; i < count; ++i) {
    if (!shapes[i])
      throw Error::input(fmt::format("--shapes: operand {} needs its extents, there is no file to take them from", i));
    const bool dense = formats[i] == "dense" || (formats[i].empty() && !counts[i]);
    if (dense) {
      descs.push_back(dense_desc(type, *shapes[i]));
      continue;
    }
    if (!counts[i])
      throw Error::input(fmt::format("operand {} is sparse ({}), so --nnz must give its non-zeros", i, formats[i]));
    const auto order = static_cast<int>(shapes[i]->size());
    descs.push_back(
        sparse_desc(type, *shapes[i], *counts[i], parse_format(formats[i].empty() ? "csf" : formats[i], order)));
  }
  return descs;
}

Tensor accumulate_start(const CallOptions& call, const std::vector<TensorDesc>& operands, const Options& options,
                        Semiring semiring) {
  ReadOptions reading;
  reading.semiring = semiring;
  const Tensor start = read(call.accumulate, reading).to_dense(semiring).contiguous();
  DType type = start.dtype();
  for (const TensorDesc& operand : operands) type = promote(type, operand.dtype);
  return start.to_dtype(options.dtype.value_or(type));
}

Tensor read_shaped(const std::string& file, const std::optional<Shape>& shape, ReadOptions options) {
  const std::string kind = extension(file);
  if (shape && (kind == ".tns" || kind == ".csv")) options.shape = *shape;
  Tensor tensor = read(file, options);
  if (shape && tensor.extents() != *shape) {
    throw Error::input(
        fmt::format("{}: the shape is {}, --shape says {}", file, shape_text(tensor.extents()), shape_text(*shape)));
  }
  return tensor;
}

void check_output_name(const std::string& path) {
  const std::string kind = extension(path);
  const bool binary = kind == ".npy" || kind == ".npz";
  if ((binary && !lower_case(path).ends_with(".gz")) || kind == ".tns" || kind == ".mtx" || kind == ".csv") return;
  throw Error::input(
      fmt::format("{}: the extension names no format to write: expected .npy, .npz, .tns, .mtx, .csv, the "
                  "last three also with .gz",
                  path));
}

Tensor fit_file(const std::string& path, const Tensor& tensor, Semiring semiring) {
  const std::string kind = extension(path);
  if (kind == ".npy") return tensor.to_dense(semiring);
  const bool holds_sparse = kind == ".tns" || kind == ".mtx" || kind == ".csv" || kind == ".npz";
  if (holds_sparse && !tensor.sparse() && tensor.order() > 0) return tensor.to_sparse(csf(), semiring);
  return tensor;
}

}  // namespace einloom::tools
