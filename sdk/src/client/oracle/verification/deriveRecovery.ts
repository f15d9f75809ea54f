import type { Hex } from "viem";

import { InvalidInputError } from "../../../core/errors.ts";
import { recoverExecutionKey } from "../../../protocol/attestation/execution.ts";
import type { Attested } from "./attested.ts";
import { type Derived, deriveExecution } from "./derived.ts";
import { deriveCredit } from "./deriveDeposits.ts";
import type { Trust } from "./trust.ts";

/** Returns a deposit to its depositor on the hub (spec 5, section 2). */
export function deriveRecovery(
  trust: Trust,
  { request, answer, deposits }: Extract<Attested, { kind: "recovery" }>,
): Derived {
  const { chainId, transactionId, onchainId } = request;
  const deposit = deposits.find(
    ({ data, result }) =>
      data.chainId === chainId && data.transactionId === transactionId && result.onchainId === onchainId,
  );
  if (deposit === undefined) {
    throw new InvalidInputError({
      field: "attested.deposits",
      value: undefined,
      reason: "the deposit of the question is not among them",
      hint: "Pass the oracle's attestation of the deposit in the request.",
    });
  }
  const { account, tokenId, amount } = deriveCredit(trust, deposit, "deposits[0]");
  const to = trust.alias(chainId, deposit.result.depositor, "deposits[0].result.depositor");
  const expected = {
    idempotencyKey: recoverExecutionKey(onchainId as Hex),
    actions: [{ type: "transfer", from: account, to, tokenId, amount } as const],
  };
  return { ...deriveExecution(trust.hub, expected, answer.execution), unsigned: [] };
}
