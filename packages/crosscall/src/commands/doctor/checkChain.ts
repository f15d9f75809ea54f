import { type Address, formatEther, type PublicClient } from "viem";

import { CrosscallError, WrongChainError } from "@crosscall/protocol/core";
import { asChainError, connectTarget, parseRpcUrl } from "../../options/target.ts";
import type { Check } from "./checkProject.ts";

/** Maximum age of the latest block: longer than the block time of any chain that the service supports. */
const MAX_AGE_SECONDS = 120;

/** Maximum time that a block's timestamp can be ahead of this machine's clock. */
const MAX_AHEAD_SECONDS = 30;

const UNSUPPORTED = "Warning for chains without the `finalized` tag. Replay and the oracle use confirmations instead.";

export interface ChainFacts {
  /** `url`, or `id=url`. */
  readonly rpcUrl: string;
  /** Ids of the service's chains; undefined if it lists none. */
  readonly listed?: readonly number[] | undefined;
  /** Account whose balance is checked. */
  readonly account?: Address | undefined;
  /** Whether the chain has a new block only when a transaction is sent. */
  readonly minesOnDemand: boolean;
  readonly signal: AbortSignal;
  /** Returns the time in Unix milliseconds. */
  readonly now: () => number;
}

/** Checks an endpoint's chain id, blocks and an account's funds. Never prints the URL, because it may contain a key. */
export async function checkChain({
  rpcUrl,
  listed,
  account,
  minesOnDemand,
  signal,
  now,
}: ChainFacts): Promise<readonly Check[]> {
  const { id, url } = parseRpcUrl(rpcUrl);
  const of = id === undefined ? "the endpoint" : `the endpoint of ${id}`;
  try {
    const { chainId, client } = await connectTarget(url, id, signal);
    const latest = await asChainError(chainId, () => client.getBlock());
    return [
      { area: "chain", name: `${of} responds`, state: "ok", seen: `chain ${chainId}` },
      ...(listed === undefined ? [] : [checkListed(chainId, listed)]),
      checkAge(chainId, latest, { now: now(), minesOnDemand }),
      await checkFinality(chainId, latest.number, client),
      ...(account === undefined ? [] : [await checkFunds(chainId, account, client)]),
    ];
  } catch (error) {
    if (!(error instanceof CrosscallError)) throw error;
    const seen = error instanceof WrongChainError ? `chain ${error.actualChainId}` : error.message;
    return [{ area: "chain", name: `${of} responds`, state: "failed", seen, hint: error.hint }];
  }
}

function checkListed(chainId: number, listed: readonly number[]): Check {
  const what = { area: "chain", name: `the service supports chain ${chainId}` } as const;
  if (listed.includes(chainId)) return { ...what, state: "ok", seen: "listed" };
  const hint = "Quotes for this chain are rejected: check the URLs of the service and the endpoint.";
  return { ...what, state: "warning", seen: "not listed", hint };
}

function checkAge(
  chainId: number,
  { number, timestamp }: { readonly number: bigint; readonly timestamp: bigint },
  { now, minesOnDemand }: { readonly now: number; readonly minesOnDemand: boolean },
): Check {
  const what = { area: "chain", name: `chain ${chainId} is current` } as const;
  const age = Math.round(now / 1_000) - Number(timestamp);
  if (age < -MAX_AHEAD_SECONDS) {
    const hint = "Synchronize this machine's clock. On a local chain, the chain's clock may have been set ahead.";
    return { ...what, state: "warning", seen: `block ${number}, ${-age} s in the future`, hint };
  }
  const seen = `block ${number}, ${Math.max(age, 0)} s old`;
  if (age <= MAX_AGE_SECONDS) return { ...what, state: "ok", seen };
  if (minesOnDemand) return { ...what, state: "ok", seen: `${seen}; it mines when a transaction is sent` };
  const hint = "Check that the node is in sync. Local chains mine only when a transaction is sent.";
  return { ...what, state: "warning", seen, hint };
}

async function checkFinality(chainId: number, latest: bigint, client: PublicClient): Promise<Check> {
  const what = { area: "chain", name: `chain ${chainId} reports finality` } as const;
  const [safe, finalized] = await Promise.all(
    (["safe", "finalized"] as const).map((blockTag) => client.getBlock({ blockTag }).catch(() => undefined)),
  );
  if (finalized === undefined) return { ...what, state: "warning", seen: "no finalized block", hint: UNSUPPORTED };
  // The chain may have added blocks since the latest block was read.
  const behind = (number: bigint): bigint => (number > latest ? 0n : latest - number);
  const seen = `finalized ${behind(finalized.number)} blocks behind`;
  if (safe === undefined) return { ...what, state: "ok", seen: `${seen}, no safe block` };
  return { ...what, state: "ok", seen: `${seen}, safe ${behind(safe.number)}` };
}

async function checkFunds(chainId: number, account: Address, client: PublicClient): Promise<Check> {
  const what = { area: "chain", name: `the account has funds on chain ${chainId}` } as const;
  const balance = await asChainError(chainId, () => client.getBalance({ address: account }));
  const seen = `${formatEther(balance)} of native currency`;
  if (balance > 0n) return { ...what, state: "ok", seen };
  return { ...what, state: "warning", seen, hint: `Send native currency for gas to ${account}.` };
}
