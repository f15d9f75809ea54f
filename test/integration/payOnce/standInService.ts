import type { Address, Hex } from "viem";
import { sendTransaction } from "viem/actions";

import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { PayingChain } from "./payingChain.ts";
import type { Scenario } from "./scenarios.ts";

type Json = Readonly<Record<string, unknown>>;

/** Request that a run sends to the service. */
export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Json;
  /** Sends the request to the honest service. */
  readonly honest: () => Promise<Response>;
  readonly signal: AbortSignal | undefined;
}

export interface MisbehavingServiceOptions {
  /** Returns whether the user was prompted to pay. Before the prompt, the service is honest. */
  readonly hasBegun: () => boolean;
  /** Defers an action of the service. */
  readonly hold: (action: () => Promise<unknown>) => void;
}

/** Responds according to the chain's state, as if each deposit were filled immediately. */
export function honestService(
  chain: PayingChain,
  payments: () => Promise<readonly Hex[]>,
): (request: Omit<ServiceRequest, "honest" | "signal">) => Promise<Response> {
  return async ({ path, body }) => {
    if (path.startsWith("/intents/status/v3")) {
      const inTxHashes = await payments();
      return json(
        200,
        inTxHashes.length === 0 ? { status: "waiting" } : { status: "success", inTxHashes, txHashes: [] },
      );
    }
    if (path === "/execute") {
      await sendBatch(chain, body);
      return json(200, { message: "Transaction submitted", requestId: body.requestId });
    }
    if (path === "/transactions/index") return json(200, { message: "Success" });
    throw new Error(`the service does not have ${path}`);
  };
}

/** Returns a scenario's service, which wraps an honest service. */
export function misbehavingService(kind: Scenario["service"], { hasBegun, hold }: MisbehavingServiceOptions) {
  return async ({ method, path, honest, signal }: ServiceRequest): Promise<Response> => {
    const isStatus = path.startsWith("/intents/status/v3") && hasBegun();
    const executes = method === "POST" && path.startsWith("/execute");
    switch (kind) {
      case "honest":
        return honest();
      case "unavailable":
        return isStatus ? json(503, { message: "Unavailable" }) : honest();
      case "hangs":
        return isStatus ? until(signal) : honest();
      case "saysWaiting":
        return isStatus ? json(200, { status: "waiting" }) : honest();
      case "saysSuccess":
        return isStatus ? json(200, { status: "success", txHashes: [] }) : honest();
      case "refusesAndExecutes":
        if (!executes) return honest();
        hold(honest);
        return json(400, { message: "Bad request", error: "Bad request" });
      case "losesAnswers":
        if (!executes) return honest();
        await honest();
        return json(503, { message: "Unavailable" });
    }
  };
}

/** Hangs until the signal aborts. */
function until(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal?.reason as Error);
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end);
  });
}

interface BatchBody {
  readonly to: Address;
  readonly data: Hex;
  readonly authorizationList?: readonly {
    readonly chainId: number;
    readonly address: Address;
    readonly nonce: number;
    readonly r: Hex;
    readonly s: Hex;
    readonly yParity: number;
  }[];
}

/** Sends the user's batch as the service, which pays for the gas. Any account can execute the batch. */
export async function sendBatch(
  { id, rpcUrl }: Pick<PayingChain, "id" | "rpcUrl">,
  { data: batch }: Json,
): Promise<void> {
  const { to, data, authorizationList } = batch as BatchBody;
  const client = chainClient(id, rpcUrl, localAccounts.stranger);
  // Any account can execute the batch. It reverts if its nonce is already used.
  await sendTransaction(client, {
    to,
    data,
    gas: 1_000_000n,
    ...(authorizationList === undefined ? {} : { authorizationList }),
  }).catch(() => undefined);
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}
