import { createHash } from "node:crypto";

import { base58 } from "@scure/base";

import type { Clock } from "@crosscall/protocol/core";

/** Duration of a slot in milliseconds. */
export const SLOT_MS = 400;

/** Time of slot 0 in milliseconds: the first block of the live chain. The same in every process. */
const START_MS = 1_584_368_940_000;

/** Number of slots for which a transaction can use a block hash. */
const MAX_AGE = 150;

/** Slot at a time. */
export interface SlotTime {
  readonly slot: number;
  /** Unix time in milliseconds. */
  readonly ms: number;
}

export interface LatestBlockhash {
  readonly blockhash: string;
  readonly lastValidBlockHeight: number;
}

/**
 * The slots of a chain, which follow the clock. Slots with transactions have blocks, and each block is final. An idle
 * chain does nothing.
 */
export class Slots {
  readonly #clock: Clock;
  /** The start, and the times at which the clock was set back. Slots continue from there. */
  readonly #anchors: SlotTime[] = [{ slot: 0, ms: START_MS }];
  #last: SlotTime = { slot: 0, ms: START_MS };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the current slot, which is also the block height. Slots never decrease. */
  current(): SlotTime {
    const ms = this.#clock.now();
    if (ms < this.#last.ms) this.adopt({ slot: this.#last.slot + 1, ms });
    else this.#last = { slot: this.#slotAt(ms), ms };
    return this.#last;
  }

  /** Continues from a slot of a stored transaction. */
  adopt(at: SlotTime): void {
    if (at.ms < this.#last.ms || this.#slotAt(at.ms) !== at.slot) this.#anchors.push(at);
    this.#last = at;
  }

  /** Returns the time of a slot in Unix seconds; undefined if the chain has no such slot. */
  timeOf(slot: number): number | undefined {
    if (slot < 0 || slot > this.current().slot) return undefined;
    const anchor = this.#anchors.findLast((candidate) => candidate.slot <= slot);
    return anchor && secondsOf({ slot, ms: anchor.ms + (slot - anchor.slot) * SLOT_MS });
  }

  latestBlockhash(): LatestBlockhash {
    const { slot } = this.current();
    return { blockhash: blockhashOf(slot), lastValidBlockHeight: slot + MAX_AGE };
  }

  isValid(blockhash: string): boolean {
    const wanted = Buffer.from(base58.decode(blockhash));
    const { slot } = this.current();
    return Array.from({ length: MAX_AGE + 1 }, (_, age) => slot - age).some((recent) => hashOf(recent).equals(wanted));
  }

  #slotAt(ms: number): number {
    const { slot, ms: start } = this.#anchors.at(-1) ?? { slot: 0, ms: START_MS };
    return slot + Math.max(0, Math.floor((ms - start) / SLOT_MS));
  }
}

export function secondsOf({ ms }: SlotTime): number {
  return Math.floor(ms / 1_000);
}

/** Returns the hashes of the slots before one, newest first. */
export function hashesBefore(slot: number, count: number): { readonly slot: bigint; readonly hash: string }[] {
  return Array.from({ length: count }, (_, index) => slot - 1 - index).map((recent) => ({
    slot: BigInt(recent),
    hash: blockhashOf(recent),
  }));
}

export function blockhashOf(slot: number): string {
  return base58.encode(hashOf(slot));
}

function hashOf(slot: number): Buffer {
  return createHash("sha256").update(`crosscall slot ${slot}`).digest();
}

/** Hash of the first block, which identifies the chain. */
export const GENESIS_HASH = blockhashOf(0);
