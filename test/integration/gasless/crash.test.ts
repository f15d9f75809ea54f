import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { erc20Abi, type Hex, maxUint256 } from "viem";
import { waitForTransactionReceipt, writeContract } from "viem/actions";

import { PERMIT2_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import { type Localnet, localnet } from "../../../packages/crosscall/src/localnet/index.ts";
import { API_KEY, startService } from "../../campaigns/crash/service.ts";
import { getQuote } from "../../support/complete.ts";
import { until } from "../../support/until.ts";
import { dollarsOf, reader, userWallet } from "../support/parties.ts";
import { startAnvil, stopPrograms } from "../support/processes.ts";
import { onNode, orderIdOf, requestIdOf, watchToEnd } from "../support/requests.ts";
import { authorize, callsOf, signBatch } from "./batches.ts";
import { accountOf, signOperation } from "./operations.ts";
import { fundPermits, PERMIT_KINDS, permitRequest, permitStepOf, quotePermit, signPermit } from "./support.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

/** Payment to post, with its quote and the request to the service. */
interface Payment {
  readonly quote: Quote;
  readonly path: string;
  readonly body: unknown;
}

// The chains continue to run, so each instance of the service finds the transactions from the previous instance.
describe("a service that is killed during gasless payments", () => {
  let folder: string;
  let chains: readonly { readonly id: number; readonly rpcUrl: string }[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-gasless-"));
    const nodes = await Promise.all([startAnvil(31_337), startAnvil(31_338)]);
    chains = nodes.map(({ ready }, index) => ({ id: 31_337 + index, rpcUrl: ready }));
  });
  after(async () => {
    await stopPrograms();
    await rm(folder, { recursive: true, force: true });
  });

  const open = (): Promise<Localnet> =>
    localnet({
      keepsRetired: true,
      chains,
      databaseFolder: join(folder, "database"),
      apiKeys: [API_KEY],
      sponsoringApiKeys: [API_KEY],
      oracle: false,
    });

  async function preparePayments(network: Localnet): Promise<Payment[]> {
    const [origin] = network.chains;
    await fundPermits(network);
    const wallet = userWallet(network, origin);
    const approval = await writeContract(wallet, {
      address: origin.contracts.tether,
      abi: erc20Abi,
      functionName: "approve",
      args: [PERMIT2_ADDRESS, maxUint256],
    });
    await waitForTransactionReceipt(wallet, { hash: approval });
    const permits = await Promise.all(
      PERMIT_KINDS.map(async (kind): Promise<Payment> => {
        const quote = await quotePermit(network, kind);
        const step = permitStepOf(quote);
        const signature = await signPermit(network, step);
        return { quote, path: `/execute/permits?signature=${signature}`, body: step.body };
      }),
    );
    const account = network.accounts.spare[0] ?? expect.fail("no spare account");
    await origin.fund(account.address, "USDC", 50_000_000n);
    const quote = await getQuote(createServiceClient({ baseUrl: network.url, apiKey: API_KEY }), {
      ...permitRequest(network, "eip3009", { user: account.address, originGasOverhead: 80_000 }),
      usePermit: false,
    });
    const data = await signBatch(account, origin, callsOf(quote));
    const authorizationList = [await authorize(account, origin)];
    const call = { chainId: origin.id, to: account.address, data, value: "0", authorizationList };
    const body = { executionKind: "rawCalls", data: call, requestId: requestIdOf(quote) };
    return [...permits, { quote, path: "/execute", body }, await prepareOperation(network)];
  }

  /** Prepares a payment from the ERC-4337 account of another owner. */
  async function prepareOperation(network: Localnet): Promise<Payment> {
    const [origin] = network.chains;
    const owner = network.accounts.spare[1] ?? expect.fail("no spare account");
    const account = await accountOf(origin, owner);
    await origin.fund(account, "USDC", 50_000_000n);
    const quote = await getQuote(createServiceClient({ baseUrl: network.url, apiKey: API_KEY }), {
      ...permitRequest(network, "eip3009", { user: account, originGasOverhead: 300_000 }),
      recipient: owner.address,
      usePermit: false,
    });
    const data = await signOperation(owner, origin, callsOf(quote));
    const call = { chainId: origin.id, to: origin.contracts.entryPoint, data, value: "0" };
    return { quote, path: "/execute", body: { executionKind: "rawCalls", data: call, requestId: requestIdOf(quote) } };
  }

  async function depositsOf({ chains: [origin] }: Localnet, quote: Quote): Promise<readonly bigint[]> {
    const logs = await reader(origin).getContractEvents({
      address: origin.contracts.depository,
      abi: depositoryAbi,
      eventName: "RelayErc20Deposit",
      fromBlock: 0n,
    });
    return logs.filter(({ args }) => args.id === orderIdOf(quote)).map(({ args }) => args.amount ?? 0n);
  }

  it("makes each payment and each fill once, regardless of what was sent before the kill", async () => {
    const first = await open();
    const [origin, destination] = first.chains;
    const payments = await preparePayments(first);
    const received = await dollarsOf(destination, first.accounts.user.address);
    const held = await holdingsOf(first);
    await first.close();

    const node = { ...origin, rpcUrl: chains[0]?.rpcUrl ?? "" };
    await onNode(node, "evm_setAutomine", false);
    const database = ["--database", join(folder, "database")];
    let life = await startService({ chains, database });
    const answers = await Promise.all(
      payments.map(({ path, body }) =>
        fetch(`${life.ready.url}${path}`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": API_KEY },
          body: JSON.stringify(body),
        }),
      ),
    );
    // Kills the service right after the responses, which promise the payments.
    await life.stop("SIGKILL");
    expect(answers.map(({ status }) => status)).to.deep.equal(payments.map(() => 200));
    life = await startService({ chains, database });
    const txpool = async () => Object.values((await onNode(node, "txpool_content")) as { pending: object });
    await until(async () => Object.keys((await txpool())[0] ?? {}).length > 1, { what: "pending transactions" });
    await life.stop("SIGKILL");

    await using last = await open();
    await onNode(node, "evm_setAutomine", true);
    await onNode(node, "evm_mine");
    for (const { quote } of payments) {
      expect((await watchToEnd(last, requestIdOf(quote))).status).to.equal("success");
      expect(await depositsOf(last, quote)).to.deep.equal([BigInt(quote.details.currencyIn.amount)]);
    }
    const fills = payments.slice(0, PERMIT_KINDS.length).map(({ quote }) => BigInt(quote.details.currencyOut.amount));
    expect((await dollarsOf(last.chains[1], last.accounts.user.address)) - received).to.equal(
      fills.reduce((sum, amount) => sum + amount, 0n),
    );
    const paid = payments.slice(0, PERMIT_KINDS.length).map(({ quote }) => BigInt(quote.details.currencyIn.amount));
    expect(await holdingsOf(last)).to.deep.equal(held.map((amount, index) => amount - (paid[index] ?? 0n)));
  });

  /** Returns the user's balance in the currency of each kind of permit. */
  function holdingsOf(network: Localnet): Promise<bigint[]> {
    const [origin] = network.chains;
    return Promise.all(
      PERMIT_KINDS.map((kind) =>
        reader(origin).readContract({
          address: permitRequest(network, kind).originCurrency as Hex,
          abi: erc20Abi,
          functionName: "balanceOf",
          args: [network.accounts.user.address],
        }),
      ),
    );
  }
});
