import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect } from "chai";
import { parseEther } from "viem";

import type { Quote } from "../../packages/protocol/src/complete.ts";
import { getQuote, getStatus } from "../support/complete.ts";
import { createServiceClient, requestIdOf } from "../../packages/sdk/src/index.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import type { ExecutorOrder, WalletKind } from "../integration/support/executor.ts";
import { mintDollars, reader } from "../integration/support/parties.ts";
import { etherRequest } from "../integration/support/requests.ts";
import { useFolder } from "../support/useFolder.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { depositoryAbi } from "../../packages/protocol/src/abi/service.generated.ts";

const EXECUTOR = fileURLToPath(new URL("../integration/support/executor.ts", import.meta.url));

type DieAt = NonNullable<ExecutorOrder["dieAt"]>;

/** RPC method that sends a transaction. Wallets that sign locally use a different one. */
const SEND: Readonly<Record<WalletKind, string>> = {
  "viem local account": "eth_sendRawTransaction",
  "viem JSON-RPC account": "eth_sendTransaction",
  "ethers Wallet": "eth_sendRawTransaction",
  "ethers JsonRpcSigner": "eth_sendTransaction",
};

describe("an execution that is killed", () => {
  const network = useNetwork();
  const folder = useFolder();
  const client = () => createServiceClient({ baseUrl: network.url });

  before(() => mintDollars(network, network.chains[0], 1_000_000_000n));

  const request = (change: Partial<QuoteRequest> = {}): QuoteRequest =>
    etherRequest(network, { amount: parseEther("0.01").toString(), ...change });

  const points: Record<string, (wallet: WalletKind) => DieAt> = {
    "before it is sent": (wallet) => ({ kind: "call", name: SEND[wallet], count: 1 }),
    "when the node has the transaction but has not responded": (wallet) => ({
      kind: "answer",
      name: SEND[wallet],
      count: 1,
    }),
    "when the transaction hash is recorded": () => ({ kind: "entry", name: "0.0", count: 1 }),
    "when the transaction is mined but its receipt is not returned": () => ({
      kind: "answer",
      name: "eth_getTransactionReceipt",
      count: 1,
    }),
  };
  for (const wallet of Object.keys(SEND) as WalletKind[]) {
    for (const [name, at] of Object.entries(points)) {
      // After sending, the code is the same for all wallets.
      if (wallet.startsWith("ethers") && at(wallet).name !== SEND[wallet]) continue;
      it(`deposits once with a ${wallet}, if killed ${name}`, async () => {
        const quote = await getQuote(client(), request());
        const dieAt = at(wallet);
        // The first journal entry is written before the wallet request.
        const isUnresolved = SEND[wallet] === "eth_sendTransaction" && ["call", "entry"].includes(dieAt.kind);
        await expectDepositedOnce({ quote, wallet, dieAt, isUnresolved });
      });
    }
  }

  it("approves and deposits once if killed between the approval and the deposit", async () => {
    const quote = await getQuote(
      client(),
      request({ originCurrency: network.chains[0].contracts.dollar, amount: "5000000" }),
    );
    expect(quote.steps.map(({ id }) => id)).to.deep.equal(["approve", "deposit"]);
    const dieAt = { kind: "call", name: "eth_sendRawTransaction", count: 2 } as const;
    await expectDepositedOnce({ quote, wallet: "viem local account", dieAt });
  });

  it("pays the new quote once if killed after requoting", async () => {
    const quote = await getQuote(client(), request());
    const before = await countDeposits();
    const order = {
      quote,
      wallet: "viem local account",
      isStale: true,
      journalFolder: join(folder, "requoted"),
    } as const;
    await run({ ...order, dieAt: { kind: "answer", name: "eth_getTransactionReceipt", count: 1 } });
    const { requestId } = await run(order);
    expect(requestId).to.not.equal(quote.steps[0]?.requestId);
    expect((await countDeposits()) - before).to.equal(1);
    expect(await statusOf(requestId)).to.equal("success");
  });

  async function expectDepositedOnce(
    order: Pick<ExecutorOrder, "wallet"> & { quote: Quote; dieAt: DieAt; isUnresolved?: boolean },
  ): Promise<void> {
    const { dieAt, isUnresolved = false, ...rest } = order;
    const requestId = requestIdOf(order.quote);
    const journalFolder = join(folder, requestId);
    await run({ ...rest, journalFolder, dieAt });
    // Only the wallet knows whether it sent the transaction.
    if (isUnresolved) {
      expect(await run({ ...rest, journalFolder })).to.deep.equal({ requestId, code: "PAYMENT_UNRESOLVED" });
    }
    expect(await run({ ...rest, journalFolder, payAgain: isUnresolved })).to.include({ requestId });
    expect(await countDeposits(order.quote)).to.equal(1);
    expect(await statusOf(requestId)).to.equal("success");
  }

  /** Runs an executor. If `dieAt` is set, requires that the executor is killed. */
  async function run(
    order: Omit<ExecutorOrder, "serviceUrl" | "rpcUrl">,
  ): Promise<{ requestId: string; txHashes?: string[]; code?: string }> {
    const whole: ExecutorOrder = { ...order, serviceUrl: network.url, rpcUrl: network.chains[0].rpcUrl };
    const { promise, resolve } = Promise.withResolvers<{ signal: unknown; stdout: string; stderr: string }>();
    execFile(process.execPath, [EXECUTOR, JSON.stringify(whole)], (error, stdout, stderr) =>
      resolve({ signal: error?.signal ?? null, stdout, stderr }),
    );
    const { signal, stdout, stderr } = await promise;
    expect(signal, stderr).to.equal(order.dieAt === undefined ? null : "SIGKILL");
    return order.dieAt === undefined
      ? (JSON.parse(stdout) as { requestId: string; txHashes?: string[]; code?: string })
      : { requestId: "", txHashes: [] };
  }

  /** Returns the number of deposits on the origin chain, either for a quote's order or in total. */
  async function countDeposits(quote?: Quote): Promise<number> {
    const [origin] = network.chains;
    const logs = await reader(origin).getContractEvents({
      address: origin.contracts.depository,
      abi: depositoryAbi,
      fromBlock: 0n,
      strict: true,
    });
    const orderId = quote?.protocol?.v2.orderId;
    return logs.filter(({ args }) => orderId === undefined || ("id" in args && args.id === orderId)).length;
  }

  async function statusOf(requestId: string): Promise<string> {
    return (await getStatus(client(), { requestId })).status;
  }
});
