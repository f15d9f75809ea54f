import { expect } from "chai";
import { encodeFunctionData, erc20Abi, type Hex, parseEther, zeroAddress } from "viem";
import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import type { Quote } from "../../packages/protocol/src/complete.ts";
import { getQuote, getStatus } from "../support/complete.ts";
import {
  announceDeposit,
  createServiceClient,
  executeSteps,
  RequestNotFilledError,
  watchRequest,
} from "../../packages/sdk/src/index.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import { failureOf } from "./support/failureOf.ts";
import { mintDollars, reader, userWallet } from "./support/parties.ts";
import { recordOf } from "./support/serviceCalls.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { etherRequest } from "./support/requests.ts";
import { depositoryAbi } from "../../packages/protocol/src/abi/service.generated.ts";

describe("a deposit that cannot be filled", () => {
  const network = useNetwork();
  const [origin, destination] = chainsOf(network);
  const client = () => createServiceClient({ baseUrl: network.url });

  const quote = (change: Partial<QuoteRequest> = {}): Promise<Quote> =>
    getQuote(client(), etherRequest(network, { refundTo: network.accounts.stranger.address, ...change }));

  it("is returned to refundTo on the origin chain if a call would revert", async () => {
    const moveMoreThanArrives = encodeFunctionData({
      abi: erc20Abi,
      functionName: "transfer",
      args: [network.accounts.user.address, parseEther("1")],
    });
    const quoted = await quote({ txs: [{ to: destination.contracts.dollar, data: moveMoreThanArrives, value: "0" }] });
    const before = await reader(origin).getBalance({ address: network.accounts.stranger.address });
    const error = await failureOf(
      executeSteps(client(), { quote: quoted, wallet: userWallet(network, origin), pollIntervalMs: 25 }),
    );
    expect(error).to.be.instanceOf(RequestNotFilledError);
    expect(error).to.have.property("status", "refund");
    expect((error as RequestNotFilledError).details).to.match(/^TRANSFER_AMOUNT_EXCEEDS_BALANCE: call 0 to 0x/u);

    const after = await reader(origin).getBalance({ address: network.accounts.stranger.address });
    expect(after - before).to.equal(parseEther("1"));
    const requestId = quoted.steps[0]?.requestId ?? "";
    const record = await recordOf(network, requestId);
    expect(record).to.include({ status: "refund" });
    expect(record.data).to.include({ failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE", refundFailReason: null });
    expect(record.protocol?.settlement?.destination?.fills).to.deep.equal([]);
    const refundHash = record.protocol?.settlement?.destination?.refunds[0]?.transactionId as Hex;
    const refund = await reader(origin).getTransaction({ hash: refundHash });
    expect(refund.input).to.equal(quoted.protocol?.v2.orderId);
  });

  it("is returned if the fill reverts on the chain, and the record reports the failed transaction", async () => {
    const target = "0x00000000000000000000000000000000000f1a5c";
    const quoted = await quote({
      destinationCurrency: zeroAddress,
      tradeType: "EXACT_OUTPUT",
      amount: "5",
      txs: [{ to: target, data: "0x", value: "5" }],
    });
    const submitted = Promise.withResolvers<undefined>();
    await onNode("evm_setAutomine", [false]);
    const execution = failureOf(
      executeSteps(client(), {
        quote: quoted,
        wallet: userWallet(network, origin),
        pollIntervalMs: 25,
        onEvent: (event) => {
          if (event.kind === "status" && event.status.status === "submitted") submitted.resolve(undefined);
        },
      }),
    );
    await submitted.promise;
    // The fill succeeds in the simulation before signing, but fails in its block.
    await onNode("hardhat_setCode", [target, "0x5f5ffd"]);
    await onNode("evm_setAutomine", [true]);
    await onNode("evm_mine", []);
    const { status, details } = (await execution) as RequestNotFilledError;
    expect([status, details?.toLowerCase()]).to.deep.equal([
      "refund",
      `missing_revert_data: call 0 to ${target}: no revert data`,
    ]);

    const { data, protocol } = await recordOf(network, quoted.steps[0]?.requestId ?? "");
    expect(protocol?.settlement?.destination?.fills).to.deep.equal([]);
    const failed = await reader(destination).getTransaction({ hash: data.failedTxHash as Hex });
    expect(data.failedTxBlockNumber).to.equal(Number(failed.blockNumber));
    expect(data.failedCallData).to.deep.equal({
      from: network.solver,
      to: destination.contracts.router.toLowerCase(),
      data: failed.input,
      value: failed.value.toString(),
    });
    expect(data.outTxs.map(({ status, chainId }) => [status, chainId])).to.deep.equal([
      ["failure", destination.id],
      ["success", origin.id],
    ]);
  });

  it("stays in the waiting status after a reverted deposit is announced", async () => {
    const quoted = await quote({ originCurrency: origin.contracts.dollar, amount: "10000000" });
    const requestId = quoted.steps[0]?.requestId ?? "";
    const wallet = userWallet(network, origin);
    const orderId = quoted.protocol?.v2.orderId as Hex;
    const data = encodeFunctionData({
      abi: depositoryAbi,
      functionName: "depositErc20",
      args: [network.accounts.user.address, origin.contracts.dollar, 10n ** 30n, orderId],
    });
    // The node returns an error for a transaction that will revert, but still includes it.
    const txHash = await sendTransaction(wallet, { to: origin.contracts.depository, data, gas: 200_000n }).catch(
      async () => (await reader(origin).getBlock()).transactions[0]!,
    );
    expect((await waitForTransactionReceipt(wallet, { hash: txHash })).status).to.equal("reverted");
    await announceDeposit(client(), { chainId: origin.id, txHash, requestId });
    expect((await getStatus(client(), { requestId })).status).to.equal("waiting");
  });

  it("is returned if it is smaller than quoted", async () => {
    const quoted = await quote();
    await deposit(quoted, parseEther("0.4"));
    const { outcome, status } = await watch(quoted);
    expect([outcome, status.details]).to.deep.equal(["refund", "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL"]);
    const record = await recordOf(network, quoted.steps[0]?.requestId ?? "");
    expect(record.data.refundCurrencyData?.amount).to.equal(parseEther("0.4").toString());
  });

  it("is returned in the deposited currency if it differs from the quoted currency", async () => {
    await mintDollars(network, origin, 10_000_000n);
    const quoted = await quote({ originCurrency: origin.contracts.dollar, amount: "10000000" });
    const before = await reader(origin).getBalance({ address: network.accounts.stranger.address });
    await deposit(quoted, parseEther("0.1"));
    const { outcome, status } = await watch(quoted);
    expect([outcome, status.details]).to.deep.equal(["refund", "INCORRECT_DEPOSIT_CURRENCY"]);
    const after = await reader(origin).getBalance({ address: network.accounts.stranger.address });
    expect(after - before).to.equal(parseEther("0.1"));
  });

  it("is filled proportionally if it is larger than quoted", async () => {
    const quoted = await quote();
    await deposit(quoted, parseEther("1.5"));
    await watch(quoted);
    const record = await recordOf(network, quoted.steps[0]?.requestId ?? "");
    const expected = (BigInt(quoted.details.currencyOut.amount) * 3n) / 2n;
    expect(record.data.route?.actual.destination?.outputCurrency.amount).to.equal(expected.toString());
  });

  /** Calls an RPC method on the destination chain's local node. */
  async function onNode(method: string, params: unknown[]): Promise<void> {
    await (reader(destination).request as (call: { method: string; params: unknown[] }) => Promise<unknown>)({
      method,
      params,
    });
  }

  function watch(quoted: Quote) {
    return watchRequest(client(), { requestId: quoted.steps[0]?.requestId ?? "", pollIntervalMs: 25 });
  }

  /** Deposits native currency for a quote, regardless of the quoted currency. */
  async function deposit(quoted: Quote, value: bigint): Promise<void> {
    const wallet = userWallet(network, origin);
    const data = encodeFunctionData({
      abi: depositoryAbi,
      functionName: "depositNative",
      args: [network.accounts.user.address, quoted.protocol?.v2.orderId as Hex],
    });
    const hash = await sendTransaction(wallet, { to: origin.contracts.depository, data, value });
    await waitForTransactionReceipt(wallet, { hash });
  }
});
