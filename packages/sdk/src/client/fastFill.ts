import { requireAmount } from "@crosscall/protocol/encoding";
import { MessageSchema } from "@crosscall/protocol/common";
import { callService } from "./callService.ts";
import { requireApiKey, type ServiceClient } from "./client.ts";
import { checkBody } from "./queryFields.ts";

/** Parameters of `fastFill`. */
export interface FastFillParameters {
  readonly requestId: string;
  /** Amount that the solver receives on the origin chain, in the smallest unit; the quoted amount by default. */
  readonly solverInputCurrencyAmount?: bigint;
  /** Maximum value of the fill in US dollars. A higher one is rejected. */
  readonly maxFillAmountUsd?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the solver fill a request before its deposit is confirmed, at your risk (`POST /fast-fill`): the value of the fill
 * is held on the app balance of your API key, and lost if the deposit never arrives. Not retried when its outcome is
 * unknown; follow the request with `watchRequest` to learn it.
 *
 * @throws {@link InvalidInputError} when the client has no API key or a parameter is malformed; nothing is sent then
 * @throws {@link ServiceError} with status 403 without a sufficient balance, 404 for an unknown request, and 409 when the
 * request is being filled
 */
export async function fastFill(client: ServiceClient, parameters: FastFillParameters): Promise<void> {
  const { signal, solverInputCurrencyAmount: amount, ...fields } = parameters;
  requireApiKey(client, "POST /fast-fill");
  checkBody({ requestId: "text", maxFillAmountUsd: "number of USD" }, fields, ["requestId"]);
  const solverInputCurrencyAmount =
    amount === undefined ? undefined : String(requireAmount(amount, "solverInputCurrencyAmount"));
  await callService(client, {
    method: "POST",
    path: "/fast-fill",
    body: { ...fields, solverInputCurrencyAmount },
    schema: MessageSchema,
    requestId: fields.requestId,
    signal,
  });
}
