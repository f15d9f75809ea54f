import { expect } from "chai";
import { type Address, type Hex, numberToHex } from "viem";
import { estimateFeesPerGas, getBlockNumber, getTransactionCount, sendTransaction } from "viem/actions";

import { chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { type MisbehavingNode, misbehavingNode } from "../../../packages/crosscall/src/testing/index.ts";
import type {
  MisbehavingNodeKind,
  MisbehavingNodeOptions,
} from "../../../packages/crosscall/src/testing/misbehaving/nodeBehavior.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { failureOf } from "../support/failureOf.ts";
import { reader, userWallet } from "../support/parties.ts";

const RECIPIENT: Address = "0x00000000000000000000000000000000000c0de5";

interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

describe("a misbehaving node", () => {
  const network = useNetwork();
  let chain: LocalnetChain;
  let node: MisbehavingNode;

  before(async () => {
    [chain] = network.chains;
    await chain.mine({ blocks: 30 });
  });
  afterEach(() => node.close());

  const open = async (kind: MisbehavingNodeKind, options: Partial<MisbehavingNodeOptions> = {}): Promise<void> => {
    node = await misbehavingNode(kind, { rpcUrl: chain.rpcUrl, ...options });
  };
  const post = (body: unknown): Promise<Response> =>
    fetch(node.url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const call = async (method: string, ...params: unknown[]): Promise<Answer> =>
    (await (await post({ jsonrpc: "2.0", id: 7, method, params })).json()) as Answer;
  const ask = async (method: string, ...params: unknown[]): Promise<unknown> => (await call(method, ...params)).result;
  const code = async (method: string, ...params: unknown[]): Promise<number | undefined> =>
    (await call(method, ...params)).error?.code;
  /** Pays one wei through the real node. */
  const pay = (): Promise<Hex> => sendTransaction(userWallet(network, chain), { to: RECIPIENT, value: 1n });
  const height = async (): Promise<number> => Number(await getBlockNumber(reader(chain), { cacheTime: 0 }));
  const logs = (fromBlock: number, toBlock: number) =>
    [{ fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }] as const;
  const user = () => network.accounts.user.address;

  const kinds: Readonly<Record<MisbehavingNodeKind, () => Promise<void>>> = {
    async lagging() {
      await open("lagging", { blocks: 2 });
      const before = await ask("eth_getBalance", RECIPIENT, "latest");
      const nonce = await getTransactionCount(reader(chain), { address: user() });
      const hash = await pay();
      const now = await height();
      expect(await ask("eth_blockNumber")).to.equal(numberToHex(now - 2));
      expect(await ask("eth_getBalance", RECIPIENT, "latest")).to.equal(before);
      expect(await ask("eth_getTransactionCount", user(), "pending")).to.equal(numberToHex(nonce));
      expect(await ask("eth_getBlockByNumber", numberToHex(now), false)).to.equal(null);
      expect(await code("eth_getBalance", RECIPIENT, numberToHex(now))).to.equal(-32_000);
      expect(await ask("eth_getTransactionByHash", hash)).to.equal(null);
      expect(await ask("eth_getTransactionReceipt", hash)).to.equal(null);
      expect(await ask("eth_getLogs", ...logs(now, now))).to.deep.equal([]);
      await chain.mine({ blocks: 2 });
      expect(await ask("eth_getTransactionReceipt", hash)).to.include({ transactionHash: hash });
    },
    async pruned() {
      await open("pruned", { blocks: 2 });
      const hash = await pay();
      const at = await height();
      const block = numberToHex(at);
      const read = async () => [
        await ask("eth_getTransactionReceipt", hash).then((receipt) => receipt !== null),
        await ask("eth_getTransactionByHash", hash).then((found) => found !== null),
        await code("eth_getTransactionCount", user(), block),
        await code("eth_getLogs", ...logs(at, at)),
      ];
      await chain.mine({ blocks: 2 });
      expect(await read()).to.deep.equal([true, true, undefined, undefined]);
      await chain.mine({ blocks: 1 });
      expect(await read()).to.deep.equal([false, false, -32_000, -32_000]);
      expect(await code("eth_getTransactionCount", user(), "latest")).to.equal(undefined);
    },
    async logLimit() {
      await open("logLimit", { blocks: 10 });
      const now = await height();
      expect(await code("eth_getLogs", ...logs(now - 9, now))).to.equal(undefined);
      expect(await code("eth_getLogs", ...logs(now - 10, now))).to.equal(-32_602);
      expect(await code("eth_getLogs", { fromBlock: numberToHex(now - 10) })).to.equal(-32_602);
    },
    async rateLimited() {
      await open("rateLimited", { every: 2 });
      expect(await ask("eth_chainId")).to.equal(numberToHex(chain.id));
      const refused = await post({ jsonrpc: "2.0", id: 1, method: "eth_chainId" });
      expect([refused.status, refused.headers.get("retry-after")]).to.deep.equal([429, "0"]);
      await node.close();
      await open("rateLimited", { every: 1, refusal: "rpc", methods: ["eth_call"] });
      expect([await code("eth_call", {}), await code("eth_chainId")]).to.deep.equal([-32_005, undefined]);
    },
    async reorging() {
      await open("reorging");
      await ask("eth_blockNumber");
      const hash = await pay();
      const paidAt = await height();
      expect(await ask("eth_getTransactionReceipt", hash)).to.include({ transactionHash: hash });
      expect(await ask("eth_getTransactionReceipt", hash)).to.equal(null);
      expect(await height()).to.equal(paidAt + 1);
      // Only the first receipt is withheld.
      const second = await pay();
      expect(await ask("eth_getTransactionReceipt", second)).to.include({ transactionHash: second });
      expect(await ask("eth_getTransactionReceipt", second)).to.include({ transactionHash: second });
      await node.close();
      await open("reorging");
      await ask("eth_blockNumber");
      const third = await pay();
      await ask("eth_getTransactionReceipt", third);
      await node.release();
      expect(await ask("eth_getTransactionReceipt", third)).to.include({ transactionHash: third });
    },
    async forgetful() {
      await chain.setMining({ intervalMs: 600_000 });
      await open("forgetful");
      const nonce = await getTransactionCount(reader(chain), { address: user() });
      const hash = await pay();
      expect(await ask("eth_getTransactionByHash", hash)).to.equal(null);
      expect(await ask("eth_getTransactionCount", user(), "pending")).to.equal(numberToHex(nonce));
      const pending = (await ask("eth_getBlockByNumber", "pending", false)) as { readonly transactions: unknown[] };
      expect(pending.transactions).to.not.include(hash);
      await chain.setMining({});
      expect(await ask("eth_getTransactionByHash", hash)).to.include({ hash });
    },
    async hangs() {
      await open("hangs", { methods: ["eth_call"] });
      const hung = failureOf(post({ jsonrpc: "2.0", id: 1, method: "eth_call" }));
      expect(await ask("eth_chainId")).to.equal(numberToHex(chain.id));
      while (node.requests.length < 2) await ask("eth_chainId");
      await node.close();
      expect(await hung).to.be.instanceOf(TypeError);
    },
    async garbage() {
      const bodies: string[] = [];
      for (const garbage of ["html", "empty", "truncated", "wrongId", "emptyResult"] as const) {
        await open("garbage", { garbage, methods: ["eth_chainId"] });
        bodies.push(await (await post({ jsonrpc: "2.0", id: 7, method: "eth_chainId" })).text());
        expect(await ask("net_version")).to.equal(String(chain.id));
        await node.close();
      }
      const [html, empty, truncated = "", wrongId = "", emptyResult = ""] = bodies;
      expect([html?.startsWith("<html>"), empty]).to.deep.equal([true, ""]);
      expect(() => JSON.parse(truncated) as unknown).to.throw(SyntaxError);
      expect(JSON.parse(wrongId)).to.include({ id: "another", result: numberToHex(chain.id) });
      expect(JSON.parse(emptyResult)).to.include({ id: 7, result: "0x" });
    },
    async expensiveGas() {
      await open("expensiveGas");
      expect(await ask("eth_gasPrice")).to.equal(numberToHex(10n ** 15n));
      const client = chainClient(chain.id, node.url);
      const { maxFeePerGas } = await estimateFeesPerGas(client, { chain: client.chain });
      expect(maxFeePerGas >= 10n ** 15n).to.equal(true);
    },
    async wrongChain() {
      await open("wrongChain", { chainId: 10 });
      expect([await ask("eth_chainId"), await ask("net_version")]).to.deep.equal(["0xa", "10"]);
    },
  };

  for (const [kind, test] of Object.entries(kinds)) it(kind, test);

  it("responds to batches in order", async () => {
    await open("wrongChain", { chainId: 10 });
    const batch = [
      { jsonrpc: "2.0", id: 1, method: "eth_chainId" },
      { jsonrpc: "2.0", id: "two", method: "eth_blockNumber" },
      { jsonrpc: "2.0", id: 3, method: "eth_nothing" },
    ];
    const answers = (await (await post(batch)).json()) as Answer[];
    expect(answers.map(({ id }) => id)).to.deep.equal([1, "two", 3]);
    expect([answers[0]?.result, Number(answers[1]?.result), typeof answers[2]?.error?.code]).to.deep.equal([
      "0xa",
      await height(),
      "number",
    ]);
    expect(node.requests.map(({ method }) => method)).to.deep.equal(batch.map(({ method }) => method));
  });

  it("behaves honestly after its release", async () => {
    await open("hangs");
    await node.release();
    expect(await ask("eth_chainId")).to.equal(numberToHex(chain.id));
  });

  it("is reachable from browser pages", async () => {
    await open("forgetful");
    const { status, headers } = await fetch(node.url, { method: "OPTIONS" });
    expect([status, headers.get("access-control-allow-origin")]).to.deep.equal([204, "*"]);
  });

  it("can forward to another misbehaving node", async () => {
    await open("wrongChain", { chainId: 10 });
    await using outer = await misbehavingNode("expensiveGas", { rpcUrl: node.url });
    const client = chainClient(10, outer.url);
    expect([await client.getChainId(), await client.getGasPrice()]).to.deep.equal([10, 10n ** 15n]);
  });
});
