import { expect } from "chai";
import fc from "fast-check";
import { type Address, encodeFunctionData, type Hex, zeroAddress, zeroHash } from "viem";
import { getBlock, getTransactionReceipt } from "viem/actions";

import type { DepositsAttestation } from "../../../packages/protocol/src/attestation/messages/deposits.ts";
import { decodeAction } from "../../../packages/sdk/src/attestation.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { inputs } from "../../support/inputs.ts";
import { executeWithdrawal } from "../support/executeWithdrawal.ts";
import { LyingRpc, PINNED, tamper, tamperTime, tamperTold } from "../support/lyingRpc.ts";
import { ask, CHAIN, type OracleNetwork, startOracleNetwork, startTestOracle } from "../support/oracleNetwork.ts";
import { depositFor, simpleOrder } from "../support/orders.ts";
import { encodeEvmWithdrawal, type EvmWithdrawal } from "../../../packages/protocol/src/attestation/index.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const DEPOSITS = "/attestations/depository-deposits/v1";
const FILLS = "/attestations/solver-fills/v1";
const WITHDRAWALS = "/attestations/depository-withdrawals/v1";
const FINALITY = { finalizationBlocks: 3, finalizationTime: 6 };
const { user, stranger, solver } = localAccounts;
const recipient = stranger.address.toLowerCase() as Address;

/** Returns a seeded generator of numbers in [0, 1), a linear congruential generator. */
function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("an oracle with dishonest endpoints", () => {
  let network: OracleNetwork;
  let depository: Address;
  before(async () => {
    network = await startOracleNetwork();
    ({ depository } = network.contracts);
  });
  after(() => network.close());

  const deposit = (value: bigint, id: Hex = zeroHash): Promise<Hex> =>
    network.send({
      to: depository,
      data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [user.address, id] }),
      value,
    });

  describe("that are too few to agree", () => {
    /** Requests, with the responses from an oracle that has a single, honest endpoint. */
    let questions: { readonly path: string; readonly body: object; readonly truth: object }[];
    let endpoints: LyingRpc[];

    before(async () => {
      await using instant = await startTestOracle(network);
      const native = await deposit(5n, `0x${"c1".repeat(32)}`);
      const filled = await depositFor(network, instant, simpleOrder(network, 1n));
      const inDollars = await depositFor(
        network,
        instant,
        simpleOrder(network, 2n, network.contracts.dollar.toLowerCase() as Address),
      );
      const fill = await network.send({ to: recipient, value: 900n, data: filled.orderId, account: solver });
      const other = await network.send({ to: recipient, value: 1n });
      const reverted = await network.sendReverting({
        to: depository,
        data: encodeFunctionData({ abi: depositoryAbi, functionName: "allocator" }),
        value: 1n,
      });
      const now = Number((await getBlock(network.client)).timestamp);
      const withdrawalOf = (nonce: bigint, expiration: number): EvmWithdrawal => ({
        calls: [{ to: recipient, data: "0x", value: 1n, allowFailure: false }],
        nonce,
        expiration: BigInt(expiration),
      });
      const [executed, expired] = [withdrawalOf(1n, 4_000_000_000), withdrawalOf(2n, now + 1)];
      const pending = withdrawalOf(3n, 4_000_000_000);
      await executeWithdrawal(network, executed);
      await network.mine(5, 20);
      const recent = await deposit(6n);
      await network.mine(3, 1);
      // One withdrawal has enough confirmations but is too recent, and one has neither enough confirmations nor the
      // required age.
      const young = withdrawalOf(4n, 4_000_000_000);
      await executeWithdrawal(network, young);
      const latest = await deposit(7n);

      await using honest = await startTestOracle(network, { additionalData: FINALITY });
      const withdrawalAddressRequest = {
        chainId: CHAIN,
        currency: zeroAddress,
        withdrawer: user.address,
        withdrawerChainId: CHAIN,
        recipient,
        withdrawalNonce: zeroHash,
      };
      const asked: [string, object][] = [
        ...[native, filled.transactionId, inDollars.transactionId, recent, latest, other, reverted, zeroHash].map(
          (transactionId): [string, object] => [DEPOSITS, { chainId: CHAIN, transactionId }],
        ),
        ...[fill, other].map((transactionId): [string, object] => [
          FILLS,
          {
            order: filled.order,
            orderSignature: filled.orderSignature,
            fill: { transactionId },
            inputs: [{ transactionId: filled.transactionId, onchainId: filled.onchainId, inputIndex: 0 }],
          },
        ]),
        ...[executed, expired, pending, young].map((withdrawal): [string, object] => [
          WITHDRAWALS,
          { chainId: CHAIN, withdrawal: encodeEvmWithdrawal(withdrawal), withdrawalAddressRequest },
        ]),
      ];
      questions = [];
      for (const [path, body] of asked) {
        const { status, body: answer } = await ask<object>(honest, path, body);
        questions.push({ path, body, truth: { status, answer } });
      }
      const statuses = questions.map(({ truth }) => (truth as { status: number }).status);
      // Includes signed and rejected requests, so that a lie can cause a false signature or a false rejection.
      expect(statuses).to.deep.equal([200, 200, 200, 400, 400, 200, 400, 400, 200, 400, 200, 200, 200, 200]);
      endpoints = await Promise.all(Array.from({ length: 5 }, () => LyingRpc.start(network.rpcUrl)));
    });
    after(() => Promise.all(endpoints.map((endpoint) => endpoint.close())));

    for (const { honest, liars } of [
      { honest: 2, liars: 1 },
      { honest: 3, liars: 2 },
    ]) {
      it(`signs only what ${honest} honest endpoints report, despite ${liars} dishonest endpoints`, async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.integer(),
            fc.constantFrom(tamper, tamperTold, tamperTime),
            fc.nat(honest),
            async (seed, lie, place) => {
              const chance = chanceOf(seed);
              const asked = endpoints.slice(0, honest + liars);
              for (const [index, endpoint] of asked.entries()) {
                const isLiar = index >= place && index < place + liars;
                // Each dishonest endpoint has its own random numbers, because endpoints that report the same result agree.
                const own = chanceOf(seed + index + 1);
                endpoint.lie = isLiar ? (_method, result) => (chance() < 0.8 ? lie(result, own) : result) : undefined;
              }
              const [first, ...others] = asked.map(({ url }) => url);
              await using oracle = await startTestOracle(network, {
                rpcUrl: first!,
                additionalData: { ...FINALITY, rpcUrls: others, rpcAgreement: honest },
              });
              for (const { path, body, truth } of questions) {
                const { status, body: answer } = await ask<object>(oracle, path, body);
                expect({ status, answer }, path).to.deep.equal(truth);
              }
            },
          ),
          { ...PINNED, numRuns: inputs(3) },
        );
      });
    }

    it("fails instead of signing if honest endpoints are too few to agree", async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer(), async (seed) => {
          const chance = chanceOf(seed);
          for (const [index, endpoint] of endpoints.entries()) {
            endpoint.lie = index === 0 ? undefined : (_method, result) => tamperTold(result, chance);
          }
          const [first, ...others] = endpoints.slice(0, 3).map(({ url }) => url);
          await using oracle = await startTestOracle(network, {
            rpcUrl: first!,
            additionalData: { ...FINALITY, rpcUrls: others, rpcAgreement: 3 },
          });
          for (const { path, body, truth } of questions) {
            const { status, body: answer } = await ask<object>(oracle, path, body);
            if (status === 200) expect({ status, answer }, path).to.deep.equal(truth);
          }
        }),
        { ...PINNED, numRuns: inputs(2) },
      );
    });
  });

  it("reads the chain again after a minute if only one endpoint reported the data", async () => {
    const endpoint = await LyingRpc.start(network.rpcUrl);
    let now = 0;
    await using oracle = await startTestOracle(network, { rpcUrl: endpoint.url, clock: { now: () => now } });
    const transactionId = await deposit(5n);
    const amountAt = async (time: number): Promise<string | undefined> => {
      now = time;
      const { body } = await ask<DepositsAttestation>(oracle, DEPOSITS, { chainId: CHAIN, transactionId });
      return body.messages[0]?.result.amount;
    };
    const [truth, lie] = [5n, 500n].map((amount) => amount.toString(16).padStart(64, "0"));
    endpoint.lie = (_method, result) => JSON.parse(JSON.stringify(result).replaceAll(truth!, lie!));
    expect(await amountAt(0)).to.equal("500");
    endpoint.lie = undefined;
    expect(await amountAt(59_999)).to.equal("500");
    expect(await amountAt(60_000)).to.equal("5");
    await endpoint.close();
  });

  it("signs only deposits in final blocks, after any reorg of other blocks", async () => {
    // Data that two endpoints report is cached forever, so the oracle reads from two endpoints.
    const second = await LyingRpc.start(network.rpcUrl);
    type Step = "deposit" | "mine" | "mark" | "reorganize";
    const step = fc.constantFrom<Step>("deposit", "deposit", "mine", "mine", "mark", "reorganize");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
        // The clock advances with each call, so the oracle never uses its cached latest block.
        let now = 0;
        await using oracle = await startTestOracle(network, {
          additionalData: { ...FINALITY, rpcUrls: [second.url], rpcAgreement: 2 },
          clock: { now: () => (now += 10_000) },
        });
        const sent = new Set<Hex>();
        const final = new Set<Hex>();
        let mark: { snapshot: unknown; block: bigint } | undefined;
        const height = async (): Promise<bigint> => (await getBlock(network.client)).number;
        for (const next of steps) {
          const block = await height();
          // A final block is never removed.
          if (mark !== undefined && block - mark.block >= 3n) mark = undefined;
          if (next === "deposit") sent.add(await deposit(BigInt(sent.size + 1)));
          if (next === "mine") await network.mine(1, 3);
          if (next === "mark") mark = { snapshot: await network.control("evm_snapshot", []), block };
          if (next === "reorganize" && mark !== undefined) {
            await network.control("evm_revert", [mark.snapshot]);
            mark = undefined;
          }
          for (const transactionId of sent) await expectHonest(oracle, transactionId, final);
        }
      }),
      { ...PINNED, numRuns: inputs(2) },
    );
    await second.close();
  });

  /**
   * Expects a signature if and only if the block has enough confirmations. A final block stays final when later
   * blocks are removed.
   */
  async function expectHonest(oracle: Oracle, transactionId: Hex, final: Set<Hex>): Promise<void> {
    const { status, body } = await ask<DepositsAttestation>(oracle, DEPOSITS, { chainId: CHAIN, transactionId });
    const [latest, receipt] = await Promise.all([
      getBlock(network.client),
      getTransactionReceipt(network.client, { hash: transactionId }).catch(() => undefined),
    ]);
    const block = receipt && (await getBlock(network.client, { blockNumber: receipt.blockNumber }));
    const isDeep =
      block !== undefined &&
      latest.number - block.number >= FINALITY.finalizationBlocks &&
      latest.timestamp - block.timestamp >= FINALITY.finalizationTime;
    if (isDeep) final.add(transactionId);
    const isFinal = final.has(transactionId);
    expect(status).to.equal(isFinal ? 200 : 400);
    if (!isFinal || receipt === undefined) return;
    const amounts = body.execution!.actions.map((action) => decodeAction(action as Hex).amount);
    expect(amounts).to.deep.equal(receipt.logs.map(({ data }) => BigInt(`0x${data.slice(66, 130)}`)));
  }
});
