import type { Argument, Command, Option } from "commander";

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** Completions for the last word; undefined to complete file names. */
export type Candidates = readonly Candidate[] | undefined;

/** Returns the values of an option or argument without fixed choices; undefined to complete file names. */
export type FindValues = (name: string, placeholder: string) => Promise<Candidates> | Candidates;

/**
 * Completes the last word.
 *
 * @param words words after the program's name; the last word ends at the cursor
 */
export async function complete(
  program: Command,
  words: readonly string[],
  findValues: FindValues,
): Promise<Candidates> {
  const whole = joinValues(words);
  const last = whole.at(-1) ?? "";
  const { command, positionals, option, isOver } = walk(program, whole.slice(0, -1));
  const [, flag, typed] = /^(--[^=]+)=(.*)$/su.exec(last) ?? [];
  const assigned = isOver || flag === undefined ? undefined : findOption(command, flag);
  if (assigned !== undefined) return startingWith(typed, await valuesOf(assigned, findValues));
  if (option !== undefined && (option.required || !last.startsWith("-"))) {
    return startingWith(last, await valuesOf(option, findValues));
  }
  if (last.startsWith("-") && !isOver) return startingWith(last, optionsOf(command));
  const argument = command.registeredArguments[positionals] ?? lastVariadic(command);
  const values = argument === undefined ? [] : await valuesOf(argument, findValues);
  const commands = positionals === 0 ? commandsOf(command) : [];
  if (values === undefined && commands.length === 0) return undefined;
  return startingWith(last, [...commands, ...(values ?? [])]);
}

/** Bash splits words at these characters. */
const BREAKS: readonly (string | undefined)[] = ["=", ":"];

function joinValues(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const [index, word] of words.entries()) {
    const isPart = BREAKS.includes(word) || BREAKS.includes(words[index - 1]);
    if (isPart && index > 0) joined.push(`${joined.pop()}${word}`);
    else joined.push(word);
  }
  return joined;
}

interface Position {
  readonly command: Command;
  /** Number of the command's arguments before the last word. */
  readonly positionals: number;
  /** Option to which the last word can be a value. */
  readonly option?: Option | undefined;
  /** Whether a `--` came before the last word. */
  readonly isOver: boolean;
}

function walk(program: Command, words: readonly string[]): Position {
  let position: Position = { command: program, positionals: 0, isOver: false };
  for (const word of words) position = step(position, word);
  return position;
}

function step({ command, positionals, option, isOver }: Position, word: string): Position {
  const next = { command, positionals, isOver };
  if (isOver) return { ...next, positionals: positionals + 1 };
  if (option?.required === true || (option !== undefined && !word.startsWith("-"))) {
    return option.variadic && !word.startsWith("-") ? { ...next, option: withOptionalValue(option) } : next;
  }
  if (word === "--") return { ...next, isOver: true };
  if (word.startsWith("-")) {
    const found = word.includes("=") ? undefined : findOption(command, word);
    return found !== undefined && takesValue(found) ? { ...next, option: found } : next;
  }
  const child = positionals === 0 ? command.commands.find((each) => each.name() === word) : undefined;
  return child === undefined
    ? { ...next, positionals: positionals + 1 }
    : { command: child, positionals: 0, isOver: false };
}

/** Makes the value optional, because a variadic option ends at the next option. */
function withOptionalValue(option: Option): Option {
  return Object.assign(Object.create(option) as Option, { required: false, optional: true });
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function findOption(command: Command, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => long === flag || short === flag);
}

function lastVariadic({ registeredArguments }: Command): Argument | undefined {
  const last = registeredArguments.at(-1);
  return last?.variadic === true ? last : undefined;
}

function optionsOf(command: Command): readonly Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long === undefined ? [] : [{ value: long, description }]));
}

function commandsOf(command: Command): readonly Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((child) => ({ value: child.name(), description: child.description() }));
}

function valuesOf(of: Argument | Option, findValues: FindValues): Promise<Candidates> | Candidates {
  if (of.argChoices !== undefined) return of.argChoices.map((value) => ({ value, description: "" }));
  if (!("flags" in of)) return findValues(of.name(), of.name());
  return takesValue(of) ? findValues(of.long ?? "", /[<[](.*?)(?:\.\.\.)?[>\]]$/u.exec(of.flags)?.[1] ?? "") : [];
}

function startingWith(prefix: string | undefined, candidates: Candidates): Candidates {
  return candidates?.filter(({ value }) => value.startsWith(prefix ?? ""));
}
