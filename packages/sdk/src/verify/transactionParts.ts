import {
  type Abi,
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  isHex,
  parseAbi,
  size,
  slice,
} from "viem";

import { EVM_NATIVE_CURRENCY } from "@crosscall/protocol/chains";
import type { PlannedTransaction } from "@crosscall/protocol/quote/rules";
import type { EffectPart, ReportDraft } from "./quoteReport.ts";
import { mostInput, paysNative, type QuoteTerms } from "./terms.ts";
import { isTrusted } from "./trust.ts";
import type { OrderTerms } from "./verifyOrder.ts";

const TOKEN_ABI = parseAbi([
  "function approve(address spender, uint256 amount)",
  "function transfer(address to, uint256 amount)",
]);

const ID_BYTES = 32;

export interface ItemEffect {
  readonly effect: readonly EffectPart[];
  /** Whether decoding shows all possible effects. */
  readonly isBound: boolean;
  /** Whether the transaction pays the input. */
  readonly isPayment: boolean;
}

export interface TransactionContext {
  readonly draft: ReportDraft;
  readonly terms: QuoteTerms;
  readonly order: OrderTerms | undefined;
  readonly transaction: PlannedTransaction;
  /** JSON path of the item's data. */
  readonly path: string;
  /** The step's `depositAddress`. */
  readonly depositAddress: string;
}

/** Decoded call data, without an id at its end. */
interface Read<Name extends string, Args> {
  readonly functionName: Name;
  readonly args: Args;
  /** Bytes after the arguments. */
  readonly tail: Hex;
}

type TokenCall = Read<"approve" | "transfer", readonly [Address, bigint]>;

export function readToken(data: Hex): TokenCall | undefined {
  return readCall(TOKEN_ABI, data) as TokenCall | undefined;
}

/** Returns undefined unless the data is the exact encoding, with or without an id after it. */
export function readCall(abi: Abi, data: Hex): Read<string, readonly unknown[]> | undefined {
  if (!isHex(data)) return undefined;
  for (const tailSize of [0, ID_BYTES]) {
    if (size(data) < tailSize + 4) continue;
    const body = tailSize === 0 ? data : slice(data, 0, size(data) - tailSize);
    try {
      const { functionName, args = [] } = decodeFunctionData({ abi, data: body });
      const encoded = encodeFunctionData({ abi, functionName, args });
      if (encoded.toLowerCase() !== body.toLowerCase()) continue;
      return { functionName, args, tail: tailSize === 0 ? "0x" : slice(data, -tailSize) };
    } catch {
      // The call has a different function or different arguments.
    }
  }
  return undefined;
}

export function isSameHex(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a.toLowerCase() === b.toLowerCase();
}

/** Checks the value: the payment in native currency, or zero. */
export function checkValue({ draft, terms, transaction, path }: TransactionContext, native: bigint): void {
  const expected = paysNative(terms) ? native : 0n;
  draft.check("TRANSACTION_VALUE", `${path}.value`, transaction.value === expected, expected, transaction.value);
}

/** Verifies a swap, whose call data does not show how contracts use the input. */
export function verifySwap(context: TransactionContext): ItemEffect {
  const { draft, terms, transaction, path } = context;
  const { origin, inputAmount } = terms;
  const targets = [...(origin?.routers ?? []), ...(origin?.spenders ?? [])];
  draft.check("TRANSACTION_TARGET", `${path}.to`, isTrusted(targets, transaction.to), targets, transaction.to);
  const [least, most] = paysNative(terms) ? [inputAmount, mostInput(terms)] : [0n, 0n];
  const isMet = transaction.value >= least && transaction.value <= most;
  draft.check("TRANSACTION_VALUE", `${path}.value`, isMet, `${least} to ${most}`, transaction.value);
  const { to, value } = transaction;
  const sent = { amount: String(value), currency: EVM_NATIVE_CURRENCY };
  return { effect: ["calls ", { account: to }, " with ", sent], isBound: false, isPayment: true };
}

export function transferOf(
  amount: bigint | undefined,
  currency: string,
  to: string | undefined,
): readonly EffectPart[] {
  return ["transfers ", { amount: String(amount ?? 0n), currency }, " to ", { account: String(to) }];
}
