import { compact, InvalidStateError } from "@crosscall/protocol/core";
import type { StartedChain } from "../devchain/startChain.ts";
import { redactUrl } from "../redactUrl.ts";
import type { SettableClock } from "../service/sharedClock.ts";
import { saveTables } from "../store/savedTables.ts";
import type { Store } from "../store/store.ts";
import type { LocalnetOptions } from "../options.ts";
import type { NetworkSnapshot, SavedChain } from "./networkSnapshot.ts";

export interface SnapshotParts {
  readonly options: LocalnetOptions;
  readonly chains: readonly StartedChain[];
  readonly clock: SettableClock;
  readonly store: Store;
}

/** Options that only apply to this process, or that a snapshot saves in a different form. */
const NOT_SAVED: ReadonlySet<string> = new Set([
  "adminKey",
  "chains",
  "clock",
  "databaseFolder",
  "databaseUrl",
  "from",
  "logLevel",
  "oraclePort",
  "port",
] satisfies (keyof LocalnetOptions)[]);

/**
 * Takes a consistent snapshot of chains and database, and pauses changes of the chains meanwhile. A network that starts
 * from the snapshot resumes as after a crash at this moment.
 *
 * @throws {@link InvalidStateError} if a chain runs in another process
 */
export async function takeSnapshot({ options, chains, clock, store }: SnapshotParts): Promise<NetworkSnapshot> {
  // Locks the database first, because work with an open transaction may need a chain to finish it.
  return store.db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute((transaction) =>
      holdAll(chains, async (saved) => ({
        format: "crosscall-snapshot-1",
        clock: { now: clock.now(), offsetMs: clock.offsetMs },
        options: Object.fromEntries(Object.entries(options).filter(([name]) => !NOT_SAVED.has(name))),
        chains: saved,
        database: await saveTables(transaction),
      })),
    );
}

function holdAll<Result>(
  [chain, ...rest]: SnapshotParts["chains"],
  work: (saved: SavedChain[]) => Promise<Result>,
): Promise<Result> {
  if (chain === undefined) return work([]);
  const { options } = chain;
  if (chain.hold === undefined) {
    throw new InvalidStateError({
      message: `chain ${options.id} runs in another process, so it cannot be saved`,
      hint: "Take snapshots of networks whose chains all run in this process.",
    });
  }
  return chain.hold(async (held) => {
    const { id, hardfork, forkUrl, depositConfirmations, blockTimeMs, gasPriceGwei, finality } = options;
    const { miningIntervalMs, latencyMs } = await chain.controls.state();
    const forkBlock = forkUrl === undefined ? undefined : held.blockBefore;
    const shown = forkUrl === undefined ? undefined : redactUrl(forkUrl);
    const source = compact(shown === forkUrl ? { forkUrl } : { redactedForkUrl: shown });
    const mining = miningIntervalMs === undefined ? { blockTimeMs } : { miningIntervalMs };
    const own = compact({ hardfork, forkBlock, depositConfirmations, gasPriceGwei, finality });
    const settings = { ...source, ...own, ...compact(mining) };
    return holdAll(rest, (saved) => work([toPlain({ id, ...settings, latencyMs, ...held }), ...saved]));
  });
}

/** Copies the changes too, because the chain continues to record them. */
function toPlain(chain: object): SavedChain {
  return structuredClone(chain) as SavedChain;
}
