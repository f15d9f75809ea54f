import { watchRequest } from "@crosscall/sdk";
import type { IntentStatus } from "@crosscall/protocol/request";
import { findNetwork, openService } from "../../options/network.ts";
import { describeInjected, findInjectedIn } from "../replay/injected.ts";
import type { ServiceOptions } from "../../options/commonOptions.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { createProgressLines } from "../../terminal/progressLines.ts";
import { onceOutputCloses, toJsonLine, writeOutput } from "../../terminal/output.ts";
import { printableData } from "@crosscall/protocol/core";

interface WatchOptions extends ServiceOptions {
  readonly websocket?: string;
  readonly timeout?: number;
  readonly refundGrace?: number;
  readonly json?: boolean;
}

export async function runWatch(requestId: string, options: WatchOptions): Promise<void> {
  const { json = false, websocket, timeout, refundGrace } = options;
  using interrupt = interruptOnCtrlC();
  const progress = createProgressLines({ isSilent: json });
  const unread = new AbortController();
  onceOutputCloses(() => unread.abort());
  try {
    progress.wait("waiting for the first status");
    const { outcome, status: last } = await watchRequest(openService(options), {
      requestId,
      ...(websocket === undefined ? {} : { source: { kind: "websocket" as const, url: websocket } }),
      ...(timeout === undefined ? {} : { timeoutMs: timeout * 60_000 }),
      ...(refundGrace === undefined ? {} : { refundGraceMs: refundGrace * 1000 }),
      signal: AbortSignal.any([interrupt.signal, unread.signal]),
      onStatus(status) {
        progress.stop();
        writeOutput(json ? toJsonLine({ requestId, ...status }) : toStatusLine(status));
        progress.wait("waiting for the next status");
      },
    });
    if (outcome !== "success") process.exitCode = 1;
    if (json) return;
    const scenarios = await findInjectedIn({ requestId, ...last }, findNetwork(options.apiUrl), interrupt.signal);
    writeOutput(describeInjected(scenarios));
  } catch (error) {
    // The program that reads the output closed it.
    if (!unread.signal.aborted || interrupt.signal.aborted) throw error;
  } finally {
    progress.stop();
  }
}

export function toStatusLine(response: IntentStatus): string {
  const { status, details, ...hashes } = printableData(response);
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
