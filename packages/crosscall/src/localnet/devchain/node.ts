import { type Address, type Client, toHex, type Transport } from "viem";

import { AbortedError, sleep } from "@crosscall/protocol/core";
import type { ChainSnapshot } from "./chainRecord.ts";

export interface ChainNode {
  /** Delayed by the latency. */
  readonly rpcUrl: string;
  readonly latency: Latency;
  readonly changes: ChainChanges;
  /** In-process nodes are called without HTTP. */
  readonly transport: Transport;
  /** Not delayed by the latency. */
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
  /**
   * Runs work while nothing changes the chain. Absent from nodes that others run, since nothing recreates their chain.
   *
   * @param work receives what recreates the chain
   */
  readonly hold?: <Result>(work: (snapshot: ChainSnapshot) => Promise<Result>) => Promise<Result>;
  /** Replaces the last blocks with as many empty ones, with other hashes. */
  reorg(blocks: number): Promise<void>;
  close(): Promise<void>;
}

/** Can be changed while calls wait. */
export class Latency {
  delayMs = 0;
  readonly #end = new AbortController();

  async wait(): Promise<void> {
    if (this.delayMs > 0) await sleep(this.delayMs, this.#end.signal, "the call of a node");
  }

  /** Calls that wait fail. */
  end(): void {
    this.#end.abort(new AbortedError({ what: "the call of a node" }));
  }
}

/** Calls a method of local nodes; anvil supports Hardhat's names. */
export async function localNodeRequest(client: Client, method: string, params: readonly unknown[]): Promise<unknown> {
  return (client.request as (call: { method: string; params: readonly unknown[] }) => Promise<unknown>)({
    method,
    params,
  });
}

/** In wei. */
export async function setNativeBalance(client: Client, account: Address, amount: bigint): Promise<void> {
  await localNodeRequest(client, "hardhat_setBalance", [account, toHex(amount)]);
}

/** Cached responses of a node until the next change. */
export interface KnownResponse {
  readonly method: string;
  readonly params?: readonly unknown[];
  readonly result: unknown;
}

type ChangeListener = (responses: readonly KnownResponse[]) => void;

/** Announces changes of a chain: new blocks, reorgs, and other state that a local node lets callers set. */
export class ChainChanges {
  /** Whether every change is announced; otherwise, only those made through this process. */
  isComplete: boolean;
  readonly #listeners = new Set<ChangeListener>();

  constructor(isComplete: boolean) {
    this.isComplete = isComplete;
  }

  /** @returns ends the subscription */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param responses to calls that most listeners make then */
  announce(responses: readonly KnownResponse[] = []): void {
    for (const listener of this.#listeners) listener(responses);
  }
}
