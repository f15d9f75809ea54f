import { dirname, join, resolve } from "node:path";

import { Command, InvalidArgumentError } from "commander";

import type { ExecutionResult } from "../src/client/executeSteps/executeSteps.ts";
import type { QuoteFreshness } from "../src/client/executeSteps/freshQuote.ts";
import { requestIdOf } from "../src/client/executeSteps/planSteps.ts";
import type { TakenQuote } from "../src/protocol/quoteFreshness.ts";
import { parseInteger, parsePositive } from "./options/numbers.ts";
import { readAccount, requireAccount } from "./options/privateKey.ts";
import { connectChains, rpcUrlOption } from "./options/rpcUrls.ts";
import { addServiceOptions, openService, type ServiceOptions } from "./options/serviceOptions.ts";
import { confirm } from "./send/confirm.ts";
import { describeQuote } from "./send/describeQuote.ts";
import { dryRun, type DryRun } from "./send/dryRun.ts";
import { createFileJournal } from "./send/fileJournal.ts";
import { lockRequest } from "./send/lockRequest.ts";
import { openWalletsOf } from "./send/openWalletsOf.ts";
import { readQuote } from "./send/readQuote.ts";
import { resumeCommand } from "./send/resumeCommand.ts";
import { sendQuote } from "./send/sendQuote.ts";
import { type Interrupt, interruptOnCtrlC } from "./terminal/interrupt.ts";
import { createProgressLines } from "./terminal/progressLines.ts";
import { toJsonLine } from "./terminal/toJson.ts";

interface SendOptions extends ServiceOptions {
  readonly rpcUrl?: readonly string[];
  readonly keyFile?: string;
  readonly journal?: string;
  readonly maxAge?: number;
  readonly toleranceBps?: number;
  readonly timeout?: number;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `crosscall send`: pays a quote, once, and follows it to its end. */
export function sendCommand(): Command {
  return addServiceOptions(
    new Command("send")
      .description("Execute a quote: send its transactions, once, and follow the request to its end.")
      .argument("<quote.json>", "the quote, as `crosscall quote --out` writes it")
      .addOption(rpcUrlOption()),
  )
    .option("--key-file <file>", "the file with the private key (default: the key in CROSSCALL_PRIVATE_KEY)")
    .option("--journal <folder>", "where it is written what was begun (default: .crosscall/journal beside the quote)")
    .option("--max-age <seconds>", "quote again when the quote is older (default: 30)", parseInteger)
    .option("--tolerance-bps <bps>", "how much worse the new quote may be, in bps (default: 0)", parseBps)
    .option("--timeout <minutes>", "give up following after this long (default: 10)", parsePositive)
    .option("--dry-run", "print what would be sent, check the funds, and send nothing; needs no key")
    .option("--yes", "send without being asked")
    .option("--json", "print one JSON object instead of progress and summary")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall send quote.json --rpc-url 8453=https://… --dry-run",
        "  CROSSCALL_PRIVATE_KEY=… crosscall send quote.json --rpc-url 8453=https://… --tolerance-bps 50 --yes",
        "  crosscall send quote.json --rpc-url http://127.0.0.1:8545 --key-file key.txt --json --yes",
      ].join("\n"),
    )
    .action(runSend);
}

async function runSend(file: string, options: SendOptions): Promise<void> {
  const interrupt = interruptOnCtrlC();
  try {
    const quote = await readQuote(file);
    process.stdout.write(
      options.dryRun === true
        ? await look(file, quote, options, interrupt)
        : await send(file, quote, options, interrupt),
    );
  } finally {
    interrupt.release();
  }
}

async function look(file: string, quote: TakenQuote, options: SendOptions, { signal }: Interrupt): Promise<string> {
  const client = openService(options);
  const account = await readAccount(options.keyFile);
  const targets = await connectChains(options.rpcUrl ?? [], signal);
  const outcome = await dryRun(client, {
    quote,
    wallets: openWalletsOf(quote, targets, account ?? (quote.takenFor.user as `0x${string}`)),
    journal: createFileJournal(journalOf(file, options)),
    freshness: toFreshness(options),
    signal,
  });
  const requestId = requestIdOf(outcome.quote);
  if (options.json === true) return toJsonLine({ ok: true, isDryRun: true, requestId, ...outcome });
  return `${describeQuote(outcome.quote)}${toActionText(outcome)}`;
}

async function send(file: string, quote: TakenQuote, options: SendOptions, { signal }: Interrupt): Promise<string> {
  const { json = false, yes = false, timeout } = options;
  const folder = journalOf(file, options);
  const client = openService(options);
  const account = await requireAccount(options.keyFile);
  const wallets = openWalletsOf(quote, await connectChains(options.rpcUrl ?? [], signal), account);
  const progress = createProgressLines({ isSilent: json });
  progress.line(describeQuote(quote));
  if (!yes) await confirm("Send it?", signal);
  const journal = createFileJournal(folder);
  const unlock = await lockRequest(folder, requestIdOf(quote));
  try {
    const result = await sendQuote(client, {
      ...{ quote, wallets, journal, signal, progress },
      freshness: toFreshness(options),
      ...(timeout === undefined ? {} : { timeoutMs: timeout * 60_000 }),
      resume: resumeCommand({ ...options, file, journal: folder }),
    });
    return json ? toJsonLine({ ok: true, ...result }) : toText(result);
  } finally {
    await unlock();
  }
}

/** Beside the quote unless one is named: wherever the command is run again, it finds what it began. */
function journalOf(file: string, { journal }: SendOptions): string {
  return journal === undefined ? join(dirname(resolve(file)), ".crosscall", "journal") : resolve(journal);
}

function toFreshness({ maxAge, toleranceBps }: SendOptions): QuoteFreshness {
  return {
    ...(maxAge === undefined ? {} : { maxAgeMs: maxAge * 1000 }),
    ...(toleranceBps === undefined ? {} : { toleranceBps }),
  };
}

function toActionText({ actions }: DryRun): string {
  if (actions.length === 0) return "It is paid already: nothing would be sent.\n";
  const lines = actions.map((action) =>
    action.kind === "transaction"
      ? `would send ${action.stepId} to ${action.to} on chain ${action.chainId}, value ${action.value} wei`
      : `would perform ${action.stepId}, a ${action.kind}`,
  );
  return `${[...lines, "The funds are there; nothing was sent."].join("\n")}\n`;
}

function toText({ requestId, transactions, status }: ExecutionResult): string {
  const lines = transactions.map(({ chainId, txHash }) => `paid       ${txHash} on chain ${chainId}`);
  const fills = (status.txHashes ?? []).map((txHash) => `filled     ${txHash}`);
  return `${[`request    ${requestId}`, `status     ${status.status}`, ...lines, ...fills].join("\n")}\n`;
}

function parseBps(text: string): number {
  const bps = parseInteger(text);
  // Beyond the whole any quote would do.
  if (bps >= 0 && bps <= 10_000) return bps;
  throw new InvalidArgumentError("It is not from 0 to 10000.");
}
