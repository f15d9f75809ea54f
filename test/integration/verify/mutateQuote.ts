import type { Quote } from "../../../packages/protocol/src/quote/quote.ts";
import { rehashOrder } from "../../support/rehashOrder.ts";

/** Change to a quote's JSON. */
export interface Mutation {
  /** Path of the change, with `*` for array indexes: `steps[*].items[*].data.to`. */
  readonly path: string;
  readonly name: string;
  readonly mutated: unknown;
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type Keys = readonly (string | number)[];

/**
 * Yields every change to every leaf and list, and an additional field in signed data. Yields a changed order a
 * second time, with its new orderId everywhere and without the solver's signature.
 */
export function* mutateQuote(quote: unknown): Generator<Mutation> {
  for (const mutation of mutateAt(quote as Json, quote as Json, [])) {
    yield mutation;
    if (!mutation.path.startsWith("protocol.v2.orderData.")) continue;
    const rehashed = tryRehash(mutation.mutated as Quote);
    if (rehashed !== undefined) yield { ...mutation, name: `${mutation.name}, rehashed`, mutated: rehashed };
  }
}

/** @returns undefined if the changed quote has no encodable order */
function tryRehash(quote: Quote): Quote | undefined {
  const { orderSignature: _, ...v2 } = quote.protocol?.v2 ?? {};
  try {
    return rehashOrder({ ...quote, protocol: { ...quote.protocol, v2 } });
  } catch {
    return undefined;
  }
}

function* mutateAt(root: Json, value: Json, keys: Keys): Generator<Mutation> {
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    const last = list.at(-1);
    yield change(root, keys, "appended", [...list, last ?? OTHER_ADDRESS]);
    if (list.length > 0) yield change(root, keys, "emptied", []);
    for (const [index, item] of list.entries()) yield* mutateAt(root, item, [...keys, index]);
    return;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value as Readonly<Record<string, Json>>);
    // Signed data declares its own fields, so this adds a field.
    if (keys.includes("sign")) yield change(root, [...keys, "extra"], "added", OTHER_ADDRESS);
    if (keys.at(-1) === "types") yield change(root, [...keys, "EIP712Domain"], "added", []);
    for (const [index, [key, item]] of entries.entries()) {
      const at = [...keys, key];
      yield change(root, at, "removed", undefined);
      if (typeof item === "object") {
        yield* mutateAt(root, item, at);
        continue;
      }
      for (const [name, other] of Object.entries(changesOf(item))) {
        if (other !== item) yield change(root, at, name, other);
      }
      const sibling = entries.find(
        ([, one], other) => other > index && typeof one === typeof item && !isSameNumber(one, item),
      );
      if (sibling !== undefined) {
        yield {
          path: pathOf(at),
          name: "swapped",
          mutated: set(set(root, at, sibling[1]), [...keys, sibling[0]], item),
        };
      }
    }
    return;
  }
  for (const [name, other] of Object.entries(changesOf(value))) {
    if (other !== value) yield change(root, keys, name, other);
  }
}

/** Returns whether values are equal, or are the same number with different zeros. */
function isSameNumber(one: Json, other: Json): boolean {
  const isDecimal = [one, other].every((value) => typeof value === "string" && /^\d+(\.\d+)?$/u.test(value));
  return one === other || (isDecimal && Number(one) === Number(other));
}

const OTHER_ADDRESS = "0x00000000000000000000000000000000000c0de5";

function changesOf(value: string | number | boolean | null): Readonly<Record<string, Json>> {
  if (typeof value === "number") return { next: value + 1, previous: value - 1, tenfold: value * 10, other: 0 };
  if (typeof value !== "string") return { other: value !== true };
  if (/^-?\d+$/u.test(value)) {
    const number = BigInt(value);
    return {
      next: String(number + 1n),
      previous: String(number - 1n),
      tenfold: String(number * 10n),
      other: "0",
      emptied: "",
    };
  }
  if (/^0x[0-9a-f]{40}$/iu.test(value)) return { other: OTHER_ADDRESS, emptied: "0x", zero: `0x${"0".repeat(40)}` };
  if (/^0x[0-9a-f]*$/iu.test(value)) {
    const flipped = value.replace(/.$/u, (digit) => (digit === "1" ? "2" : "1"));
    const first = value.replace(/^0x../u, (start) => (start === "0x11" ? "0x22" : "0x11"));
    return { other: value === "0x" ? "0x11" : flipped, start: first, emptied: "0x", appended: `${value}00` };
  }
  return { other: `${value}x`, emptied: "" };
}

function change(root: Json, keys: Keys, name: string, value: Json | undefined): Mutation {
  return { path: pathOf(keys), name, mutated: set(root, keys, value) };
}

function set(node: Json, [key, ...rest]: Keys, value: Json | undefined): Json {
  if (key === undefined) return value as Json;
  if (Array.isArray(node)) {
    return (node as readonly Json[]).map((item, index) => (index === key ? set(item, rest, value) : item));
  }
  const record = node as Readonly<Record<string, Json>>;
  if (rest.length === 0 && value === undefined) {
    const { [key]: _, ...left } = record;
    return left;
  }
  return { ...record, [key]: set(record[key] as Json, rest, value) };
}

function pathOf(keys: Keys): string {
  return keys.map((key, index) => (typeof key === "number" ? "[*]" : index === 0 ? key : `.${key}`)).join("");
}

/** Part of a quote that can change without moving funds, with the reason. */
interface HarmlessPart {
  readonly path: RegExp;
  /** Changes that are harmless. Defaults to all changes. */
  readonly changes?: readonly string[];
  /** Kinds of quotes for which the changes are harmless. Defaults to all kinds. */
  readonly shapes?: readonly string[];
  readonly reason: string;
}

const SIMULATED_SWAPS = ["swap", "swap to an exact output"];

/** All other changes must be rejected. */
const HARMLESS_PARTS: readonly HarmlessPart[] = [
  {
    path: /^fees(\.[A-Za-z]+)?$|^fees\..*\.(amountUsd|minimumAmount|currency.*)$/u,
    reason:
      "Deprecated estimates for display. No payment depends on them, and the components of the impact are checked.",
  },
  {
    path: /^fees\.[A-Za-z]+\.(amount|amountFormatted)$/u,
    changes: ["removed"],
    reason: "An amount without its text, or a text without its amount, cannot be compared.",
  },
  {
    path: /^steps\[\*\]\.(action|description)$/u,
    reason: "Text for display. The call data determines the transaction.",
  },
  {
    path: /^steps\[\*\]\.id$/u,
    changes: ["removed", "other", "emptied", "swapped"],
    reason: "An id that marks a step as an approval or a payment must match the step. Any other id is only a label.",
  },
  {
    path: /^steps\[\*\]\.depositAddress$/u,
    reason: "Only read if a deposit address was requested. The payment must then go to this address.",
  },
  {
    path: /^steps\[\*\]\.(requestId|items\[\*\]\.check(\.endpoint)?)$/u,
    changes: ["removed"],
    reason: "Another step has the same id, and the executor requests the status by that id.",
  },
  { path: /^steps\[\*\]\.items\[\*\]\.check\.method$/u, reason: "The executor builds its own status request." },
  {
    path: /^steps\[\*\]\.items$/u,
    changes: ["appended", "emptied"],
    reason: "A repeated approval sets the same allowance. Without the approval, the deposit fails before it is sent.",
  },
  {
    path: /^steps\[\*\]\.items\[\*\]\.status$/u,
    reason: "An item with another status is not executed, and a quote without a payment is refused.",
  },
  {
    path: /^steps\[\*\]\.items\[\*\]\.data\.(gas|maxFeePerGas|maxPriorityFeePerGas)$/u,
    reason: "The verifier limits these values, and the executor limits the fees to twice the chain's fees.",
  },
  {
    path: /^steps\[\*\]\.items\[\*\]\.data\.value$/u,
    changes: ["removed"],
    reason: "A missing value means zero, and the value must then be zero.",
  },
  {
    path: /^steps\[\*\]\.items\[\*\]\.data\.(value|data)$/u,
    shapes: SIMULATED_SWAPS,
    reason: "A swap is never bound by decoding. A simulation shows its payments and recipients.",
  },
  {
    path: /^steps\[\*\]\.items\[\*\]\.data\.data$/u,
    changes: ["removed", "emptied"],
    shapes: ["native deposit address", "native send"],
    reason: "A plain payment in native currency goes to the same account without call data.",
  },
  {
    path: /^steps\[\*\]\.items\[\*\]\.data\.instructions\[\*\]\.keys\[\*\]\.isWritable$/u,
    shapes: ["SVM", "SVM token"],
    reason: "Only the called programs can change accounts. A deposit that cannot change its own accounts fails.",
  },
  {
    path: /^steps\[\*\]\.items\[\*\]\.data\.addressLookupTableAddresses$/u,
    changes: ["removed"],
    shapes: ["SVM", "SVM token"],
    reason: "The transaction then loads no lookup tables.",
  },
  {
    path: /^steps\[\*\]\.items\[\*\]\.data\.action\.parameters\.(fromRouteType|toRouteType|usdcFee)$/u,
    shapes: ["exchange chain", "exchange chain, perpetuals"],
    reason: "The user's own margin or spot wallet, and a fee of at most 10 USDC.",
  },
  {
    path: /^steps\[\*\]\.items\[\*\]\.data\.sign\.domain\.(name|version)$/u,
    changes: ["other", "emptied", "swapped", "next", "previous", "tenfold"],
    reason: "The token or Permit2 at the checked address has its own name and version, and accepts no other.",
  },
  {
    path: /^steps\[\*\]\.items\[\*\]\.data\.sign\.(types\..*\[\*\]\.)?extra$/u,
    reason: "The kit signs its own types, with the fields that these types name.",
  },
  {
    path: /^steps\[\*\]\.items\[\*\]\.data\.sign\.value\.nonce$/u,
    reason:
      "Each nonce can be used only once, for the same amount and spender. Without a nonce, nothing can be signed.",
  },
  {
    path: /^steps\[\*\]\.items\[\*\]\.data\.sign\.value\.(validAfter|validBefore|deadline)$/u,
    changes: ["next", "previous"],
    reason: "Differs by one second, within the limits.",
  },
  {
    path: /^steps\[\*\]\.items\[\*\]\.data\.post\.body\.(kind|api)$/u,
    reason: "The signature covers neither field, and the request is checked.",
  },
  {
    path: /^details\.currency(In|Out)\.(amount|minimumAmount)$/u,
    shapes: SIMULATED_SWAPS,
    reason: "Within the slippage; simulation shows the amounts that a swap pays and receives.",
  },
  {
    path: /^details\.currencyOut\.amount$/u,
    shapes: ["calls on one chain"],
    reason: "The calls receive their values, which are checked byte for byte.",
  },
  {
    path: /^details\.currencyOut\.minimumAmount$/u,
    changes: ["removed", "previous"],
    reason: "The order's minimum applies, and is at least the displayed minimum.",
  },
  {
    path: /^details\.currencyIn\.minimumAmount$/u,
    reason: "The user never pays less than the whole input.",
  },
  {
    path: /^details\..*amountFormatted$/u,
    changes: ["removed"],
    reason: "The amount is displayed if its text is missing.",
  },
  {
    path: /^details\.currency(In|Out)\.amountUsd$/u,
    reason: "No effect without maximumImpactBps. The sum of the fees is checked if both are present.",
  },
  {
    path: /^details\..*currency\.decimals$/u,
    changes: ["removed"],
    reason: "The decimals of native currency are known. For other currencies, a text without decimals is refused.",
  },
  {
    path: /^details\..*currency\.(name|metadata.*)$/u,
    reason: "A currency is identified by its chain and address.",
  },
  {
    path: /^details\..*currency\.symbol$/u,
    reason: "A currency is identified by its chain and address. Only the symbols of known currencies are pinned.",
  },
  {
    path: /^details\.(sender|recipient)$/u,
    changes: ["removed"],
    reason: "For display. The order and the transactions contain the same values.",
  },
  {
    path: /^details\.(totalImpact|expandedPriceImpact)(\.(usd|app|percent|swap|sponsored))?$/u,
    changes: ["removed", "other", "emptied", "swapped"],
    reason: "Estimates for display. If both are present, their sum must match to the cent.",
  },
  {
    path: /^details\.(operation|swapImpact|rate|slippageTolerance|timeEstimate|userBalance|isFixedRate|fixedRateFee)(\.|$)/u,
    reason: "Estimates and labels for display.",
  },
  {
    path: /^details\.(refundCurrency|currencyGasTopup|route)(\.(origin|destination))?(\.(inputCurrency|outputCurrency))?(\.(router|amountUsd|minimumAmount|currency\.(address|chainId)))?$/u,
    reason: "Estimates for display. Each amount must match its text. The order contains the payment for gas.",
  },
  {
    path: /^details\.(refundCurrency|route\..*)\.amount$/u,
    changes: ["removed"],
    reason: "A text without its amount cannot be compared.",
  },
  {
    path: /^details\.currencyGasTopup\.amount$/u,
    changes: ["removed"],
    reason: "The order has it.",
  },
  {
    path: /^protocol\.v2\.orderData\.salt$/u,
    changes: ["other, rehashed", "start, rehashed"],
    reason: "Any salt is valid with the matching orderId.",
  },
  {
    path: /^protocol\.v2\.orderData\.(output|inputs\[\*\]\.refunds\[\*\])\.deadline$/u,
    changes: ["next, rehashed", "previous, rehashed"],
    reason: "Differs by one second, within the limits.",
  },
  {
    path: /^protocol\.v2\.orderData\.inputs\[\*\]\.refunds$/u,
    changes: ["appended, rehashed"],
    reason: "Repeats the same refund. Each refund is checked, and only one is paid.",
  },
  {
    path: /^protocol\.v2\.orderData\.inputs\[\*\]\.refunds\[\*\]\.minimumAmount$/u,
    changes: ["next, rehashed"],
    reason: "The user is owed more, but not more than was paid.",
  },
  {
    path: /^protocol\.v2\.orderData\.(output|inputs\[\*\]\.refunds\[\*\])\.extraData$/u,
    changes: ["emptied, rehashed"],
    reason: "Without a contract, the transfer itself proves the solver's payment.",
  },
  {
    path: /^protocol\.v2\.orderData\.output\.extraData$/u,
    shapes: ["to the SVM"],
    reason: "A fill contract is used only on chains that support calls.",
  },
  {
    path: /^protocol\.v2\.orderData\.output\.payments\[\*\]\.expectedAmount$/u,
    changes: ["next, rehashed", "tenfold, rehashed"],
    shapes: ["gas top-up", "calls with a gas limit and a top-up"],
    reason:
      "The minimum of the payment for gas must be the displayed amount. No payment depends on the expected amount.",
  },
  {
    path: /^protocol\.v2\.orderData\.output\.payments\[\*\]\.minimumAmount$/u,
    changes: ["next, rehashed"],
    reason: "The user is owed more, but not more than was quoted.",
  },
  {
    path: /^protocol\.v2\.(hubType|orderSignature)$/u,
    changes: ["removed", "other", "emptied"],
    reason: "A label, or a signature that services send on request and that must be valid if present.",
  },
];

export function isHarmless({ path, name }: Mutation, shape: string): boolean {
  return HARMLESS_PARTS.some(
    (part) =>
      part.path.test(path) &&
      (part.changes === undefined || part.changes.includes(name)) &&
      (part.shapes === undefined || part.shapes.includes(shape)),
  );
}
