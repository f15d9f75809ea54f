import type { Hex } from "viem";
import { chainFamilyOf } from "@crosscall/protocol/chains";
import { requireAmount } from "@crosscall/protocol/encoding";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { MalformedDataError } from "@crosscall/protocol/core";
import { MessageSchema } from "@crosscall/protocol/common";
import { ClaimStepsSchema } from "@crosscall/protocol/fees";
import { callService, callStrictly, isMissingEndpoint } from "../client/callService.ts";
import { hasCredentials, type ServiceClient } from "../client/client.ts";
import { askUser } from "./walletErrors.ts";
import { type ExecutionWallet, openWallet } from "./wallets.ts";
import { checkBody } from "../client/queryFields.ts";

/** Parameters of `claimAppFees`. */
export interface ClaimAppFeesParameters {
  /** Wallet that receives app fees, and that signs one message. */
  readonly wallet: ExecutionWallet;
  /** Chain of the payment. */
  readonly chainId: number;
  /** Currency address of the payment. */
  readonly currency: string;
  /** Recipient. Defaults to the wallet. */
  readonly recipient?: string;
  /** Amount in the currency's smallest unit. Defaults to the whole balance. */
  readonly amount?: bigint;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Claims app fees: requests the message of a claim (`POST /app-fees/{wallet}/claim`), signs it, and posts the signature
 * (`POST /execute/permits/v2`, or `/execute/permits` without an API key or an access token, falling back to the other
 * endpoint if the service does not have it). It signs only the documented step: one EIP-191 message of 32 bytes, which
 * is the id of the claim. Neither POST is retried when its outcome is unknown. To check whether the claim is paid, find
 * it by `claimId` with `iterateAppFeeClaims`.
 *
 * Warning: an id is 32 opaque bytes, so the client cannot verify the hashed data. Use a wallet whose EIP-191 signature
 * of a hash authorizes nothing else, for example not the owner key of a smart account.
 *
 * @throws {@link InvalidInputError} when a parameter is malformed; no request is sent
 * @throws {@link MalformedDataError} when the service returns any other step; nothing is signed
 * @throws {@link UserRejectedError} when the user rejects the signature
 * @throws {@link ServiceError} when the service rejects the request, for example without a sufficient balance
 */
export async function claimAppFees(
  client: ServiceClient,
  parameters: ClaimAppFeesParameters,
): Promise<{ readonly claimId: Hex }> {
  rejectUnknownOptions(parameters, { wallet: 1, chainId: 1, currency: 1, recipient: 1, amount: 1, signal: 1 });
  const { wallet: given, signal, amount, ...fields } = parameters;
  const wallet = await openWallet(given, "wallet", { signal });
  const body = checkBody(
    { chainId: "whole number", currency: "text", recipient: "text", amount: "text" },
    {
      recipient: wallet.address,
      ...fields,
      ...(amount === undefined ? {} : { amount: String(requireAmount(amount, "amount")) }),
    },
    ["chainId", "currency"],
  );
  const family = chainFamilyOf(body.chainId);
  family.parseCurrency(body.currency, "currency");
  family.parseAccount(body.recipient, "recipient");
  const path = `/app-fees/${wallet.address}/claim`;
  const { steps } = await callStrictly(client, { method: "POST", path, body, schema: ClaimStepsSchema, signal });
  const [claimId, requestId, endpoint] = steps.flatMap(({ items: [item] }) => [
    item?.data.sign.message,
    item?.data.post.body.requestId,
    item?.data.post.endpoint,
  ]);
  if (claimId === undefined || claimId !== requestId) {
    throw new MalformedDataError({
      what: `the response of POST ${path}`,
      path: "steps[0].items[0].data.sign.message",
      reason: "it is not the claim's requestId",
    });
  }
  const signature = await askUser("authorize", () => wallet.signMessage({ raw: claimId as Hex }));
  const call = {
    method: "POST",
    query: { signature },
    body: { kind: "claim", requestId: claimId },
    schema: MessageSchema,
    requestId: claimId,
    signal,
  } as const;
  const [older, newest] = ["/execute/permits", "/execute/permits/v2"];
  const isNewest = hasCredentials(client) || endpoint === newest;
  try {
    await callService(client, { ...call, path: isNewest ? newest : older });
  } catch (error) {
    if (!isMissingEndpoint(error)) throw error;
    await callService(client, { ...call, path: isNewest ? older : newest });
  }
  return { claimId: claimId as Hex };
}
