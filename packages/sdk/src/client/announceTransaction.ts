import { MessageSchema } from "@crosscall/protocol/common";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";
import { checkBody } from "./queryFields.ts";

/** Parameters of `announceTransaction`. */
export interface AnnounceTransactionParameters {
  readonly requestId: string;
  readonly chainId: number;
  readonly txHash: string;
  /** The transaction as in the step: `data` of its item. */
  readonly transaction: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Announces the user's transaction of a same-chain request to the service (`POST /transactions/single`). Use
 * `announceDeposit` for requests between chains.
 *
 * @throws {@link InvalidInputError} when a parameter is malformed; nothing is sent then
 * @throws {@link ServiceError} when the service does not know the request
 */
export async function announceTransaction(
  client: ServiceClient,
  { signal, transaction, ...fields }: AnnounceTransactionParameters,
): Promise<void> {
  const names = ["requestId", "chainId", "txHash"];
  const { requestId, chainId, txHash } = checkBody(
    { requestId: "text", chainId: "whole number", txHash: "text" },
    fields,
    names,
  );
  await callService(client, {
    method: "POST",
    path: "/transactions/single",
    // The service takes both as text.
    body: { requestId, chainId: String(chainId), tx: JSON.stringify({ ...transaction, txHash }) },
    schema: MessageSchema,
    requestId,
    signal,
  });
}
