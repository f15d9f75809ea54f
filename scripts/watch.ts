import { Command } from "commander";

import { watchRequest } from "../src/client/watchRequest/watchRequest.ts";
import type { IntentStatus } from "../src/protocol/intentStatus.ts";
import { parseInteger, parsePositive } from "./options/numbers.ts";
import { addServiceOptions, openService, type ServiceOptions } from "./options/serviceOptions.ts";
import { interruptOnCtrlC } from "./terminal/interrupt.ts";
import { createProgressLines } from "./terminal/progressLines.ts";
import { toJsonLine } from "./terminal/toJson.ts";

interface WatchOptions extends ServiceOptions {
  readonly websocket?: string;
  readonly timeout?: number;
  readonly refundGrace?: number;
  readonly json?: boolean;
}

/** `crosscall watch`: follows a request to its end. */
export function watchCommand(): Command {
  return addServiceOptions(
    new Command("watch")
      .description("Follow a request to its end. Exits with 1 when it was not filled.")
      .argument("<requestId>", "the request"),
  )
    .option("--websocket <url>", "the service's websocket; polls while it cannot be reached")
    .option("--timeout <minutes>", "give up after this long (default: 10)", parsePositive)
    .option("--refund-grace <seconds>", "how long a refund is waited for after a failure (default: 60)", parseInteger)
    .option("--json", "print one JSON line a status instead of text")
    .addHelpText(
      "after",
      ["", "Examples:", "  crosscall watch 0x…", "  crosscall watch 0x… --websocket wss://… --json"].join("\n"),
    )
    .action(runWatch);
}

async function runWatch(requestId: string, options: WatchOptions): Promise<void> {
  const { json = false, websocket, timeout, refundGrace } = options;
  const interrupt = interruptOnCtrlC();
  const progress = createProgressLines({ isSilent: json });
  const unread = new AbortController();
  process.stdout.once("error", () => unread.abort());
  try {
    progress.wait("waiting for the first status");
    const { outcome } = await watchRequest(openService(options), {
      requestId,
      ...(websocket === undefined ? {} : { source: { kind: "websocket" as const, url: websocket } }),
      ...(timeout === undefined ? {} : { timeoutMs: timeout * 60_000 }),
      ...(refundGrace === undefined ? {} : { refundGraceMs: refundGrace * 1000 }),
      signal: AbortSignal.any([interrupt.signal, unread.signal]),
      onStatus(status) {
        progress.stop();
        process.stdout.write(json ? toJsonLine({ requestId, ...status }) : toStatusLine(status));
        progress.wait("waiting for the next status");
      },
    });
    if (outcome !== "success") process.exitCode = 1;
  } catch (error) {
    // Nobody reads what it would still say.
    if (!unread.signal.aborted || interrupt.signal.aborted) throw error;
  } finally {
    progress.stop();
    interrupt.release();
  }
}

/** A status for people, on one line. */
export function toStatusLine({ status, details, ...hashes }: IntentStatus): string {
  const inTxHashes = hashes.inTxHashes ?? [];
  const txHashes = hashes.txHashes ?? [];
  const parts = [
    status,
    ...(details === undefined || details === null ? [] : [details]),
    ...(inTxHashes.length === 0 ? [] : [`paid by ${inTxHashes.join(", ")}`]),
    ...(txHashes.length === 0 ? [] : [`sent ${txHashes.join(", ")}`]),
  ];
  return `${parts.join("; ")}\n`;
}
