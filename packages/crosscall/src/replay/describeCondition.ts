import type { Address } from "viem";

import type { ConditionSubject, FailedCondition } from "./verdict.ts";

const TEXTS = {
  input: "input",
  output: "output for the recipient",
  swapInput: "input of the swap",
  swapOutput: "output of the swap",
  payment: "payment",
  nonZeroAllowance: "allowance before a new one",
  deadline: "deadline",
  startTime: "start time",
  endTime: "end time",
  gas: "gas",
  programGas: "gas for the program",
  callDataBytes: "bytes of call data",
  walletLimit: "number per wallet",
} as const;

export interface ConditionNotation {
  readonly nameOf: (account: Address) => string;
  readonly amountOf: (amount: bigint, currency: Address) => string;
}

const PLAIN: ConditionNotation = { nameOf: (account) => account, amountOf: (amount) => String(amount) };

/** With its numbers: `balance of 0x…: needed 1000, had 990`. */
export function describeCondition(condition: FailedCondition, notation: ConditionNotation = PLAIN): string {
  const currency = "currency" in condition ? condition.currency : undefined;
  const numberOf = (amount: bigint): string =>
    currency === undefined ? String(amount) : notation.amountOf(amount, currency);
  const { needed, had } = condition;
  return `${describeSubject(condition, notation)}: needed ${numberOf(needed)}, had ${numberOf(had)}`;
}

function describeSubject(subject: ConditionSubject, { nameOf }: ConditionNotation): string {
  switch (subject.kind) {
    case "allowance":
      return `allowance of ${nameOf(subject.spender)}`;
    case "balance":
      return `balance of ${nameOf(subject.account)}`;
    case "nftBalance":
      return `balance of ${nameOf(subject.account)} of id ${subject.tokenId}`;
    case "supply":
      return subject.tokenId === undefined ? "supply" : `supply of id ${subject.tokenId}`;
    default:
      return TEXTS[subject.kind];
  }
}
