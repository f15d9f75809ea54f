import { isAddress } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { executionFee } from "@crosscall/protocol/quote/rules";
import { accrualCurrency, readAppFeeBalance } from "../../market/appFeeBalance.ts";
import { amountWorth, type PricedCurrency, usdValue } from "../../market/currencies.ts";
import { isInventory } from "../../market/inventory.ts";
import { refusePlain } from "../../market/refusal.ts";
import { insertClaim } from "../../store/appFees.ts";
import type { ServiceParts } from "../serviceParts.ts";

/** Gas of the transfer, for pricing. */
const CLAIM_GAS = 60_000n;

export interface ClaimRequest {
  readonly chainId: number;
  readonly currency: string;
  readonly recipient: string;
  /** Smallest unit of the currency; everything by default. */
  readonly amount?: string;
}

/** @throws {@link RefusalError} if it is none */
export function parseWallet(wallet: string): string {
  if (!isAddress(wallet, { strict: false })) throw refusePlain(400, "wallet must be an EVM address.");
  return wallet.toLowerCase();
}

/**
 * Stores a claim that the wallet has to sign.
 *
 * @returns its id
 * @throws {@link RefusalError} if the balance does not cover it, or it cannot be paid
 */
export async function quoteClaim(
  parts: Pick<ServiceParts, "chains" | "clock" | "currencies" | "randomWord" | "store">,
  wallet: string,
  { chainId, currency, recipient, amount }: ClaimRequest,
): Promise<`0x${string}`> {
  const chain = parts.chains.get(chainId);
  if (chain === undefined) throw refusePlain(400, `chainId must be one of ${[...parts.chains.keys()].join(", ")}.`);
  if (!isAddress(recipient, { strict: false })) throw refusePlain(400, "recipient must be an EVM address.");
  const priced = isInventory(chain.contracts, currency) ? parts.currencies.find(chainId, currency) : undefined;
  if (priced === undefined) throw refusePlain(400, "currency must be the native currency or the dollar of the chain.");
  const accrued = accrualCurrency(parts).currency;
  const isFree = chainId === accrued.chainId && isSameAddress(currency, accrued.address);
  const balance = await readAppFeeBalance(parts, parts.store.db, wallet);
  const usdE18 = amount === undefined ? balance : usdValue(BigInt(amount), priced);
  if (usdE18 === 0n || usdE18 > balance) throw refusePlain(400, "Insufficient app fee balance.");
  const fee = isFree ? 0n : await claimFee(parts, chain);
  const delivered = deliveredAmount(priced, usdE18 - fee, isFree ? amount : undefined);
  if (delivered <= 0n) throw refusePlain(400, "The amount does not cover the fee of the claim.");
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
  { currencies }: Pick<ServiceParts, "currencies">,
  { id, client }: { readonly id: number; readonly client: { getGasPrice(): Promise<bigint> } },
): Promise<bigint> {
  const gas = CLAIM_GAS * (await client.getGasPrice());
  return executionFee({ destinationGasUsdE18: usdValue(gas, currencies.nativeOf(id)) }).totalUsdE18;
}
