import { expect } from "chai";
import {
  type Address,
  concat,
  encodeEventTopics,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  numberToHex,
  parseEther,
  size,
  zeroAddress,
} from "viem";
import { prepareTransactionRequest, signTransaction } from "viem/actions";

import type { Quote } from "../../../packages/protocol/src/complete.ts";
import { getStatus } from "../../support/complete.ts";
import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { reader, userWallet } from "../support/parties.ts";
import { startAnvil, stopPrograms } from "../support/processes.ts";
import { onNode, orderIdOf, quoteEther, requestIdOf, watchToEnd } from "../support/requests.ts";
import { recordOf } from "../support/serviceCalls.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { until } from "../../support/until.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

/** Address of a test contract that makes deposits. */
const PAYER: Address = "0x0000000000000000000000000000000000009a7e";

for (const node of ["EDR", "anvil"] as const) {
  describe(`a reorg of a chain on ${node}`, () => {
    const network = useNetwork(async () => ({
      chains: await Promise.all(
        [31_337, 31_338].map(async (id) => (node === "EDR" ? { id } : { id, rpcUrl: (await startAnvil(id)).ready })),
      ),
      depositTimeoutMs: 1_000_000,
    }));
    let origin: LocalnetChain;
    let destination: LocalnetChain;
    const setCode = `${node === "EDR" ? "hardhat" : "anvil"}_setCode`;

    before(() => {
      [origin, destination] = network.chains;
    });
    after(stopPrograms);
    afterEach(async () => {
      network.clock.reset();
      await network.scenarios.clear();
    });

    it("before the fill returns the request to depositing, and finds its deposit in the new block", async () => {
      await network.scenarios.set("stuck", { next: 1 });
      const quote = await quoteEther(network);
      const snapshot = await onNode(origin, "evm_snapshot");
      const raw = await signDeposit(quote);
      await onNode(origin, "eth_sendRawTransaction", raw);
      await untilStatus(quote, "pending");
      await replaceBlocks(origin, snapshot);
      await untilStatus(quote, "depositing");
      expect((await recordOf(network, requestIdOf(quote))).data.inTxs).to.deep.equal([]);

      await network.scenarios.clear();
      await onNode(origin, "eth_sendRawTransaction", raw);
      expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
      const [entry] = (await recordOf(network, requestIdOf(quote))).data.inTxs;
      const { blockNumber } = await reader(origin).getTransactionReceipt({ hash: entry?.txHash as Hex });
      expect(entry?.block).to.equal(Number(blockNumber));
      expect(await stepsOf(quote)).to.deep.equal([
        ["pending", null],
        ["depositing", "DEPOSIT_REORGED"],
        ["pending", null],
        ["submitted", null],
        ["success", null],
      ]);
    });

    it("before the fill ends the request if the deposit does not reappear", async () => {
      await network.scenarios.set("stuck", { next: 1 });
      const quote = await quoteEther(network);
      const snapshot = await onNode(origin, "evm_snapshot");
      await onNode(origin, "eth_sendRawTransaction", await signDeposit(quote));
      await untilStatus(quote, "pending");
      await replaceBlocks(origin, snapshot);
      await untilStatus(quote, "depositing");
      network.clock.setOffset(1_000_001);
      expect(await watchToEnd(network, requestIdOf(quote))).to.include({
        status: "failure",
        details: "DEPOSIT_REORGED",
      });
    });

    it("after the fill marks the request until the deposit reappears", async () => {
      const quote = await quoteEther(network);
      const snapshot = await onNode(origin, "evm_snapshot");
      const raw = await signDeposit(quote);
      await onNode(origin, "eth_sendRawTransaction", raw);
      expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
      await replaceBlocks(origin, snapshot);
      await untilReason(quote, "DEPOSIT_REORGED");
      const { status, data } = await recordOf(network, requestIdOf(quote));
      expect([status, data.inTxs, data.outTxs.length]).to.deep.equal(["success", [], 1]);
      await onNode(origin, "eth_sendRawTransaction", raw);
      await untilReason(quote, null);
      expect((await recordOf(network, requestIdOf(quote))).data.inTxs).to.have.lengthOf(1);
    });

    it("of the fill makes the solver send the same transaction again", async () => {
      const quote = await quoteEther(network);
      const snapshot = await onNode(destination, "evm_snapshot");
      await onNode(origin, "eth_sendRawTransaction", await signDeposit(quote));
      expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
      const [before] = (await recordOf(network, requestIdOf(quote))).data.outTxs;
      await onNode(destination, "evm_revert", snapshot);
      await onNode(destination, "evm_mine");
      await onNode(destination, "evm_mine");
      await until(async () => (await stepsOf(quote)).length >= 5);
      expect(await stepsOf(quote)).to.deep.equal([
        ["pending", null],
        ["submitted", null],
        ["success", null],
        ["submitted", "FILL_REORGED"],
        ["success", null],
      ]);
      const [again] = (await recordOf(network, requestIdOf(quote))).data.outTxs;
      expect(again?.txHash).to.equal(before?.txHash);
      expect(again?.block).to.be.greaterThan(before?.block ?? 0);
    });

    it("of the refund makes the solver send the same transaction again, and pays the refund once", async () => {
      await network.scenarios.set("stuck", { next: 1 });
      const quote = await quoteEther(network);
      const value = parseEther("0.4");
      await onNode(origin, "eth_sendRawTransaction", await signDeposit(quote, value));
      await untilStatus(quote, "pending");
      const snapshot = await onNode(origin, "evm_snapshot");
      const balance = () => reader(origin).getBalance({ address: network.accounts.stranger.address });
      const before = await balance();
      await network.scenarios.clear();
      expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("refund");
      const refundOf = async () => (await recordOf(network, requestIdOf(quote))).data.outTxs;
      const [first] = await refundOf();
      await onNode(origin, "evm_revert", snapshot);
      expect(await balance()).to.equal(before);
      await onNode(origin, "evm_mine");
      await onNode(origin, "evm_mine");
      await until(async () => (await stepsOf(quote)).length >= 6);
      expect(await stepsOf(quote)).to.deep.equal([
        ["pending", null],
        ["pending", "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL"],
        ["pending", null],
        ["refund", null],
        ["pending", "REFUND_REORGED"],
        ["refund", null],
      ]);
      const [again, ...others] = await refundOf();
      expect([again?.txHash, others.length]).to.deep.equal([first?.txHash, 0]);
      expect(again?.block).to.be.greaterThan(first?.block ?? 0);
      expect((await balance()) - before).to.equal(value);
    });

    it("of the deposit while its fill fails causes a refund when the deposit reappears", async () => {
      const target = "0x00000000000000000000000000000000000f1a5c";
      const quote = await quoteEther(network, {
        destinationCurrency: zeroAddress,
        tradeType: "EXACT_OUTPUT",
        amount: "5",
        txs: [{ to: target, data: "0x", value: "5" }],
      });
      const value = BigInt(quote.details.currencyIn.amount);
      const snapshot = await onNode(origin, "evm_snapshot");
      const raw = await signDeposit(quote, value);
      await onNode(destination, "evm_setAutomine", false);
      await onNode(origin, "eth_sendRawTransaction", raw);
      await untilStatus(quote, "submitted");
      await replaceBlocks(origin, snapshot);
      await until(async () => (await recordOf(network, requestIdOf(quote))).data.inTxs.length <= 0);
      // The fill succeeds in the simulation before signing, but fails in its block.
      await onNode(destination, setCode, target, "0x5f5ffd");
      await onNode(destination, "evm_setAutomine", true);
      await onNode(destination, "evm_mine");
      expect(await watchToEnd(network, requestIdOf(quote))).to.include({ status: "failure" });
      expect((await recordOf(network, requestIdOf(quote))).data.failReason).to.equal("DEPOSIT_REORGED");

      const before = await reader(origin).getBalance({ address: network.accounts.stranger.address });
      await onNode(origin, "eth_sendRawTransaction", raw);
      await untilStatus(quote, "refund");
      expect(await reader(origin).getBalance({ address: network.accounts.stranger.address })).to.equal(before + value);
      expect((await recordOf(network, requestIdOf(quote))).data.inTxs).to.have.lengthOf(1);
    });

    it("to a block in which a contract deposits for another order leaves the first order unpaid", async () => {
      await network.scenarios.set("stuck", { next: 1 });
      const [first, second] = [await quoteEther(network), await quoteEther(network)];
      const snapshot = await onNode(origin, "evm_snapshot");
      await onNode(origin, setCode, PAYER, payerOf(network.accounts.user.address, first));
      const raw = await sign({ to: PAYER, value: parseEther("1") });
      await onNode(origin, "eth_sendRawTransaction", raw);
      await untilStatus(first, "pending");
      await onNode(origin, "evm_setAutomine", false);
      await onNode(origin, "evm_revert", snapshot);
      await onNode(origin, setCode, PAYER, payerOf(network.accounts.user.address, second));
      await onNode(origin, "eth_sendRawTransaction", raw);
      await onNode(origin, "evm_setAutomine", true);
      await onNode(origin, "evm_mine");
      expect((await watchToEnd(network, requestIdOf(second))).status).to.equal("success");
      await untilStatus(first, "depositing");
      expect((await recordOf(network, requestIdOf(first))).data.inTxs).to.deep.equal([]);
    });

    it("reports deposits that a contract makes for another account in the new block", async () => {
      const quote = await quoteEther(network);
      const { user, stranger } = network.accounts;
      const snapshot = await onNode(origin, "evm_snapshot");
      await onNode(origin, setCode, PAYER, payerOf(user.address, quote));
      const raw = await sign({ to: PAYER, value: parseEther("1") });
      await onNode(origin, "eth_sendRawTransaction", raw);
      expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
      await onNode(origin, "evm_revert", snapshot);
      await onNode(origin, setCode, PAYER, payerOf(stranger.address, quote, tellsOfTransfer(stranger.address, 7n)));
      await onNode(origin, "eth_sendRawTransaction", raw);
      const depositorOf = async () =>
        (await recordOf(network, requestIdOf(quote))).protocol?.deposit?.origin?.depositor.toLowerCase();
      await until(async () => (await depositorOf()) === stranger.address.toLowerCase());
      const { inTxs } = (await recordOf(network, requestIdOf(quote))).data;
      expect(inTxs[0]?.stateChanges).to.deep.include({
        address: stranger.address.toLowerCase(),
        currency: PAYER.toLowerCase(),
        amount: "7",
      });
    });

    /** Returns code that emits a token transfer of an amount to an account. */
    function tellsOfTransfer(to: Address, amount: bigint): Hex {
      const [event] = encodeEventTopics({ abi: erc20Abi, eventName: "Transfer" });
      const topics = concat(["0x73", to, "0x5f7f", event]);
      return concat(["0x60", numberToHex(amount, { size: 1 }), "0x5f52", topics, "0x60205fa3"]);
    }

    /** Returns the code of a contract that deposits the received value for a quote's order. */
    function payerOf(depositor: Address, quote: Quote, first: Hex = "0x"): Hex {
      const args = [depositor, orderIdOf(quote)] as const;
      const data = encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args });
      // Copies the call data stored after the code to memory, and makes the call with the entire value.
      const code = (length: number) =>
        concat([
          "0x604460",
          numberToHex(length, { size: 1 }),
          "0x5f395f5f60445f3473",
          origin.contracts.depository,
          "0x5af100",
        ]);
      return concat([first, code(size(first) + size(code(0))), data]);
    }

    async function sign(transaction: { to: Address; value: bigint }): Promise<Hex> {
      const wallet = userWallet(network, origin);
      return signTransaction(wallet, await prepareTransactionRequest(wallet, { ...transaction, gas: 300_000n }));
    }

    async function signDeposit(quote: Quote, value = parseEther("1")): Promise<Hex> {
      const wallet = userWallet(network, origin);
      const args = [network.accounts.user.address, orderIdOf(quote)] as const;
      const request = await prepareTransactionRequest(wallet, {
        to: origin.contracts.depository,
        data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args }),
        value,
      });
      return signTransaction(wallet, request);
    }

    /** Continues the chain from the snapshot with a different block. */
    async function replaceBlocks(chain: LocalnetChain, snapshot: unknown): Promise<void> {
      await onNode(chain, "evm_revert", snapshot);
      await onNode(chain, "evm_mine");
    }

    async function stepsOf(quote: Quote): Promise<unknown[]> {
      return (await network.transitionsOf(requestIdOf(quote))).map(({ to, reason }) => [to, reason]);
    }

    async function untilStatus(quote: Quote, status: string): Promise<void> {
      const client = createServiceClient({ baseUrl: network.url });
      await until(async () => (await getStatus(client, { requestId: requestIdOf(quote) })).status === status);
    }

    async function untilReason(quote: Quote, failReason: string | null): Promise<void> {
      await until(async () => (await recordOf(network, requestIdOf(quote))).data.failReason === failReason);
    }
  });
}
