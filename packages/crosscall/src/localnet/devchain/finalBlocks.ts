import { numberToHex } from "viem";

import { isObject } from "@crosscall/protocol/schema";
import { readBlock, type Request } from "./chainRecord.ts";
import type { Finality } from "./options.ts";

/** `safe` blocks have half the depth of `finalized` blocks, as on Ethereum. */
const DEPTH_SHARES = { safe: 2, finalized: 1 } as const;

type Tag = keyof typeof DEPTH_SHARES;

const isTag = (value: unknown): value is Tag => value === "safe" || value === "finalized";

/** Finds the final blocks of a chain by their depth. Without a depth, every block is final. */
export class FinalBlocks {
  /** Number of the last block that is final from the start. */
  first = 0;
  readonly blocks: number;
  readonly seconds: number;
  readonly #request: Request;

  constructor({ blocks = 0, seconds = 0 }: Finality, request: Request) {
    this.blocks = blocks;
    this.seconds = seconds;
    this.#request = request;
  }

  /** Returns the number of the last block with the depth of a tag. */
  async find(tag: Tag): Promise<number> {
    const share = DEPTH_SHARES[tag];
    const head = await readBlock(this.#request);
    let high = head.number - Math.ceil(this.blocks / share);
    if (high <= this.first) return Math.min(this.first, head.number);
    if (this.seconds === 0) return high;
    const latestTime = head.timestamp - Math.ceil(this.seconds / share);
    // Block times never decrease.
    let low = this.first;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((await readBlock(this.#request, middle)).timestamp <= latestTime) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Replaces `safe` and `finalized` in the parameters of a read by block numbers, because the node treats them as latest. */
  async resolve(params: readonly unknown[]): Promise<unknown[]> {
    return Promise.all(params.map((value) => this.#resolveParam(value)));
  }

  async #resolveParam(value: unknown): Promise<unknown> {
    if (isTag(value)) return numberToHex(await this.find(value));
    // The filter of eth_getLogs.
    if (!isObject(value) || !(isTag(value.fromBlock) || isTag(value.toBlock))) return value;
    const [fromBlock, toBlock] = await this.resolve([value.fromBlock, value.toBlock]);
    return { ...value, fromBlock, toBlock };
  }
}
