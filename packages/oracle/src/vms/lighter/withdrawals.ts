import { decodeAbiParameters, type Hex, keccak256, parseAbiParameters, stringToHex, toHex, zeroHash } from "viem";

import { type Clock, MalformedDataError } from "@crosscall/protocol/core";
import { lighterCurrency, lighterTransferText, type SignedLighterTransfer } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { Withdrawal, WithdrawalHints, WithdrawalStatus } from "../vmChain.ts";
import {
  type LighterExplorer,
  type LighterTransaction,
  type LighterTransfer,
  type ListedTransfer,
  PAGE_SIZE,
} from "./lighterReader.ts";

/** Maximum number of explorer pages to read per request. */
const MAX_PAGES = 3;

/** Tolerance for clock differences, in milliseconds. */
const EXPIRY_BUFFER_MS = 60_000;

/**
 * Decodes a withdrawal. It has no expiration, because an EVM key signs a text without one; only the exchange's
 * transactions expire.
 */
export function decodeWithdrawal(payload: Hex): Withdrawal {
  const transfer = decodeRequestedTransfer(payload);
  const { asset, fromRoute, to, amount } = transfer;
  return {
    payload,
    withdrawalId: transferId(transfer),
    expiration: 0n,
    payout: () => ({ currency: lighterCurrency(asset, fromRoute), recipient: to.toString(), amount }),
  };
}

interface WithdrawalSource {
  readonly chainId: string;
  readonly depositories: readonly string[];
  /** Reads a transaction. Returns undefined if the exchange does not have it. */
  readonly readTransaction: (transactionId: string) => Promise<LighterTransaction | undefined>;
  readonly explorer: LighterExplorer | undefined;
  readonly clock: Clock;
}

/**
 * Returns executed if a transfer with the same signed text was executed. Returns expired if all such transfers failed,
 * and the list of the depository's transfers goes back far enough to show that no other one was executed. Otherwise
 * returns pending.
 */
export async function readWithdrawalStatus(
  source: WithdrawalSource,
  { payload, withdrawalId }: Withdrawal,
  { transactionId }: WithdrawalHints,
): Promise<WithdrawalStatus> {
  const { chainId, depositories, readTransaction, explorer, clock } = source;
  const requested = decodeRequestedTransfer(payload);
  const depository = requested.from.toString();
  requireAttested(depositories.length > 0, "Chain has no depository configured");
  const isConfigured = depositories.includes(depository);
  requireAttested(isConfigured, `Depository ${depository} is not configured for chain ${chainId}`);
  const isSame = ({ transfer }: LighterTransaction): boolean => {
    const signed = transfer === undefined ? undefined : signedTransferOf(transfer, requested.exchange);
    return signed !== undefined && transferId(signed) === withdrawalId;
  };
  const attempts: LighterTransaction[] = [];
  if (transactionId !== undefined) {
    const named = await readTransaction(transactionId);
    requireAttested(named !== undefined, `Missing transaction ${transactionId} on chain ${chainId}`);
    if (isSame(named)) attempts.push(named);
    if (attempts.some(({ isExecuted }) => isExecuted)) return 1;
  }
  let isComplete = false;
  for (let page = 0; page < MAX_PAGES && !isComplete && explorer !== undefined; page += 1) {
    const listed = await explorer.transfersOf(depository, page);
    const own = listed.filter(({ from }) => from === depository);
    for (const { hash } of own.filter(({ to }) => to === requested.to.toString())) {
      const transaction = await readTransaction(hash);
      if (transaction === undefined || !isSame(transaction)) continue;
      if (transaction.isExecuted) return 1;
      attempts.push(transaction);
    }
    isComplete = listed.length < PAGE_SIZE || (await isBefore(own.at(-1), requested, readTransaction));
  }
  const isOver = ({ isRejected, transfer }: LighterTransaction): boolean =>
    isRejected || clock.now() > (transfer?.expiresAt ?? Number.POSITIVE_INFINITY) + EXPIRY_BUFFER_MS;
  return isComplete && attempts.length > 0 && attempts.every(isOver) ? 2 : 0;
}

/**
 * Whether a listed transfer is not newer than the requested transfer. The exchange executes an API key's transactions
 * in the order of their nonces.
 */
async function isBefore(
  listed: ListedTransfer | undefined,
  requested: SignedLighterTransfer,
  readTransaction: WithdrawalSource["readTransaction"],
): Promise<boolean> {
  if (listed === undefined) return false;
  const transaction = await readTransaction(listed.hash);
  const terms = transaction?.isExecuted === true ? transaction.transfer?.terms : undefined;
  return terms !== undefined && BigInt(terms.apiKey) === requested.apiKey && BigInt(terms.nonce) <= requested.nonce;
}

const ENVELOPE = parseAbiParameters("(uint8 kind, bytes parameters)");
const TRANSFER = parseAbiParameters([
  "Transfer transfer",
  "struct Transfer { uint64 nonce; uint64 from; uint64 fromRoute; uint64 apiKey; uint64 to; uint64 toRoute; uint64 asset; uint64 amount; uint64 fee; uint64 exchange; bytes32 memo; }",
]);

/**
 * Decodes the transfer in the allocator's payload.
 *
 * @throws {@link MalformedDataError} for a malformed payload, and for other actions of the depository
 */
function decodeRequestedTransfer(payload: Hex): SignedLighterTransfer {
  const [{ kind, parameters }] = decode(() => decodeAbiParameters(ENVELOPE, payload));
  if (kind !== 0) throw malformed("it is not a transfer");
  return decode(() => decodeAbiParameters(TRANSFER, parameters))[0];
}

/** Hashes the text that the EVM key signs. */
function transferId(transfer: SignedLighterTransfer): Hex {
  return keccak256(stringToHex(lighterTransferText(transfer)));
}

/**
 * Converts a transfer on the exchange to its signed form.
 *
 * @returns undefined if the exchange reports it incompletely
 */
function signedTransferOf(transfer: LighterTransfer, exchange: bigint): SignedLighterTransfer | undefined {
  const { from, to, asset, route, amount, memo, terms } = transfer;
  if (terms === undefined) return undefined;
  return {
    nonce: BigInt(terms.nonce),
    from,
    fromRoute: BigInt(terms.fromRoute),
    apiKey: BigInt(terms.apiKey),
    to,
    toRoute: BigInt(route),
    asset: BigInt(asset),
    amount,
    fee: terms.fee,
    exchange,
    memo: `0x${memoHex(memo).slice(2).padEnd(64, "0")}`,
  };
}

function decode<Values>(read: () => Values): Values {
  try {
    return read();
  } catch (cause) {
    throw malformed("it is not an action on the exchange", cause);
  }
}

function malformed(reason: string, cause?: unknown): MalformedDataError {
  return new MalformedDataError({ what: "the withdrawal", path: "", reason, cause });
}

const ETHER = 1;
const DOLLAR = 3;

const PERPETUALS = 0;
const SPOT = 1;

/** Returns the currency in the format of orders, or undefined if orders cannot contain it. */
export function paidCurrency({ asset, route }: Pick<LighterTransfer, "asset" | "route">): string | undefined {
  const isKnown = (asset === DOLLAR && (route === PERPETUALS || route === SPOT)) || (asset === ETHER && route === SPOT);
  return isKnown ? lighterCurrency(asset, route) : undefined;
}

export function memoHex(memo: readonly number[]): Hex {
  return toHex(Uint8Array.from(memo));
}

/** Reads an id of exactly 32 bytes. Padded shorter values and addresses end in twelve zero bytes and are not ids. */
export function memoId(memo: readonly number[]): Hex {
  const isId = memo.length === 32 && memo.slice(20).some((byte) => byte !== 0);
  return isId ? memoHex(memo) : zeroHash;
}
