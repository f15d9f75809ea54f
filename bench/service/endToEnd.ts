import { type Address, createWalletClient, type Hex, http, parseEther, zeroAddress } from "viem";
import { sendTransaction } from "viem/actions";

import { createServiceClient, getQuote, watchRequest } from "../../src/index.ts";
import { describeChain } from "../../src/localnet/chains/chainClient.ts";
import { localAccounts } from "../../src/localnet/index.ts";
import { parseData, TransactionDataSchema } from "../../src/protocol/index.ts";

/** What {@link runEndToEnd} takes. */
export interface EndToEndParameters {
  /** Services that take requests by turns. */
  readonly baseUrls: readonly string[];
  readonly origin: { readonly id: number; readonly rpcUrl: string };
  readonly destinationChainId: number;
  readonly count: number;
  readonly signal: AbortSignal;
}

/** Takes quotes, pays them and waits for success, all at once; tells how many come to success a second. */
export async function runEndToEnd(parameters: EndToEndParameters): Promise<number> {
  const { baseUrls, origin, destinationChainId, count, signal } = parameters;
  const clients = baseUrls.map((baseUrl) => createServiceClient({ baseUrl, limits: false, maxConcurrentCalls: 64 }));
  const wallet = createWalletClient({
    account: localAccounts.user,
    chain: describeChain(origin.id, origin.rpcUrl),
    transport: http(origin.rpcUrl),
  });
  let sent = Promise.resolve();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const client = clients[index % clients.length];
      if (client === undefined) throw new Error("no service is given");
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
      const { to, data, value } = parseData(TransactionDataSchema, quote.steps[0]?.items[0]?.data, "the deposit");
      // One after the other: the wallet's nonces are counted by the chain.
      sent = sent.then(async () => {
        await sendTransaction(wallet, { to: to as Address, data: data as Hex, value: BigInt(value ?? 0) });
      });
      await sent;
      await watchRequest(client, {
        requestId: quote.steps[0]?.requestId ?? "",
        pollIntervalMs: 200,
        timeoutMs: 120_000,
        signal,
      });
    }),
  );
  return count / ((performance.now() - started) / 1_000);
}
