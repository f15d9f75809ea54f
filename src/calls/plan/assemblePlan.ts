import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress } from "../../chains/address.ts";
import { InvalidInputError } from "../../core/errors.ts";
import { cleanupErc20s } from "../cleanupErc20s.ts";
import { cleanupNative } from "../cleanupNative.ts";
import { resetAllowance } from "../resetAllowance.ts";
import { amountOfPlan } from "./amountOfPlan.ts";
import type { PlanPiece } from "./piece.ts";
import type { PlannedCalls, PlanTerms } from "./planTerms.ts";

/**
 * Puts the pieces of a plan together, and behind them what empties the router: the sweeps of tokens and native to the
 * recipient, then every approval back to zero, because whatever the router has approved, anyone can spend.
 */
export function assemblePlan(terms: PlanTerms, pieces: readonly PlanPiece[]): PlannedCalls {
  requireGuard(pieces);
  const { router, routerVersion = "v3", recipient, destinationCurrency } = terms;
  const tokens = uniqueAddresses([...pieces.flatMap((piece) => piece.tokens), destinationCurrency]);
  const txs = [
    ...pieces.flatMap(({ calls }) => calls),
    ...(tokens.length === 0
      ? []
      : [cleanupErc20s({ router, routerVersion, cleanups: tokens.map((token) => ({ token, recipient })) })]),
    cleanupNative({ router, routerVersion, recipient }),
    ...pieces.flatMap(({ allowances }) => allowances.map(resetAllowance)),
  ];
  return { txs, amount: amountOfPlan(terms, txs).toString(), tradeType: terms.tradeType };
}

/** Refuses what could be taken from the router in the middle of a fill. */
function requireGuard(pieces: readonly PlanPiece[]): void {
  const end = pieces.findIndex(({ guard }) => guard === "ends" || guard === "endsFirst");
  if (end === -1) return;
  const isExposed = ({ guard }: PlanPiece): boolean =>
    pieces[end]?.guard === "endsFirst" || guard === "needs" || guard === "endsFirst";
  const exposed = pieces.findIndex((piece, index) => index > end && isExposed(piece));
  if (exposed === -1) return;
  throw new InvalidInputError({
    field: `actions[${exposed}]`,
    value: `behind actions[${end}]`,
    reason: `actions[${end}] makes the router call itself, which ends its guard: what it still holds could be taken`,
    cure: `Put actions[${end}] last, or make one program of both.`,
  });
}

function uniqueAddresses(addresses: readonly Address[]): Address[] {
  return addresses.filter(
    (address, index) =>
      !isSameAddress(address, EVM_NATIVE_CURRENCY) &&
      addresses.findIndex((other) => isSameAddress(other, address)) === index,
  );
}
