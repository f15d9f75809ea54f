import * as Type from "typebox";

import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";

const AnswerSchema = Type.Object({ message: Type.String() });

/** What {@link announceDeposit} takes. */
export interface AnnounceDepositParameters {
  /** The origin chain. */
  readonly chainId: number;
  readonly txHash: string;
  readonly requestId?: string;
  readonly signal?: AbortSignal | undefined;
}

/** Tells the service of a deposit, so that it need not find it by itself (`POST /transactions/index`). */
export async function announceDeposit(client: ServiceClient, parameters: AnnounceDepositParameters): Promise<void> {
  const { signal, ...body } = parameters;
  await callService(client, {
    method: "POST",
    path: "/transactions/index",
    body,
    schema: AnswerSchema,
    requestId: body.requestId,
    signal,
  });
}
