// The header is a Python dictionary with three keys, read strictly but in any order and spacing.
#include "runtime/files/npy_header.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

namespace einloom {

namespace {

class Parser {
 public:
  Parser(const Input& input, std::string_view text) : input_(input), text_(text) {}

  NpyHeader parse() {
    NpyHeader header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!take('}')) {
      const std::string key = quoted();
      expect(':');
      bool& seen = key == "descr" ? descr : key == "fortran_order" ? order : key == "shape" ? shape : unknown(key);
      if (seen) fail(fmt::format("the key '{}' twice", key));
      seen = true;
      if (key == "descr") {
        header.descr = read_descr();
      } else if (key == "fortran_order") {
        header.fortran = boolean();
      } else {
        header.shape = tuple();
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip();
    if (at_ != text_.size()) fail("something after the closing brace");
    if (!descr || !order || !shape) fail("a missing key: descr, fortran_order and shape are needed");
    return header;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { input_.fail(fmt::format("the .npy header has {}", what)); }
  [[noreturn]] bool& unknown(const std::string& key) const { fail(fmt::format("an unknown key '{}'", key)); }

  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ < text_.size() && text_[at_] == c) return ++at_, true;
    return false;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("no '{}' at byte {}", c, at_));
  }
  bool take_word(std::string_view word) {
    skip();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  std::string quoted() {
    skip();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail(fmt::format("no quoted text at byte {}", at_));
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a text without closing quote");
    std::string out(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return out;
  }
  std::string read_descr() {
    skip();
    if (at_ < text_.size() && (text_[at_] == '[' || text_[at_] == '(')) {
      fail("a structured element type, which is not accepted: bool, i32, i64, f16, bf16, f32, f64, c64 and c128 are");
    }
    return quoted();
  }
  bool boolean() {
    if (take_word("True")) return true;
    if (!take_word("False")) fail("a fortran_order that is neither True nor False");
    return false;
  }
  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> out;
    expect('(');
    while (!take(')')) {
      skip();
      std::int64_t extent = 0;
      const auto [stop, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), extent);
      if (status != std::errc{})
        fail(fmt::format("a shape that is not made of whole numbers of 64 bits, at byte {}", at_));
      if (extent < 0) fail(fmt::format("a negative extent {}", extent));
      at_ = static_cast<std::size_t>(stop - text_.data());
      take_word("L");  // as Python 2 wrote them
      out.push_back(extent);
      if (take(',')) continue;
      expect(')');
      break;
    }
    return out;
  }

  const Input& input_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

NpyHeader read_npy_header(const Input& input) {
  constexpr std::int64_t longest = 1 << 24;
  unsigned char head[12] = {};
  if (input.size() < 10) input.fail("is too short to be an .npy file");
  input.read(0, head, 10);
  if (std::memcmp(head, "\x93NUMPY", 6) != 0) {
    if (head[0] == 0x80) input.fail("is a pickle, which is not accepted: save plain arrays");
    input.fail("does not begin as an .npy file does");
  }
  const int version = head[6];
  if (version < 1 || version > 3 || head[7] != 0)
    input.fail(fmt::format("has .npy version {}.{}: 1.0, 2.0 and 3.0 are known", version, head[7]));
  std::int64_t length = head[8] | head[9] << 8, start = 10;
  if (version > 1) {
    if (input.size() < 12) input.fail("is too short to be an .npy file");
    input.read(0, head, 12);
    length |= static_cast<std::int64_t>(head[10]) << 16 | static_cast<std::int64_t>(head[11]) << 24;
    start = 12;
  }
  if (length > input.size() - start) input.fail("ends within its .npy header");
  if (length > longest) input.fail(fmt::format("has an .npy header of {} bytes", length));
  std::string text(static_cast<std::size_t>(length), '\0');
  input.read(start, text.data(), length);
  NpyHeader header = Parser(input, text).parse();
  header.data = start + length;
  return header;
}

}  // namespace einloom
