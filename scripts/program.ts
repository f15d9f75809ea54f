import { Command, CommanderError } from "commander";

import { chainCommand } from "./chain.ts";
import { checkCommand } from "./check.ts";
import { clockCommand } from "./clock.ts";
import { demoCommand } from "./demo.ts";
import { deployCommand } from "./deploy.ts";
import { feesCommand } from "./fees.ts";
import { keysCommand } from "./keys.ts";
import { migrateCommand } from "./migrate.ts";
import { mirrorCommand } from "./mirror.ts";
import { oracleCommand } from "./oracle.ts";
import { planCommand } from "./plan.ts";
import { quoteCommand } from "./quote.ts";
import { replayCommand } from "./replay.ts";
import { requestsCommand } from "./requests.ts";
import { scenariosCommand } from "./scenarios.ts";
import { sendCommand } from "./send.ts";
import { signatureCommand } from "./signature.ts";
import { statusCommand } from "./status.ts";
import { outliveReaders } from "./terminal/outliveReaders.ts";
import { reportError } from "./terminal/reportError.ts";
import { upCommand } from "./up.ts";
import { watchCommand } from "./watch.ts";
import { webhooksCommand } from "./webhooks.ts";

/** Exit codes of every command. */
const EXIT_CODES = {
  success: 0,
  /** The command ran and failed; its message says why. */
  failure: 1,
  /** The command line cannot be used. */
  usage: 2,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;

/** The command line `crosscall`, with all its commands. Options stand behind the name of the command that they are of. */
export function createProgram(): Command {
  return new Command("crosscall")
    .description("The integration kit for cross-chain call execution.")
    .version("0.1.0")
    .showHelpAfterError("(add --help for the options)")
    .exitOverride()
    .enablePositionalOptions()
    .addCommand(demoCommand())
    .addCommand(upCommand())
    .addCommand(chainCommand())
    .addCommand(clockCommand())
    .addCommand(keysCommand())
    .addCommand(webhooksCommand())
    .addCommand(scenariosCommand())
    .addCommand(planCommand())
    .addCommand(checkCommand())
    .addCommand(quoteCommand())
    .addCommand(sendCommand())
    .addCommand(watchCommand())
    .addCommand(statusCommand())
    .addCommand(feesCommand())
    .addCommand(requestsCommand())
    .addCommand(replayCommand())
    .addCommand(signatureCommand())
    .addCommand(mirrorCommand())
    .addCommand(migrateCommand())
    .addCommand(deployCommand())
    .addCommand(oracleCommand());
}

/** Settings do not reach commands that were made apart, at any depth. */
function handDownSettings(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent);
    handDownSettings(command);
  }
}

/** Runs the command line and tells its exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const program = createProgram();
  handDownSettings(program);
  outliveReaders();
  try {
    await program.parseAsync([...argv]);
    // A command that did its work may say by this that not all is well.
    return process.exitCode === EXIT_CODES.failure ? EXIT_CODES.failure : EXIT_CODES.success;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.success : EXIT_CODES.usage;
    return reportError(error, { json: argv.includes("--json") }) ? EXIT_CODES.interrupted : EXIT_CODES.failure;
  }
}
