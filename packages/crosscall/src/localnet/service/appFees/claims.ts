import { type Address, type Hex, isAddress, isHex } from "viem";
import { verifyMessage } from "viem/actions";

import { isSameAddress } from "@crosscall/protocol/chains";
import type { AppFeeClaim, ClaimSteps } from "@crosscall/protocol/complete";
import { executionFee } from "@crosscall/protocol/quote/rules";
import { accrualCurrency, readAppFeeBalance } from "../../market/appFeeBalance.ts";
import {
  amountWorth,
  type CurrencyTable,
  isInventory,
  type PricedCurrency,
  usdValue,
} from "../../market/currencies.ts";
import { amountObject } from "../../market/quote/buildDetails.ts";
import { rejectPlain } from "../../market/rejection.ts";
import { findClaim, insertClaim, type ListedClaim, lockAppFees, moveClaim } from "../../store/appFees.ts";
import type { permitsPath } from "../deprecation.ts";
import type { ChainReader, Pricer, QuoteIssuer, RandomSource, Recorder } from "../../market/market.ts";

/** Gas of the transfer, for pricing. */
const CLAIM_GAS = 60_000n;

export interface ClaimRequest {
  readonly chainId: number;
  readonly currency: string;
  readonly recipient: string;
  /** Amount in the currency's smallest unit; everything by default. */
  readonly amount?: string;
}

/** @throws {@link RejectionError} if the text is not an EVM address */
export function parseWallet(wallet: string): string {
  if (!isAddress(wallet, { strict: false })) throw rejectPlain(400, "wallet must be an EVM address.");
  return wallet.toLowerCase();
}

/**
 * Stores a claim for the wallet to sign.
 *
 * @returns the claim's id
 * @throws {@link RejectionError} if the balance does not cover the claim, or the claim cannot be paid
 */
export async function quoteClaim(
  parts: Pricer & ChainReader & Recorder & RandomSource,
  wallet: string,
  { chainId, currency, recipient, amount }: ClaimRequest,
): Promise<`0x${string}`> {
  const chain = parts.chains.get(chainId);
  if (chain === undefined) throw rejectPlain(400, `chainId must be one of ${[...parts.chains.keys()].join(", ")}.`);
  if (!isAddress(recipient, { strict: false })) throw rejectPlain(400, "recipient must be an EVM address.");
  const priced = isInventory(chain.contracts, currency) ? parts.currencies.find(chainId, currency) : undefined;
  if (priced === undefined) throw rejectPlain(400, "currency must be the native currency or the dollar of the chain.");
  const accrued = accrualCurrency(parts).currency;
  const isFree = chainId === accrued.chainId && isSameAddress(currency, accrued.address);
  const balance = await readAppFeeBalance(parts, parts.store.db, wallet);
  const usdE18 = amount === undefined ? balance : usdValue(BigInt(amount), priced);
  if (usdE18 === 0n || usdE18 > balance) throw rejectPlain(400, "Insufficient app fee balance.");
  const fee = isFree ? 0n : await claimFee(parts, chain);
  const delivered = deliveredAmount(priced, usdE18 - fee, isFree ? amount : undefined);
  if (delivered <= 0n) throw rejectPlain(400, "The amount does not cover the fee of the claim.");
  const id = parts.randomWord();
  await insertClaim(parts.store.db, {
    id,
    wallet,
    recipient,
    chain_id: chainId,
    currency: priced.currency.address,
    amount: delivered,
    usd_e18: usdE18,
    created_at: new Date(parts.clock.now()),
  });
  return id;
}

function deliveredAmount(currency: PricedCurrency, usdE18: bigint, exact: string | undefined): bigint {
  return exact === undefined ? amountWorth(usdE18 > 0n ? usdE18 : 0n, currency) : BigInt(exact);
}

async function claimFee(
  { currencies }: Pricer,
  { id, client }: { readonly id: number; readonly client: { getGasPrice(): Promise<bigint> } },
): Promise<bigint> {
  const gas = CLAIM_GAS * (await client.getGasPrice());
  return executionFee({ destinationGasUsdE18: usdValue(gas, currencies.nativeOf(id)) }).totalUsdE18;
}

/**
 * Authorizes a claim once, with the wallet's signature of its id. Smart wallets sign with EIP-1271 on the claim's
 * chain.
 *
 * @throws {@link RejectionError} if the signature is not from the wallet, or the claim is used, expired or too large
 */
export async function acceptClaim(
  parts: Pricer & ChainReader & Recorder & QuoteIssuer,
  { requestId, signature }: { readonly requestId: string; readonly signature: string },
): Promise<void> {
  const claim = await findClaim(parts.store.db, requestId);
  const chain = claim === undefined ? undefined : parts.chains.get(claim.chain_id);
  if (claim === undefined || chain === undefined) throw rejectPlain(400, "The claim does not exist.");
  const isValid =
    isHex(signature) &&
    (await verifyMessage(chain.client, {
      address: claim.wallet as Address,
      message: { raw: claim.id as Hex },
      signature,
    }));
  if (!isValid) throw rejectPlain(400, "The signature is not from the claim's wallet.");
  if (parts.clock.now() > claim.created_at.getTime() + parts.quoteTtlMs)
    throw rejectPlain(400, "The claim has expired.");
  await parts.store.db.transaction().execute(async (db) => {
    await lockAppFees(db, claim.wallet);
    const isOpen = (await findClaim(db, claim.id))?.state === "quoted";
    if (!isOpen) throw rejectPlain(400, "The claim was already authorized.");
    const balance = await readAppFeeBalance(parts, db, claim.wallet);
    if (BigInt(claim.usd_e18) > balance) throw rejectPlain(400, "Insufficient app fee balance.");
    await moveClaim(db, claim.id, "quoted", "authorized");
    await parts.store.jobs.add({ requestId: claim.id }, db);
  });
}

/** Returns the only step of a claim: the wallet signs the id as a 32-byte message. */
export function toClaimSteps(id: string, endpoint: ReturnType<typeof permitsPath>): ClaimSteps {
  return {
    steps: [
      {
        id: "authorize",
        action: "Sign authorization",
        description: "Authorize claiming funds",
        kind: "signature",
        items: [
          {
            status: "incomplete",
            data: {
              sign: { signatureKind: "eip191", message: id },
              post: { endpoint, method: "POST", body: { kind: "claim", requestId: id } },
            },
          },
        ],
      },
    ],
  };
}

export function toClaimEntry(currencies: CurrencyTable, row: ListedClaim): AppFeeClaim {
  return {
    claimId: row.id,
    wallet: row.wallet,
    recipient: row.recipient,
    currency: amountObject(BigInt(row.amount), currencies.require(row.chain_id, row.currency)),
    txHash: row.tx_hash,
    status: row.state === "failed" ? "failure" : (row.tx_status ?? "pending"),
    createdAt: row.created_at.toISOString(),
  };
}
