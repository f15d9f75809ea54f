import { MessageSchema } from "@crosscall/protocol/common";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";

export interface AnnounceDepositParameters {
  readonly chainId: number;
  readonly txHash: string;
  readonly requestId?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Announces a deposit to the service, so that it need not search for it (`POST /transactions/index`). */
export async function announceDeposit(client: ServiceClient, parameters: AnnounceDepositParameters): Promise<void> {
  const { signal, ...body } = parameters;
  await callService(client, {
    method: "POST",
    path: "/transactions/index",
    body,
    schema: MessageSchema,
    requestId: body.requestId,
    signal,
  });
}
