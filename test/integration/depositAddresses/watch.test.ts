import { expect } from "chai";
import { type Address, parseEther, zeroAddress } from "viem";
import { sendTransaction, waitForTransactionReceipt, writeContract } from "viem/actions";

import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import { startEdrChain } from "../../../packages/crosscall/src/localnet/devchain/edr.ts";
import type { ChainNode } from "../../../packages/crosscall/src/localnet/devchain/node.ts";
import { BALANCE_READER } from "../../../packages/crosscall/src/localnet/devchain/readChain.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { getStatus } from "../../support/complete.ts";
import { until } from "../../support/until.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { reader, userWallet } from "../support/parties.ts";
import { depositAndWatch, onNode, quoteEther, requestIdOf, watchToEnd } from "../support/requests.ts";
import { type RpcGate, startRpcGate } from "../support/rpcGate.ts";
import { listRequests, post } from "../support/serviceCalls.ts";

const TTL_MS = 86_400_000;

describe("the deposit address watch", () => {
  let node: ChainNode;
  let gate: RpcGate;
  const network = useNetwork(async () => {
    node = await startEdrChain(31_337);
    gate = await startRpcGate(node.rpcUrl);
    return { chains: [{ id: 31_337, rpcUrl: gate.url }, { id: 31_338 }], oracle: false, depositAddressTtlMs: TTL_MS };
  });
  after(async () => {
    await gate.close();
    await node.close();
  });
  let origin: LocalnetChain;
  before(() => {
    [origin] = network.chains;
  });
  afterEach(() => {
    gate.release();
    network.clock.reset();
  });

  const quoteAddress = (change = {}) => quoteEther(network, { useDepositAddress: true, ...change });
  const addressOf = (quote: Quote): Address => (quote.steps[0]?.depositAddress ?? "") as Address;
  const endOf = async (quote: Quote) => (await watchToEnd(network, requestIdOf(quote))).status;
  async function pay(quote: Quote, value = parseEther("1")): Promise<void> {
    const wallet = userWallet(network, origin);
    const hash = await sendTransaction(wallet, { to: addressOf(quote), value });
    await waitForTransactionReceipt(wallet, { hash });
  }

  it("does not delay deposits, fills and users' transactions while a node does not respond to it", async () => {
    const [address, deposit] = [await quoteAddress(), await quoteEther(network)];
    const isHeld = gate.hold(BALANCE_READER, { isLate: true });
    await pay(address);
    await isHeld;
    expect((await depositAndWatch(network, deposit)).status).to.equal("success");
    const { status } = await getStatus(createServiceClient({ baseUrl: network.url }), {
      requestId: requestIdOf(address),
    });
    expect(status).to.equal("waiting");
    gate.release();
    expect(await endOf(address)).to.equal("success");
  });

  it("finds payments while the balance of a currency cannot be read", async () => {
    const { tether, dollar } = origin.contracts;
    const [native, token] = [await quoteAddress(), await quoteAddress({ originCurrency: dollar, amount: "100000000" })];
    const code = await reader(origin).getCode({ address: tether });
    // Burns all gas.
    await onNode(origin, "hardhat_setCode", tether, "0xfe");
    try {
      await pay(native);
      const wallet = userWallet(network, origin);
      const args = [addressOf(token), 100_000_000n] as const;
      await writeContract(wallet, { address: dollar, abi: localDollarAbi, functionName: "mint", args });
      expect(await endOf(native)).to.equal("success");
      expect(await endOf(token)).to.equal("success");
    } finally {
      await onNode(origin, "hardhat_setCode", tether, code);
    }
  });

  it("ends after its time to live, and restarts after a reindex", async () => {
    const old = await quoteAddress();
    network.clock.set(Date.now() + TTL_MS + 60_000);
    const fresh = await quoteAddress();
    await pay(old);
    // When this payment is found, the block that paid the old address has already been read.
    await pay(fresh);
    expect(await endOf(fresh)).to.equal("success");
    const statusOf = async (quote: Quote) =>
      (await getStatus(createServiceClient({ baseUrl: network.url }), { requestId: requestIdOf(quote) })).status;
    expect(await statusOf(old)).to.equal("waiting");

    const reindex = { chainId: origin.id, depositAddress: addressOf(old), currency: zeroAddress };
    expect((await post(network, "/transactions/deposit-address/reindex", reindex)).status).to.equal(200);
    expect(await endOf(old)).to.equal("success");
  });

  it("is extended by a payment", async () => {
    const quote = await quoteAddress();
    const start = Date.now();
    network.clock.set(start + TTL_MS - 60_000);
    await pay(quote);
    expect(await endOf(quote)).to.equal("success");
    network.clock.set(start + TTL_MS + 60_000);
    await pay(quote);
    const children = await until(async () => {
      const { requests } = await listRequests(network, `?id=${requestIdOf(quote)}&includeChildRequests=true`);
      return requests.length === 2 && requests;
    });
    for (const { id } of children) expect((await watchToEnd(network, id)).status).to.equal("success");
  });
});
