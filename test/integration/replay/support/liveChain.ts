import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import {
  type Abi,
  type Address,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  maxUint256,
  publicActions,
  walletActions,
  zeroHash,
} from "viem";

import { readArtifact } from "../../../../src/chains/artifacts.ts";
import type { ChainContracts } from "../../../../src/localnet/chains/contracts.ts";
import { describeChain } from "../../../../src/localnet/chains/chainClient.ts";
import { startChain } from "../../../../src/localnet/chains/startChain.ts";
import { localAccounts } from "../../../../src/localnet/index.ts";
import { createLog } from "../../../../src/localnet/log.ts";
import { localDollarAbi } from "../../../../src/abi/localDollar.generated.ts";
import { destinationProxyAbi } from "../../../../src/abi/destinationProxy.generated.ts";
import type { FillPlan } from "../../../../src/replay/fillPlan.ts";
import { startAnvil } from "../../support/processes.ts";

export const CHAIN_ID = 31_470;
export const USER: Address = "0x00000000000000000000000000000000000000C1";
export const SOLVER: Address = localAccounts.solver.address;

/** A live chain that is not the kit's: anvil, with the service's contracts on it. */
export async function startLiveChain() {
  const anvil = await startAnvil(CHAIN_ID);
  const rpcUrl = anvil.ready;
  const prepared = await startChain({ id: CHAIN_ID, rpcUrl }, createLog("silent"));
  await prepared.close();
  const { contracts } = prepared.chain;
  const client = createTestClient({
    chain: describeChain(CHAIN_ID, rpcUrl),
    mode: "anvil",
    transport: http(rpcUrl),
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions);
  const account = localAccounts.deployer.address;
  return {
    rpcUrl,
    contracts,
    client,
    stop: () => anvil.stop("SIGKILL"),
    /** Deploys a contract of the checkout. */
    async deploy(
      source: string,
      ...args: readonly unknown[]
    ): Promise<{ readonly address: Address; readonly abi: Abi }> {
      const { abi, bytecode } = readArtifact(source);
      const hash = await client.deployContract({ account, abi, bytecode, args });
      const { contractAddress } = await client.waitForTransactionReceipt({ hash });
      return { address: contractAddress ?? "0x", abi };
    },
    /** Sends a transaction of any account. */
    async send(from: Address, to: Address, data: Hex, more: { value?: bigint; gas?: bigint } = {}): Promise<Hex> {
      await client.impersonateAccount({ address: from });
      await client.setBalance({ address: from, value: 10n ** 24n });
      return client.sendTransaction({ account: from, to, data, gas: 5_000_000n, ...more } as never);
    },
  };
}

/** A live chain of {@link startLiveChain}. */
export type LiveChain = Awaited<ReturnType<typeof startLiveChain>>;

/** All that is delivered goes to the vault, for the user. */
export function vaultPlan(contracts: ChainContracts, terms: Partial<FillPlan> = {}): FillPlan {
  const { dollar, vaultProxy, router } = contracts;
  const call = (to: Address, data: Hex) => ({ to, data, value: 0n, allowFailure: false });
  return {
    chainId: CHAIN_ID,
    router,
    routerVersion: "v3",
    solver: SOLVER,
    currency: dollar,
    minimumAmount: 990n,
    expectedAmount: 1_000n,
    calls: [
      call(
        dollar,
        encodeFunctionData({ abi: localDollarAbi, functionName: "approve", args: [vaultProxy, maxUint256] }),
      ),
      call(
        vaultProxy,
        encodeFunctionData({ abi: destinationProxyAbi, functionName: "execute", args: [USER, 990n, 1n, maxUint256] }),
      ),
      call(dollar, encodeFunctionData({ abi: localDollarAbi, functionName: "approve", args: [vaultProxy, 0n] })),
    ],
    refundTo: USER,
    nftRecipient: USER,
    recipient: USER,
    orderId: zeroHash,
    ...terms,
  };
}

/** A door before a node that counts and names what passes, and answers in its stead where it is told to. */
export async function startWatchedDoor(target: string, answerInstead?: (method: string, count: number) => unknown) {
  const methods: string[] = [];
  const server = createServer((request, response) => {
    const answered = text(request).then(async (body) => {
      const parsed = JSON.parse(body) as { method: string; id: unknown } | { method: string; id: unknown }[];
      const calls = Array.isArray(parsed) ? parsed : [parsed];
      methods.push(...calls.map(({ method }) => method));
      const instead = calls.map(({ method }) => answerInstead?.(method, methods.length));
      if (instead.includes("hang up")) return response.destroy();
      const found = instead.find((each) => each !== undefined);
      if (found !== undefined) {
        const answers = calls.map(({ id }) => ({ jsonrpc: "2.0", id, ...(found as object) }));
        return response.end(JSON.stringify(Array.isArray(parsed) ? answers : answers[0]));
      }
      const answer = await fetch(target, { method: "POST", headers: { "content-type": "application/json" }, body });
      return response.end(await answer.text());
    });
    answered.catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    methods,
    close(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
