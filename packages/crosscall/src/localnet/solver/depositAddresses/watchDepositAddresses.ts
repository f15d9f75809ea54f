import { pause } from "@crosscall/protocol/core";
import { Alarm } from "../../alarm.ts";
import type { DevChain } from "../../devchain/devChain.ts";
import type { Head } from "../deposits/readDeposits.ts";
import { createPaymentLook } from "./lookForPayments.ts";
import type { SolverParts } from "../solverParts.ts";

/** Pause after a scan, as a multiple of its duration, so that scans do not slow down other requests. */
const PAUSE_FACTOR = 20;
const PAUSE_MAX_MS = 1_000;

/** Polling interval while payments are in progress. Starts at the minimum after activity, then grows to the maximum. */
const AGAIN_INTERVAL_MS = 100;
const AGAIN_INTERVAL_MAX_MS = 1_000;

const INTERVAL_GROWTH = 1.25;

/** Pause after a chain or the database did not respond. */
const FAULT_PAUSE_MS = 1_000;

/** Maximum time that a timer can wait. */
const UNTIL_BLOCK_MS = 2 ** 31 - 1;

export interface DepositAddressWatch {
  /** Announces a block; returns immediately. */
  notice(head: Head): void;
  readonly running: Promise<void>;
}

/**
 * Scans for payments to deposit addresses independently, so that many addresses or a failure do not delay other work.
 */
export function watchDepositAddresses(parts: SolverParts, chain: DevChain, signal: AbortSignal): DepositAddressWatch {
  const look = createPaymentLook(parts, chain);
  const alarm = new Alarm();
  let head: Head | undefined;
  const run = async (): Promise<void> => {
    let waitMs = UNTIL_BLOCK_MS;
    let againMs = AGAIN_INTERVAL_MS;
    for (;;) {
      const waited = await alarm.wait(waitMs, signal);
      if (waited === "aborted") return;
      if (head === undefined) continue;
      const started = performance.now();
      try {
        const { hasLeft, hasPass } = await look(head, signal);
        againMs = waited === "rung" ? AGAIN_INTERVAL_MS : Math.min(againMs * INTERVAL_GROWTH, AGAIN_INTERVAL_MAX_MS);
        waitMs = hasPass ? 0 : hasLeft ? againMs : UNTIL_BLOCK_MS;
        const pauseMs = Math.min(PAUSE_FACTOR * (performance.now() - started), PAUSE_MAX_MS);
        if (!(await pause(pauseMs, signal))) return;
      } catch (error) {
        if (signal.aborted) return;
        parts.log.error({ chainId: chain.id, error }, "could not check deposit addresses");
        if (!(await pause(FAULT_PAUSE_MS, signal))) return;
        waitMs = 0;
      }
    }
  };
  return {
    notice(latest) {
      head = latest;
      alarm.ring();
    },
    running: run(),
  };
}
