import { type Address, type Client, toHex, type Transport } from "viem";

import { AbortedError, sleep } from "@crosscall/protocol/core";
import type { ChainSnapshot } from "./chainRecord.ts";
import type { FinalBlocks } from "./finalBlocks.ts";

export interface ChainNode {
  /** URL of the node. Calls to it are delayed by the latency. */
  readonly rpcUrl: string;
  readonly latency: Latency;
  readonly changes: ChainChanges;
  /** Final blocks, if the node can delay finality. */
  readonly finalBlocks?: FinalBlocks;
  /** Transport for this process, which calls in-process nodes without HTTP. */
  readonly transport: Transport;
  /** Sends a call that is not delayed by the latency. */
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
  /**
   * Runs work while nothing changes the chain. Absent for foreign nodes, whose chain cannot be recreated.
   *
   * @param work function that receives the record that recreates the chain
   */
  readonly hold?: <Result>(work: (snapshot: ChainSnapshot) => Promise<Result>) => Promise<Result>;
  /** Replaces the last blocks with the same number of empty blocks, which have different hashes. */
  reorg(blocks: number): Promise<void>;
  close(): Promise<void>;
}

/** Delay of calls, which can change while calls wait. */
export class Latency {
  delayMs = 0;
  readonly #end = new AbortController();

  async wait(): Promise<void> {
    if (this.delayMs > 0) await sleep(this.delayMs, this.#end.signal, "the call to a node");
  }

  /** Rejects the waiting calls. */
  end(): void {
    this.#end.abort(new AbortedError({ what: "the call to a node" }));
  }
}

/** Calls a method of local nodes; anvil supports Hardhat's names. */
export async function localNodeRequest(client: Client, method: string, params: readonly unknown[]): Promise<unknown> {
  return (client.request as (call: { method: string; params: readonly unknown[] }) => Promise<unknown>)({
    method,
    params,
  });
}

/** Sets an account's native balance, in wei. */
export async function setNativeBalance(client: Client, account: Address, amount: bigint): Promise<void> {
  await localNodeRequest(client, "hardhat_setBalance", [account, toHex(amount)]);
}

/** A response of a node that is valid until the next change. */
export interface KnownResponse {
  readonly method: string;
  readonly params?: readonly unknown[];
  readonly result: unknown;
}

type ChangeListener = (responses: readonly KnownResponse[]) => void;

/** Announces changes of a chain: new blocks, reorgs, and other state that callers can set on a local node. */
export class ChainChanges {
  /** Whether every change is announced. If false, only changes made through this process are announced. */
  isComplete: boolean;
  readonly #listeners = new Set<ChangeListener>();

  constructor(isComplete: boolean) {
    this.isComplete = isComplete;
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param responses responses to the calls that most listeners make next */
  announce(responses: readonly KnownResponse[] = []): void {
    for (const listener of this.#listeners) listener(responses);
  }
}
