import { createWalletClient, http, parseEther, zeroAddress } from "viem";
import { estimateFeesPerGas, getTransactionCount, sendTransaction } from "viem/actions";

import { createServiceClient, getQuote, planSteps, requestIdOf, watchRequest } from "../../sdk/src/index.ts";
import { describeChain } from "../../src/devchain/chainClient.ts";
import { LOCAL_API_KEY } from "../../src/localnet/defaults.ts";
import { localAccounts } from "../../src/localnet/index.ts";

/** Parameters of {@link runEndToEnd}. */
export interface EndToEndParameters {
  /** Services that receive requests in turn. */
  readonly baseUrls: readonly string[];
  readonly origin: { readonly id: number; readonly rpcUrl: string };
  readonly destinationChainId: number;
  readonly count: number;
  readonly signal: AbortSignal;
}

/** More gas than a deposit needs. */
const DEPOSIT_GAS = 100_000n;

/** Requests quotes, pays them and waits for success, concurrently; returns successes per second. */
export async function runEndToEnd(parameters: EndToEndParameters): Promise<number> {
  const { baseUrls, origin, destinationChainId, count, signal } = parameters;
  const clients = baseUrls.map((baseUrl) =>
    createServiceClient({ baseUrl, apiKey: LOCAL_API_KEY, limits: false, maxConcurrentCalls: 64 }),
  );
  const wallet = createWalletClient({
    account: localAccounts.user,
    chain: describeChain(origin.id, origin.rpcUrl),
    transport: http(origin.rpcUrl),
  });
  // All fields are set, so that a deposit is one RPC request and the wallet causes no delay.
  const account = localAccounts.user.address;
  let nonce = await getTransactionCount(wallet, { address: account });
  const fees = await estimateFeesPerGas(wallet);
  const terms = {
    gas: DEPOSIT_GAS,
    maxFeePerGas: fees.maxFeePerGas * 4n,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
  };
  let sent = Promise.resolve();
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
      const [deposit] = planSteps(quote.steps, origin.id);
      if (deposit?.kind !== "transaction") throw new Error("the quote has no deposit");
      const { to, data, value } = deposit;
      const transaction = { to, data, value };
      // In sequence, because a node with automine accepts only the next nonce.
      sent = sent.then(async () => {
        await sendTransaction(wallet, { ...transaction, ...terms, nonce: nonce++ });
      });
      await sent;
      await watchRequest(client, {
        requestId: requestIdOf(quote),
        // As the service recommends.
        pollIntervalMs: 1_000,
        timeoutMs: 120_000,
        signal,
      });
    }),
  );
  return count / ((performance.now() - started) / 1_000);
}
