import { type Address, encodeFunctionData, type Hex, pad, parseEther, zeroAddress } from "viem";
import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { deploy } from "../../../packages/protocol/src/chains/deploy.ts";
import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { IntentStatus, Quote } from "../../../packages/protocol/src/complete.ts";
import { isTerminalStatus, type QuoteRequest, type SignedRequestData } from "../../../packages/protocol/src/index.ts";
import { readArtifact } from "../../../packages/crosscall/src/artifacts.ts";
import { chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { Localnet, LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { getQuote, getStatus } from "../../support/complete.ts";
import { until } from "../../support/until.ts";
import { userWallet } from "./parties.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

/**
 * Returns a quote request, with changes, that sells one ether on the first chain for dollars to the user on the
 * second.
 */
export function etherRequest(network: Localnet, change: Partial<QuoteRequest> = {}): QuoteRequest {
  const [origin, destination] = network.chains;
  return {
    user: network.accounts.user.address,
    originChainId: origin.id,
    destinationChainId: destination.id,
    originCurrency: zeroAddress,
    destinationCurrency: destination.contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: parseEther("1").toString(),
    ...change,
  };
}

/** Returns a signed request in the receiver contract's format. */
export const receiverRequest = (requestData: SignedRequestData, requestId: Hex) => ({
  requestId,
  originChainId: BigInt(requestData.originChainId),
  originUser: pad(requestData.originUser as Hex),
  originCurrency: pad(requestData.originCurrency as Hex),
  originAmount: BigInt(requestData.originAmount),
  destinationChainId: BigInt(requestData.destinationChainId),
  destinationUser: pad(requestData.destinationUser as Hex),
});

/** Requests a quote, with changes, that sells one ether for dollars and refunds to the stranger. */
export function quoteEther(network: Localnet, change: Partial<QuoteRequest> = {}): Promise<Quote> {
  const refundTo = network.accounts.stranger.address;
  return getQuote(createServiceClient({ baseUrl: network.url }), etherRequest(network, { refundTo, ...change }));
}

/** Returns a quote's request ID. */
export function requestIdOf(quote: Quote): string {
  return quote.steps[0]?.requestId ?? "";
}

/** Returns the order id in a quote's deposit. */
export function orderIdOf(quote: Quote): Hex {
  return (quote.protocol?.v2.orderId ?? "0x") as Hex;
}

/** Deposits native currency with an id, by default in the quoted amount, and waits for the block. */
export async function depositNative(
  network: Localnet,
  { chain = network.chains[0], id, value = parseEther("1") }: { chain?: LocalnetChain; id: Hex; value?: bigint },
): Promise<Hex> {
  const wallet = userWallet(network, chain);
  const args = [network.accounts.user.address, id] as const;
  const data = encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args });
  const hash = await sendTransaction(wallet, { to: chain.contracts.depository, data, value });
  await waitForTransactionReceipt(wallet, { hash });
  return hash;
}

/** Deposits the quoted amount, and watches the request until it ends. */
export async function depositAndWatch(network: Localnet, quote: Quote): Promise<IntentStatus> {
  await depositNative(network, { id: orderIdOf(quote), value: BigInt(quote.details.currencyIn.amount) });
  return watchToEnd(network, requestIdOf(quote));
}

/** Watches a request until it ends, and returns its last status. */
export async function watchToEnd(network: Localnet, requestId: string): Promise<IntentStatus> {
  const client = createServiceClient({ baseUrl: network.url });
  return until(async () => {
    const status = await getStatus(client, { requestId });
    return isTerminalStatus(status.status) && status;
  });
}

/** Deploys a test contract of the kit on a chain. */
export function deployMock(
  network: Localnet,
  chain: LocalnetChain,
  source: string,
  args: readonly unknown[] = [],
): Promise<Address> {
  const client = chainClient(chain.id, chain.rpcUrl, network.accounts.deployer);
  return deploy(client, { artifact: readArtifact(source), args: [...args] });
}

/** Calls an RPC method that local nodes support. */
export function onNode(
  chain: Pick<LocalnetChain, "id" | "rpcUrl">,
  method: string,
  ...params: unknown[]
): Promise<unknown> {
  const { request } = chainClient(chain.id, chain.rpcUrl);
  return (request as (call: { method: string; params: unknown[] }) => Promise<unknown>)({ method, params });
}
