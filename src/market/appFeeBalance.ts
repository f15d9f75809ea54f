import { isSameAddress } from "@crosscall/sdk/internal/chains/address";
import { bpsOf } from "@crosscall/sdk/internal/core/amounts";
import { InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import type { DevChain } from "../devchain/devChain.ts";
import { listChargedAppFees, sumClaimed } from "../store/appFees.ts";
import type { Database } from "../store/store.ts";
import { amountWorth, type PricedCurrency, usdValue } from "./currencies.ts";
import type { Market } from "./market.ts";

/** App fees accrue in the dollar of the first chain, as on the live service in that of one chain. */
function accrualChain({ chains }: Pick<Market, "chains">): DevChain {
  const [chain] = chains.values();
  if (chain !== undefined) return chain;
  throw new InvalidStateError({ message: "the network has no chain", hint: "Start it with chains." });
}

export function accrualCurrency(market: Pick<Market, "chains" | "currencies">): PricedCurrency {
  const { id, contracts } = accrualChain(market);
  return market.currencies.require(id, contracts.dollar);
}

/**
 * What a wallet can claim: the app fees that requests charged for it, less its claims. In US dollars times 10^18.
 *
 * @param wallet in lower case
 */
export async function readAppFeeBalance(
  market: Pick<Market, "chains" | "currencies">,
  db: Database,
  wallet: string,
): Promise<bigint> {
  const accrued = accrualCurrency(market);
  let total = 0n;
  for (const { origin_chain_id, origin_currency, input_amount, app_fees } of await listChargedAppFees(db, wallet)) {
    const input = market.currencies.require(origin_chain_id, origin_currency);
    for (const { recipient, bps } of app_fees) {
      if (!isSameAddress(recipient, wallet)) continue;
      const fee = usdValue(bpsOf(BigInt(input_amount), BigInt(bps)), input);
      // Each fee is accrued in whole units of the currency.
      total += usdValue(amountWorth(fee, accrued), accrued);
    }
  }
  const left = total - (await sumClaimed(db, wallet));
  // Requests of dropped months no longer count.
  return left > 0n ? left : 0n;
}
