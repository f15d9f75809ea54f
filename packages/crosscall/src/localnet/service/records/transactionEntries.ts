import { type Hex, decodeFunctionData, erc20Abi, toFunctionSelector } from "viem";

import { depositoryAbi, routerAbi } from "@crosscall/protocol/abi";
import type { TransactionEntry } from "@crosscall/protocol/complete";
import type { ListedTransaction, TransactionContents } from "../../store/transactions.ts";
import { formatUsd, usdValue } from "../../market/currencies.ts";
import type { ServiceParts } from "../serviceParts.ts";

/** Keyed by selector: hashing signatures on each call would take longer than the rest of a record. */
const FUNCTIONS = new Map(
  [...depositoryAbi, ...routerAbi, ...erc20Abi]
    .filter((item) => item.type === "function")
    .map((item) => [toFunctionSelector(item), item]),
);

/** A decoded call of a record; amounts are decimal. */
interface DecodedCall {
  readonly functionName: string;
  readonly args: unknown;
}

/**
 * An entry of `inTxs` or `outTxs` (spec 1, section 2.3), for transactions in a block. The specification shows neither
 * `data` nor `stateChanges`: here `data` is `{from, to, value, input, call}` with the decoded call, if its function is
 * known, and `stateChanges` lists `{address, currency, amount}` in the smallest unit, without gas.
 */
export function toEntries(
  { currencies }: Pick<ServiceParts, "currencies">,
  row: ListedTransaction | undefined,
): TransactionEntry[] {
  if (row === undefined || row.status === "pending" || row.block_number === null || row.block_timestamp === null) {
    return [];
  }
  return [
    {
      txHash: row.hash,
      fee: row.fee ?? "0",
      feeUsd: formatUsd(usdValue(BigInt(row.fee ?? "0"), currencies.nativeOf(row.chain_id))),
      block: row.block_number,
      type: "onchain",
      chainId: row.chain_id,
      timestamp: row.block_timestamp,
      status: row.status,
      ...(row.contents === undefined
        ? {}
        : { data: toData(row.sender, row.contents), stateChanges: row.contents.stateChanges }),
    },
  ];
}

function toData(from: string, { to, input, value }: TransactionContents) {
  return { from, to, value: value.toString(), input, call: decodeCall(input) };
}

/** Null for a plain transfer or an unknown function. */
function decodeCall(input: string): DecodedCall | null {
  const item = FUNCTIONS.get(input.slice(0, 10).toLowerCase() as Hex);
  if (item === undefined) return null;
  try {
    const { functionName, args } = decodeFunctionData({ abi: [item], data: input as Hex });
    return { functionName, args: toPlain(args) };
  } catch {
    return null;
  }
}

function toPlain(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toPlain(part)]));
}
