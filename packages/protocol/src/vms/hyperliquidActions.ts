/** Currency of the dollar, which all markets share. */
export const HYPERLIQUID_DOLLAR = "0x6d1e7cde53ba9467b783cb7c530ce054";

/** Older action, which transfers the dollar of the main market. */
export const USD_SEND = "HyperliquidTransaction:UsdSend";

/** Action that transfers any token between markets. */
export const SEND_ASSET = "HyperliquidTransaction:SendAsset";

/** EIP-712 types of transfers (spec 5, section 2). */
export const HYPERLIQUID_TYPES = {
  [USD_SEND]: [
    { name: "hyperliquidChain", type: "string" },
    { name: "destination", type: "string" },
    { name: "amount", type: "string" },
    { name: "time", type: "uint64" },
  ],
  [SEND_ASSET]: [
    { name: "hyperliquidChain", type: "string" },
    { name: "destination", type: "string" },
    { name: "sourceDex", type: "string" },
    { name: "destinationDex", type: "string" },
    { name: "token", type: "string" },
    { name: "amount", type: "string" },
    { name: "fromSubAccount", type: "string" },
    { name: "nonce", type: "uint64" },
  ],
} as const;
