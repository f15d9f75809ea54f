import * as Type from "typebox";
import { type Hex, hexToNumber, pad, parseUnits, recoverTypedDataAddress, serializeSignature, zeroAddress } from "viem";

import { parseData } from "@crosscall/protocol/schema";
import { HYPERLIQUID_TYPES, SEND_ASSET, USD_SEND } from "@crosscall/protocol/vms";
import { DECIMALS, MARKETS, TOKEN, type Transfer } from "./exchange.ts";

const account = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" });
const moment = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const market = Type.Union(MARKETS.map((name) => Type.Literal(name)));
// Pattern of a signature word, which the exchange writes without leading zeros.
const word = Type.String({ pattern: "^0x[0-9a-fA-F]{1,64}$" });
const signed = {
  signatureChainId: Type.String({ pattern: "^0x[0-9a-fA-F]{1,12}$" }),
  hyperliquidChain: Type.Literal("Mainnet"),
  destination: account,
  amount: Type.String({ pattern: `^[0-9]{1,15}(\\.[0-9]{1,${DECIMALS}})?$` }),
};

const UsdSendSchema = Type.Object({ type: Type.Literal("usdSend"), ...signed, time: moment });

const SendAssetSchema = Type.Object({
  type: Type.Literal("sendAsset"),
  ...signed,
  sourceDex: market,
  destinationDex: market,
  token: Type.Literal(TOKEN),
  fromSubAccount: Type.Literal(""),
  nonce: moment,
});

const BodySchema = Type.Object({
  action: Type.Union([SendAssetSchema, UsdSendSchema]),
  nonce: moment,
  signature: Type.Object({ r: word, s: word, v: Type.Integer({ minimum: 27, maximum: 28 }) }),
  vaultAddress: Type.Optional(Type.Null()),
  expiresAfter: Type.Optional(Type.Null()),
});

type SignedBody = Type.Static<typeof BodySchema>;

/**
 * Reads a signed transfer. As on the exchange, the signature determines the sender: a wrong signature yields an account
 * without funds.
 *
 * @returns undefined if the signature is malformed
 * @throws {@link MalformedDataError} for other actions, and for tokens other than the dollar
 */
export async function readSignedTransfer(content: unknown): Promise<Transfer | undefined> {
  const body = parseData(BodySchema, content, "the body");
  const sender = await recoverSender(body);
  if (sender === undefined) return undefined;
  const { action, nonce } = body;
  const isUsdSend = action.type === "usdSend";
  return {
    sender: sender.toLowerCase(),
    destination: action.destination.toLowerCase(),
    source: isUsdSend ? "" : action.sourceDex,
    target: isUsdSend ? "" : action.destinationDex,
    amount: parseUnits(action.amount, DECIMALS),
    nonce,
    action,
  };
}

/** Recovers the sender. The body's nonce replaces the action's nonce, so different nonces yield a different signer. */
async function recoverSender({ action, nonce, signature }: SignedBody): Promise<string | undefined> {
  const signed =
    action.type === "usdSend"
      ? ({ primaryType: USD_SEND, message: { ...action, time: BigInt(nonce) } } as const)
      : ({ primaryType: SEND_ASSET, message: { ...action, nonce: BigInt(nonce) } } as const);
  try {
    return await recoverTypedDataAddress({
      domain: {
        name: "HyperliquidSignTransaction",
        version: "1",
        chainId: hexToNumber(action.signatureChainId as Hex),
        verifyingContract: zeroAddress,
      },
      types: HYPERLIQUID_TYPES,
      ...signed,
      signature: serializeSignature({
        r: pad(signature.r as Hex, { size: 32 }),
        s: pad(signature.s as Hex, { size: 32 }),
        v: BigInt(signature.v),
      }),
    });
  } catch {
    // `r` is not a point on the curve.
    return undefined;
  }
}
