import { type FillAttestation, FillAnswerSchema, type FillBody } from "../../protocol/attestation/messages/solver.ts";
import type { Order } from "../../protocol/order.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

/** What {@link attestFill} takes: the body of the call. */
export interface AttestFillParameters extends Omit<FillBody, "order"> {
  readonly order: Order;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has an oracle attest that a solver filled an order (`POST /attestations/solver-fills/v1`, spec 5, section 4): its execution gives the solver
 * what was deposited for the order.
 *
 * @throws {@link ServiceError} when it is refused: `message` says why, and a later call may succeed once a transaction is
 * final
 */
export function attestFill(client: ServiceClient, { signal, ...body }: AttestFillParameters): Promise<FillAttestation> {
  return callStrictly(client, {
    method: "POST",
    path: "/attestations/solver-fills/v1",
    body,
    schema: FillAnswerSchema,
    signal,
  });
}
