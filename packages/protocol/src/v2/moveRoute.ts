import { compact } from "../core/compact.ts";
import { isObject } from "../schema/json.ts";
import { isSame, ownField, type Tree, valueAt } from "./jsonTree.ts";
import { withFormatted } from "./moveFees.ts";
import type { RecordTransfer } from "./recordTransfer.ts";

const METADATA = ["data", "metadata"];
const ROUTE = ["data", "route"];
const SIDES = [
  ["origin", "includedOriginSwapSources"],
  ["destination", "includedDestinationSwapSources"],
] as const;

/**
 * Moves the amounts, the rate and the route of `metadata` to `route` (spec 1, section 9). v2 records contain only the
 * quoted route; their other amounts are the deposited and the received amount (spec 1, section 2.4).
 */
export function moveRoute(transfer: RecordTransfer): void {
  const isSameChain = isOnOneChain(transfer);
  const hasRoute = isObject(transfer.peek([...METADATA, "route"]));
  for (const [side, sources] of SIDES) moveSide(transfer, side, sources);
  transfer.move([...METADATA, "route"], [...ROUTE, "quoted"]);
  const receivedAt = isSameChain ? "origin" : "destination";
  const hasAmounts = ["currencyIn", "currencyOut"].some((name) => isObject(transfer.peek([...METADATA, name])));
  transfer.move([...METADATA, "currencyIn"], [...ROUTE, "actual", "origin", "inputCurrency"]);
  transfer.move([...METADATA, "currencyOut"], [...ROUTE, "actual", receivedAt, "outputCurrency"]);
  transfer.move([...METADATA, "rate"], [...ROUTE, "actual", "rate"]);
  if (hasAmounts) {
    transfer.assume([...ROUTE, "actual"], "v2 does not state whether its amounts are quoted or executed");
  }
  if (hasRoute) fallBackToQuoted(transfer);
  movePrice(transfer, isSameChain);
}

function moveSide(transfer: RecordTransfer, side: string, sources: string): void {
  const from = [...METADATA, "route", side];
  transfer.move([...from, "includedSwapSources"], [...ROUTE, sources]);
  transfer.move(from, [...ROUTE, "quoted", side]);
}

/** Uses the quoted value for parts of the route with an unknown actual value (spec 1, section 2.4). */
function fallBackToQuoted(transfer: RecordTransfer): void {
  const quoted = valueAt(transfer.record, [...ROUTE, "quoted"]);
  for (const [side] of SIDES) {
    const parts = ownField(quoted, side);
    for (const name of isObject(parts) ? Object.keys(parts) : []) {
      const to = [...ROUTE, "actual", side, name];
      const known = valueAt(transfer.record, to);
      if (known === undefined || known === null) transfer.place(ownField(parts, name), to, []);
    }
  }
  const route = valueAt(transfer.record, ROUTE) as Tree;
  // A request on one chain has no sources for another.
  if (!isObject(ownField(quoted, "destination"))) transfer.place([], [...ROUTE, "includedDestinationSwapSources"], []);
  const [origin, destination] = SIDES.map(([, sources]) => ownField(route, sources));
  if (!Array.isArray(origin) && !Array.isArray(destination)) return;
  const all = [origin, destination].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  transfer.place([...new Set(all)], [...ROUTE, "includedSwapSources"], []);
  transfer.assume([...ROUTE, "includedSwapSources"], "v2 has the sources of each side; this list combines them");
}

/**
 * Moves `price`, the quoted output in the smallest unit (spec 1, sections 2.4 and 9). A fill with a swap spends another
 * currency, so its input is not the quoted output.
 */
function movePrice(transfer: RecordTransfer, isSameChain: boolean): void {
  const from = ["data", "price"];
  const price = transfer.take(from);
  const input = [...ROUTE, "actual", "destination", "inputCurrency"];
  const present = valueAt(transfer.record, input);
  const output = valueAt(transfer.record, [
    ...ROUTE,
    "quoted",
    isSameChain ? "origin" : "destination",
    "outputCurrency",
  ]);
  for (const amount of [output, present]) {
    if (isSame(price, ownField(amount, "amount")) || isSame(price, ownField(amount, "amountFormatted"))) return;
  }
  if (present === undefined && !isSameChain && typeof price === "string" && /^-?\d+$/u.test(price)) {
    transfer.place(price, [...input, "amount"], from);
    transfer.assume([...input, "amount"], "v2 does not state the unit of price; it is assumed to be the smallest unit");
  } else {
    transfer.loseValue(price, from, "v3 has the quoted output only in data.route, where it differs");
  }
}

/**
 * Drops `currency` and `currencyObject` if an amount of the route has them; otherwise lists them as lost (spec 1,
 * section 9).
 */
export function moveCurrencies(transfer: RecordTransfer): void {
  const currencies = currenciesOf(transfer);
  const places: [string, (currency: unknown, value: unknown) => boolean][] = [
    ["currencyObject", isSame],
    ["currency", isSymbolOf],
    ["feeCurrency", isSymbolOf],
  ];
  for (const [name, isFound] of places) {
    const from = ["data", name];
    const value = transfer.take(from);
    if (!currencies.some((currency) => isFound(currency, value)))
      transfer.loseValue(value, from, "v3 has only the currency objects of its amounts, which differ");
  }
}

/** Returns the amounts of the route in the v3 record. */
function amountsOf({ record }: RecordTransfer): unknown[] {
  return ["quoted", "actual"].flatMap((phase) =>
    SIDES.flatMap(([side]) =>
      ["inputCurrency", "outputCurrency"].map((name) => valueAt(record, [...ROUTE, phase, side, name])),
    ),
  );
}

/** Returns the currencies of the fee groups and of the route's amounts in the v3 record. */
function currenciesOf(transfer: RecordTransfer): unknown[] {
  return [
    ...["fees", "appFees", "feeSponsorship"].map((group) => valueAt(transfer.record, ["data", group, "currency"])),
    ...amountsOf(transfer).map((amount) => ownField(amount, "currency")),
  ];
}

/**
 * Moves `quoteOraclePrice`, whose amounts in v2 have neither a currency object nor a USD value. Takes both from the
 * route's amounts.
 */
export function moveOraclePrice(transfer: RecordTransfer): void {
  const from = [...METADATA, "quoteOraclePrice"];
  const to = ["data", "quoteOraclePrice"];
  const price = transfer.peek(from);
  const sides = [
    ["from", "inputAmount", "inputCurrency"],
    ["to", "outputAmount", "outputCurrency"],
  ] as const;
  for (const [side, name, target] of isObject(price) ? sides : []) {
    const currencyId = transfer.take([...from, side, "currencyId"]);
    const stated = transfer.take([...from, side]);
    const isStated = (other: unknown): boolean =>
      isObject(other) && ["chainId", "address"].every((key) => isSame(ownField(other, key), ownField(stated, key)));
    const amount = transfer.take([...from, name]);
    const known = amountsOf(transfer).find(
      (other) => isStated(ownField(other, "currency")) && isSame(ownField(other, "amount"), amount),
    );
    const currency = currenciesOf(transfer).find(isStated);
    const [amountFormatted, amountUsd] = ["amountFormatted", "amountUsd"].map((key) => ownField(known, key));
    const fields = compact({ amount, amountFormatted, amountUsd });
    transfer.place(withFormatted(fields, ownField(stated, "decimals")), [...to, target], [...from, name]);
    transfer.place(currency, [...to, target, "currency"], []);
    transfer.place(stated, [...to, target, "currency"], [...from, side]);
    if (isSymbolOf(currency, currencyId)) continue;
    transfer.loseValue(currencyId, [...from, side, "currencyId"], "v3 has the symbol of the currency");
  }
  if (isObject(price)) transfer.assume(to, "v2 has only the amounts and their currencies' addresses");
  transfer.move(from, to);
}

/** Returns whether a text is a currency's symbol, which v2 writes in lower case. */
function isSymbolOf(currency: unknown, text: unknown): boolean {
  const symbol = ownField(currency, "symbol");
  return typeof symbol === "string" && typeof text === "string" && symbol.toLowerCase() === text.toLowerCase();
}

function isOnOneChain(transfer: RecordTransfer): boolean {
  const chainOf = (name: string): unknown => transfer.peek([...METADATA, name, "currency", "chainId"]);
  const route = transfer.peek([...METADATA, "route"]);
  if (isObject(route)) return !isObject(ownField(route, "destination"));
  return chainOf("currencyIn") !== undefined && chainOf("currencyIn") === chainOf("currencyOut");
}
