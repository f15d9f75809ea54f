import type { Quote } from "./quote.ts";
import { type QuoteV3, QuoteV3Schema } from "./quoteV3.ts";
import type { Mismatch } from "../schema/checkSchema.ts";
import { isObject } from "../schema/json.ts";
import { fillRecord, type Shortfall } from "../v2/fillRecord.ts";
import { isSame, ownField, type Tree } from "../v2/jsonTree.ts";
import { movePhases } from "../v2/moveFees.ts";
import { type Assumption, type LostValue, RecordTransfer } from "../v2/recordTransfer.ts";

/** A v3 quote converted from v2, with assumptions and lost values. */
export interface MigratedQuote {
  /** v3 quote, which shares unchanged parts with the v2 quote. */
  readonly quote: QuoteV3;
  /** Values of the v2 quote that have no place in v3, by path in the v2 quote. */
  readonly lost: readonly LostValue[];
  /** Values of the v3 quote that the v2 quote does not contain, by path in the v3 quote. */
  readonly assumed: readonly Assumption[];
  /** Paths of fields that v3 requires and v2 lacks, such as the amount of each fee component. */
  readonly missing: readonly string[];
  /** Values that v3 does not list, kept unchanged. */
  readonly unknown: readonly Mismatch[];
}

const PERMITS = "/execute/permits";

/**
 * Converts a quote of `POST /quote/v2` to the form of `POST /quote/v3`. Unknown fields are kept; values without a place
 * in v3 are listed, never silently dropped. For comparison only: execute the quote that the service sent.
 *
 * @param source a quote that `QuoteSchema` accepts; it is not changed
 */
export function toQuoteV3(source: Quote): MigratedQuote {
  const transfer = new RecordTransfer(source);
  moveSteps(transfer);
  transfer.lose(["fees"], "v3 has fees by component");
  moveImpact(transfer);
  movePhases(transfer, ["feeSponsorship"]);
  transfer.passRest();
  const shortfall: Shortfall = { missing: [], unknown: [], nulls: [] };
  const quote = fillRecord(QuoteV3Schema, transfer.record, shortfall) as QuoteV3;
  const nulls = shortfall.nulls.map((path) => ({ path, reason: "v2 does not state it" }));
  const { missing, unknown } = shortfall;
  return { quote, lost: transfer.lost, assumed: [...transfer.assumed, ...nulls], missing, unknown };
}

/** Moves the steps. v3 has one step per item, and states the request's id only once. */
function moveSteps(transfer: RecordTransfer): void {
  const sender = transfer.peek(["details", "sender"]);
  const steps = transfer.take(["steps"]);
  if (!Array.isArray(steps)) {
    transfer.place(steps, ["steps"], ["steps"]);
    return;
  }
  const flat = steps.flatMap((step: unknown, index) => {
    const items = ownField(step, "items");
    if (!isObject(step) || !Array.isArray(items)) return [step];
    const { items: _, requestId, depositAddress, ...rest } = step;
    transfer.place(requestId, ["requestId"], ["steps", index, "requestId"]);
    const hasAddress = typeof depositAddress === "string" && depositAddress !== "";
    return items.map((item: unknown, itemIndex) => ({
      ...rest,
      ...(hasAddress ? { depositAddress: { address: depositAddress } } : {}),
      ...(isObject(item) ? flatItem(transfer, item, { sender, at: ["steps", index, "items", itemIndex] }) : {}),
    }));
  });
  transfer.place(flat, ["steps"], ["steps"]);
}

interface ItemPlace {
  readonly sender: unknown;
  readonly at: readonly (string | number)[];
}

function flatItem(transfer: RecordTransfer, item: Tree, { sender, at }: ItemPlace): Tree {
  const { data } = item;
  if (!isObject(data)) return item;
  const { from, ...call } = data;
  if (from !== undefined) {
    if (!isSame(from, sender)) transfer.loseValue(from, [...at, "data", "from"], "v3 has the sender in details");
    return { ...item, data: call };
  }
  const { post } = data;
  if (!isObject(post) || post.endpoint !== PERMITS) return item;
  const { body } = post;
  if (!isObject(body)) return { ...item, data: { ...data, post: { ...post, endpoint: `${PERMITS}/v2` } } };
  const { api, ...posted } = body;
  transfer.loseValue(api, [...at, "data", "post", "body", "api"], "v3 posts kind and requestId");
  return { ...item, data: { ...data, post: { ...post, endpoint: `${PERMITS}/v2`, body: posted } } };
}

/** Converts the value of each component; `relay` becomes `platform`. `details` keeps its names. */
function moveImpact(transfer: RecordTransfer): void {
  const impact = transfer.peek(["details", "expandedPriceImpact"]);
  if (!isObject(impact)) return;
  for (const [name, component] of Object.entries(impact)) {
    const to = ["fees", "quoted", name === "relay" ? "platform" : name];
    transfer.place(component, to, ["details", "expandedPriceImpact", name]);
  }
  const currency = transfer.peek(["details", "currencyIn", "currency"]);
  transfer.place(currency, ["fees", "currency"], ["details", "currencyIn", "currency"]);
  transfer.assume(["fees", "currency"], "v2 does not state the currency; v3 states fees in the input currency");
}
