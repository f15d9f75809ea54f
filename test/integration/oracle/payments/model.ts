import type { Hex } from "viem";

/** Payments in a test's transaction, and the orders that the transaction names. */
export interface Paying {
  readonly id: string;
  readonly isFinal: boolean;
  readonly named: readonly Hex[];
  readonly paid: readonly { readonly to: string; readonly amount: bigint }[];
}

/** Request to attest a settlement. States the amount that each transaction must pay, and its recipient. */
export interface Asked {
  /** Settlement kind, order and deposits. */
  readonly settlement: string;
  readonly orderId: Hex;
  readonly needs: readonly { readonly transaction: Paying; readonly to: string; readonly amount: bigint }[];
  /** Transactions that must name the order and be final, even if they pay nothing. */
  readonly transactions: readonly Paying[];
}

/**
 * Slow reference implementation that decides, from all requests signed so far, whether a request can be signed.
 * Shares no code with the oracle.
 */
export class PaymentModel {
  private readonly signed: Asked[] = [];

  maySign(asked: Asked): boolean {
    const others = this.signed.filter(({ settlement }) => settlement !== asked.settlement);
    for (const { isFinal, named } of asked.transactions) {
      if (!isFinal || named.length !== 1 || named[0] !== asked.orderId) return false;
    }
    return this.isPaid([...others, asked]);
  }

  /**
   * Records a signed request. If a settlement is requested again with another transaction, both attestations count.
   *
   * @returns whether no payment counts twice
   */
  sign(asked: Asked): boolean {
    this.signed.push(asked);
    return this.isPaid(this.signed);
  }

  private isPaid(all: readonly Asked[]): boolean {
    const needs = all.flatMap((asked, index) => {
      const later = all.slice(index + 1).filter(({ settlement }) => settlement === asked.settlement);
      return asked.needs.filter(
        ({ transaction, to }) =>
          !later.some((other) => other.needs.some((need) => need.transaction === transaction && need.to === to)),
      );
    });
    return needs.every(({ transaction, to }) => {
      let [needed, paid] = [0n, 0n];
      for (const need of needs) if (need.transaction === transaction && need.to === to) needed += need.amount;
      for (const payment of transaction.paid) if (payment.to === to) paid += payment.amount;
      return needed <= paid;
    });
  }
}
