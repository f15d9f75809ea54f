import { formatAmount } from "../../core/amounts.ts";
import { isObject } from "../schema/json.ts";
import { ownField, type Tree } from "./jsonTree.ts";
import type { RecordTransfer } from "./recordTransfer.ts";

const PHASES = ["quoted", "actual"] as const;

/** The v3 name of a fee component. */
export function toComponentName(name: string): string {
  return name === "relay" ? "platform" : name;
}

/** `expandedPriceImpact` becomes `fees`; the fees in wei and their worth have no place (spec 1, section 9). */
export function moveFees(transfer: RecordTransfer): void {
  transfer.lose(["data", "fees"], "v3 has fees by component, none by gas, fixed, price and gateway");
  transfer.lose(["data", "feesUsd"], "v3 has fees by component, none by gas, fixed, price and gateway");
  for (const phase of PHASES) {
    const from = ["data", "expandedPriceImpact", phase];
    const to = ["data", "fees", phase];
    const components = transfer.peek(from);
    if (!isObject(components)) continue;
    const names = Object.keys(components);
    for (const name of names) transfer.move([...from, name], [...to, toComponentName(name)]);
    if (names.length > 0) transfer.assume(to, "v2 has the worth of a component only; its sign is kept as it stands");
  }
  transfer.move(["data", "expandedPriceImpact"], ["data", "fees"]);
  transfer.move(["data", "feeCurrencyObject"], ["data", "fees", "currency"]);
}

/** `appFees` and `paidAppFees` become the quoted and the actual app fees (spec 1, section 9). */
export function moveAppFees(transfer: RecordTransfer): void {
  const decimals = ownField(transfer.peek(["data", "appFeeCurrencyObject"]), "decimals");
  const moves = [
    ["appFees", "quoted"],
    ["paidAppFees", "actual"],
  ] as const;
  for (const [name, phase] of moves) {
    const to = ["data", "appFees", phase];
    const entries = transfer.take(["data", name]);
    if (!Array.isArray(entries)) {
      transfer.place([], to, ["data", name]);
      transfer.assume(to, `v2 has no ${name}`);
      continue;
    }
    const formatted = entries.map((entry: unknown) => withFormatted(entry, decimals));
    if (formatted.some((entry, index) => entry !== entries[index])) {
      transfer.assume(to, "amountFormatted is computed from the amount and the currency's decimals");
    }
    transfer.place(formatted, to, ["data", name]);
  }
  transfer.move(["data", "appFeeCurrencyObject"], ["data", "appFees", "currency"]);
}

function withFormatted(entry: unknown, decimals: unknown): unknown {
  if (!isObject(entry) || Object.hasOwn(entry, "amountFormatted")) return entry;
  const { amount } = entry as { amount?: unknown } & Tree;
  const isWhole = typeof decimals === "number" && Number.isInteger(decimals) && decimals >= 0 && decimals <= 255;
  // Longer ones are no uint256, and cost time.
  if (!isWhole || typeof amount !== "string" || !/^-?\d{1,78}$/u.test(amount)) return entry;
  return { ...entry, amountFormatted: formatAmount(BigInt(amount), decimals) };
}
