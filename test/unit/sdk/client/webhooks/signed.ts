import { createHmac } from "node:crypto";

import type { StatusEvent } from "../../../../../packages/protocol/src/index.ts";

export const API_KEY = "webhook-key";
export const NOW = 1_784_678_400_000;

/** Returns an event in the service's format. */
export function statusEvent(change: Partial<StatusEvent["data"]> = {}): StatusEvent {
  return {
    event: "request.status.updated",
    timestamp: NOW,
    data: {
      status: "success",
      inTxHashes: ["0x01"],
      txHashes: ["0x02"],
      updatedAt: NOW - 5,
      originChainId: 8_453,
      destinationChainId: 10,
      depositAddress: null,
      requestId: `0x${"ab".repeat(32)}`,
      referrer: null,
      details: null,
      failReason: null,
      refundFailReason: null,
      ...change,
    },
  };
}

/** Returns headers with the service's signature for a body. Uses Node's HMAC, unlike the tested code. */
export function signedHeaders(rawBody: string, timestamp: number | string = NOW, apiKey = API_KEY) {
  const signature = createHmac("sha256", apiKey).update(`${timestamp}.${rawBody}`).digest("hex");
  return { "x-signature-timestamp": String(timestamp), "x-signature-sha256": signature };
}
