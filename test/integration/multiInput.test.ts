import { expect } from "chai";
import { type Address, type Hex, isAddressEqual, parseEther, zeroAddress } from "viem";
import {
  getBalance,
  getTransaction,
  prepareTransactionRequest,
  sendRawTransaction,
  sendTransaction,
  signTransaction,
  waitForTransactionReceipt,
} from "viem/actions";

import type { LocalnetChain } from "../../packages/crosscall/src/localnet/index.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { hashOrder } from "../../packages/protocol/src/order/index.ts";
import type { Quote } from "../../packages/protocol/src/complete.ts";
import { attest } from "../../packages/sdk/src/attestation.ts";
import { createServiceClient, executeSteps, QuoteRefusedError } from "../../packages/sdk/src/index.ts";
import { getStatus } from "../support/complete.ts";
import { until } from "../support/until.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { failureOf } from "./support/failureOf.ts";
import { dollarsOf, mintDollars, reader, userWallet } from "./support/parties.ts";
import { onNode, requestIdOf, watchToEnd } from "./support/requests.ts";
import { get, post, recordOf } from "./support/serviceCalls.ts";

interface Origin {
  readonly chainId: number;
  readonly currency: string;
  readonly amount: string;
  readonly user?: Address;
}

interface Rejection {
  readonly errorCode?: string;
  readonly field?: string;
}

describe("a request with several origins", () => {
  const network = useNetwork({ chains: [{ id: 31_337 }, { id: 31_338 }, { id: 31_339 }] });
  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
  const chain = (index: number): LocalnetChain => network.chains[index] ?? expect.fail("no chain");
  const recipient = "0x00000000000000000000000000000000000c0117";

  const dollars = (index: number, amount: string): Origin => ({
    chainId: chain(index).id,
    currency: chain(index).contracts.dollar,
    amount,
  });
  const ether = (index: number, amount: string): Origin => ({
    chainId: chain(index).id,
    currency: zeroAddress,
    amount,
  });

  const ask = async (origins: readonly Origin[], change: object = {}) => {
    const { status, body } = await post(
      network,
      "/execute/swap/multi-input",
      {
        user: network.accounts.user.address,
        recipient,
        origins,
        destinationChainId: chain(2).id,
        destinationCurrency: chain(2).contracts.dollar,
        tradeType: "EXACT_INPUT",
        includeProtocolData: true,
        ...change,
      },
      { "x-api-key": network.apiKey },
    );
    return { status, body: body as Quote & Rejection & { balances: object } };
  };
  const quote = async (origins: readonly Origin[], change: object = {}): Promise<Quote> => {
    const { status, body } = await ask(origins, change);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };

  interface Payment {
    readonly from: Address;
    readonly to: Address;
    readonly data: Hex;
    readonly value: string;
    readonly chainId: number;
  }
  const paymentsOf = (quoted: Quote, stepId = "deposit"): Payment[] =>
    quoted.steps
      .filter(({ id }) => id === stepId)
      .flatMap(({ items }) => items.map(({ data }: { data?: unknown }) => data as Payment));
  /** Sends transactions of the steps with plain viem, and returns their hashes. */
  const send = async (payments: readonly Payment[]): Promise<Hex[]> => {
    const hashes: Hex[] = [];
    for (const { from, to, data, value, chainId } of payments) {
      const { accounts, chains } = network;
      const { id, rpcUrl } = chains.find((one) => one.id === chainId) ?? expect.fail(`no chain ${chainId}`);
      const account = [accounts.user, accounts.stranger].find(({ address }) => isAddressEqual(address, from));
      const wallet = chainClient(id, rpcUrl, account);
      const hash = await sendTransaction(wallet, { to, data, value: BigInt(value) });
      await waitForTransactionReceipt(wallet, { hash });
      hashes.push(hash);
    }
    return hashes;
  };
  const statusOf = (quoted: Quote) => getStatus(client(), { requestId: requestIdOf(quoted) });
  const partlyPaid = (quoted: Quote, count: number) =>
    until(async () => {
      const status = await statusOf(quoted);
      return status.status === "depositing" && status.inTxHashes?.length === count && status;
    });

  before(async () => {
    for (const { id } of network.chains) {
      const index = network.chains.findIndex((one) => one.id === id);
      await mintDollars(network, chain(index), 1_000_000_000n);
    }
  });
  afterEach(() => network.clock.reset());

  it("is filled once for the sum after the last deposit, and attested for each deposit", async () => {
    const quoted = await quote([dollars(0, "20000000"), dollars(1, "30000000")]);
    expect(quoted.steps.map(({ id }) => id)).to.deep.equal(["approve", "approve", "deposit", "deposit"]);
    expect(new Set(quoted.steps.map(({ requestId }) => requestId)).size).to.equal(1);
    // Clients wait for a check, so only the last deposit has one.
    expect(quoted.steps.map(({ items }) => items.some(({ check }) => check != null))).to.deep.equal([
      false,
      false,
      false,
      true,
    ]);
    const { currencyIn, currencyOut } = quoted.details;
    expect(currencyIn).to.deep.include({ amount: "50000000", amountUsd: "50.000000" });
    const { orderId, orderData, orderSignature } = quoted.protocol!.v2;
    expect(orderData.inputs.map(({ payment }) => payment)).to.deep.equal([
      { chainId: "local-31337", currency: chain(0).contracts.dollar.toLowerCase(), amount: "20000000", weight: "1" },
      { chainId: "local-31338", currency: chain(1).contracts.dollar.toLowerCase(), amount: "30000000", weight: "1" },
    ]);
    expect(hashOrder(orderData)).to.equal(orderId);

    const before = await dollarsOf(chain(2), recipient);
    await send(paymentsOf(quoted, "approve"));
    const [first, second] = paymentsOf(quoted);
    const [firstHash = "0x"] = await send([first!]);
    expect(await partlyPaid(quoted, 1)).to.deep.include({ inTxHashes: [firstHash], txHashes: [] });
    expect(await dollarsOf(chain(2), recipient)).to.equal(before);
    const [secondHash = "0x"] = await send([second!]);
    const end = await watchToEnd(network, requestIdOf(quoted));
    expect(end).to.deep.include({
      status: "success",
      inTxHashes: [firstHash, secondHash],
      originChainId: 31_337,
      destinationChainId: 31_339,
    });
    expect(end.txHashes).to.have.length(1);
    expect((await dollarsOf(chain(2), recipient)) - before).to.equal(BigInt(currencyOut.amount));

    const record = await recordOf(network, requestIdOf(quoted));
    expect(record.data.inTxs.map(({ txHash, chainId }) => [txHash, chainId])).to.deep.equal([
      [firstHash, 31_337],
      [secondHash, 31_338],
    ]);
    expect(record.data.route?.actual.origin.inputCurrency?.amount).to.equal("50000000");
    for (const hash of [firstHash, secondHash]) {
      const { body } = await get(network, `/requests/v2?hash=${hash}`);
      expect((body as { requests: { id: string }[] }).requests.map(({ id }) => id)).to.deep.equal([record.id]);
    }
    const page = await (await fetch(`${network.url}/console/requests/${record.id}`)).text();
    for (const hash of [firstHash, secondHash]) expect(page).to.include(hash);

    const oracle = createServiceClient({ baseUrl: network.oracle!.url, apiKey: network.apiKey });
    const inputs = await Promise.all(
      [firstHash, secondHash].map(async (transactionId, inputIndex) => {
        const chainId = `local-${chain(inputIndex).id}`;
        const { messages } = await attest(oracle, "depository-deposits/v1", { chainId, transactionId });
        return { transactionId, inputIndex, onchainId: messages[0]!.result.onchainId };
      }),
    );
    const { message, execution } = await attest(oracle, "solver-fills/v1", {
      order: orderData,
      orderSignature: orderSignature!,
      inputs,
      fill: { transactionId: end.txHashes![0]! },
    });
    expect(message.result).to.deep.include({ orderId, totalWeightedInputPaymentBpsDiff: "0" });
    expect(execution?.actions).to.have.length(2);
  });

  it("accepts currencies with different values on one chain, from different users", async () => {
    const stranger = network.accounts.stranger.address;
    const quoted = await quote([
      dollars(0, "20000000"),
      { ...ether(0, parseEther("0.01").toString()), user: stranger },
      ether(2, parseEther("0.01").toString()),
    ]);
    const weights = quoted.protocol!.v2.orderData.inputs.map(({ payment, refunds }) => [
      BigInt(payment.weight) * BigInt(payment.amount),
      refunds[0]?.recipient,
    ]);
    // Weighted, the amounts have the proportions of their values.
    const [[inDollars] = [], [inEther] = []] = weights as bigint[][];
    const etherUsd = (Number(inEther) / Number(inDollars)) * 20;
    expect(Math.abs(etherUsd - (Number(quoted.details.currencyIn.amountUsd) / 2 - 10))).to.be.below(0.001);
    expect(weights.map(([, refundTo]) => refundTo)).to.deep.equal([
      network.accounts.user.address,
      stranger,
      network.accounts.user.address,
    ]);
    const before = await dollarsOf(chain(2), recipient);
    // The order of the deposits does not matter.
    await send([...paymentsOf(quoted, "approve"), ...paymentsOf(quoted).toReversed()]);
    expect(await watchToEnd(network, requestIdOf(quoted))).to.include({ status: "success" });
    expect((await dollarsOf(chain(2), recipient)) - before).to.equal(BigInt(quoted.details.currencyOut.amount));
  });

  it("splits the input of an exact output, and rejects offers that are too small", async () => {
    const origins = [dollars(0, "20000000"), dollars(1, "60000000")];
    const quoted = await quote(origins, { tradeType: "EXACT_OUTPUT", amount: "40000000" });
    const amounts = quoted.protocol!.v2.orderData.inputs.map(({ payment }) => Number(payment.amount));
    expect(Math.abs(amounts[1]! / amounts[0]! - 3)).to.be.below(0.001);
    expect(amounts[0]! + amounts[1]!).to.be.within(40_000_000, 41_000_000);
    const before = await dollarsOf(chain(2), recipient);
    await send([...paymentsOf(quoted, "approve"), ...paymentsOf(quoted)]);
    expect(await watchToEnd(network, requestIdOf(quoted))).to.include({ status: "success" });
    expect((await dollarsOf(chain(2), recipient)) - before).to.equal(40_000_000n);

    const { status, body } = await ask(origins, { tradeType: "EXACT_OUTPUT", amount: "80000000" });
    expect([status, body.errorCode, body.field]).to.deep.equal([400, "AMOUNT_TOO_LOW", "origins"]);
  });

  it("refunds the deposits that arrived by the deadline, and returns a late one", async () => {
    const stranger = network.accounts.stranger.address;
    const quoted = await quote([
      dollars(0, "20000000"),
      { ...ether(1, parseEther("0.5").toString()), user: stranger },
      dollars(1, "5000000"),
    ]);
    await send(paymentsOf(quoted, "approve"));
    const [first, second, late] = paymentsOf(quoted);
    const user = network.accounts.user.address;
    const held = await dollarsOf(chain(0), user);
    await send([first!, second!]);
    await partlyPaid(quoted, 2);
    await onNode(chain(1), "evm_setAutomine", false);
    network.clock.set(Date.now() + 3_700_000);
    // The request ends after the last refund.
    await until(
      async () => (await statusOf(quoted)).txHashes?.length === 2 && (await dollarsOf(chain(0), user)) === held,
    );
    expect(await statusOf(quoted)).to.include({ status: "pending" });
    await onNode(chain(1), "evm_setAutomine", true);
    await onNode(chain(1), "evm_mine");
    const end = await watchToEnd(network, requestIdOf(quoted));
    expect(end).to.include({ status: "refund", failReason: "ORDER_EXPIRED", refundFailReason: "N/A" });
    expect(end.txHashes).to.have.length(2);
    expect(await dollarsOf(chain(0), user)).to.equal(held);
    const refund = await getTransaction(reader(chain(1)), { hash: end.txHashes![1] as Hex });
    expect([refund.to, refund.value]).to.deep.equal([stranger.toLowerCase(), parseEther("0.5")]);
    const record = await recordOf(network, requestIdOf(quoted));
    expect(record.protocol?.settlement?.destination).to.deep.equal({
      fills: [],
      refunds: [0, 1].map((index) => ({ chainId: chain(index).id, transactionId: end.txHashes?.[index] })),
    });
    expect(record.protocol?.isWithdrawable).to.equal(false);

    // A refund whose block a reorg removed is sent again, not signed again.
    await chain(0).reorg({ blocks: 1 });
    await until(async () => (await dollarsOf(chain(0), user)) === held);
    expect(await watchToEnd(network, requestIdOf(quoted))).to.deep.include({
      status: "refund",
      txHashes: end.txHashes,
    });

    const heldLate = await dollarsOf(chain(1), user);
    await send([late!]);
    await until(async () => (await dollarsOf(chain(1), user)) === heldLate);
    expect((await statusOf(quoted)).txHashes).to.deep.equal(end.txHashes);
  });

  it("returns a second deposit of an input, and a deposit that matches no input", async () => {
    const quoted = await quote([ether(0, parseEther("0.01").toString()), ether(1, parseEther("0.01").toString())]);
    const [first, second] = paymentsOf(quoted);
    const user = network.accounts.user.address;
    const onThird = { ...first!, chainId: chain(2).id, to: chain(2).contracts.depository };
    await send([first!, first!, onThird]);
    await partlyPaid(quoted, 1);
    for (const index of [0, 2]) {
      await until(async () => {
        const { body } = await get(network, `/requests/v2?user=${user}&originChainId=${chain(index).id}`);
        const { requests } = body as { requests: { id: string; status: string; data: { failReason: string } }[] };
        const reason = index === 0 ? "DOUBLE_SPEND" : "ORPHANED_DEPOSIT_REFUND";
        return requests.some(({ status, data }) => status === "refund" && data.failReason === reason);
      });
    }
    await send([second!]);
    expect(await watchToEnd(network, requestIdOf(quoted))).to.include({ status: "success" });
  });

  it("refunds all deposits if one is too small, or the fill fails", async () => {
    const user = network.accounts.user.address;
    const origins = [dollars(0, "20000000"), ether(1, parseEther("0.5").toString())];
    const small = await quote(origins);
    const [paid, part] = paymentsOf(small);
    const held = await dollarsOf(chain(0), user);
    await send(paymentsOf(small, "approve"));
    await send([paid!, { ...part!, value: parseEther("0.4").toString() }]);
    const end = await watchToEnd(network, requestIdOf(small));
    expect(end).to.include({ status: "refund", failReason: "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL" });
    expect(await dollarsOf(chain(0), user)).to.equal(held);
    const refund = await getTransaction(reader(chain(1)), { hash: end.txHashes![1] as Hex });
    expect(refund.value).to.equal(parseEther("0.4"));

    const failing = await quote(origins, { referrer: "debug-force-refund" });
    await send([...paymentsOf(failing, "approve"), ...paymentsOf(failing)]);
    expect((await watchToEnd(network, requestIdOf(failing))).status).to.equal("refund");
    expect(await dollarsOf(chain(0), user)).to.equal(held);
  });

  it("credits the excess of an input", async () => {
    const quoted = await quote([ether(0, parseEther("0.01").toString()), ether(1, parseEther("0.01").toString())]);
    const [first, second] = paymentsOf(quoted);
    const before = await dollarsOf(chain(2), recipient);
    await send([first!, { ...second!, value: parseEther("0.02").toString() }]);
    expect(await watchToEnd(network, requestIdOf(quoted))).to.include({ status: "success" });
    const expected = (BigInt(quoted.details.currencyOut.amount) * 3n) / 2n;
    expect((await dollarsOf(chain(2), recipient)) - before).to.equal(expected);
  });

  it("keeps a deposit that is worth less than its refund, and refunds the others", async () => {
    const quoted = await quote([ether(0, "1000"), dollars(1, "5000000")], { recipient });
    const user = network.accounts.user.address;
    const held = await dollarsOf(chain(1), user);
    const [dust, paid] = paymentsOf(quoted);
    await send(paymentsOf(quoted, "approve"));
    await send([{ ...dust!, value: "999" }, paid!]);
    const end = await watchToEnd(network, requestIdOf(quoted));
    expect(end).to.include({ status: "failure", refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND" });
    expect(await dollarsOf(chain(1), user)).to.equal(held);
    expect((await recordOf(network, requestIdOf(quoted))).protocol?.isWithdrawable).to.equal(true);
  });

  it("waits again for a deposit that a reorg removed", async () => {
    const quoted = await quote([ether(0, parseEther("0.01").toString()), ether(1, parseEther("0.01").toString())]);
    const [first, second] = paymentsOf(quoted);
    await send([first!]);
    await partlyPaid(quoted, 1);
    await chain(0).reorg({ blocks: 1 });
    await partlyPaid(quoted, 0);
    await send([second!]);
    await partlyPaid(quoted, 1);
    await send([first!]);
    expect(await watchToEnd(network, requestIdOf(quoted))).to.include({ status: "success" });
  });

  it("refunds a deposit that a reorg removed and that is included again, after the refund of the others", async () => {
    const target = "0x00000000000000000000000000000000000f1a5c";
    const refundTo = network.accounts.spare[0]!.address;
    const quoted = await quote([ether(0, parseEther("0.5").toString()), ether(1, parseEther("0.5").toString())], {
      destinationCurrency: zeroAddress,
      txs: [{ to: target, data: "0x", value: "5" }],
      refundTo,
    });
    const [first, second] = paymentsOf(quoted);
    const balances = () => Promise.all([0, 1].map((index) => getBalance(reader(chain(index)), { address: refundTo })));
    const [before = 0n, otherBefore = 0n] = await balances();
    await onNode(chain(2), "evm_setAutomine", false);
    await send([second!]);
    const wallet = userWallet(network, chain(0));
    const call = { to: first!.to, data: first!.data, value: BigInt(first!.value) };
    const signed = await signTransaction(wallet, await prepareTransactionRequest(wallet, call));
    await sendRawTransaction(wallet, { serializedTransaction: signed });
    await until(async () => (await statusOf(quoted)).status === "submitted");
    await chain(0).reorg({ blocks: 1 });
    await until(async () => (await recordOf(network, requestIdOf(quoted))).data.inTxs.length === 1);
    // The fill succeeds in the simulation before signing, but fails in its block.
    await onNode(chain(2), "hardhat_setCode", target, "0x5f5ffd");
    await onNode(chain(2), "evm_setAutomine", true);
    await onNode(chain(2), "evm_mine");
    expect(await watchToEnd(network, requestIdOf(quoted))).to.include({ status: "refund" });
    expect(await balances()).to.deep.equal([before, otherBefore + parseEther("0.5")]);

    await sendRawTransaction(wallet, { serializedTransaction: signed });
    const refunded = [before + parseEther("0.5"), otherBefore + parseEther("0.5")];
    await until(async () => (await balances()).every((balance, index) => balance === refunded[index]));
    expect(await watchToEnd(network, requestIdOf(quoted))).to.include({ status: "refund" });
    expect(await balances()).to.deep.equal(refunded);
  });

  it("rejects invalid origins, naming the field", async () => {
    const good = dollars(0, "20000000");
    const other = dollars(1, "20000000");
    for (const [origins, change, errorCode, field] of [
      [[], {}, "INVALID_REQUEST", "origins"],
      [[good, other, good], {}, "INVALID_REQUEST", "origins[2]"],
      [[good, { ...other, chainId: 5 }], {}, "UNSUPPORTED_CHAIN", "origins[1].chainId"],
      [[good, { ...other, chainId: 792_703_809, currency: "1".repeat(32) }], {}, "INVALID_ADDRESS", "user"],
      [[good, { ...other, currency: chain(0).contracts.router }], {}, "INVALID_INPUT_CURRENCY", "origins[1].currency"],
      [[good, { ...other, amount: "0" }], {}, "INVALID_REQUEST", "origins[1].amount"],
      [[good, { ...other, amount: "1.5" }], {}, "INVALID_REQUEST", "origins[1].amount"],
      [[good, { ...other, user: "0x12" }], {}, "INVALID_ADDRESS", "origins[1].user"],
      [[good, other], { refundTo: "not an address" }, "INVALID_ADDRESS", "refundTo"],
      [[good, other], { tradeType: "EXACT_OUTPUT" }, "INVALID_REQUEST", "amount"],
      [[good, other], { useDepositAddress: true }, "UNSUPPORTED_EXECUTION_TYPE", "useDepositAddress"],
      [[good, other], { usePermit: true }, "UNSUPPORTED_EXECUTION_TYPE", "usePermit"],
      [[dollars(2, "20000000"), ether(2, "1000")], {}, "UNSUPPORTED_ROUTE", "origins"],
    ] as const) {
      const { status, body } = await ask(origins as readonly Origin[], change);
      expect([status, body.errorCode, body.field], JSON.stringify(body)).to.deep.equal([400, errorCode, field]);
    }
    const solana = { chainId: 792_703_809, currency: "11111111111111111111111111111111", amount: "1000000" };
    const user = "11111111111111111111111111111112" as Address;
    const { body } = await ask([good, { ...solana, user }], { refundTo: undefined });
    expect([body.errorCode, body.field]).to.deep.equal(["UNSUPPORTED_ROUTE", "origins[1].chainId"]);
  });

  it("is rejected by the SDK, which pays quotes with one origin", async () => {
    const quoted = await quote([dollars(0, "20000000"), dollars(1, "30000000")]);
    const before = await getBalance(reader(chain(0)), { address: network.accounts.user.address });
    const error = await failureOf(
      executeSteps(client(), {
        quote: quoted,
        request: {
          user: network.accounts.user.address,
          recipient,
          originChainId: chain(0).id,
          originCurrency: chain(0).contracts.dollar,
          destinationChainId: chain(2).id,
          destinationCurrency: chain(2).contracts.dollar,
          tradeType: "EXACT_INPUT",
          amount: "50000000",
        },
        wallet: userWallet(network, chain(0)),
      }),
    );
    expect(error).to.be.instanceOf(QuoteRefusedError);
    const claims = (error as QuoteRefusedError).unmet.map(({ code, path, seen }) => [code, path, seen]);
    expect(claims).to.deep.include(["ORDER_INPUT", "protocol.v2.orderData.inputs", "2"]);
    const wallets = Object.fromEntries([0, 1].map((index) => [chain(index).id, userWallet(network, chain(index))]));
    expect(await failureOf(executeSteps(client(), { quote: quoted, wallets, trust: "service" }))).to.include({
      code: "UNSUPPORTED_STEP",
      kind: "multiInput",
    });
    expect(await getBalance(reader(chain(0)), { address: network.accounts.user.address })).to.equal(before);
  });
});
