import { createWalletClient, http, parseEther, zeroAddress } from "viem";
import { sendTransaction } from "viem/actions";

import { createServiceClient, getQuote, planSteps, requestIdOf } from "../../packages/sdk/src/index.ts";
import { describeChain } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { Localnet } from "../../packages/crosscall/src/localnet/index.ts";

/** Requests a quote and pays it. Returns the request id. */
export async function depositOnce(
  {
    url,
    apiKey,
    chains: [origin, destination],
    accounts: { user },
  }: Pick<Localnet, "url" | "apiKey" | "chains" | "accounts">,
  signal?: AbortSignal,
): Promise<string> {
  const quote = await getQuote(createServiceClient({ baseUrl: url, apiKey, limits: false }), {
    user: user.address,
    originChainId: origin.id,
    destinationChainId: destination.id,
    originCurrency: zeroAddress,
    destinationCurrency: zeroAddress,
    tradeType: "EXACT_INPUT",
    amount: parseEther("0.01").toString(),
    ...(signal === undefined ? {} : { signal }),
  });
  const [deposit] = planSteps(quote.steps, origin.id);
  if (deposit?.kind !== "transaction") throw new Error("the quote has no deposit");
  const { to, data, value } = deposit;
  const chain = describeChain(origin.id, origin.rpcUrl);
  const wallet = createWalletClient({ account: user, chain, transport: http(origin.rpcUrl) });
  await sendTransaction(wallet, { to, data, value });
  return requestIdOf(quote);
}
