import { expect } from "chai";
import { type Address, erc20Abi, type Hex, zeroAddress } from "viem";
import { readContract, sendTransaction } from "viem/actions";

import { getQuote } from "../support/complete.ts";
import { createServiceClient, executeSteps } from "../../packages/sdk/src/index.ts";
import { type LocalnetChain, localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { callAdmin } from "./support/adminCalls.ts";
import { failureOf } from "./support/failureOf.ts";
import { reader, userWallet } from "./support/parties.ts";
import { startAnvil, stopPrograms } from "./support/processes.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { etherRequest } from "./support/requests.ts";

const EMPTY_ACCOUNT: Address = "0x3333333333333333333333333333333333333333";

const balanceOf = (chain: LocalnetChain, currency: Address, account: Address): Promise<bigint> =>
  currency === zeroAddress
    ? reader(chain).getBalance({ address: account })
    : readContract(reader(chain), { address: currency, abi: erc20Abi, functionName: "balanceOf", args: [account] });

const hashAt = async (chain: LocalnetChain, blockNumber: number): Promise<Hex> =>
  (await reader(chain).getBlock({ blockNumber: BigInt(blockNumber) })).hash;

describe("the controls of a network's chains", () => {
  const network = useNetwork(async () => {
    const anvil = await startAnvil(31_338);
    return { chains: [{ id: 31_337 }, { id: 31_338, rpcUrl: anvil.ready }] };
  });
  after(stopPrograms);

  for (const [index, kind] of [
    [0, "in this process"],
    [1, "on anvil"],
  ] as const) {
    describe(kind, () => {
      const chain = (): LocalnetChain => network.chains[index];
      const path = (what: string): string => `/admin/chains/${chain().id}${what}`;
      const send = async (value: bigint): Promise<Hex> => {
        const hash = await sendTransaction(userWallet(network, chain()), { to: EMPTY_ACCOUNT, value });
        return hash;
      };
      /** Anvil returns the hash of a transaction before it mines the block that includes the transaction. */
      const include = async (value: bigint): Promise<Hex> => {
        const hash = await send(value);
        await reader(chain()).waitForTransactionReceipt({ hash });
        return hash;
      };
      const isIncluded = async (hash: Hex): Promise<boolean> => {
        const found = await reader(chain())
          .getTransactionReceipt({ hash })
          .catch(() => undefined);
        return found !== undefined;
      };

      it("mine blocks", async () => {
        const { blockNumber } = await chain().state();
        expect(await chain().mine()).to.include({ blockNumber: blockNumber + 1 });
        const { status, body } = await callAdmin(network, "POST", path("/mine"), { blocks: 3 });
        expect(status).to.equal(200);
        expect(body).to.deep.equal({
          chainId: chain().id,
          blockNumber: blockNumber + 4,
          blockHash: await hashAt(chain(), blockNumber + 4),
          miningIntervalMs: null,
          latencyMs: 0,
        });
        expect((await callAdmin(network, "GET", path(""))).body).to.deep.equal(body);
      });

      it("replace the last blocks and drop their transactions", async () => {
        const kept = await include(1n);
        const { blockNumber } = await chain().state();
        const before = await balanceOf(chain(), zeroAddress, EMPTY_ACCOUNT);
        const dropped = [await include(20n), await include(300n)];
        await chain().mine();
        const heights = [blockNumber, blockNumber + 1, blockNumber + 2, blockNumber + 3];
        const old = await Promise.all(heights.map((height) => hashAt(chain(), height)));

        expect(await chain().reorg({ blocks: 3 })).to.include({ blockNumber: blockNumber + 3 });
        const now = await Promise.all(heights.map((height) => hashAt(chain(), height)));
        expect(now.map((hash, height) => hash === old[height])).to.deep.equal([true, false, false, false]);
        expect(await balanceOf(chain(), zeroAddress, EMPTY_ACCOUNT)).to.equal(before);
        expect(await Promise.all([kept, ...dropped].map(isIncluded))).to.deep.equal([true, false, false]);
        // The chain mines new blocks, and the sender of the dropped transactions can send again.
        await include(4_000n);
        expect((await balanceOf(chain(), zeroAddress, EMPTY_ACCOUNT)) - before).to.equal(4_000n);
      });

      it("replace blocks that were already replaced", async () => {
        const { blockNumber } = await chain().mine({ blocks: 2 });
        const first = await chain().reorg({ blocks: 2 });
        const { status, body } = await callAdmin(network, "POST", path("/reorg"), { blocks: 1 });
        expect(status).to.equal(200);
        expect(body).to.include({ blockNumber });
        expect((body as { blockHash: string }).blockHash).to.not.equal(first.blockHash);
        expect(await hashAt(chain(), blockNumber - 1)).to.equal(
          (await reader(chain()).getBlock({ blockNumber: BigInt(blockNumber) })).parentHash,
        );
      });

      it("mine at an interval, then mine each transaction immediately again", async () => {
        expect(await chain().setMining({ intervalMs: 40 })).to.include({ miningIntervalMs: 40 });
        const { blockNumber } = await chain().state();
        await include(1n);
        // The chain also mines blocks without transactions.
        while ((await chain().state()).blockNumber < blockNumber + 3);
        const { body } = await callAdmin(network, "POST", path("/mining"), { automatic: true });
        expect(body).to.include({ miningIntervalMs: null });
        const rested = await chain().state();
        await new Promise((resolve) => setTimeout(resolve, 100));
        expect(await chain().state()).to.deep.equal(rested);
        await include(1n);
        expect(await chain().state()).to.include({ blockNumber: rested.blockNumber + 1 });
      });

      it("drop blocks mined at an interval, and pending transactions", async () => {
        await chain().setMining({ intervalMs: 600_000 });
        const before = await balanceOf(chain(), zeroAddress, EMPTY_ACCOUNT);
        const included = await send(10n);
        const { blockNumber } = await chain().mine();
        const waiting = await send(200n);
        await chain().reorg({ blocks: 1 });
        expect(await chain().setMining({})).to.include({ blockNumber: blockNumber + 1 });
        expect(await Promise.all([included, waiting].map(isIncluded))).to.deep.equal([false, false]);
        expect(await balanceOf(chain(), zeroAddress, EMPTY_ACCOUNT)).to.equal(before);
      });

      it("delay every RPC request", async () => {
        expect(await chain().setLatency({ latencyMs: 150 })).to.include({ latencyMs: 150 });
        const started = performance.now();
        await reader(chain()).getBlockNumber();
        expect(performance.now() - started).to.be.greaterThan(149);
        const { body } = await callAdmin(network, "POST", path("/latency"), { latencyMs: 0 });
        expect(body).to.include({ latencyMs: 0 });
      });

      it("fund an empty account with native currency and every token", async () => {
        const { dollar, tether, wrappedNative, token, feeToken } = chain().contracts;
        const given = "123456789012345678";
        for (const currency of [zeroAddress, dollar, tether, wrappedNative, token, feeToken]) {
          const before = await balanceOf(chain(), currency, EMPTY_ACCOUNT);
          const asked = { address: EMPTY_ACCOUNT, currency, amount: given };
          const { status, body } = await callAdmin(network, "POST", path("/faucet"), asked);
          const decimals = currency === dollar || currency === tether ? 6 : 18;
          expect([status, body]).to.deep.equal([
            200,
            {
              ...asked,
              currency: currency.toLowerCase(),
              chainId: chain().id,
              symbol: (body as { symbol: string }).symbol,
              decimals,
            },
          ]);
          expect((await balanceOf(chain(), currency, EMPTY_ACCOUNT)) - before).to.equal(BigInt(given));
        }
        const before = await balanceOf(chain(), tether, EMPTY_ACCOUNT);
        // Each of several concurrent calls funds the account.
        await Promise.all([1n, 2n, 3n].map((amount) => chain().fund(EMPTY_ACCOUNT, "usdt", amount)));
        expect((await balanceOf(chain(), tether, EMPTY_ACCOUNT)) - before).to.equal(6n);
      });

      it("reject unsupported operations", async () => {
        const refusals: readonly [path: string, body: unknown, field: string | undefined][] = [
          ["/mine", { blocks: 0 }, "blocks"],
          ["/mine", { blocks: 1_001 }, "blocks"],
          ["/mine", { blocks: 1.5 }, "blocks"],
          ["/mine", { blocks: "1" }, "blocks"],
          ["/mine", {}, "blocks"],
          ["/reorg", { blocks: 0 }, "blocks"],
          ["/reorg", { blocks: 257 }, "blocks"],
          ["/mining", {}, "body"],
          ["/mining", { intervalMs: 40, automatic: true }, "body"],
          ["/mining", { intervalMs: 9 }, "intervalMs"],
          ["/mining", { intervalMs: 600_001 }, "intervalMs"],
          ["/latency", { latencyMs: -1 }, "latencyMs"],
          ["/latency", { latencyMs: 60_001 }, "latencyMs"],
          ["/faucet", { address: EMPTY_ACCOUNT, amount: "0" }, "amount"],
          ["/faucet", { address: EMPTY_ACCOUNT, amount: "-1" }, "amount"],
          ["/faucet", { address: EMPTY_ACCOUNT, amount: `1${"0".repeat(30)}1` }, "amount"],
          ["/faucet", { address: EMPTY_ACCOUNT, amount: 1 }, "amount"],
          ["/faucet", { address: "0x12", amount: "1" }, "address"],
          ["/faucet", { address: EMPTY_ACCOUNT, currency: "NONE", amount: "1" }, "currency"],
        ];
        for (const [what, body, field] of refusals) {
          const answer = await callAdmin(network, "POST", path(what), body);
          expect([what, answer.status, body]).to.deep.equal([what, 400, body]);
          const { errorCode, field: named } = answer.body as { errorCode: string; field: string };
          expect([errorCode === "INVALID_REQUEST", named], JSON.stringify(body)).to.deep.equal([true, field]);
        }
      });
    });
  }

  it("never remove the blocks with the network's own contracts", async () => {
    await using other = await localnet({ keepsRetired: true, chains: [{ id: 31_440 }, { id: 31_441 }] });
    const [chain] = other.chains;
    expect(await failureOf(chain.reorg({ blocks: 1 }))).to.include({ code: "INVALID_INPUT", field: "blocks" });
    await chain.mine();
    await chain.reorg({ blocks: 1 });
    expect(await failureOf(chain.reorg({ blocks: 2 }))).to.include({ code: "INVALID_INPUT", field: "blocks" });
  });

  it("exist only for the network's chains, and require the admin key", async () => {
    expect((await callAdmin(network, "GET", "/admin/chains/5")).status).to.equal(404);
    const answer = await fetch(`${network.url}/admin/chains/31337/mine`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ blocks: 1 }),
    });
    expect(answer.status).to.equal(401);
  });

  it("allow fills while chains mine at an interval and respond slowly", async () => {
    await using slow = await localnet({
      keepsRetired: true,
      chains: [
        { id: 31_442, miningIntervalMs: 50, latencyMs: 5 },
        { id: 31_443, miningIntervalMs: 50, latencyMs: 5 },
      ],
    });
    const [origin, destination] = slow.chains;
    expect(await origin.state()).to.include({ miningIntervalMs: 50, latencyMs: 5 });
    const client = createServiceClient({ baseUrl: slow.url });
    await destination.fund(EMPTY_ACCOUNT, "USDC", 1n);
    const quote = await getQuote(
      client,
      etherRequest(slow, { recipient: EMPTY_ACCOUNT, destinationCurrency: destination.contracts.token }),
    );
    const { status } = await executeSteps(client, {
      quote,
      wallet: userWallet(slow, origin),
      trust: slow.trust,
      pollIntervalMs: 25,
    });
    expect(status.status).to.equal("success");
    expect(await balanceOf(destination, destination.contracts.token, EMPTY_ACCOUNT)).to.equal(
      BigInt(quote.details.currencyOut.amount),
    );
  });
});
