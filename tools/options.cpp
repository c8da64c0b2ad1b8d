#include "tools/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>

namespace einloom::tools {

namespace {

std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  for (int i = 0; i < dtype_count; ++i) names.emplace_back(name(static_cast<DType>(i)));
  return names;
}

std::vector<std::string> semiring_names() {
  std::vector<std::string> names;
  for (int i = 0; i < semiring_count; ++i) names.emplace_back(name(static_cast<Semiring>(i)));
  return names;
}

// Pieces between commas, each with the place where it begins.
struct Piece {
  std::string text;
  std::size_t at;
};
std::vector<Piece> split(const std::string& text, char separator) {
  std::vector<Piece> pieces;
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    pieces.push_back({text.substr(begin, end - begin), begin});
    if (end == text.size()) return pieces;
    begin = end + 1;
  }
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::int64_t parse_size(const std::string& piece, const std::string& whole, std::size_t at, const char* what) {
  std::int64_t value = 0;
  const auto [stop, status] = std::from_chars(piece.data(), piece.data() + piece.size(), value);
  if (!all_digits(piece)) throw Error::input(fmt::format("expected {}", what), whole, at);
  if (status != std::errc{}) throw Error::input(fmt::format("{} does not fit 64 bits", what), whole, at);
  return value;
}

// A real number that is the whole of `text`, or `value` stays as it was; a leading '+' is allowed.
bool parse_real(std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.starts_with('+')) return false;
  double found = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), found);
  if (status != std::errc{} || stop != text.data() + text.size()) return false;
  value = found;
  return true;
}

}  // namespace

CLI::Validator not_empty() {
  return CLI::Validator([](std::string& text) { return text.empty() ? std::string("an empty value") : std::string(); },
                        "");
}

CLI::Option* add_dtype_option(CLI::App& app, std::string& text, const std::string& help) {
  // NumPy's spellings are understood too; the check is on what parse_dtype takes.
  const CLI::Validator known(
      [](std::string& word) {
        if (parse_dtype(word)) return std::string();
        return fmt::format("'{}' is no element type; expected {}", word, fmt::join(dtype_names(), ", "));
      },
      "");
  return app.add_option("--dtype", text, help)->type_name("T")->check(known);
}

void add_call_options(CLI::App& app, CallOptions& call) {
  app.add_option("--device", call.device, "where to run: cpu (cuda[:N] in builds with CUDA)")->type_name("DEVICE");
  app.add_option(
         "--format", call.format,
         "how each operand is stored: csf, coo, csr, csc, dense, or a letter a level (d c n s); a mode order after a "
         "colon (csf:2-0-1); '-' leaves the operand as it is")
      ->type_name("F,F,...")
      ->check(not_empty());
  app.add_option("--out-format", call.out_format, "layout of the result (default dense)")
      ->type_name("L")
      ->check(CLI::IsMember(std::vector<std::string>{"dense", "csf", "coo"}));
  const CLI::Validator known(
      [](std::string& word) {
        if (parse_semiring(word)) return std::string();
        return fmt::format("'{}' is no semiring; expected {}", word, fmt::join(semiring_names(), ", "));
      },
      "");
  app.add_option("--semiring", call.semiring, fmt::format("{}", fmt::join(semiring_names(), ", ")))
      ->type_name("NAME")
      ->check(known);
  app.add_option("--shape", call.shape, "extents of each file, such as 50x40,- ('-': the file's own)")
      ->type_name("S,S,...")
      ->check(not_empty());
  app.add_flag("--broadcast", call.broadcast, "let an extent of 1 broadcast against a named label");
  app.add_flag("--write-diagonal", call.write_diagonal, "let a label repeated in the output write a diagonal");
  app.add_option("--precision", call.precision, "exact or tf32; tf32 changes nothing on a CPU")
      ->type_name("P")
      ->check(CLI::IsMember(std::vector<std::string>{"exact", "tf32"}));
  app.add_flag("--deterministic", call.deterministic,
               "accepted: on a CPU results repeat for the same number of threads");
  app.add_option("--path", call.path, "auto, optimal, greedy, or pairs such as '(0,1),(0,1)'")
      ->type_name("P")
      ->check(not_empty());
  app.add_option("--strategy", call.strategy, "auto, loops, gett, fused or pairwise (docs/strategies.md)")
      ->type_name("NAME")
      ->check(CLI::IsMember(std::vector<std::string>{"auto", "loops", "gett", "fused", "pairwise"}));
  app.add_flag("--no-cache", call.no_cache, "plan and compile afresh, keep nothing");
  app.add_option("--alpha", call.alpha, "factor of the contraction, such as 2 or 1+2i")
      ->type_name("X")
      ->check(not_empty());
  app.add_option("--beta", call.beta, "factor of what --accumulate holds (default 1)")
      ->type_name("Y")
      ->check(not_empty());
  app.add_option("--accumulate", call.accumulate, "add to the tensor in this file")
      ->type_name("FILE")
      ->check(not_empty());
  app.add_option("--memory-limit", call.memory_limit, "bytes of intermediates: N, NK, NM or NG")
      ->type_name("N")
      ->check(not_empty());
  app.add_option("--threads", call.threads, "threads to use (default EINLOOM_THREADS, otherwise all cores)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
}

Options to_options(const CallOptions& call) {
  Options options;
  options.dtype = dtype_or_none(call.dtype);
  if (!call.semiring.empty()) options.semiring = parse_semiring(call.semiring);
  if (call.out_format == "csf") options.out_format = Layout::csf;
  if (call.out_format == "coo") options.out_format = Layout::coo;
  options.broadcast = call.broadcast;
  options.write_diagonal = call.write_diagonal;
  options.path = call.path;
  options.strategy = call.strategy;
  options.no_cache = call.no_cache;
  if (!call.alpha.empty()) options.alpha = parse_complex(call.alpha);
  if (!call.beta.empty() && call.accumulate.empty())
    throw UsageError("--beta needs --accumulate FILE, the tensor it scales");
  if (!call.accumulate.empty()) {
    if (options.out_format != Layout::dense)
      throw UsageError("--accumulate gives a dense result; leave --out-format out");
    options.beta = call.beta.empty() ? 1 : parse_complex(call.beta);
  }
  if (!call.memory_limit.empty()) options.memory_limit = parse_bytes(call.memory_limit);
  return options;
}

Semiring semiring_in_force(const CallOptions& call, const Expr& expr) {
  if (expr.names_semiring || call.semiring.empty()) return expr.semiring;
  return parse_semiring(call.semiring).value_or(Semiring::plus_times);
}

void require_device(const std::string& device) {
  if (device == "cpu") return;
  const std::string_view number = std::string_view(device).substr(std::min<std::size_t>(5, device.size()));
  const bool cuda =
      device == "cuda" || (device.starts_with("cuda:") && (all_digits(number) || number.starts_with("sm_")));
  if (!cuda) throw UsageError(fmt::format("--device: expected cpu, cuda or cuda:N, not '{}'", device));
  throw Error::device(fmt::format("device '{}': this build of einloom has no CUDA; use --device cpu", device));
}

std::optional<DType> dtype_or_none(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return parse_dtype(text);
}

std::vector<std::optional<Shape>> parse_shapes(const std::string& text) {
  std::vector<std::optional<Shape>> shapes;
  for (const Piece& piece : split(text, ',')) {
    if (piece.text == "-") {
      shapes.emplace_back();
      continue;
    }
    Shape shape;
    if (piece.text != "scalar") {
      for (const Piece& extent : split(piece.text, 'x')) {
        shape.push_back(
            parse_size(extent.text, text, piece.at + extent.at, "an extent: a shape is 50x40, 'scalar' or '-'"));
      }
    }
    shapes.emplace_back(std::move(shape));
  }
  return shapes;
}

std::vector<std::optional<std::int64_t>> parse_counts(const std::string& text) {
  std::vector<std::optional<std::int64_t>> counts;
  for (const Piece& piece : split(text, ',')) {
    if (piece.text == "-") {
      counts.emplace_back();
    } else {
      counts.emplace_back(parse_size(piece.text, text, piece.at, "a number of non-zeros, or '-' for a dense operand"));
    }
  }
  return counts;
}

std::vector<std::string> split_formats(const std::string& text) {
  std::vector<std::string> formats;
  for (const Piece& piece : split(text, ',')) {
    if (all_digits(piece.text) && !formats.empty() && formats.back().find(':') != std::string::npos) {
      formats.back() += "," + piece.text;
    } else if (piece.text == "-") {
      formats.emplace_back();
    } else if (piece.text.empty()) {
      throw Error::input("an empty format: expected csf, coo, csr, csc, dense, a letter a level, or '-'", text,
                         piece.at);
    } else {
      std::string format = piece.text;
      const std::size_t colon = format.find(':');
      if (colon != std::string::npos) {
        std::replace(format.begin() + static_cast<std::ptrdiff_t>(colon), format.end(), '-', ',');
      }
      formats.push_back(std::move(format));
    }
  }
  return formats;
}

std::complex<double> parse_complex(const std::string& text) {
  double re = 0, im = 0;
  if (parse_real(text, re)) return re;
  if (!text.empty() && (text.back() == 'i' || text.back() == 'j')) {
    const std::string body = text.substr(0, text.size() - 1);
    // The sign that begins the imaginary part: the last one that is not an exponent's.
    std::size_t cut = body.find_last_of("+-");
    while (cut != std::string::npos && cut > 0 && (body[cut - 1] == 'e' || body[cut - 1] == 'E')) {
      cut = body.find_last_of("+-", cut - 1);
    }
    if (cut == std::string::npos) cut = 0;
    const std::string imaginary = body.substr(cut);
    const bool bare = imaginary.empty() || imaginary == "+" || imaginary == "-";
    if (bare) im = imaginary == "-" ? -1 : 1;
    if ((bare || parse_real(imaginary, im)) && (cut == 0 || parse_real(body.substr(0, cut), re))) return {re, im};
  }
  throw UsageError(fmt::format("'{}' is no number; expected one such as 2, -1.5e3, 3i or 1+2i", text));
}

std::int64_t parse_bytes(const std::string& text) {
  std::int64_t value = 0, unit = 1;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string suffix(stop, text.data() + text.size());
  if (suffix == "K") unit = std::int64_t{1} << 10;
  if (suffix == "M") unit = std::int64_t{1} << 20;
  if (suffix == "G") unit = std::int64_t{1} << 30;
  const bool known = suffix.empty() || unit > 1;
  if (status == std::errc::invalid_argument || !known || value <= 0) {
    throw UsageError(fmt::format("'{}' is no amount of memory; expected bytes as N, NK, NM or NG", text));
  }
  if (status != std::errc{} || __builtin_mul_overflow(value, unit, &value)) {
    throw UsageError(fmt::format("the amount of memory '{}' does not fit 64 bits", text));
  }
  return value;
}

}  // namespace einloom::tools
