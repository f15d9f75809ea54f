import { expect } from "chai";
import { createWalletClient, type Hex, http, parseEther, toHex, zeroAddress } from "viem";
import { sendTransaction } from "viem/actions";

import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import { describeChain } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { getStatus } from "../../support/complete.ts";
import { until } from "../../support/until.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { reader } from "../support/parties.ts";
import { startAnvil, stopPrograms } from "../support/processes.ts";
import { depositNative, onNode, orderIdOf, quoteEther, requestIdOf, watchToEnd } from "../support/requests.ts";
import { recordOf } from "../support/serviceCalls.ts";

const GWEI = 10n ** 9n;

// Anvil keeps transactions that cannot be mined yet, as live nodes do.
describe("a stuck fill", () => {
  const network = useNetwork(async () => {
    const nodes = await Promise.all([startAnvil(31_337), startAnvil(31_338)]);
    return {
      chains: nodes.map(({ ready }, index) => ({ id: 31_337 + index, rpcUrl: ready })),
      inclusionTimeoutMs: 500_000,
    };
  });
  let destination: LocalnetChain;

  before(() => {
    destination = network.chains[1];
  });
  after(stopPrograms);
  beforeEach(() => onNode(destination, "evm_setAutomine", false));
  afterEach(async () => {
    network.clock.reset();
    await onNode(destination, "evm_setAutomine", true);
  });

  it("is sent again with higher fees and the same nonce while the base fee rises above its fees, and pays once", async () => {
    const quote = await submitted();
    const first = await hashOf(quote);
    const { nonce } = await reader(destination).getTransaction({ hash: first });
    await onNode(destination, "anvil_setNextBlockBaseFeePerGas", toHex(100n * GWEI));
    await onNode(destination, "evm_mine");
    await until(async () => (await hashOf(quote)) !== first);
    await mineUntilEnd(quote, "success");
    const sent = await reader(destination).getTransaction({ hash: await hashOf(quote) });
    expect([sent.nonce, sent.hash === first]).to.deep.equal([nonce, false]);
    expect(await countFills(quote)).to.equal(1);
  });

  it("is sent again if the node dropped it", async () => {
    const quote = await submitted();
    await onNode(destination, "anvil_dropAllTransactions");
    await mineUntilEnd(quote, "success");
    expect(await countFills(quote)).to.equal(1);
  });

  it("gets a new nonce if another transaction used its nonce", async () => {
    const quote = await submitted();
    const first = await hashOf(quote);
    await useNonce();
    await mineUntilEnd(quote, "success");
    expect(await hashOf(quote)).not.to.equal(first);
    expect(await countFills(quote)).to.equal(1);
  });

  it("is canceled by a transaction with its nonce if it is pending for too long, and the deposit is refunded", async () => {
    const quote = await givenUp();
    await mineUntilEnd(quote, "refund");
    const { data } = await recordOf(network, requestIdOf(quote));
    expect([data.failReason, await countFills(quote)]).to.deep.equal(["TRANSACTION_NOT_INCLUDED", 0]);
    expect((await network.transitionsOf(requestIdOf(quote))).map(({ to, reason }) => [to, reason])).to.deep.equal([
      ["pending", null],
      ["submitted", null],
      ["submitted", "TRANSACTION_NOT_INCLUDED"],
      ["pending", "TRANSACTION_NOT_INCLUDED"],
      ["pending", null],
      ["refund", null],
    ]);
  });

  it("is refunded even if another transaction uses its nonce during the cancellation", async () => {
    const quote = await givenUp();
    await useNonce();
    await mineUntilEnd(quote, "refund");
    const { data } = await recordOf(network, requestIdOf(quote));
    expect([data.failReason, await countFills(quote)]).to.deep.equal(["TRANSACTION_NOT_INCLUDED", 0]);
  });

  /**
   * Returns the quote for a request whose fill was pending for too long. Now a cancellation with the same nonce is
   * pending instead.
   */
  async function givenUp(): Promise<Quote> {
    const quote = await submitted();
    const fill = await hashOf(quote);
    network.clock.setOffset(500_001);
    // Until the cancellation replaces the fill, the fill can still be mined and is then valid.
    await until(async () => (await onNode(destination, "eth_getTransactionByHash", fill)) === null);
    return quote;
  }

  /** Returns the quote for a request whose fill stays pending because no block is mined. */
  async function submitted(): Promise<Quote> {
    const quote = await quoteEther(network);
    await depositNative(network, { id: orderIdOf(quote) });
    const client = createServiceClient({ baseUrl: network.url });
    await until(async () => (await getStatus(client, { requestId: requestIdOf(quote) })).status === "submitted");
    const hash = await hashOf(quote);
    // The transaction is stored before it is sent.
    await until(async () => (await onNode(destination, "eth_getTransactionByHash", hash)) !== null);
    return quote;
  }

  async function hashOf(quote: Quote): Promise<Hex> {
    const client = createServiceClient({ baseUrl: network.url });
    const { txHashes = [] } = await getStatus(client, { requestId: requestIdOf(quote) });
    return txHashes[0] as Hex;
  }

  async function mineUntilEnd(quote: Quote, status: string): Promise<void> {
    const client = createServiceClient({ baseUrl: network.url });
    const isOver = async () =>
      ["success", "refund", "failure"].includes((await getStatus(client, { requestId: requestIdOf(quote) })).status);
    await until(async () => {
      if (await isOver()) return true;
      await onNode(destination, "evm_mine");
      return false;
    });
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal(status);
  }

  /** Sends another transaction from the solver's wallet with the nonce of a pending transaction. */
  async function useNonce(): Promise<void> {
    const { rpcUrl, id } = destination;
    const wallet = createWalletClient({
      account: network.accounts.solver,
      chain: describeChain(id, rpcUrl),
      transport: http(rpcUrl),
    });
    const latest = await reader(destination).getTransactionCount({ address: network.solver });
    await sendTransaction(wallet, {
      to: zeroAddress,
      value: parseEther("0.001"),
      nonce: latest,
      gas: 21_000n,
      maxFeePerGas: 1_000n * GWEI,
      maxPriorityFeePerGas: 100n * GWEI,
    });
    await onNode(destination, "evm_mine");
    expect(await reader(destination).getTransactionCount({ address: network.solver })).to.equal(latest + 1);
  }

  /** Returns the number of transactions on the destination chain that contain the order id. */
  async function countFills(quote: Quote): Promise<number> {
    const client = reader(destination);
    const latest = await client.getBlockNumber();
    let fills = 0;
    for (let blockNumber = 0n; blockNumber <= latest; blockNumber += 1n) {
      const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
      fills += transactions.filter(({ input }) => input.endsWith(orderIdOf(quote).slice(2))).length;
    }
    return fills;
  }
});
