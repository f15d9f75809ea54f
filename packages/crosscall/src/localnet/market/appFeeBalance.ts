import { InvalidStateError } from "@crosscall/protocol/core";
import type { DevChain } from "../devchain/devChain.ts";
import { listAppFees, sumClaimed } from "../store/appFees.ts";
import type { Database } from "../store/schema.ts";
import { amountWorth, type PricedCurrency, usdValue } from "./currencies.ts";
import type { ChainReader, Pricer } from "./market.ts";

/**
 * Returns the chain with the dollar token in which app fees accrue: the first chain. The live service also uses the
 * dollar of one chain.
 */
function accrualChain({ chains }: ChainReader): DevChain {
  const [chain] = chains.values();
  if (chain !== undefined) return chain;
  throw new InvalidStateError({ message: "the network has no chain", hint: "Start it with chains." });
}

export function accrualCurrency(market: Pricer & ChainReader): PricedCurrency {
  const { id, contracts } = accrualChain(market);
  return market.currencies.require(id, contracts.dollar);
}

/**
 * Returns the claimable amount of a wallet in US dollars, scaled by 10^18: the app fees that requests paid to it, less
 * its claims.
 *
 * @param wallet address in lower case
 */
export async function readAppFeeBalance(market: Pricer & ChainReader, db: Database, wallet: string): Promise<bigint> {
  const accrued = accrualCurrency(market);
  let total = 0n;
  for (const { chain_id, currency, amount } of await listAppFees(db, wallet)) {
    const fee = usdValue(BigInt(amount), market.currencies.require(chain_id, currency));
    // Each fee accrues in whole units of the currency.
    total += usdValue(amountWorth(fee, accrued), accrued);
  }
  const left = total - (await sumClaimed(db, wallet));
  // A reorg may have removed the deposit whose fee was claimed.
  return left > 0n ? left : 0n;
}
