import type { Hex } from "viem";

import { InvalidInputError } from "@crosscall/protocol/core";
import { parseAmount } from "@crosscall/protocol/encoding";
import { type Action, type DepositMessage, settlementExecutionKey } from "@crosscall/protocol/attestation";
import { hashOrder } from "@crosscall/protocol/order";
import { type Attested, compareFields, type Derived, deriveExecution } from "./attested.ts";
import { deriveCredit } from "./deriveDeposits.ts";
import type { Trust } from "./trust.ts";

type Settlement = Extract<Attested, { kind: "fill" | "refund" }>;

/** Status of a settled order in responses. */
const SUCCESSFUL = 1;

const DIFF_ONE = 10n ** 18n;

const OPTIONS = ["force", "hints", "inputHints"] as const;

/** Derives a fill or refunds (spec 5, sections 2 and 4). */
export function deriveSettlement(trust: Trust, settlement: Settlement): Derived {
  const { request, answer } = settlement;
  const { order, orderSignature, inputs } = request;
  const orderId = hashOrder(order, trust.encode);
  const paid = findDeposits(settlement, orderId);
  const what = "fill" in request ? { fill: request.fill } : { refunds: request.refunds };
  // The attestation does not show whether peers were requested, and older oracles do not repeat the options.
  const { requestPeerSignatures: _asked, ...repeated } = answer.message.data;
  const options = OPTIONS.filter((name) => name in repeated).map((name) => [name, request[name]] as const);
  const echo = { order, orderSignature, inputs, ...what, ...Object.fromEntries(options) };
  const solver = trust.alias(order.solverChainId, order.solver, "order.solver");
  const credits = paid.map((deposit, index) => deriveCredit(trust, deposit, `deposits[${index}]`));
  const payments: Action[] = credits.map(({ account, tokenId, amount }) => ({
    type: "transfer",
    from: account,
    to: solver,
    tokenId,
    amount,
  }));
  const fees: Action[] = order.fees.map(({ recipientChainId, recipient, currencyChainId, currency, amount }) => ({
    type: "transfer",
    from: solver,
    to: trust.alias(recipientChainId, recipient, "order.fees.recipient"),
    tokenId: trust.token(currencyChainId, currency, "order.fees.currency"),
    amount: parseAmount(amount, "order.fees.amount"),
  }));
  const diff =
    request.force === true
      ? 0n
      : paymentDiff(
          order,
          credits.map(({ amount }) => amount),
        );
  const result = { orderId, status: SUCCESSFUL, totalWeightedInputPaymentBpsDiff: diff.toString() };
  const { faults, signed } = deriveExecution(
    trust.hub,
    {
      idempotencyKey: settlementExecutionKey(
        paid.map((deposit) => deposit.result.onchainId as Hex),
        orderId,
      ),
      actions: settlement.kind === "fill" ? [...payments, ...fees] : payments,
    },
    answer.execution,
  );
  return {
    faults: [
      ...compareFields("request", "message.data", echo, repeated),
      ...compareFields("message", "message.result", result, answer.message.result),
      ...faults,
    ],
    signed,
    unsigned: [],
  };
}

/** Returns the deposits of the order's inputs; with `force`, all given transactions, without duplicates. */
function findDeposits({ request, deposits }: Settlement, orderId: Hex): readonly DepositMessage[] {
  const { order, inputs } = request;
  const findAll = (information: (typeof inputs)[number] | undefined, chainId: string): readonly DepositMessage[] =>
    deposits.filter(
      ({ data, result }) =>
        data.chainId === chainId && data.transactionId === information?.transactionId && result.depositId === orderId,
    );
  if (request.force === true) {
    const found = inputs.flatMap((information) => {
      const named = "chainId" in information ? information.chainId : undefined;
      return findAll(information, named ?? order.inputs[information.inputIndex]?.payment.chainId ?? "");
    });
    return [...new Map(found.map((deposit) => [deposit.result.onchainId, deposit])).values()];
  }
  return order.inputs.map(({ payment: { chainId } }, index) => {
    const information = inputs.find(({ inputIndex }) => inputIndex === index);
    const deposit = findAll(information, chainId).find(({ result }) => result.onchainId === information?.onchainId);
    if (deposit !== undefined) return deposit;
    throw new InvalidInputError({
      field: "attested.deposits",
      value: undefined,
      reason: `the deposit of the order's input ${index} is missing`,
      hint: "Pass the oracle's attestation of each deposit that the request names.",
    });
  });
}

/** Returns the deviation of the payments from the order, scaled by 10^18. */
function paymentDiff({ inputs }: Settlement["request"]["order"], amounts: readonly bigint[]): bigint {
  let [paid, requested] = [0n, 0n];
  for (const [index, { payment }] of inputs.entries()) {
    const weight = BigInt(payment.weight);
    paid += (amounts[index] ?? 0n) * weight;
    requested += BigInt(payment.amount) * weight;
  }
  return requested === 0n ? 0n : ((paid - requested) * DIFF_ONE) / requested;
}
