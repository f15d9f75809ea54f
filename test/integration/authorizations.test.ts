import { expect } from "chai";
import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  parseEther,
  type SignedAuthorization,
  zeroAddress,
} from "viem";

import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import { BATCH_EXECUTOR_ADDRESS } from "../../packages/protocol/src/chains/serviceAddresses.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { until } from "../support/until.ts";
import { attestFill } from "./support/attestFill.ts";
import { reader, userWallet } from "./support/parties.ts";
import { startAnvil, stopPrograms } from "./support/processes.ts";
import {
  depositAndWatch,
  depositNative,
  deployMock,
  onNode,
  orderIdOf,
  quoteEther,
  requestIdOf,
  watchToEnd,
} from "./support/requests.ts";
import { post, recordOf } from "./support/serviceCalls.ts";

const TARGET = readArtifact("mocks/Target").abi;

describe("EIP-7702 authorizations in a quote", () => {
  const network = useNetwork(async () => {
    const anvil = await startAnvil(31_338, "--hardfork", "prague");
    return { chains: [{ id: 31_337 }, { id: 31_338, rpcUrl: anvil.ready }] };
  });
  after(stopPrograms);
  let target: Address;

  before(async () => {
    target = await deployMock(network, network.chains[1], "mocks/Target");
  });

  const user = () => network.accounts.user;
  const nonceOf = (address: Address) => reader(network.chains[1]).getTransactionCount({ address });
  /** Signs an authorization as the user, for the destination chain, with changes. */
  const authorize = async (
    change: { chainId?: number; nonce?: number } = {},
    account = user(),
  ): Promise<NonNullable<QuoteRequest["authorizationList"]>[number]> => {
    const signed: SignedAuthorization = await account.signAuthorization!({
      address: target,
      chainId: network.chains[1].id,
      nonce: await nonceOf(account.address),
      ...change,
    });
    const { address, chainId, nonce, r, s, yParity = 0 } = signed;
    return { address, chainId, nonce, r, s, yParity };
  };
  /** Returns a call to the user's own account, which then has the target's code. */
  const record = (argument: bigint) => ({
    to: user().address,
    data: encodeFunctionData({ abi: TARGET, functionName: "record", args: [argument] }),
    value: "0",
  });

  it("give the user's account the delegate's code before the calls of a type 4 fill", async () => {
    const quote = await quoteEther(network, { txs: [record(7n)], authorizationList: [await authorize()] });
    expect(await depositAndWatch(network, quote)).to.include({ status: "success" });
    const [fill] = (await recordOf(network, requestIdOf(quote))).data.outTxs;
    const client = reader(network.chains[1]);
    const { type, to } = await client.getTransaction({ hash: fill?.txHash as Hex });
    expect([type, to]).to.deep.equal(["eip7702", network.chains[1].contracts.router.toLowerCase()]);
    expect(await client.getCode({ address: user().address })).to.equal(concat(["0xef0100", target]).toLowerCase());
    const { logs } = await client.getTransactionReceipt({ hash: fill?.txHash as Hex });
    const own = logs.filter(({ address }) => address.toLowerCase() === user().address.toLowerCase());
    expect(own).to.have.length(1);
  });

  it("are priced, can be signed for every chain, and count toward the limit on calls", async () => {
    const authorizationList = [await authorize({ chainId: 0 })];
    const [plain, quote] = [
      await quoteEther(network, { txs: [record(1n)], txsGasLimit: 200_000 }),
      await quoteEther(network, { txs: [record(1n)], txsGasLimit: 200_000, authorizationList }),
    ];
    const executionOf = ({ details }: typeof quote) => Number(details.expandedPriceImpact.execution.usd);
    expect(executionOf(quote)).to.be.below(executionOf(plain));
    expect(await depositAndWatch(network, quote)).to.include({ status: "success" });
  });

  it("are kept in a replacement fill, which is also a type 4 transaction", async () => {
    const [, destination] = network.chains;
    await onNode(destination, "evm_setAutomine", false);
    const quote = await quoteEther(network, { txs: [record(2n)], authorizationList: [await authorize()] });
    await depositNative(network, { id: orderIdOf(quote) });
    const pending = async (): Promise<Record<string, { readonly type: string; readonly hash: string }>> => {
      const { pending: all } = (await onNode(destination, "txpool_content")) as {
        pending: Record<string, Record<string, { readonly type: string; readonly hash: string }>>;
      };
      return all[network.solver] ?? all[network.solver.toLowerCase()] ?? {};
    };
    const first = await until(async () => Object.values(await pending())[0]);
    // With a higher base fee, the gas price of the sent fill is too low.
    await onNode(destination, "anvil_setNextBlockBaseFeePerGas", "0x37e11d600");
    await onNode(destination, "evm_mine");
    const second = await until(async () => {
      const [sent] = Object.values(await pending());
      return sent !== undefined && sent.hash !== first.hash && sent;
    });
    expect([first.type, second.type]).to.deep.equal(["0x4", "0x4"]);
    await onNode(destination, "evm_setAutomine", true);
    await onNode(destination, "evm_mine");
    await until(async () => (await recordOf(network, requestIdOf(quote))).status === "success");
  });

  it("fail a request if the account nonce changed since the quote, rather than calling an account without code", async () => {
    const { stranger } = network.accounts;
    const authorizationList = [await authorize({}, stranger)];
    const call = { ...record(3n), to: stranger.address };
    const quote = await quoteEther(network, { recipient: stranger.address, txs: [call], authorizationList });
    await userWallet(network, network.chains[1]).sendTransaction({ account: stranger, to: stranger.address });
    const { status, details } = await depositAndWatch(network, quote);
    expect(status).to.equal("refund");
    expect(details).to.match(/^INVALID_NONCE: authorization 0 has nonce \d+, but 0x[0-9a-fA-F]{40} is at \d+$/u);
  });

  it("do not prevent an account from receiving native currency in fills and refunds that the oracles attest", async () => {
    const { stranger } = network.accounts;
    const refuser = await deployMock(network, network.chains[1], "mocks/NativeRefuser");
    for (const chain of network.chains) {
      const authorization = await stranger.signAuthorization!({
        address: BATCH_EXECUTOR_ADDRESS,
        chainId: chain.id,
        nonce: await reader(chain).getTransactionCount({ address: stranger.address }),
      });
      const hash = await userWallet(network, chain).sendTransaction({
        to: stranger.address,
        authorizationList: [authorization],
      });
      await reader(chain).waitForTransactionReceipt({ hash });
    }
    const change = { destinationCurrency: zeroAddress, includeProtocolData: true };
    const quote = await quoteEther(network, { ...change, recipient: stranger.address });
    const expected = BigInt(quote.details.currencyOut.amount);
    const before = await reader(network.chains[1]).getBalance({ address: stranger.address });
    const deposit = await depositNative(network, { id: orderIdOf(quote) });
    const { status, txHashes: [fill = ""] = [] } = await watchToEnd(network, requestIdOf(quote));
    expect(status).to.equal("success");
    const received = (await reader(network.chains[1]).getBalance({ address: stranger.address })) - before;
    expect(received).to.equal(expected);
    expect((await attestFill(network, { quote, deposit, fill })).message.result.status).to.equal(1);

    const refunded = await quoteEther(network, { ...change, recipient: refuser });
    const unpaid = await reader(network.chains[0]).getBalance({ address: stranger.address });
    expect(await depositAndWatch(network, refunded)).to.include({ status: "refund" });
    const returned = (await reader(network.chains[0]).getBalance({ address: stranger.address })) - unpaid;
    expect(returned).to.equal(parseEther("1"));
  });

  it("are rejected for a wrong chain, nonce, signer or signature, with the field's name", async () => {
    const valid = await authorize();
    const other = await authorize({}, network.accounts.stranger);
    for (const [authorizationList, field] of [
      [[{ ...valid, chainId: 1 }], "authorizationList[0].chainId"],
      [[await authorize({ nonce: valid.nonce + 1 })], "authorizationList[0].nonce"],
      [[{ ...valid, address: "0x12" }], "authorizationList[0].address"],
      [[other], "authorizationList[0]"],
      [[{ ...valid, yParity: 1 - valid.yParity }], "authorizationList[0]"],
      [[{ ...valid, r: `0x${"ff".repeat(32)}` }], "authorizationList[0]"],
      [[{ ...valid, s: "none" }], "authorizationList[0]"],
      [[valid, valid], "authorizationList[1]"],
    ] as const) {
      const { status, body } = await post(network, "/quote/v2", {
        ...requestOf(),
        txs: [record(1n)],
        authorizationList,
      });
      expect([status, (body as { errorCode: string }).errorCode]).to.deep.equal([400, "INVALID_REQUEST"]);
      expect(body).to.include({ field });
    }
  });

  it("are rejected for a chain that is not part of the network", async () => {
    const { status, body } = await post(network, "/quote/v2", {
      ...requestOf(),
      destinationChainId: 792_703_809,
      destinationCurrency: "11111111111111111111111111111111",
      recipient: "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs",
      authorizationList: [await authorize()],
    });
    expect(status).to.equal(400);
    expect(body).to.include({ errorCode: "UNSUPPORTED_EXECUTION_TYPE", field: "authorizationList" });
  });

  it("are rejected with a deposit address, because it can be paid any number of times", async () => {
    const { status, body } = await post(network, "/quote/v2", {
      ...requestOf(),
      useDepositAddress: true,
      authorizationList: [await authorize()],
    });
    expect(status).to.equal(400);
    expect(body).to.include({ errorCode: "UNSUPPORTED_EXECUTION_TYPE", field: "authorizationList" });
  });

  const requestOf = () => ({
    user: user().address,
    originChainId: network.chains[0].id,
    destinationChainId: network.chains[1].id,
    originCurrency: `0x${"00".repeat(20)}`,
    destinationCurrency: network.chains[1].contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: "1000000000000000000",
  });
});
