import { AmbiguousPaymentError } from "../attestationRefusedError.ts";
import { type BoundedCache, createBoundedCache } from "../boundedCache.ts";
import type { Payment } from "../vms/vmChain.ts";

/** A part of a payment that a settlement needs. */
export interface Claim {
  readonly payment: Payment;
  readonly amount: bigint;
  /** Use of the payment, for error messages, such as `output payment 0 of order 0x…`. */
  readonly meaning: string;
}

/** Records attested payments, so that each payment counts once. The processes of an oracle share one ledger. */
export interface Ledger {
  /**
   * Books the claims of a settlement. Booking the same settlement again changes nothing.
   *
   * @param settlement key of the settlement, from its kind, order and deposits
   * @throws {@link AmbiguousPaymentError} if a payment is too small for all of its claims
   */
  book(settlement: string, claims: readonly Claim[]): Promise<void> | void;
}

/** Ledger in this process. */
export interface LocalLedger extends Ledger {
  book(settlement: string, claims: readonly Claim[]): void;
}

/** A booking from another process. */
export interface Booking {
  readonly settlement: string;
  readonly claims: readonly Claim[];
}

/** Reason why a booking was rejected, as passed between processes. */
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

/** Books claims for another process. */
export function bookRemote(ledger: LocalLedger, { settlement, claims }: Booking): Conflict | undefined {
  try {
    ledger.book(settlement, claims);
    return undefined;
  } catch (error) {
    if (!(error instanceof AmbiguousPaymentError)) throw error;
    return { payment: error.payment, meanings: error.meanings };
  }
}

/** @param send sends a booking to the process that has the ledger */
export function createRemoteLedger(send: (booking: Booking) => Promise<Conflict | undefined>): Ledger {
  return {
    async book(settlement, claims) {
      const conflict = await send({ settlement, claims });
      if (conflict !== undefined) throw new AmbiguousPaymentError(conflict.payment, conflict.meanings);
    },
  };
}

/**
 * Returns the claim on a transaction that makes an order's calls or has nothing to pay, so that it settles only one
 * order.
 */
export function wholeTransaction(place: string, meaning: string): Claim {
  return { payment: { place, amount: 1n }, amount: 1n, meaning };
}

/** Groups claims by payment. Omits claims with an amount of zero. */
export function claimsByPlace(claims: readonly Claim[]): ReadonlyMap<string, readonly Claim[]> {
  const needing = claims.filter(({ amount }) => amount > 0n);
  return Map.groupBy(needing, ({ payment }) => payment.place);
}

export function totalOf(claims: readonly Pick<Claim, "amount">[]): bigint {
  return claims.reduce((sum, { amount }) => sum + amount, 0n);
}

function othersAt(places: BoundedCache<string, Bookings>, place: string, settlement: string) {
  const bookings: Bookings = places.get(place) ?? new Map();
  return [...bookings].filter(([key]) => key !== settlement).map(([, booking]) => booking);
}

/**
 * @param claimed all claims on one payment
 * @throws {@link AmbiguousPaymentError} that names two of the claims
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
