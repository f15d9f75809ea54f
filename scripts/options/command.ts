import { Command as CommanderCommand } from "commander";

export class Command extends CommanderCommand {
  override createCommand(name?: string): Command {
    return new Command(name);
  }

  /** Prints the lines after the help. */
  examples(lines: readonly string[]): this {
    return this.addHelpText("after", ["", "Examples:", ...lines.map((line) => `  ${line}`)].join("\n"));
  }
}
