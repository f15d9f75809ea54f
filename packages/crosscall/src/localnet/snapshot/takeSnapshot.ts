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

/** Options that describe this process, or that a snapshot saves in another form. */
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
 * Reads chains and database as they are at one moment. Chains change nothing meanwhile: a network that starts from the
 * snapshot continues as after a crash at this moment.
 *
 * @throws {@link InvalidStateError} if a chain is not of this process
 */
export async function takeSnapshot({ options, chains, clock, store }: SnapshotParts): Promise<NetworkSnapshot> {
  // The database comes first: work that has a transaction open may need a chain to end it.
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
      message: `chain ${options.id} is a node of another process, so nothing recreates it`,
      hint: "Take snapshots of networks whose chains all run in this process.",
    });
  }
  return chain.hold(async (held) => {
    const { id, hardfork, forkUrl, depositConfirmations, blockTimeMs, gasPriceGwei } = options;
    const { miningIntervalMs, latencyMs } = await chain.controls.state();
    const forkBlock = forkUrl === undefined ? undefined : held.blockBefore;
    const shown = forkUrl === undefined ? undefined : redactUrl(forkUrl);
    const source = compact(shown === forkUrl ? { forkUrl } : { redactedForkUrl: shown });
    const mining = miningIntervalMs === undefined ? { blockTimeMs } : { miningIntervalMs };
    const settings = { ...source, ...compact({ hardfork, forkBlock, depositConfirmations, gasPriceGwei, ...mining }) };
    return holdAll(rest, (saved) => work([toPlain({ id, ...settings, latencyMs, ...held }), ...saved]));
  });
}

/** Also copies the changes, because the chain continues to collect them. */
function toPlain(chain: object): SavedChain {
  return structuredClone(chain) as SavedChain;
}
