import { type Address, maxUint256 } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress } from "../chains/address.ts";
import type { AllowanceChange, BalanceChange } from "../replay/replayReport.ts";
import type { Fill, Passage } from "./fill.ts";

/** Something that stays where anyone may take it. */
export type Leftover =
  | {
      readonly kind: "balance";
      readonly passage: Passage;
      /** The zero address is native. */
      readonly currency: Address;
      /** Smallest unit. */
      readonly amount: bigint;
    }
  | {
      readonly kind: "allowance";
      readonly passage: Passage;
      readonly token: Address;
      readonly spender: Address;
      /** Smallest unit. */
      readonly amount: bigint;
    };

/** What a fill leaves on the contracts that funds only pass: tokens, native, and allowances that hurt. */
export function leftoversOf(fill: Fill): readonly Leftover[] {
  return fill.passages.flatMap((passage) => [
    ...fill.balances
      .filter(({ account }) => isSameAddress(account, passage.account))
      .flatMap((change) => balanceLeft(fill, passage, change)),
    ...fill.allowances
      .filter(({ owner }) => isSameAddress(owner, passage.account))
      .flatMap((change) => allowanceLeft(passage, change)),
  ]);
}

function balanceLeft({ plan }: Fill, passage: Passage, { currency, before, after }: BalanceChange): Leftover[] {
  // Of what is delivered the router held nothing but the delivery; elsewhere what strangers left before does not count.
  const isDelivery =
    passage.kind === "router" &&
    isSameAddress(currency, plan.currency) &&
    !isSameAddress(currency, EVM_NATIVE_CURRENCY);
  const amount = isDelivery ? after : after - before;
  return amount > 0n ? [{ kind: "balance", passage, currency, amount }] : [];
}

function allowanceLeft(passage: Passage, { token, spender, after }: AllowanceChange): Leftover[] {
  // Tokens may count a standing allowance down.
  const isStanding = passage.kind === "proxy" && after > maxUint256 / 2n;
  return after === 0n || isStanding ? [] : [{ kind: "allowance", passage, token, spender, amount: after }];
}
