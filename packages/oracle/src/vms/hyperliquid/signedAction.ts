import * as Type from "typebox";
import { Compile } from "typebox/compile";
import { type Hex, hashStruct } from "viem";

import { HYPERLIQUID_TYPES, SEND_ASSET, USD_SEND } from "@crosscall/protocol/vms";

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
    return hashStruct({ types: HYPERLIQUID_TYPES, primaryType: USD_SEND, data });
  }
  if (!sendAssetCheck.Check(action)) return undefined;
  return hashStruct({
    types: HYPERLIQUID_TYPES,
    primaryType: SEND_ASSET,
    data: { ...action, nonce: BigInt(action.nonce) },
  });
}
