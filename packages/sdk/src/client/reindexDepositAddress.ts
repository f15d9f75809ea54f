import { chainFamilyOf } from "@crosscall/protocol/chains";
import { type ReindexResult, ReindexResultSchema } from "@crosscall/protocol/request/records";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";
import { checkBody } from "./queryFields.ts";

/** Parameters of `reindexDepositAddress`. */
export interface ReindexDepositAddressParameters {
  /** Origin chain of the address. */
  readonly chainId: number;
  readonly depositAddress: string;
  /** Chain to check; `chainId` by default. */
  readonly targetChainId?: number;
  /** Address of the currency to check on that chain; all by default. */
  readonly currency?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the service look for payments at a deposit address (`POST /transactions/deposit-address/reindex`), for example
 * after a payment on another chain. Not retried when its outcome is unknown, because the service accepts one check of an
 * address per period. Balances are in the smallest unit.
 *
 * @throws {@link InvalidInputError} when a parameter is malformed; nothing is sent then
 * @throws {@link ServiceError} with status 404 when the address is unknown or has no payment, and 429 when it was checked
 * recently
 */
export async function reindexDepositAddress(
  client: ServiceClient,
  { signal, ...body }: ReindexDepositAddressParameters,
): Promise<ReindexResult> {
  checkBody(
    { chainId: "whole number", depositAddress: "text", targetChainId: "whole number", currency: "text" },
    body,
    ["chainId", "depositAddress"],
  );
  const { chainId, depositAddress, targetChainId = chainId, currency } = body;
  const family = chainFamilyOf(chainId);
  // The service's addresses may have no valid checksum.
  family.parseAccount(family.name === "evm" ? depositAddress.toLowerCase() : depositAddress, "depositAddress");
  if (currency !== undefined) chainFamilyOf(targetChainId).parseCurrency(currency, "currency");
  return callService(client, {
    method: "POST",
    path: "/transactions/deposit-address/reindex",
    body,
    schema: ReindexResultSchema,
    signal,
  });
}
