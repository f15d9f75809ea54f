import * as Type from "typebox";
import { Compile } from "typebox/compile";
import { type Hex, hashStruct } from "viem";

/** Older action that transfers dollars on the main market. */
export const USD_SEND = "HyperliquidTransaction:UsdSend";

/** Action that transfers any token between markets. */
export const SEND_ASSET = "HyperliquidTransaction:SendAsset";

/** EIP-712 types of the actions. */
export const SIGNED_TYPES = {
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

const text = Type.String();
const moment = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const usdSendCheck = Compile(
  Type.Object({ type: Type.Literal("usdSend"), hyperliquidChain: text, destination: text, amount: text, time: moment }),
);
const sendAssetCheck = Compile(
  Type.Object({
    type: Type.Literal("sendAsset"),
    hyperliquidChain: text,
    destination: text,
    sourceDex: text,
    token: text,
    destinationDex: text,
    amount: text,
    fromSubAccount: text,
    nonce: moment,
  }),
);

/** Reads a signed action. Returns undefined for other actions. */
export function signedHash(action: unknown): Hex | undefined {
  if (usdSendCheck.Check(action)) {
    const data = { ...action, time: BigInt(action.time) };
    return hashStruct({ types: SIGNED_TYPES, primaryType: USD_SEND, data });
  }
  if (!sendAssetCheck.Check(action)) return undefined;
  return hashStruct({ types: SIGNED_TYPES, primaryType: SEND_ASSET, data: { ...action, nonce: BigInt(action.nonce) } });
}
