import { AmbiguousPaymentError } from "../attestationRefusedError.ts";
import { type BoundedCache, createBoundedCache } from "../boundedCache.ts";
import type { Payment } from "../vms/vmChain.ts";

/** A part of a payment that a settlement needs. */
export interface Claim {
  readonly payment: Payment;
  readonly amount: bigint;
  /** For the caller: `output payment 0 of order 0x…`. */
  readonly meaning: string;
}

/** What was attested as paid, so that each payment counts once. The processes of one oracle share it. */
export interface Ledger {
  /**
   * Repeating a settlement changes nothing.
   *
   * @param settlement the same for the same kind, order and deposits
   * @throws {@link AmbiguousPaymentError} if a payment is too small for all of its claims
   */
  book(settlement: string, claims: readonly Claim[]): Promise<void> | void;
}

/** Books in this process. */
export interface LocalLedger extends Ledger {
  book(settlement: string, claims: readonly Claim[]): void;
}

/** What another process books. */
export interface Booking {
  readonly settlement: string;
  readonly claims: readonly Claim[];
}

/** Why a booking was rejected, to pass between processes. */
export type Conflict = Pick<AmbiguousPaymentError, "payment" | "meanings">;

type Bookings = Map<string, Pick<Claim, "amount" | "meaning">>;

const KEPT = 100_000;

export function createLedger(): LocalLedger {
  const places = createBoundedCache<string, Bookings>(KEPT);
  return {
    book(settlement, claims) {
      const own = claimsByPlace(claims);
      for (const [place, claimed] of own) requireEnough(claimed, othersAt(places, place, settlement));
      for (const [place, claimed] of own) {
        const meaning = claimed.map((claim) => claim.meaning).join(" and ");
        places.getOrAdd(place, () => new Map()).set(settlement, { amount: totalOf(claimed), meaning });
      }
    },
  };
}

/** Books for another process. */
export function bookRemote(ledger: LocalLedger, { settlement, claims }: Booking): Conflict | undefined {
  try {
    ledger.book(settlement, claims);
    return undefined;
  } catch (error) {
    if (!(error instanceof AmbiguousPaymentError)) throw error;
    return { payment: error.payment, meanings: error.meanings };
  }
}

/** @param send to the process that books */
export function createRemoteLedger(send: (booking: Booking) => Promise<Conflict | undefined>): Ledger {
  return {
    async book(settlement, claims) {
      const conflict = await send({ settlement, claims });
      if (conflict !== undefined) throw new AmbiguousPaymentError(conflict.payment, conflict.meanings);
    },
  };
}

/** Of a transaction that makes the calls of an order, or that has to pay nothing: it settles once. */
export function wholeTransaction(place: string, meaning: string): Claim {
  return { payment: { place, amount: 1n }, amount: 1n, meaning };
}

/** Claims of nothing take no part of a payment. */
export function claimsByPlace(claims: readonly Claim[]): ReadonlyMap<string, readonly Claim[]> {
  const needing = claims.filter(({ amount }) => amount > 0n);
  return Map.groupBy(needing, ({ payment }) => payment.place);
}

function totalOf(claims: readonly Pick<Claim, "amount">[]): bigint {
  return claims.reduce((sum, { amount }) => sum + amount, 0n);
}

function othersAt(places: BoundedCache<string, Bookings>, place: string, settlement: string) {
  const bookings: Bookings = places.get(place) ?? new Map();
  return [...bookings].filter(([key]) => key !== settlement).map(([, booking]) => booking);
}

/**
 * @param claimed of one payment
 * @throws {@link AmbiguousPaymentError} naming two of them
 */
export function requireEnough(
  claimed: readonly Claim[],
  others: readonly Pick<Claim, "amount" | "meaning">[] = [],
): void {
  let left = (claimed[0]?.payment.amount ?? 0n) - totalOf(others);
  let before = others.at(-1)?.meaning;
  for (const { amount, meaning, payment } of claimed) {
    left -= amount;
    if (left < 0n) throw new AmbiguousPaymentError(`payment of ${payment.amount}`, [before ?? meaning, meaning]);
    before = meaning;
  }
}
