import { BaseError } from "viem";

import { shortReason } from "@crosscall/protocol/core";
import { parseRetryAfter } from "../client/transport/exchange.ts";
import { errorLayers } from "./errorLayers.ts";

/** EIP-1474. */
const LIMIT_EXCEEDED = -32_005;

/** Nodes and their providers: HTTP, EIP-1474, Infura, QuickNode, Ankr. */
const RATE_LIMIT_CODES = new Set<unknown>([429, 503, LIMIT_EXCEEDED, -32_007, -32_029, -32_097]);

const RATE_LIMIT_WORDS =
  /\brate.?limit|\btoo many (?:requests|calls)|\brequests? (?:limit|per second)|\blimit of requests|\bthrottl|\bcompute units per second|\bthroughput\b|\bcapacity exceeded|\bslow down|\bservice unavailable|\btry again (?:later|in)/iu;

/** What a node says of a query of logs over too many blocks, or with too many results. */
const RANGE_WORDS =
  /\brange\b|\bblocks? (?:distance|span|limit|count|number)|\b(?:too many|too large|maximum|at most|up to|more than|over|exceed\w*)\b.{0,60}\b(?:blocks?|results?|logs?|response|size)|\b\d[\d,_]*k? (?:blocks?|results?|logs)\b|\bresponse (?:size|is too)|\btoo large\b|\bquery (?:returned|timeout|exceeds)|\blimited to\b|\bsmaller\b/iu;

/** Payload too large, and dRPC's code for free plans. */
const RANGE_CODES = new Set<unknown>([413, 35]);

/** A node of several lags behind the one that returned the block number. */
const LAG_WORDS = /\bbeyond (?:the )?(?:current |latest )?(?:head|block)|\bheader not found/iu;

/** Whether the node asks to send fewer requests, or lags behind. */
export function isTemporary(error: unknown, method: string): boolean {
  const layers = errorLayers(error);
  // A contract can revert with any words.
  if (layers.some(({ text }) => /\brevert/iu.test(text))) return false;
  if (layers.some(({ text }) => RATE_LIMIT_WORDS.test(text) || LAG_WORDS.test(text))) return true;
  // Some nodes have one code for rates and for the size of a query of logs.
  return layers.some(({ codes }) =>
    codes.some((code) => RATE_LIMIT_CODES.has(code) && !(code === LIMIT_EXCEEDED && method === "eth_getLogs")),
  );
}

/** Whether the node refuses a query of logs because of its size. */
export function isRangeRefusal(error: unknown): boolean {
  return errorLayers(error).some(
    ({ text, codes }) => RANGE_WORDS.test(text) || codes.some((code) => RANGE_CODES.has(code)),
  );
}

/** How long to wait before another request, in milliseconds, where the node says so. */
export function retryAfterMs(error: unknown, now: number): number | undefined {
  const seen = new Set<unknown>();
  for (
    let cause = error;
    typeof cause === "object" && cause !== null && !seen.has(cause);
    cause = Reflect.get(cause, "cause")
  ) {
    seen.add(cause);
    const headers: unknown = Reflect.get(cause, "headers");
    const asked = headers instanceof Headers ? parseRetryAfter(headers.get("retry-after"), now) : readBackoff(cause);
    if (asked !== undefined) return asked;
  }
  return undefined;
}

/** Infura. */
function readBackoff(error: object): number | undefined {
  const data: unknown = Reflect.get(error, "data");
  const rate: unknown = typeof data === "object" && data !== null ? Reflect.get(data, "rate") : undefined;
  const seconds: unknown = typeof rate === "object" && rate !== null ? Reflect.get(rate, "backoff_seconds") : undefined;
  return typeof seconds === "number" && seconds >= 0 ? seconds * 1_000 : undefined;
}

/** The node's own words, which viem has in `details` behind a general message. */
export function nodeReason(error: unknown): string {
  return shortReason(error instanceof BaseError && error.details !== "" ? error.details : error);
}
