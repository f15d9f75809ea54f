import { Command, CommanderError } from "commander";

import { ignoreBrokenPipe } from "./terminal/ignoreBrokenPipe.ts";
import { reportError } from "./terminal/reportError.ts";

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

interface CommandEntry {
  readonly description: string;
  /** Imports what adds arguments, options and action to the command. */
  readonly load: () => Promise<(command: Command) => Command>;
}

/** All commands. Their files import little: what a command needs to run is imported when it runs. */
const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  demo: {
    description:
      "Run a cross-chain call end to end on a local network: pay on one chain, deposit in a vault on another.",
    load: async () => (await import("./demo.ts")).defineDemo,
  },
  up: {
    description:
      "Start the local network: two chains, the contracts, the service, its solver and two oracles. Ctrl-C stops it.",
    load: async () => (await import("./up.ts")).defineUp,
  },
  chain: {
    description: "Control the chains of a running network: faucet, blocks, reorgs, latency.",
    load: async () => (await import("./chain.ts")).defineChain,
  },
  clock: {
    description: "Show or set the time that a running network's service goes by. Chains keep their own.",
    load: async () => (await import("./clock.ts")).defineClock,
  },
  keys: {
    description: "Add, list and revoke API keys of a running network.",
    load: async () => (await import("./keys.ts")).defineKeys,
  },
  webhooks: {
    description: "Set, test and watch the webhooks of a running network's API keys.",
    load: async () => (await import("./webhooks.ts")).defineWebhooks,
  },
  scenarios: {
    description: "List what can be made to go wrong; set, show and clear it on a running network.",
    load: async () => (await import("./scenarios.ts")).defineScenarios,
  },
  plan: {
    description: "Make the calls of a plan, print them as text, and check them. Nothing is sent anywhere.",
    load: async () => (await import("./plan.ts")).definePlan,
  },
  check: {
    description: "Find what would fail, lose funds or leave some behind in the calls of a plan.",
    load: async () => (await import("./check.ts")).defineCheck,
  },
  quote: {
    description: "Check a plan, ask the service for its price, and print fees, steps and the least that arrives.",
    load: async () => (await import("./quote.ts")).defineQuote,
  },
  send: {
    description: "Execute a quote: send its transactions, once, and follow the request to its end.",
    load: async () => (await import("./send.ts")).defineSend,
  },
  watch: {
    description: "Follow a request to its end. Exits with 1 when it was not filled.",
    load: async () => (await import("./watch.ts")).defineWatch,
  },
  status: {
    description: "Look once where a request stands. Exits with 0 whatever the status is.",
    load: async () => (await import("./status.ts")).defineStatus,
  },
  fees: {
    description: "Print the fees of a quote or a request as a table that adds up, in US dollars.",
    load: async () => (await import("./fees.ts")).defineFees,
  },
  requests: {
    description: "List, look up and export requests of an API key.",
    load: async () => (await import("./requests.ts")).defineRequests,
  },
  replay: {
    description:
      "Run a fill again, or before it happens, on a fork of its chain: why it fails, what it leaves behind, and for " +
      "which delivered amounts it works. Nothing is sent anywhere.",
    load: async () => (await import("./replay.ts")).defineReplay,
  },
  signature: {
    description: "Fetch and check the service's signature over a request.",
    load: async () => (await import("./signature.ts")).defineSignature,
  },
  mirror: {
    description:
      "Bring the requests that were made with your API key into a database: all of them at first, then what changed. " +
      "With --serve they are listed as the service lists them, by GET /requests/v3.",
    load: async () => (await import("./mirror.ts")).defineMirror,
  },
  migrate: {
    description: "Move from the v2 listing of requests to v3: find what code reads of it, and convert records.",
    load: async () => (await import("./migrate.ts")).defineMigrate,
  },
  deploy: {
    description:
      "Deploy the kit's contracts to a chain, at the same addresses as on every other. Deploys what is missing.",
    load: async () => (await import("./deploy.ts")).defineDeploy,
  },
  oracle: {
    description: "Run the attestation oracle, or check one that runs.",
    load: async () => (await import("./oracle.ts")).defineOracle,
  },
};

/**
 * The command line `crosscall`. Options stand behind the name of the command that they are of.
 *
 * @param loaded the commands that get their arguments, options and actions; the others have a description only
 */
export async function createProgram(loaded: readonly string[] = Object.keys(COMMANDS)): Promise<Command> {
  const program = new Command("crosscall")
    .description("The integration kit for cross-chain call execution.")
    .version("0.1.0")
    .showHelpAfterError("(add --help for the options)")
    .exitOverride()
    .enablePositionalOptions();
  for (const [name, { description, load }] of Object.entries(COMMANDS)) {
    const command = program.command(name).description(description);
    if (loaded.includes(name)) (await load())(command);
  }
  handDownSettings(program);
  return program;
}

/** Settings do not reach commands that were made apart, at any depth. */
function handDownSettings(parent: Command): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent);
    handDownSettings(command);
  }
}

/** Runs the command line and returns its exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const program = await createProgram(argv.slice(2));
  ignoreBrokenPipe();
  try {
    await program.parseAsync([...argv]);
    // A command that did its work may say by this that not all is well.
    return process.exitCode === EXIT_CODES.failure ? EXIT_CODES.failure : EXIT_CODES.success;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.success : EXIT_CODES.usage;
    return reportError(error, { json: argv.includes("--json") }) ? EXIT_CODES.interrupted : EXIT_CODES.failure;
  }
}
