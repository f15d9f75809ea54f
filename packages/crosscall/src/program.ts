import { CommanderError, Help, type Option } from "commander";

import { Command } from "./options/command.ts";
import { ignoreBrokenPipe, startOutput, writeNotice, writeOutput } from "./terminal/output.ts";
import { reportError } from "./terminal/reportError.ts";
import { VERSION } from "./artifacts.ts";

const EXIT_CODES = {
  success: 0,
  /** The command failed; its message states the reason. */
  failure: 1,
  /** Invalid command line. */
  usage: 2,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** Groups of commands in the overview, in order. */
const GROUPS = {
  start: "Start:",
  calls: "Compose and check calls:",
  requests: "Quote, pay and follow requests:",
  network: "Control a running local network:",
  operate: "Deploy and operate:",
  help: "Help:",
} as const;

interface CommandEntry {
  readonly group: keyof typeof GROUPS;
  /** One line for the overview. */
  readonly summary: string;
  /** Text of the command's own help. */
  readonly description: string;
  readonly isHidden?: boolean;
  /** Imports the definition of arguments, options and action. */
  readonly load: () => Promise<(command: Command) => Command>;
}

/** Command definitions. Each command imports its implementation lazily, when it runs. */
const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  demo: {
    group: "start",
    summary: "Run a cross-chain call end to end on a local network.",
    description:
      "Run a cross-chain call end to end on a local network: pay on one chain, deposit into a vault on another, and have two oracles attest the deposit and the fill.",
    load: async () => (await import("./commands/demo/command.ts")).defineDemo,
  },
  up: {
    group: "start",
    summary: "Start a local network until Ctrl-C.",
    description:
      "Start a local network until Ctrl-C: two EVM chains with router and depository at their live addresses, the service, its solver and two attestation oracles. Chains in this process start empty each time.",
    load: async () => (await import("./commands/up/command.ts")).defineUp,
  },
  init: {
    group: "start",
    summary: "Add crosscall to an existing project.",
    description:
      "Add crosscall to an existing project: dependencies, and a first test or example for Hardhat, Foundry, a web app or Node.js. Shows the changes and asks before it writes. Overwrites no file; a second run adds what is missing.",
    load: async () => (await import("./commands/init/command.ts")).defineInit,
  },
  doctor: {
    group: "start",
    summary: "Check your setup, and the local network of this folder.",
    description:
      "Check your setup: versions of the packages, the private key, the service and its API key, the clock, the pinned addresses, and the endpoints of chains. Without options, it checks the local network of this folder. Exits with 1 if a check fails.",
    load: async () => (await import("./commands/doctor/command.ts")).defineDoctor,
  },
  mcp: {
    group: "start",
    summary: "Serve the kit to coding agents (Model Context Protocol).",
    description:
      "Serve the kit to coding agents as a Model Context Protocol server: tools that compose, check, quote, verify, simulate and explain. Read-only by default; signs and pays nothing.",
    load: async () => (await import("./commands/mcp/command.ts")).defineMcp,
  },
  plan: {
    group: "calls",
    summary: "Build, print and check the calls of a plan.",
    description:
      "Build, print and check the calls of a plan, without sending them. Options override the file. Exits with 1 on findings that --fail-on selects.",
    load: async () => (await import("./commands/plan/command.ts")).definePlan,
  },
  check: {
    group: "calls",
    summary: "Find calls that would fail, lose funds or leave funds behind.",
    description:
      "Find calls of a plan that would fail, lose funds, or leave funds behind. Exits with 1 on findings that --fail-on selects.",
    load: async () => (await import("./commands/check/command.ts")).defineCheck,
  },
  replay: {
    group: "calls",
    summary: "Replay a fill on a fork, and find why it failed.",
    description:
      "Replay a past or planned fill on a fork of its chain: cause of failure, call tree, leftover funds, and the " +
      "delivered amounts that work. Sends nothing. Exits with 1 if the fill fails.",
    load: async () => (await import("./commands/replay/command.ts")).defineReplay,
  },
  quote: {
    group: "requests",
    summary: "Check a plan and request a quote.",
    description:
      "Check a plan, request a quote, and print its fees, steps and minimum output. Exits with 1 on findings that --fail-on selects.",
    load: async () => (await import("./commands/quote/command.ts")).defineQuote,
  },
  verify: {
    group: "requests",
    summary: "Check a quote against its request before you sign it.",
    description:
      "Check that the steps of a quote do only what the request specifies, before you sign them. Exits with 1 if they do more.",
    load: async () => (await import("./commands/verify/command.ts")).defineVerify,
  },
  preflight: {
    group: "requests",
    summary: "Run the steps of a quote on forks before you sign them.",
    description:
      "Execute the steps of a quote on forks of its chains, and check the transfers and the remaining allowances. Signs nothing. Exits with 1 if the steps do more than you requested, or revert.",
    load: async () => (await import("./commands/preflight/command.ts")).definePreflight,
  },
  send: {
    group: "requests",
    summary: "Execute a quote, and resume after a crash.",
    description:
      "Execute a quote: send each transaction once, and follow the request until it completes. After a crash or Ctrl-C, run the same command again: it resumes from the journal and never pays twice. Exits with 1 if the request is not filled.",
    load: async () => (await import("./commands/send/command.ts")).defineSend,
  },
  watch: {
    group: "requests",
    summary: "Follow a request until it completes.",
    description:
      "Follow a request until it completes, and print each status. Exits with 1 if the request is not filled.",
    load: async () => (await import("./commands/watch/command.ts")).defineWatch,
  },
  status: {
    group: "requests",
    summary: "Show a request, or the running local network.",
    description:
      "Print the current status of a request. Without an id, print the status of the running local network: chains, blocks, ports and requests. Exits with 0 for every status, and with 1 if no network runs.",
    load: async () => (await import("./commands/status/command.ts")).defineStatus,
  },
  fees: {
    group: "requests",
    summary: "Show the fees of a quote or a request.",
    description:
      "Print the quoted fees of a quote or a request in US dollars, and the actual fees of a filled request.",
    load: async () => (await import("./commands/fees/command.ts")).defineFees,
  },
  requests: {
    group: "requests",
    summary: "List, show and export the requests of an API key.",
    description: "List, show and export the requests of an API key.",
    load: async () => (await import("./commands/requests/command.ts")).defineRequests,
  },
  signature: {
    group: "requests",
    summary: "Verify the service's signature over a request.",
    description: "Fetch and verify the service's signature over a request.",
    load: async () => (await import("./commands/signature/command.ts")).defineSignature,
  },
  trigger: {
    group: "network",
    summary: "Send one request with a scenario, and print the outcome.",
    description:
      "Send one request to a running network with a scenario, and print the outcome. The network's user account pays.",
    load: async () => (await import("./commands/trigger/command.ts")).defineTrigger,
  },
  scenarios: {
    group: "network",
    summary: "List, set and clear the scenarios that a network can inject.",
    description:
      "List the scenarios that a local network can simulate, and set, show or clear them on a running network.",
    load: async () => (await import("./commands/scenarios/command.ts")).defineScenarios,
  },
  fills: {
    group: "network",
    summary: "Hold fills, and release each one with the outcome you choose.",
    description:
      "Hold fills of a running network, list them, and release them one at a time: as quoted, with another amount, or to fail.",
    load: async () => (await import("./commands/fills/command.ts")).defineFills,
  },
  listen: {
    group: "network",
    summary: "Print webhook events, and forward them to a URL.",
    description:
      "Print the webhook events of a running network until Ctrl-C, and forward them to a URL. Removes its webhook when it stops.",
    load: async () => (await import("./commands/listen/command.ts")).defineListen,
  },
  webhooks: {
    group: "network",
    summary: "Set, test and watch webhooks.",
    description: "Set, test and watch the webhooks of a running network's API keys.",
    load: async () => (await import("./commands/webhooks/command.ts")).defineWebhooks,
  },
  keys: {
    group: "network",
    summary: "Add, list and revoke API keys.",
    description: "Add, list and revoke API keys of a running network.",
    load: async () => (await import("./commands/keys/command.ts")).defineKeys,
  },
  chain: {
    group: "network",
    summary: "Control chains: faucet, blocks, reorgs and latency.",
    description: "Control the chains of a running network: faucet, blocks, reorgs and latency.",
    load: async () => (await import("./commands/chain/command.ts")).defineChain,
  },
  clock: {
    group: "network",
    summary: "Show or set the service's clock.",
    description:
      "Show or set the clock of a running network's service: quotes, deadlines, limits and record times. Chains keep their own time.",
    load: async () => (await import("./commands/clock/command.ts")).defineClock,
  },
  snapshot: {
    group: "network",
    summary: "Save a network to a file for `crosscall up --from`.",
    description:
      "Save a running network to a file that `crosscall up --from` can continue, and show the contents of such files.",
    load: async () => (await import("./commands/snapshot/command.ts")).defineSnapshot,
  },
  deploy: {
    group: "operate",
    summary: "Deploy crosscall's contracts to a chain.",
    description: "Deploy crosscall's contracts to a chain, at deterministic addresses. Skips contracts that exist.",
    load: async () => (await import("./commands/deploy/command.ts")).defineDeploy,
  },
  oracle: {
    group: "operate",
    summary: "Run, check or compare attestation oracles.",
    description: "Run the attestation oracle, check a running one, or compare two.",
    load: async () => (await import("./commands/oracle/command.ts")).defineOracle,
  },
  mirror: {
    group: "operate",
    summary: "Copy the requests of your API key into a database.",
    description:
      "Copy the requests of your API key into a database: all of them on the first run, then the changes. An interrupted run " +
      "resumes. With --serve, GET /requests/v3 lists them with the filters of the service.",
    load: async () => (await import("./commands/mirror/command.ts")).defineMirror,
  },
  migrate: {
    group: "operate",
    summary: "Migrate code and records from requests v2 to v3.",
    description: "Migrate from requests v2 to v3: find the fields that your code reads, and convert records.",
    load: async () => (await import("./commands/migrate/command.ts")).defineMigrate,
  },
  explain: {
    group: "help",
    summary: "Explain an error code, a failReason or a finding, offline.",
    description: "Explain the code of an error, a failReason or a finding. Works offline.",
    load: async () => (await import("./commands/explain/command.ts")).defineExplain,
  },
  completion: {
    group: "help",
    summary: "Print the completion script of your shell.",
    description: "Print a script that completes commands, options and their values in your shell.",
    load: async () => (await import("./commands/completion/command.ts")).defineCompletion,
  },
  complete: {
    group: "help",
    summary: "Print the possible completions of a command line.",
    description: "Print the possible completions of a command line, for the script of `crosscall completion`.",
    isHidden: true,
    load: async () => (await import("./commands/completion/command.ts")).defineComplete,
  },
};

/**
 * Creates the program. Options must follow the name of their command.
 *
 * @param loaded commands to define completely; other commands only get a description
 */
export async function createProgram(loaded: readonly string[] = Object.keys(COMMANDS)): Promise<Command> {
  const program = new Command("crosscall")
    .description("Integration kit for cross-chain call execution.")
    .version(VERSION)
    .showHelpAfterError("(add --help for usage)")
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({ writeOut: writeOutput, writeErr: writeNotice })
    .exitOverride()
    .enablePositionalOptions()
    .commandsGroup(GROUPS.help)
    .helpCommand("help [command]", "Show the help of a command.")
    .addHelpText("after", "\nStart with `crosscall demo`. Each command explains itself with --help.");
  for (const [name, { group, summary, description, isHidden = false, load }] of Object.entries(COMMANDS)) {
    const command = program.command(name, { hidden: isHidden }).description(description).summary(summary);
    command.helpGroup(GROUPS[group]);
    if (loaded.includes(name)) (await load())(command);
  }
  return program;
}

/** Describes an option. Omits the empty default of repeatable options. */
function describeOption(option: Option): string {
  const isEmpty = typeof option.defaultValue === "object" && Object.keys(option.defaultValue as object).length === 0;
  return new Help().optionDescription(
    isEmpty ? (Object.create(option, { defaultValue: { value: undefined } }) as Option) : option,
  );
}

export async function runProgram(argv: readonly string[]): Promise<number> {
  const program = await createProgram(argv.slice(2));
  ignoreBrokenPipe();
  startOutput();
  try {
    await program.parseAsync([...argv]);
    // The exit code of a command that did not throw.
    return process.exitCode === EXIT_CODES.failure ? EXIT_CODES.failure : EXIT_CODES.success;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.success : EXIT_CODES.usage;
    return reportError(error, { json: argv.includes("--json") }) ? EXIT_CODES.interrupted : EXIT_CODES.failure;
  }
}
