// The `einloom` command: one table of sub-commands. Results go to standard output, messages to standard error.
// Exit status: 0 fine, 1 wrong input, 2 wrong usage, 3 the device or its memory cannot, 4 internal fault.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "runtime/einloom.h"
#include "tools/commands.h"
#include "tools/options.h"
#include "tools/report.h"

namespace einloom::tools {

namespace {

struct Command {
  const char* name;
  const char* help;
  Action (*setup)(CLI::App& app);
};
constexpr Command commands[] = {
    {"run", "Contract the tensors in files", setup_run},
    {"explain", "Show what would run and why, stage by stage", setup_explain},
    {"info", "Describe the tensor in a file", setup_info},
    {"convert", "Copy a tensor from one file format to another", setup_convert},
    {"gen", "Make seeded synthetic data", setup_gen},
    {"devices", "List the devices einloom can use", setup_devices},
};

enum ExitStatus { fine = 0, wrong_input = 1, wrong_usage = 2, device_cannot = 3, internal_fault = 4 };

std::string version_text() {
  return fmt::format("einloom {}\nLLVM {}\nCUDA not built\ncache {} (not used yet)", version(), EINLOOM_LLVM_VERSION,
                     cache_directory());
}

std::string command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands) names.emplace_back(command.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

int dispatch(std::vector<std::string> arguments) {
  CLI::App app("Einloom compiles einsum expressions and runs them on tensors in files.", "einloom");
  app.set_version_flag("--version", version_text, "Print version, compiler, CUDA and cache path");
  app.footer("Example: einloom run 'ij,jk->ik' A.npy B.npy -o C.npy\n`einloom COMMAND --help` describes one command.");
  app.require_subcommand(1);
  app.get_formatter()->column_width(30);

  std::vector<std::pair<CLI::App*, Action>> actions;
  for (const Command& command : commands) {
    CLI::App* const sub = app.add_subcommand(command.name, command.help);
    actions.emplace_back(sub, command.setup(*sub));
  }
  const auto chosen = [&]() -> CLI::App* {
    for (const auto& [sub, action] : actions) {
      if (sub->parsed()) return sub;
    }
    return nullptr;
  };

  if (!arguments.empty() && !arguments[0].starts_with('-') &&
      std::none_of(std::begin(commands), std::end(commands),
                   [&](const Command& c) { return arguments[0] == c.name; })) {
    throw UsageError(fmt::format("there is no command '{}'; expected one of {}", arguments[0], command_names()));
  }
  // "->" opens an expression, not an option: the language ignores spaces.
  for (std::string& argument : arguments) {
    if (argument == "--") break;
    if (argument.starts_with("->")) argument.insert(0, 1, ' ');
  }
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    put(app.help());
    return fine;
  } catch (const CLI::CallForVersion&) {
    put(version_text() + "\n");
    return fine;
  } catch (const CLI::ParseError& error) {
    const std::string command = chosen() != nullptr ? " " + chosen()->get_name() : "";
    const std::string what = arguments.empty() ? "a command is required: " + command_names() : error.what();
    throw UsageError(fmt::format("{}\n`einloom{} --help` shows the usage", what, command));
  }
  for (const auto& [sub, action] : actions) {
    if (sub->parsed()) return action();
  }
  throw Error::internal("no command was chosen");
}

int guarded(int argc, char** argv) {
  try {
    return dispatch({argv + std::min(argc, 1), argv + argc});
  } catch (const ClosedPipe&) {
    return fine;
  } catch (const UsageError& error) {
    note(fmt::format("einloom: {}", error.what()));
    return wrong_usage;
  } catch (const Error& error) {
    note(fmt::format("einloom: {}", error.what()));
    switch (error.kind()) {
      case Error::Kind::input:
        return wrong_input;
      case Error::Kind::device:
      case Error::Kind::memory:
        return device_cannot;
      case Error::Kind::internal:
        return internal_fault;
    }
    return internal_fault;
  } catch (const std::bad_alloc&) {
    note("einloom: out of memory");
    return device_cannot;
  } catch (const std::exception& error) {
    note(fmt::format("einloom: internal fault: {}", error.what()));
    return internal_fault;
  }
}

}  // namespace

}  // namespace einloom::tools

int main(int argc, char** argv) {
  // A closed pipe is then seen as an error of the write, which ends quietly.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return einloom::tools::guarded(argc, argv);
  } catch (...) {  // not even the message could be made
    return 4;
  }
}
