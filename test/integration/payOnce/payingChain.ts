import { randomBytes } from "node:crypto";

import { type Address, bytesToHex, type Hex, parseAbiItem, parseEther, zeroAddress } from "viem";
import { getBlockNumber, getLogs, getTransactionCount, sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { BATCH_EXECUTOR_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import { createServiceClient, getQuote } from "../../../packages/sdk/src/index.ts";
import type { ReceivedQuote } from "../../../packages/protocol/src/quote/quoteFreshness.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { type ChainClient, chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { startChain } from "../../../packages/crosscall/src/localnet/devchain/startChain.ts";
import type { Localnet, LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { createLog } from "../../../packages/crosscall/src/localnet/log.ts";
import { misbehavingWallet } from "../../../packages/crosscall/src/testing/index.ts";
import { toPageError } from "../../../packages/crosscall/src/testing/browser/providerError.ts";
import type { RpcAnswer, RpcRequest } from "../../../packages/crosscall/src/testing/misbehaving/nodeBehavior.ts";
import { rehashOrder } from "../../support/rehashOrder.ts";
import { PERMIT_CURRENCIES, permitRequest } from "../gasless/support.ts";
import { BLOCKS_BETWEEN_RUNS, isPermit, type Scenario } from "./scenarios.ts";

const DEPOSITS = [
  parseAbiItem("event RelayNativeDeposit(address from, uint256 amount, bytes32 id)"),
  parseAbiItem("event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)"),
];

/** Amount of a deposit in each currency. */
const AMOUNTS = { native: parseEther("0.01"), token: 5_000_000n };

/** Account of the user in all scenarios. The network that returns the quotes does not use it. */
export const USER = localAccounts.spare[0] ?? localAccounts.user;

/** Chain on which scenarios pay. */
export interface PayingChain {
  readonly id: number;
  readonly rpcUrl: string;
  readonly client: ChainClient;
  readonly depository: Address;
  /** Sends a request to the node, without HTTP if the node is in this process. */
  readonly ask: (request: RpcRequest) => Promise<RpcAnswer>;
  quote(scenario: Scenario): Promise<ReceivedQuote>;
}

/** Chain that no service follows. Quotes come from a network's service, with replaced order ids. */
export interface LonelyChain extends PayingChain {
  /** Resets the chain to its first state. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openLonelyChain(network: Localnet): Promise<LonelyChain> {
  const started = await startChain({ id: network.chains[0].id }, createLog("silent"));
  const { chain, controls } = started;
  const contractAccount = await fundUsers({ ...controls, rpcUrl: chain.rpcUrl });
  const quote = quoting(network, contractAccount);
  const templates = new Map<string, Promise<ReceivedQuote>>();
  const ask = askOf(chain.client);
  // Mines first, so that even a lagging node has the users' funds in its state.
  await controls.mine({ blocks: BLOCKS_BETWEEN_RUNS });
  let snapshot = await resultOf(ask, "evm_snapshot");
  return {
    id: chain.id,
    rpcUrl: chain.rpcUrl,
    client: chain.client,
    depository: chain.contracts.depository,
    ask,
    async quote(scenario) {
      const key = `${scenario.currency} ${isContractAccount(scenario)}`;
      const template = templates.get(key) ?? quote(scenario);
      templates.set(key, template);
      return copyQuote(await template, bytesToHex(randomBytes(32)));
    },
    async reset() {
      await resultOf(ask, "evm_setAutomine", true);
      await resultOf(ask, "evm_revert", snapshot);
      snapshot = await resultOf(ask, "evm_snapshot");
    },
    close: () => started.close(),
  };
}

/** Returns the network's first chain, which the service and its solver follow. */
export async function openServedChain(network: Localnet): Promise<PayingChain> {
  const [chain] = network.chains;
  const { id, rpcUrl, contracts } = chain;
  const contractAccount = await fundUsers(chain);
  for (const symbol of Object.values(PERMIT_CURRENCIES)) await chain.fund(USER.address, symbol, parseEther("1000000"));
  const client = chainClient(id, rpcUrl);
  const ask = askOf(client);
  return { id, rpcUrl, client, depository: contracts.depository, ask, quote: quoting(network, contractAccount) };
}

/** Requests quotes from the network's service. */
function quoting(network: Localnet, contractAccount: Address): PayingChain["quote"] {
  const service = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, limits: false });
  const [origin, destination] = network.chains;
  return async (scenario) => {
    const { model, currency } = scenario;
    if (isPermit(model)) return getQuote(service, permitRequest(network, model, { user: USER.address }));
    return getQuote(service, {
      user: isContractAccount(scenario) ? contractAccount : USER.address,
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: currency === "native" ? zeroAddress : origin.contracts.dollar,
      destinationCurrency: destination.contracts.dollar,
      recipient: network.accounts.stranger.address,
      tradeType: "EXACT_INPUT",
      amount: AMOUNTS[currency].toString(),
    });
  };
}

function isContractAccount({ model }: Scenario): boolean {
  return model === "userOperation" || model === "multisig";
}

/** Copies a quote with another order's id. */
export function copyQuote(quote: ReceivedQuote, requestId: string): ReceivedQuote {
  const oldId = quote.steps?.[0]?.requestId ?? "";
  const copy = JSON.parse(JSON.stringify(quote).replaceAll(oldId, requestId)) as ReceivedQuote;
  const order = copy.protocol?.v2?.orderData as { salt: string };
  order.salt = bytesToHex(randomBytes(32));
  return rehashOrder(copy);
}

export function orderIdOf(quote: ReceivedQuote): Hex {
  return (quote.protocol?.v2?.orderId ?? "0x") as Hex;
}

/** Returns the number of payments for the orders. */
export async function countPayments(
  { client, depository }: Pick<PayingChain, "client" | "depository">,
  orderIds: ReadonlySet<Hex>,
  fromBlock: bigint,
): Promise<readonly Hex[]> {
  const logs = await getLogs(client, { address: depository, events: DEPOSITS, fromBlock, strict: true });
  return logs.filter(({ args }) => orderIds.has(args.id)).map(({ transactionHash }) => transactionHash);
}

export async function heightOf({ client }: PayingChain): Promise<bigint> {
  return getBlockNumber(client, { cacheTime: 0 });
}

/**
 * Sets or removes the batch executor's code (EIP-7702) on the user's account. With the code, a batch needs no other
 * authorization. Without the code, Permit2 validates signatures without calling the account.
 */
export async function setDelegation({ id, rpcUrl }: PayingChain, isDelegated: boolean): Promise<void> {
  const client = chainClient(id, rpcUrl, localAccounts.stranger);
  const nonce = await getTransactionCount(client, { address: USER.address });
  const authorization = await USER.signAuthorization?.({
    contractAddress: isDelegated ? BATCH_EXECUTOR_ADDRESS : zeroAddress,
    chainId: id,
    nonce,
  });
  if (authorization === undefined) throw new Error("the user cannot sign authorizations");
  const hash = await sendTransaction(client, { to: USER.address, authorizationList: [authorization], gas: 200_000n });
  await waitForTransactionReceipt(client, { hash });
}

export async function resultOf(
  ask: PayingChain["ask"],
  method: string,
  ...params: readonly unknown[]
): Promise<unknown> {
  const { result, error } = await ask({ id: 1, method, params });
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** @returns the user's contract account */
async function fundUsers({ rpcUrl, fund }: Pick<LocalnetChain, "rpcUrl" | "fund">): Promise<Address> {
  await using wallet = await misbehavingWallet("multisig", { account: USER, rpcUrl });
  const { address } = wallet;
  for (const user of [USER.address, address]) {
    await fund(user, "USDC", AMOUNTS.token * 100_000n);
    await fund(user, zeroAddress, parseEther("1000"));
  }
  return address;
}

/** Node errors in JSON-RPC format. */
function askOf(client: ChainClient): PayingChain["ask"] {
  const request = client.request as (
    call: { method: string; params: readonly unknown[] },
    options: { retryCount: number },
  ) => Promise<unknown>;
  return async ({ id, method, params = [] }) => {
    try {
      return { jsonrpc: "2.0", id, result: await request({ method, params }, { retryCount: 0 }) };
    } catch (error) {
      return { jsonrpc: "2.0", id, error: toPageError(error) };
    }
  };
}
