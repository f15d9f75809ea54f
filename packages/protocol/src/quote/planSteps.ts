import type { Address, Hex } from "viem";

import { parseServiceAddress } from "../chains/address.ts";
import { chainFamilyOf } from "../chains/families/chainFamilyOf.ts";
import { parseAmount } from "../encoding/amounts.ts";
import { MalformedDataError, UnsupportedStepError } from "../core/errors.ts";
import { isObject } from "../schema/json.ts";
import { parseData } from "../schema/parse.ts";
import type { Quote } from "./quote.ts";
import type { ReceivedQuote } from "./quoteFreshness.ts";
import type { QuoteV3, StepV3 } from "./quoteV3.ts";
import { QUOTE, readField } from "./readField.ts";
import { isPresent, readStrictly, type Received, requireField } from "../schema/readResponse.ts";
import {
  SignatureDataSchema,
  type SignatureData,
  type Step,
  type StepItem,
  TransactionDataSchema,
  type TransferData,
  TransferDataSchema,
} from "./step.ts";
import * as T from "../schema/type.ts";

const ActionSchema = T.Object({ type: T.String() });

interface Origin {
  readonly stepId: string;
  /** Key in the journal: `step.item`, the same in every run. */
  readonly position: string;
}

export interface PlannedTransaction extends Origin {
  readonly kind: "transaction";
  readonly chainId: number;
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Gas limit and fees of the quote, if any. */
  readonly gas: bigint | undefined;
  readonly maxFeePerGas: bigint | undefined;
  readonly maxPriorityFeePerGas: bigint | undefined;
  /** EIP-7702 authorizations, as the service sent them. `executeSteps` does not send any, so it rejects them. */
  readonly authorizationList?: readonly unknown[];
}

/** Several calls in one item. No documented quote has this kind, so it is never performed. */
export interface PlannedBatch extends Origin {
  readonly kind: "batch";
  readonly calls: readonly unknown[];
}

export interface PlannedSignature extends Origin {
  readonly kind: "signature";
  readonly sign: Received<SignatureData["sign"]> & { readonly signatureKind: string };
  readonly post: { readonly endpoint: string; readonly method: string; readonly body?: unknown };
}

/** Action on the exchange chain (spec 2, section 6). */
export interface PlannedExchangeAction extends Origin {
  readonly kind: "exchangeAction";
  readonly action: TransferData["action"];
}

/** Unchanged from the service. */
export interface PlannedSvmTransaction extends Origin {
  readonly kind: "svmTransaction";
  readonly data: Readonly<Record<string, unknown>>;
}

/** A transaction, signature or action that a step requires. */
export type PlannedStep =
  | PlannedTransaction
  | PlannedBatch
  | PlannedSignature
  | PlannedExchangeAction
  | PlannedSvmTransaction;

/** Whether a step pays, unlike an approval. */
export function isPayment({ stepId }: Pick<PlannedStep, "stepId">): boolean {
  return stepId !== "approve";
}

/**
 * Returns the request id of a quote of any version.
 * @throws {@link MalformedDataError} when neither the quote nor a step has an id
 */
export function requestIdOf(quote: Pick<Quote, "steps"> | Pick<QuoteV3, "requestId">): string {
  // The response can have any content.
  const { requestId, steps }: { requestId?: string | null | undefined; steps?: unknown } = { ...quote };
  if (requestId !== undefined) return requireField(requestId, QUOTE, "requestId");
  for (const step of readList(steps, "steps") ?? []) {
    const { requestId } = { ...(step as Step | null) };
    if (isPresent(requestId)) return requestId;
  }
  throw new MalformedDataError({ what: QUOTE, path: "steps", reason: "no step has a requestId" });
}

export function originChainIdOf(quote: Quote | ReceivedQuote): number {
  const path = "details.currencyIn.currency.chainId";
  const asked = "quotedRequest" in quote ? quote.quotedRequest.originChainId : undefined;
  return requireField(quote.details?.currencyIn?.currency?.chainId ?? asked, QUOTE, path);
}

/**
 * Lists the actions that the steps of a quote require: transactions to send, messages to sign, and actions for
 * callbacks. Completed items are omitted.
 * @param steps steps as the service sent them, of any version
 * @param originChainId chain of the payment
 * @param firstIndex number of earlier steps
 * @param sender `details.sender` of the quote: sender of v3 transactions, because v3 steps omit it
 * @throws {@link UnsupportedStepError} when a step has an unsupported kind, such as a Bitcoin PSBT
 * @throws {@link MalformedDataError} when a field of a step is missing or unreadable
 */
export function planSteps(
  steps: readonly (Step | StepV3)[] | null | undefined,
  originChainId: number,
  firstIndex = 0,
  sender?: string | null,
): PlannedStep[] {
  return requireList(steps, "steps").flatMap((step, index) => {
    const at = `steps[${firstIndex + index}]`;
    const kind = requireField(requireField(step, QUOTE, at).kind, QUOTE, `${at}.kind`);
    // A step of version 3 is itself the item.
    const items: readonly StepItem[] | null | undefined =
      "items" in step ? step.items : "data" in step ? [step] : undefined;
    return requireList(items, `${at}.items`).flatMap((item, itemIndex) => {
      requireField(item, QUOTE, `${at}.items[${itemIndex}]`);
      const origin = { stepId: step.id ?? kind, position: `${firstIndex + index}.${itemIndex}` };
      // An item with an unknown status can be complete, so it is not performed again.
      if ((item.status ?? "incomplete") !== "incomplete") return [];
      const path = `${at}.items[${itemIndex}].data`;
      const data = requireField(isObject(item.data) ? item.data : undefined, QUOTE, path);
      return [planItem({ kind, data: withSender(data, sender), origin, path, originChainId })];
    });
  });
}

function withSender(data: Readonly<Record<string, unknown>>, from: string | null | undefined) {
  return isPresent(from) && "to" in data && !("from" in data) ? { from, ...data } : data;
}

interface ItemParameters {
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
  readonly path: string;
  readonly originChainId: number;
}

function planItem({ kind, data, origin, path, originChainId }: ItemParameters): PlannedStep {
  const unsupported = (what: string): UnsupportedStepError =>
    new UnsupportedStepError({ stepId: origin.stepId, kind: what });
  const hasAuthorizations = (readList(data.authorizationList, `${path}.authorizationList`) ?? []).length > 0;
  if (hasAuthorizations && !("to" in data)) throw unsupported("authorizationList");
  if (kind === "signature") return planSignature(data, origin, path);
  if (kind !== "transaction") throw unsupported(kind);
  if ("psbt" in data) throw unsupported("psbt");
  const calls = readList(data.calls, `${path}.calls`);
  if (calls !== undefined) return { kind: "batch", ...origin, calls };
  if ("action" in data) return planExchangeAction(data, origin, path, unsupported);
  if ("chainId" in data) return planTransaction(data, origin, path);
  const { name } = chainFamilyOf(originChainId);
  // The shape of SVM data is not documented, so it is passed on unchanged.
  if (name === "svm") return { kind: "svmTransaction", ...origin, data };
  if (name !== "evm" && name !== "unknown") throw unsupported(`transaction of ${name}`);
  return planTransaction(data, origin, path);
}

function planSignature(item: ItemParameters["data"], origin: Origin, path: string): PlannedSignature {
  const { sign, post } = readStrictly(SignatureDataSchema, item, QUOTE, path);
  const required = <Value>(value: Value, name: string): NonNullable<Value> =>
    requireField(value, QUOTE, `${path}.${name}`);
  return {
    kind: "signature",
    ...origin,
    sign: { ...sign, signatureKind: required(sign?.signatureKind, "sign.signatureKind") },
    post: {
      endpoint: required(post?.endpoint, "post.endpoint"),
      method: required(post?.method, "post.method"),
      body: post?.body,
    },
  };
}

/**
 * Supports only Lighter transfers, which have a documented shape. Hyperliquid's actions need a different kind of
 * signature.
 */
function planExchangeAction(
  data: ItemParameters["data"],
  origin: Origin,
  path: string,
  unsupported: (what: string) => UnsupportedStepError,
): PlannedExchangeAction {
  const { type } = readStrictly(ActionSchema, data.action, QUOTE, `${path}.action`);
  if (type !== "transfer") throw unsupported(type ?? "action");
  const { action } = readStrictly(TransferDataSchema, data, QUOTE, path);
  return { kind: "exchangeAction", ...origin, ...parseData(TransferDataSchema, { action }, QUOTE, path) };
}

function planTransaction(item: ItemParameters["data"], origin: Origin, path: string): PlannedTransaction {
  const data = readStrictly(TransactionDataSchema, item, QUOTE, path);
  const readAmount = (name: "gas" | "maxFeePerGas" | "maxPriorityFeePerGas"): bigint | undefined => {
    const text = data[name];
    return isPresent(text) ? readField(text, `${path}.${name}`, parseAmount) : undefined;
  };
  const required = <Value>(value: Value, name: string): NonNullable<Value> =>
    requireField(value, QUOTE, `${path}.${name}`);
  const authorizationList = readList(item.authorizationList, `${path}.authorizationList`);
  return {
    kind: "transaction",
    ...origin,
    chainId: required(data.chainId, "chainId"),
    from: readField(required(data.from, "from"), `${path}.from`, parseServiceAddress),
    to: readField(required(data.to, "to"), `${path}.to`, parseServiceAddress),
    data: (data.data ?? "0x") as Hex,
    value: readField(data.value ?? "0", `${path}.value`, parseAmount),
    gas: readAmount("gas"),
    maxFeePerGas: readAmount("maxFeePerGas"),
    maxPriorityFeePerGas: readAmount("maxPriorityFeePerGas"),
    ...(authorizationList === undefined || authorizationList.length === 0 ? {} : { authorizationList }),
  };
}

function requireList<Item>(value: readonly Item[] | null | undefined, path: string): readonly Item[] {
  return requireField(readList(value, path) as readonly Item[] | undefined, QUOTE, path);
}

function readList(value: unknown, path: string): readonly unknown[] | undefined {
  if (!isPresent(value)) return undefined;
  if (Array.isArray(value)) return value as unknown[];
  throw new MalformedDataError({ what: QUOTE, path, reason: "it is not a list" });
}
