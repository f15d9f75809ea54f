import { formatAmount } from "../encoding/amounts.ts";
import { isObject } from "../schema/json.ts";
import { isSame, ownField, setField, type Tree, valueAt } from "./jsonTree.ts";
import type { RecordTransfer } from "./recordTransfer.ts";

type Names = readonly string[];

const FROM: Names = ["data", "feeSponsorship"];

/** Moves `feeSponsorship`, `subsidizedFee` and `subsidizedRequest` to v3 names (spec 1, section 9). */
export function moveSponsorship(transfer: RecordTransfer): void {
  movePhases(transfer, FROM);
  moveSubsidizedFee(transfer);
  moveSubsidizedRequest(transfer);
}

/** Moves the phases of `feeSponsorship` to v3 names. */
export function movePhases(transfer: RecordTransfer, group: Names): void {
  for (const phase of ["quoted", "actual"]) {
    const from = [...group, phase];
    const source = transfer.peek(from);
    if (isObject(source)) movePhase(transfer, source, from);
  }
  transfer.move(group, group);
}

function movePhase(transfer: RecordTransfer, source: Tree, from: Names): void {
  for (const name of Object.keys(source)) {
    const at = [...from, name];
    const value = transfer.take(at);
    if (name === "selectedComponents" && Array.isArray(value)) {
      transfer.place(value.map(toComponentName), at, at);
    } else if (name === "components" && isObject(value)) {
      for (const [component, amounts] of Object.entries(value)) {
        placeAmounts(transfer, amounts, [...at, toComponentName(component)], [...at, component]);
      }
      // Keeps an object without components.
      if (Object.keys(value).length === 0) transfer.place(value, at, at);
    } else if (isObject(value) && isObject(ownField(value, "currency"))) {
      transfer.place(hoistCurrency(transfer, value, [...at, "currency"]), at, at);
    } else {
      transfer.place(value, at, at);
    }
  }
}

function placeAmounts(transfer: RecordTransfer, amounts: unknown, to: Names, from: Names): void {
  if (!isObject(amounts)) {
    transfer.place(amounts, to, from);
    return;
  }
  const hoisted: Tree = {};
  for (const [name, value] of Object.entries(amounts)) {
    const isAmount = isObject(value) && isObject(ownField(value, "currency"));
    setField(hoisted, name, isAmount ? hoistCurrency(transfer, value, [...from, name, "currency"]) : value);
  }
  transfer.place(hoisted, to, from);
}

/**
 * Returns the amount without its currency, which moves to the group. A currency that differs from the group's stays.
 */
function hoistCurrency(transfer: RecordTransfer, amount: Tree, from: Names): Tree {
  const { currency, ...rest } = amount;
  const at = [...from.slice(0, from.indexOf("feeSponsorship") + 1), "currency"];
  const group = valueAt(transfer.record, at);
  if (group !== undefined) return isSame(group, currency) ? rest : amount;
  transfer.place(currency, at, from);
  return rest;
}

/**
 * Moves the subsidy: `sponsor` is what the sponsor paid in its own currency, and `origin` its value in the user's. Before
 * the fill, nothing is paid, and the subsidy is the quoted amount.
 */
function moveSubsidizedFee(transfer: RecordTransfer): void {
  const from = ["data", "subsidizedFee"];
  const source = transfer.peek(from);
  if (!isObject(source)) {
    // Null means that nothing was sponsored, which v3 also expresses.
    transfer.take(from);
    return;
  }
  const isUnfilled =
    isObject(valueAt(transfer.record, FROM)) && !isObject(valueAt(transfer.record, [...FROM, "actual"]));
  const phase = [...FROM, isUnfilled ? "quoted" : "actual"];
  if (!isUnfilled) {
    transfer.assume(phase, "v2 does not state that subsidizedFee was paid; it is assumed to be the actual sponsorship");
  }
  transfer.move([...from, "amountUsd"], [...phase, "sponsoredTotal", "amountUsd"]);
  transfer.move([...from, "amountUsdCurrent"], [...phase, "sponsoredTotal", "amountUsdCurrent"]);
  moveSubsidy(transfer, [...from, "origin"], phase);
  // v3 has no payment of zero.
  if (isUnfilled || valueAt(source, ["sponsor", "amount"]) === "0") moveSubsidy(transfer, [...from, "sponsor"], phase);
  transfer.move([...from, "sponsor"], [...phase, "sponsorPayment"]);
}

/** Moves an amount in the group's currency to the total of a phase. */
function moveSubsidy(transfer: RecordTransfer, from: Names, phase: Names): void {
  transfer.move([...from, "amount"], [...phase, "sponsoredTotal", "amount"]);
  transfer.move([...from, "address"], [...FROM, "currency", "address"]);
  transfer.move([...from, "chainId"], [...FROM, "currency", "chainId"]);
  transfer.move(from, [...phase, "sponsoredTotal"]);
}

function moveSubsidizedRequest(transfer: RecordTransfer): void {
  const from = ["data", "subsidizedRequest"];
  const isSubsidized = transfer.take(from);
  const sponsorship = ownField(ownField(transfer.record, "data"), "feeSponsorship");
  const isSponsored = ["quoted", "actual"].some((phase) => {
    const amountUsd = ownField(ownField(ownField(sponsorship, phase), "sponsoredTotal"), "amountUsd");
    return typeof amountUsd === "string" && /[1-9]/u.test(amountUsd);
  });
  if (typeof isSubsidized !== "boolean" || isSubsidized === isSponsored) return;
  transfer.loseValue(isSubsidized, from, "v3 has only sponsoredTotal.amountUsd, which implies a different value");
}

const PHASES = ["quoted", "actual"] as const;

/** Converts the name of a fee component to v3. */
function toComponentName<Name>(name: Name): Name | "platform" {
  return name === "relay" ? "platform" : name;
}

/**
 * Moves `expandedPriceImpact` to `fees`; the fees in wei and their USD values have no place in v3 (spec 1, section 9).
 */
export function moveFees(transfer: RecordTransfer): void {
  transfer.lose(["data", "fees"], "v3 has fees by component, not by gas, fixed, price and gateway");
  transfer.lose(["data", "feesUsd"], "v3 has fees by component, not by gas, fixed, price and gateway");
  for (const phase of PHASES) {
    const from = ["data", "expandedPriceImpact", phase];
    const to = ["data", "fees", phase];
    const components = transfer.peek(from);
    if (!isObject(components)) continue;
    const names = Object.keys(components);
    for (const name of names) transfer.move([...from, name], [...to, toComponentName(name)]);
    if (names.length > 0) transfer.assume(to, "v2 has only the USD value of a component; its sign is unchanged");
  }
  transfer.move(["data", "expandedPriceImpact"], ["data", "fees"]);
  transfer.move(["data", "feeCurrencyObject"], ["data", "fees", "currency"]);
}

/** Moves `appFees` and `paidAppFees` to the quoted and actual app fees (spec 1, section 9). */
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
      transfer.assume(to, "amountFormatted is computed from the amount and its decimals");
    }
    transfer.place(formatted, to, ["data", name]);
  }
  transfer.move(["data", "appFeeCurrencyObject"], ["data", "appFees", "currency"]);
}

/** Adds `amountFormatted` to an amount without it. */
export function withFormatted(entry: unknown, decimals: unknown): unknown {
  if (!isObject(entry) || Object.hasOwn(entry, "amountFormatted")) return entry;
  const { amount } = entry as { amount?: unknown } & Tree;
  const isWhole = typeof decimals === "number" && Number.isInteger(decimals) && decimals >= 0 && decimals <= 255;
  // Maximum length: a longer text is not a uint256, and would be slow to parse.
  if (!isWhole || typeof amount !== "string" || !/^-?\d{1,78}$/u.test(amount)) return entry;
  return { ...entry, amountFormatted: formatAmount(BigInt(amount), decimals) };
}
