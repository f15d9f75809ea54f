import type ts from "typescript";

import type { Source } from "./parseSource.ts";

/** Tracks values in one file from listing requests to the code that reads them. */
export interface Flow {
  readonly source: Source;
  positionOf(expression: ts.Node): Position | undefined;
  positionOfBinding(element: ts.BindingElement): Position | undefined;
  positionOfResult(callback: ts.Node | undefined): Position | undefined;
  /** Returns the position of a property; the name `[]` is an entry of an array. */
  step(position: Position, name: string): Position | undefined;
}

interface Known {
  readonly version: 2 | 3;
  /** Whether the value was tracked from a request, not guessed from names. */
  readonly isCertain: boolean;
}

export type Position =
  | (Known & { readonly kind: "url" })
  /** A response, in any wrapper that an HTTP client uses. */
  | (Known & { readonly kind: "response" })
  | (Known & { readonly kind: "records" })
  /** A record, or the part at a path; `[]` is an entry of an array. */
  | (Known & { readonly kind: "record"; readonly path: readonly string[] })
  /** An array that the program builds. */
  | { readonly kind: "list"; readonly element: Position }
  /** An object with the value in `data`, as returned by query hooks. */
  | { readonly kind: "box"; readonly inner: Position }
  /** An object literal. Its fields are looked up. */
  | { readonly kind: "object"; readonly node: ts.ObjectLiteralExpression }
  | { readonly kind: "props"; readonly usages: readonly ts.JsxOpeningLikeElement[] };

/** Wrapper fields of HTTP clients and hooks. */
const WRAPPINGS = new Set(["data", "body", "value", "result", "results", "response", "pages", "page", "payload"]);

export function stepInto(position: Position, name: string): Position | undefined {
  switch (position.kind) {
    case "response":
      if (name === "requests") return { ...position, kind: "records" };
      return name === "[]" || WRAPPINGS.has(name) ? position : undefined;
    case "records":
      if (name === "requests") return position;
      return name === "[]" ? { ...position, kind: "record", path: [] } : undefined;
    case "record":
      return { ...position, path: [...position.path, name] };
    case "list":
      return name === "[]" ? position.element : undefined;
    case "box":
      return name === "data" ? position.inner : undefined;
    case "url":
    case "object":
    case "props":
      return undefined;
  }
}

/** Names that only v2 records have, with the paths to them. */
const DISTINCT: Readonly<Record<string, readonly string[]>> = {
  inTxs: ["data", "inTxs"],
  outTxs: ["data", "outTxs"],
  feesUsd: ["data", "feesUsd"],
  paidAppFees: ["data", "paidAppFees"],
  subsidizedRequest: ["data", "subsidizedRequest"],
  subsidizedFee: ["data", "subsidizedFee"],
  currencyObject: ["data", "currencyObject"],
  feeCurrencyObject: ["data", "feeCurrencyObject"],
  appFeeCurrencyObject: ["data", "appFeeCurrencyObject"],
  depositAddressType: ["depositAddress", "depositAddressType"],
  failReason: ["data", "failReason"],
  refundFailReason: ["data", "refundFailReason"],
};

/** Names that v2 records share with other objects, keyed by the name that must precede them. */
const AFTER: Readonly<Record<string, readonly string[]>> = {
  data: ["fees", "metadata", "expandedPriceImpact", "supersededByRequestId", "feeSponsorship"],
  metadata: ["currencyIn", "currencyOut", "currencyGasTopup"],
};

/** Guesses a position from names alone. `before` is the preceding name, if known. */
export function guessPosition(before: string | undefined, name: string): Position | undefined {
  const likely = { kind: "record", version: 2, isCertain: false } as const;
  if (Object.hasOwn(DISTINCT, name)) return { ...likely, path: DISTINCT[name] ?? [] };
  if (before === undefined || !Object.hasOwn(AFTER, before) || AFTER[before]?.includes(name) !== true) return undefined;
  return { ...likely, path: before === "metadata" ? ["data", "metadata", name] : ["data", name] };
}
