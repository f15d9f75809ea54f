import type { Address, Hex } from "viem";

import { parseEvmAddress } from "../../chains/address.ts";
import { SVM_CHAIN_ID } from "../../chains/chainIds.ts";
import { parseAmount } from "../../core/amounts.ts";
import { InvalidInputError, MalformedDataError, UnsupportedStepError } from "../../core/errors.ts";
import { parseData } from "../../protocol/parse.ts";
import type { Quote } from "../../protocol/quote.ts";
import {
  SignatureDataSchema,
  type SignatureData,
  type Step,
  type StepItem,
  TransactionDataSchema,
  type TransferData,
  TransferDataSchema,
} from "../../protocol/step.ts";

const QUOTE = "the quote";

/** Where an action comes from. */
interface Origin {
  readonly stepId: string;
  /** Its place in the steps, `step.item`: the same in every run, so that a journal finds it again. */
  readonly position: string;
}

/** An EVM transaction that a step wants. */
export interface PlannedTransaction extends Origin {
  readonly kind: "transaction";
  readonly chainId: number;
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** What the quote says of gas limit and fees, where it does. */
  readonly gas: bigint | undefined;
  readonly maxFeePerGas: bigint | undefined;
  readonly maxPriorityFeePerGas: bigint | undefined;
}

/** A signature that a step wants, and where it is posted. */
export interface PlannedSignature extends Origin, SignatureData {
  readonly kind: "signature";
}

/** A transfer on the exchange chain (spec 2, section 6). */
export interface PlannedExchangeAction extends Origin {
  readonly kind: "exchangeAction";
  readonly action: TransferData["action"];
}

/** A transaction on the SVM chain, as the service wrote it. */
export interface PlannedSvmTransaction extends Origin {
  readonly kind: "svmTransaction";
  readonly data: Readonly<Record<string, unknown>>;
}

/** Something that a step wants of the user. */
export type PlannedAction = PlannedTransaction | PlannedSignature | PlannedExchangeAction | PlannedSvmTransaction;

/**
 * The id of the request that a quote is for.
 *
 * @throws {@link MalformedDataError} when no step carries one
 */
export function requestIdOf({ steps }: Pick<Quote, "steps">): string {
  const requestId = steps.find((step) => step.requestId !== undefined)?.requestId;
  if (requestId !== undefined) return requestId;
  throw new MalformedDataError({ what: QUOTE, path: "steps", reason: "no step carries a requestId" });
}

/**
 * Reads what steps want; items that are done already are left out.
 *
 * @param firstIndex how many steps came before these
 * @throws {@link UnsupportedStepError} when a step is of an unknown kind
 * @throws {@link MalformedDataError} when a step lacks what it needs
 */
export function planSteps(steps: readonly Step[], originChainId: number, firstIndex = 0): PlannedAction[] {
  return steps.flatMap((step, index) =>
    step.items.flatMap((item, itemIndex) => {
      const at = firstIndex + index;
      const origin = { stepId: step.id, position: `${at}.${itemIndex}` };
      const path = `steps[${at}].items[${itemIndex}].data`;
      return item.status === "incomplete" ? [planItem(step.kind, item, origin, path, originChainId)] : [];
    }),
  );
}

function planItem(kind: string, item: StepItem, origin: Origin, path: string, originChainId: number): PlannedAction {
  switch (kind) {
    case "signature":
      return { kind, ...origin, ...parseData(SignatureDataSchema, item.data, QUOTE, path) };
    case "transaction": {
      if (item.data !== undefined && "action" in item.data) {
        return { kind: "exchangeAction", ...origin, ...parseData(TransferDataSchema, item.data, QUOTE, path) };
      }
      // The shape of SVM call data is not shown (spec 2, section 2.1): it goes to the caller as it is.
      if (item.data !== undefined && originChainId === SVM_CHAIN_ID && !("chainId" in item.data)) {
        return { kind: "svmTransaction", ...origin, data: item.data };
      }
      return planTransaction(item, origin, path);
    }
    default:
      throw new UnsupportedStepError({ stepId: origin.stepId, kind });
  }
}

function planTransaction(item: StepItem, origin: Origin, path: string): PlannedTransaction {
  const data = parseData(TransactionDataSchema, item.data, QUOTE, path);
  const readAmount = (name: "gas" | "maxFeePerGas" | "maxPriorityFeePerGas"): bigint | undefined => {
    const text = data[name];
    return text === undefined ? undefined : readField(text, `${path}.${name}`, parseAmount);
  };
  return {
    kind: "transaction",
    ...origin,
    chainId: data.chainId,
    from: readField(data.from, `${path}.from`, parseEvmAddress),
    to: readField(data.to, `${path}.to`, parseEvmAddress),
    data: (data.data ?? "0x") as Hex,
    value: readField(data.value ?? "0", `${path}.value`, parseAmount),
    gas: readAmount("gas"),
    maxFeePerGas: readAmount("maxFeePerGas"),
    maxPriorityFeePerGas: readAmount("maxPriorityFeePerGas"),
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
