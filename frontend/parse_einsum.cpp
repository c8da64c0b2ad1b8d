// Einsum strings: "ij,jk->ik". Repetition only, no recursion: the stack does not grow with the text.
#include <fmt/format.h>

#include "grammar.h"
#include "parse_builder.h"

namespace einloom {

namespace grammar {

namespace {

struct label : letter {};
struct term : pegtl::star<pegtl::sor<space, label, dots>> {};
struct begin_input : pegtl::success {};
struct input : pegtl::seq<begin_input, term> {};
struct arrow : pegtl::string<'-', '>'> {};
struct einsum : pegtl::seq<pegtl::list<input, comma>, pegtl::opt<arrow, term>, pegtl::must<pegtl::eof>> {};

template <typename Rule>
struct action : pegtl::nothing<Rule> {};

template <>
struct action<begin_input> {
  template <typename In>
  static void apply(const In& in, ExprBuilder& builder) {
    builder.begin_input(builder.offset(token_of(in)));
  }
};
template <>
struct action<arrow> {
  template <typename In>
  static void apply(const In& in, ExprBuilder& builder) {
    builder.begin_output(builder.offset(token_of(in)) + 2);
  }
};
template <>
struct action<label> {
  template <typename In>
  static void apply(const In& in, ExprBuilder& builder) {
    builder.label(token_of(in));
  }
};
template <>
struct action<dots> {
  template <typename In>
  static void apply(const In& in, ExprBuilder& builder) {
    builder.dots(token_of(in));
  }
};

// Why the text cannot go on at `at`.
std::string fault(const ExprBuilder& builder, std::size_t at) {
  const std::string_view text = builder.text();
  const char c = text[at];
  const std::string found = found_at(text, at);
  if (c == '-' && text.substr(at, 2) == "->") return "a second '->': there is one output";
  if (c == '-') return "'-' must be followed by '>'";
  if (c == '>') return "'>' must follow '-'";
  if (c == ',') return "',' after '->': there is one output";
  if (c >= '0' && c <= '9') {
    return fmt::format("'{}' is a digit: a label is one letter (number labels go in the interleaved form)", c);
  }
  if (c == '_') return "'_' is not a label: a label is one letter (long names go in index notation)";
  if (!decode(text, at).valid) return "found " + found;
  return fmt::format("{} is not a letter: an einsum string has letters, ',', '...' and '->'", found);
}

template <typename Rule>
struct control : pegtl::normal<Rule> {
  template <typename In>
  [[noreturn]] static void raise(const In& in, ExprBuilder& builder) {
    const auto at = static_cast<std::size_t>(in.current() - builder.text().data());
    builder.fail(fault(builder, at), at);
  }
};

}  // namespace

}  // namespace grammar

Expr parse_einsum(std::string_view text) {
  grammar::Input in(text.data(), text.data() + text.size(), "");
  ExprBuilder builder(text);
  grammar::pegtl::parse<grammar::einsum, grammar::action, grammar::control>(in, builder);
  return builder.finish();
}

}  // namespace einloom
