import { Command } from "../../packages/crosscall/src/options/command.ts";
import { createProgram } from "../../packages/crosscall/src/program.ts";
import { formatTable, type Generated, withTable } from "./pages.ts";

/** Generates docs/commands/, with one page per command and its subcommands, and the table of docs/commands.md. */
export async function generate(): Promise<Generated> {
  const commands = childrenOf(await createProgram());
  const rows = commands.map((command) => [`[\`${command.name()}\`](${pathOf(command)})`, toText(command.summary())]);
  const pages = new Map([
    ["docs/commands.md", withTable("docs/commands.md", ["command", "what it does"], rows)],
    ...commands.map((command) => [`docs/${pathOf(command)}`, toPage(command)] as const),
  ]);
  const faults = commands
    .flatMap(listCommands)
    .filter(({ exampleLines }) => exampleLines.length === 0)
    .map((command) => `${nameOf(command)} has no example`);
  return { pages, faults };
}

function pathOf(command: Command): string {
  return `commands/${command.name()}.md`;
}

function toPage(command: Command): string {
  const [first = command] = listCommands(command);
  // The first example shows the purpose of the page.
  const sections =
    first === command
      ? [...toReference(command, "##"), ...listCommands(command).slice(1).flatMap(toSection)]
      : [...toExample(first), toContents(command), ...listCommands(command).flatMap(toSection)];
  return `${[`# ${nameOf(command)}`, toText(command.description()), ...sections].join("\n\n")}\n`;
}

function toContents(command: Command): string {
  const rows = listCommands(command).map((child) => [
    `[\`${nameOf(child)}\`](#${nameOf(child).replaceAll(" ", "-")})`,
    toText(child.description()),
  ]);
  return formatTable(["command", "what it does"], rows);
}

/** Lists the command itself if it can be run, then its subcommands. */
function listCommands(command: Command): readonly Command[] {
  const children = childrenOf(command).flatMap(listCommands);
  return children.length > 0 && command.registeredArguments.length === 0 ? children : [command, ...children];
}

/** Omits hidden commands and the implicit help command. */
function childrenOf(command: Command): readonly Command[] {
  const visible = command.createHelp().visibleCommands(command);
  return command.commands.filter((child) => child instanceof Command).filter((child) => visible.includes(child));
}

function toSection(command: Command): readonly string[] {
  return [`## ${nameOf(command)}`, toText(command.description()), ...toReference(command, "###")];
}

/** Formats the reference, with the shortest example first. */
function toReference(command: Command, level: string): readonly string[] {
  const help = command.createHelp();
  const others = command.exampleLines.filter((line) => line !== shortestOf(command));
  const rowsOf = (rows: readonly (readonly [string, string])[]): readonly (readonly string[])[] =>
    rows.map(([term, text]) => [`\`${term}\``, toText(text)]);
  const parameters = help
    .visibleArguments(command)
    .map((argument) => [help.argumentTerm(argument), help.argumentDescription(argument)] as const);
  const options = help
    .visibleOptions(command)
    .map((option) => [help.optionTerm(option), help.optionDescription(option)] as const);
  const suffix = level === "##" ? "" : ` of ${command.name()}`;
  return [
    ...toExample(command),
    ...(others.length === 0 ? [] : [`${level} More examples${suffix}`, toConsole(others)]),
    ...(parameters.length === 0
      ? []
      : [`${level} Arguments${suffix}`, formatTable(["argument", "meaning"], rowsOf(parameters))]),
    `${level} Options${suffix}`,
    ["```text", help.commandUsage(command), "```"].join("\n"),
    formatTable(["option", "meaning"], rowsOf(options)),
  ];
}

function toExample(command: Command): readonly string[] {
  const example = shortestOf(command);
  return example === undefined ? [] : [toConsole([example])];
}

function shortestOf({ exampleLines }: Command): string | undefined {
  const lines = exampleLines.filter((line) => !line.includes("--help"));
  return lines.toSorted((left, right) => left.length - right.length)[0];
}

function toConsole(lines: readonly string[]): string {
  return ["```console", ...lines.map((line) => `$ ${line}`), "```"].join("\n");
}

function nameOf(command: Command): string {
  const { parent } = command;
  return parent instanceof Command ? `${nameOf(parent)} ${command.name()}` : command.name();
}

/** Escapes angle brackets outside code, because Markdown treats them as HTML. */
function toText(text: string): string {
  return text
    .split(/(`[^`]*`)/u)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "\\<")))
    .join("");
}
