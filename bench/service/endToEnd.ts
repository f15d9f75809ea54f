import { parseEther, zeroAddress } from "viem";

import { createServiceClient, getQuote, requestIdOf, watchRequest } from "../../packages/sdk/src/index.ts";
import { LOCAL_API_KEY } from "../../packages/crosscall/src/localnet/defaults.ts";
import { localAccounts } from "../../packages/crosscall/src/localnet/index.ts";
import { createPayer } from "./payer.ts";

/** Parameters of {@link runEndToEnd}. */
export interface EndToEndParameters {
  /** Services to send requests to, in turn. */
  readonly baseUrls: readonly string[];
  readonly origin: { readonly id: number; readonly rpcUrl: string };
  readonly destinationChainId: number;
  readonly count: number;
  readonly signal: AbortSignal;
}

/** Requests quotes, pays them and waits for success, concurrently. Returns the successes per second. */
export async function runEndToEnd(parameters: EndToEndParameters): Promise<number> {
  const { baseUrls, origin, destinationChainId, count, signal } = parameters;
  const clients = baseUrls.map((baseUrl) =>
    createServiceClient({ baseUrl, apiKey: LOCAL_API_KEY, limits: false, maxConcurrentCalls: 64 }),
  );
  const pay = await createPayer(origin);
  const started = performance.now();
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const client = clients[index % clients.length];
      if (client === undefined) throw new Error("no service was passed");
      const quote = await getQuote(client, {
        user: localAccounts.user.address,
        originChainId: origin.id,
        destinationChainId,
        originCurrency: zeroAddress,
        destinationCurrency: zeroAddress,
        tradeType: "EXACT_INPUT",
        amount: (parseEther("0.01") + BigInt(index)).toString(),
        signal,
      });
      await pay(quote);
      await watchRequest(client, {
        requestId: requestIdOf(quote),
        // Polling interval that the service recommends, in milliseconds.
        pollIntervalMs: 1_000,
        timeoutMs: 120_000,
        signal,
      });
    }),
  );
  return count / ((performance.now() - started) / 1_000);
}
