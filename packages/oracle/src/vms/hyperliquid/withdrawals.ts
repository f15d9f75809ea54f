import { decodeAbiParameters, hashStruct, type Hex, isHex, parseAbiParameters, parseUnits } from "viem";

import { MalformedDataError } from "@crosscall/protocol/core";
import { HYPERLIQUID_CODEC, HYPERLIQUID_TYPES, SEND_ASSET, USD_SEND } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { Payout, Withdrawal, WithdrawalHints, WithdrawalStatus } from "../vmChain.ts";
import type { ExchangeTransaction, HyperliquidReader } from "./hyperliquidReader.ts";
import { currencyOf } from "./transfers.ts";

/** Decodes a withdrawal. Actions on the exchange have no expiration. */
export function decodeWithdrawal(payload: Hex): Withdrawal {
  const { hash, payout } = decodeRequestedAction(payload);
  return { payload, withdrawalId: hash, expiration: 0n, payout };
}

/**
 * Returns executed if a depository's transaction with the same signed data succeeded, expired if all such transactions
 * failed, and otherwise pending, at any age. Searches the depository's latest transactions and the transaction given by
 * the caller.
 *
 * @param depositories addresses in lower case
 */
export async function readWithdrawalStatus(
  { chainId, reader, depositories }: { chainId: string; reader: HyperliquidReader; depositories: readonly Hex[] },
  { withdrawalId }: Withdrawal,
  { transactionId }: WithdrawalHints,
): Promise<WithdrawalStatus> {
  requireAttested(depositories.length > 0, "Chain has no depository configured");
  const isSame = ({ sender, signedHash }: ExchangeTransaction): boolean =>
    depositories.includes(sender) && isHex(withdrawalId) && signedHash === withdrawalId;
  let status: WithdrawalStatus = 0;
  for (const depository of depositories) {
    const found = (await reader.latestOf(depository)).filter(isSame);
    if (found.some(({ isSuccess }) => isSuccess)) return 1;
    if (found.length > 0) status = 2;
  }
  if (transactionId === undefined) return status;
  const hash = HYPERLIQUID_CODEC.encodeTransactionId(transactionId, "transactionId");
  const named = await reader.transaction(hash);
  requireAttested(named !== undefined, `Missing transaction ${transactionId} on chain ${chainId}`);
  if (!isSame(named)) return status;
  return named.isSuccess ? 1 : 2;
}

const ENVELOPE = parseAbiParameters("(uint8 kind, bytes parameters)");
const USD_SEND_PARAMETERS = [{ type: "tuple", components: HYPERLIQUID_TYPES[USD_SEND] }] as const;
const SEND_ASSET_PARAMETERS = [{ type: "tuple", components: HYPERLIQUID_TYPES[SEND_ASSET] }] as const;

interface RequestedAction {
  readonly hash: Hex;
  readonly payout: () => Payout;
}

/**
 * Decodes the kind and data of the action.
 *
 * @throws {@link MalformedDataError} for a malformed payload
 */
function decodeRequestedAction(payload: Hex): RequestedAction {
  try {
    const [{ kind, parameters }] = decodeAbiParameters(ENVELOPE, payload);
    if (kind === 0) return usdSendOf(parameters);
    if (kind === 1) return sendAssetOf(parameters);
  } catch (cause) {
    throw malformed("it is not an action on the exchange", cause);
  }
  throw malformed("it is an action of an unknown kind");
}

function usdSendOf(parameters: Hex): RequestedAction {
  const [data] = decodeAbiParameters(USD_SEND_PARAMETERS, parameters);
  const moved = { destination: data.destination, amount: data.amount, token: undefined, market: "" };
  return { hash: hashStruct({ types: HYPERLIQUID_TYPES, primaryType: USD_SEND, data }), payout: () => payoutOf(moved) };
}

function sendAssetOf(parameters: Hex): RequestedAction {
  const [data] = decodeAbiParameters(SEND_ASSET_PARAMETERS, parameters);
  const token = data.token.split(":")[1]?.toLowerCase() ?? "";
  // The source determines the withdrawn currency.
  const moved = { destination: data.destination, amount: data.amount, token, market: data.sourceDex };
  return {
    hash: hashStruct({ types: HYPERLIQUID_TYPES, primaryType: SEND_ASSET, data }),
    payout: () => payoutOf(moved),
  };
}

function payoutOf(moved: {
  readonly destination: string;
  readonly amount: string;
  readonly token: string | undefined;
  readonly market: string;
}): Payout {
  const currency = currencyOf(moved);
  requireAttested(currency !== undefined, "Only USDC is supported as a Perps token");
  const decimals = /^\d+\.(\d+)$/u.exec(moved.amount)?.[1]?.length;
  // The allocator always writes all decimals of the currency.
  if (decimals === undefined) throw malformed("its amount has no decimals");
  return { currency, recipient: moved.destination, amount: parseUnits(moved.amount, decimals) };
}

function malformed(reason: string, cause?: unknown): MalformedDataError {
  return new MalformedDataError({ what: "the withdrawal", path: "", reason, cause });
}
