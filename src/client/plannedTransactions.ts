import type { Address, Hex } from "viem";

import { parseEvmAddress } from "../chains/address.ts";
import { parseAmount } from "../core/amounts.ts";
import { InvalidInputError, MalformedDataError, UnsupportedStepError } from "../core/errors.ts";
import { parseData } from "../protocol/parse.ts";
import type { Quote } from "../protocol/quote.ts";
import { type Step, type StepItem, TransactionDataSchema } from "../protocol/step.ts";

const QUOTE = "the quote";

/** A transaction that a step wants, ready to be sent. */
export interface PlannedTransaction {
  readonly stepId: string;
  readonly chainId: number;
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
}

/** All that a quote wants of a wallet. */
export interface PlannedExecution {
  readonly requestId: string;
  readonly transactions: readonly PlannedTransaction[];
}

/**
 * Reads the transactions out of a quote's steps; items that are done already are left out.
 *
 * @throws {@link UnsupportedStepError} when a step is no transaction
 * @throws {@link MalformedDataError} when a step lacks what it needs
 */
export function planTransactions({ steps }: Quote): PlannedExecution {
  const transactions = steps.flatMap(planStep);
  const requestId = steps.find((step) => step.requestId !== undefined)?.requestId;
  if (requestId === undefined) {
    throw new MalformedDataError({ what: QUOTE, path: "steps", reason: "no step carries a requestId" });
  }
  return { requestId, transactions };
}

function planStep(step: Step, index: number): PlannedTransaction[] {
  if (step.kind !== "transaction") throw new UnsupportedStepError({ stepId: step.id, kind: step.kind });
  return step.items.flatMap((item, itemIndex) =>
    item.status === "incomplete" ? [planItem(step, item, `steps[${index}].items[${itemIndex}].data`)] : [],
  );
}

function planItem(step: Step, item: StepItem, path: string): PlannedTransaction {
  const data = parseData(TransactionDataSchema, item.data, QUOTE, path);
  return {
    stepId: step.id,
    chainId: data.chainId,
    from: readField(data.from, `${path}.from`, parseEvmAddress),
    to: readField(data.to, `${path}.to`, parseEvmAddress),
    data: (data.data ?? "0x") as Hex,
    value: readField(data.value ?? "0", `${path}.value`, parseAmount),
  };
}

/** Parses a field of the quote: what is wrong with it is the service's doing, not the caller's. */
function readField<Value>(text: string, path: string, parse: (text: string, field: string) => Value): Value {
  try {
    return parse(text, path);
  } catch (cause) {
    if (!(cause instanceof InvalidInputError)) throw cause;
    throw new MalformedDataError({ what: QUOTE, path, reason: cause.reason, cause });
  }
}
