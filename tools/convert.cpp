// einloom convert: copies a tensor from one file format to another.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "frontend/counted.h"
#include "frontend/text.h"
#include "tools/commands.h"
#include "tools/operands.h"
#include "tools/options.h"
#include "tools/report.h"

namespace einloom::tools {

namespace {

struct Arguments {
  std::string in, out, shape, dtype;
};

int convert(const Arguments& arguments) {
  check_output_name(arguments.out);
  ReadOptions options;
  options.dtype = dtype_or_none(arguments.dtype);
  std::optional<Shape> shape;
  if (!arguments.shape.empty()) {
    const auto shapes = parse_shapes(arguments.shape);
    if (shapes.size() != 1) throw Error::input("--shape takes the extents of one file", arguments.shape, 0);
    shape = shapes[0];
  }
  const Tensor tensor = read_shaped(arguments.in, shape, std::move(options));
  write(arguments.out, fit_file(arguments.out, tensor, Semiring::plus_times));
  note(fmt::format("{}: shape {}, {}, {}", arguments.out, shape_text(tensor.extents()), counted(tensor.nnz(), "value"),
                   name(tensor.dtype())));
  return 0;
}

}  // namespace

Action setup_convert(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("IN", arguments->in, "the file to read: .npy, .npz, .tns, .mtx, .csv, text forms also with .gz")
      ->required();
  app.add_option("OUT", arguments->out, "the file to write, its format by extension")->required();
  app.add_option("--shape", arguments->shape, "extents, for .tns and .csv, which do not tell them: 50x40")
      ->type_name("S");
  add_dtype_option(app, arguments->dtype, "element type of what is written");
  app.footer(
      "Zeros of a dense tensor are dropped where the format is sparse; a sparse tensor written to .npy becomes "
      "dense.\n\n"
      "Example: einloom convert nell.tns.gz nell.npz");
  return [arguments] { return convert(*arguments); };
}

}  // namespace einloom::tools
