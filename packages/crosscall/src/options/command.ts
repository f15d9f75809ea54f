import { Command as CommanderCommand } from "commander";

export class Command extends CommanderCommand {
  /** Example commands in the help and in `docs/commands/`. */
  readonly exampleLines: string[] = [];

  override createCommand(name?: string): Command {
    return new Command(name);
  }

  /** Prints the lines after the help. */
  examples(lines: readonly string[]): this {
    this.exampleLines.push(...lines);
    return this.addHelpText("after", ["", "Examples:", ...lines.map((line) => `  ${line}`)].join("\n"));
  }

  /** Imports the command's action only when the command runs, so that `--help` and other commands start fast. */
  lazyAction(load: () => Promise<Parameters<CommanderCommand["action"]>[0]>): this {
    return this.action(async (...parameters: unknown[]) => (await load()).apply(this, parameters));
  }
}
