import { bytesToBigInt, type Hex, hexToBytes, isHex, sha256, size, slice, stringToBytes } from "viem";

import {
  exchangeAssetOf,
  namesRequest,
  type PlannedExchangeAction,
  type PlannedSvmTransaction,
} from "@crosscall/protocol/quote/rules";
import { isObject, isPresent } from "@crosscall/protocol/schema";
import type { ReportDraft } from "./quoteReport.ts";
import type { QuoteTerms } from "./terms.ts";
import { isTrusted } from "./trust.ts";
import type { OrderTerms } from "./verifyOrder.ts";
import type { ItemEffect } from "./transactionParts.ts";

/** 10 USDC, in the smallest unit. */
const EXCHANGE_FEE_MAX = 10_000_000;

/** Checks a transfer on the exchange chain (spec 2, section 6). */
export function verifyExchangeAction(
  draft: ReportDraft,
  { request, origin, inputAmount, requestId }: QuoteTerms,
  order: OrderTerms | undefined,
  { action }: PlannedExchangeAction,
  path: string,
): ItemEffect {
  const { toAccountIndex, assetIndex, amount, usdcFee, memo } = action.parameters;
  const at = `${path}.action.parameters`;
  const accounts = origin?.depositories ?? [];
  const check = (name: string, isMet: boolean, expected: unknown, seen: unknown): void => {
    draft.check("EXCHANGE_TRANSFER", `${at}.${name}`, isMet, expected, seen);
  };
  check("toAccountIndex", isTrusted(accounts, String(toAccountIndex)), accounts, toAccountIndex);
  const asset = exchangeAssetOf(request.originCurrency);
  check("assetIndex", String(assetIndex) === asset, asset, assetIndex);
  check("amount", BigInt(amount) === inputAmount, inputAmount, amount);
  check("usdcFee", usdcFee <= EXCHANGE_FEE_MAX, `at most ${EXCHANGE_FEE_MAX}`, usdcFee);
  const ids = [order?.orderId, requestId].filter(isPresent);
  check("memo", namesRequest(memo, ids), ids, memo);
  return {
    effect: [`transfers ${amount} of asset ${assetIndex} to account ${toAccountIndex}`],
    isBound: true,
    isPayment: true,
  };
}

const DEPOSIT_BYTES = 8 + 8 + 32;

/** Discriminators: the first bytes of Anchor instructions. */
const discriminator = (name: string): Hex => slice(sha256(stringToBytes(`global:${name}`)), 0, 8);

/**
 * Checks the called programs, the signer and the deposit of an SVM transaction. Other instructions are not decoded.
 */
export function verifySvmTransaction(
  draft: ReportDraft,
  { request, origin }: QuoteTerms,
  order: OrderTerms | undefined,
  { data }: PlannedSvmTransaction,
  path: string,
): ItemEffect {
  const at = `${path}.instructions`;
  const instructions = (Array.isArray(data.instructions) ? (data.instructions as unknown[]) : []).map((instruction) =>
    isObject(instruction) ? instruction : {},
  );
  const programs = instructions.map(({ programId }) => String(programId));
  const pinned = [...(origin?.depositories ?? []), ...(origin?.programs ?? [])];
  draft.check("SVM_PROGRAM", at, programs.length > 0, "instructions", data.instructions);
  const signers = [request.user, ...(request.depositFeePayer === undefined ? [] : [request.depositFeePayer])];
  instructions.forEach(({ programId, keys }, index) => {
    const here = `${at}[${index}]`;
    draft.check("SVM_PROGRAM", `${here}.programId`, isTrusted(pinned, String(programId)), pinned, programId);
    const accounts: unknown[] = Array.isArray(keys) ? keys : [];
    const others = accounts.filter(
      (key) => !isObject(key) || (key.isSigner !== false && !signers.includes(String(key.pubkey))),
    );
    draft.check("SVM_DEPOSIT", `${here}.keys`, others.length === 0, signers, others);
  });
  const deposits = instructions.filter(({ programId }) => isTrusted(origin?.depositories, String(programId)));
  const [deposit] = deposits;
  draft.check("SVM_DEPOSIT", at, deposits.length === 1, "one deposit", deposits.length);
  if (deposit !== undefined) {
    const seen = readDeposit(deposit.data);
    const isOwn =
      Array.isArray(deposit.keys) &&
      deposit.keys.some((key) => isObject(key) && key.isSigner === true && key.pubkey === request.user);
    draft.check("SVM_DEPOSIT", at, isOwn, `signed by ${request.user}`, isOwn);
    draft.check("DEPOSIT_AMOUNT", at, seen !== undefined && seen.amount === order?.amount, order?.amount, seen?.amount);
    draft.check("DEPOSIT_ID", at, seen !== undefined && seen.id === order?.orderId, order?.orderId, seen?.id);
  }
  return { effect: [`calls ${programs.join(", ")}`], isBound: false, isPayment: true };
}

/** Reads `deposit_native` or `deposit_token`: the amount in 8 bytes, little-endian, and the id. */
function readDeposit(data: unknown): { readonly amount: bigint; readonly id: Hex } | undefined {
  const bytes = `0x${String(data).replace(/^0x/u, "").toLowerCase()}`;
  if (!isHex(bytes) || size(bytes) !== DEPOSIT_BYTES) return undefined;
  const name = slice(bytes, 0, 8);
  if (name !== discriminator("deposit_native") && name !== discriminator("deposit_token")) return undefined;
  return { amount: bytesToBigInt(hexToBytes(slice(bytes, 8, 16)).toReversed()), id: slice(bytes, 16) };
}
