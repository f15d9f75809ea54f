import type { RequestRow } from "../store/requests/requests.ts";
import { type CurrencyTable, usdValue } from "./currencies.ts";

/** Worth of a fill that pays this, with the gas top-up, in US dollars times 10^18. */
export function fillValue(
  currencies: CurrencyTable,
  { destination_chain_id, fees }: Pick<RequestRow, "destination_chain_id" | "fees">,
  payment: { readonly currency: string; readonly amount: bigint },
): bigint {
  const worth = usdValue(payment.amount, currencies.require(destination_chain_id, payment.currency));
  return worth + BigInt(fees.gasTopup ?? 0);
}
