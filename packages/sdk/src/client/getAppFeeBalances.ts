import { parseEvmAddress } from "@crosscall/protocol/chains";
import { type AppFeeBalances, AppFeeBalancesSchema } from "@crosscall/protocol/fees";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";

/** Parameters of `getAppFeeBalances`. */
export interface GetAppFeeBalancesParameters {
  /** Wallet that receives app fees: a `recipient` of `appFees`. */
  readonly address: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the app fees that a wallet can claim (`GET /app-fees/{wallet}/balances`). Amounts are in the smallest unit,
 * totals in US dollars. `availableBalanceUsd` is the total without what is held for fast fills.
 *
 * @throws {@link InvalidInputError} when the address is not an EVM address; nothing is sent then
 * @throws {@link ServiceError} when the service refuses
 */
export async function getAppFeeBalances(
  client: ServiceClient,
  { address, signal }: GetAppFeeBalancesParameters,
): Promise<AppFeeBalances> {
  return callService(client, {
    method: "GET",
    path: `/app-fees/${parseEvmAddress(address, "address")}/balances`,
    schema: AppFeeBalancesSchema,
    signal,
  });
}
