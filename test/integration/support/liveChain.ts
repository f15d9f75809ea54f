import {
  type Abi,
  type Address,
  type Hex,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  numberToHex,
  parseAbi,
  zeroAddress,
  zeroHash,
} from "viem";

import { ROUTER_ADDRESS } from "../../../packages/protocol/src/generations/routers.ts";
import { readArtifact } from "../../../packages/crosscall/src/artifacts.ts";
import { type ChainClient, chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { ChainContracts } from "../../../packages/crosscall/src/localnet/devchain/contracts.ts";
import { prepareChain } from "../../../packages/crosscall/src/localnet/devchain/prepareChain.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/index.ts";
import { encodeFill, type FillCall, type FillPlan } from "../../../packages/crosscall/src/replay/fillPlan.ts";
import { startAnvil } from "./processes.ts";
import { until } from "../../support/until.ts";

/** Separate node with the contracts of a local chain, on which fills are real transactions. */
export interface LiveChain {
  readonly rpcUrl: string;
  readonly client: ChainClient;
  readonly contracts: ChainContracts;
  /** Calls any method of the node. */
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Sends a transaction from any account, without waiting for its block. */
  submit(from: Address, transaction: SentTransaction): Promise<Hex>;
  deploy(source: string, ...args: readonly unknown[]): Promise<Address>;
  /** Sends a transaction from the deployer's account. */
  send(call: FillCall): Promise<void>;
  plan(calls: readonly FillCall[], terms?: Partial<FillPlan>): FillPlan;
  /** Delivers an amount and runs the fill in a transaction, then reverts the chain. */
  fill(plan: FillPlan, amount: bigint, outputs: readonly Address[]): Promise<RealFill>;
}

/** Transaction from an account. */
export interface SentTransaction {
  readonly to?: Address;
  readonly data: Hex;
  readonly value?: Hex;
  /** The gas limit. */
  readonly gas?: Hex;
}

/** Outcome of a real fill. */
export interface RealFill {
  readonly success: boolean;
  readonly gasUsed: bigint;
  /** Changes of the recipient's balances. Empty if the fill failed. */
  readonly received: readonly bigint[];
}

/** Recipient of the output. */
export const RECIPIENT: Address = getAddress("0x00000000000000000000000000000000000000c1");

const SOLVER: Address = localAccounts.solver.address;
const FILL_GAS = 5_000_000n;
const mintAbi = parseAbi(["function mint(address to, uint256 amount)"]);

/** Returns a call that must succeed, by its function signature. */
export function callTo(to: Address, signature: string, ...args: readonly unknown[]): FillCall {
  const abi: Abi = parseAbi([signature] as readonly string[]);
  return { to, data: encodeFunctionData({ abi, args }), value: 0n, allowFailure: false };
}

/** Starts anvil with the contracts of a local chain. `stopPrograms` stops it. */
export async function startLiveChain(chainId: number, ...anvilArgs: readonly string[]): Promise<LiveChain> {
  const { ready: rpcUrl } = await startAnvil(chainId, ...anvilArgs);
  const contracts = await prepareChain(chainId, rpcUrl);
  const client = chainClient(chainId, rpcUrl);
  const request = (method: string, params: readonly unknown[] = []): Promise<unknown> =>
    client.request({ method, params } as never);

  const submit: LiveChain["submit"] = async (from, transaction) => {
    await request("anvil_impersonateAccount", [from]);
    await request("anvil_setBalance", [from, numberToHex(10n ** 24n)]);
    return (await request("eth_sendTransaction", [{ from, gas: numberToHex(FILL_GAS), ...transaction }])) as Hex;
  };
  const transact = async (...sent: Parameters<LiveChain["submit"]>) =>
    client.waitForTransactionReceipt({ hash: await submit(...sent) });
  const send = async ({ to, data, value }: FillCall): Promise<void> => {
    const { status } = await transact(localAccounts.deployer.address, { to, data, value: numberToHex(value) });
    if (status !== "success") throw new Error(`the call to ${to} reverted`);
  };
  const balanceOf = (currency: Address, account: Address): Promise<bigint> =>
    currency === zeroAddress
      ? client.getBalance({ address: account })
      : client.readContract({ address: currency, abi: erc20Abi, functionName: "balanceOf", args: [account] });

  return {
    rpcUrl,
    client,
    contracts,
    request,
    submit,
    send,
    async deploy(source, ...args) {
      const { abi, bytecode } = readArtifact(source);
      const { contractAddress } = await transact(localAccounts.deployer.address, {
        data: encodeDeployData({ abi, bytecode, args: [...args] }),
      });
      if (contractAddress == null) throw new Error(`${source} was not deployed`);
      return getAddress(contractAddress);
    },
    plan: (calls, terms = {}) => ({
      chainId,
      router: ROUTER_ADDRESS,
      routerVersion: "v3",
      solver: SOLVER,
      currency: contracts.dollar,
      minimumAmount: 990n,
      expectedAmount: 1_000n,
      calls,
      refundTo: RECIPIENT,
      nftRecipient: RECIPIENT,
      recipient: RECIPIENT,
      orderId: zeroHash,
      ...terms,
    }),
    async fill(plan, amount, outputs) {
      const snapshot = await request("evm_snapshot");
      try {
        if (plan.currency !== zeroAddress) {
          const data = encodeFunctionData({ abi: mintAbi, functionName: "mint", args: [plan.router, amount] });
          await send({ to: plan.currency, data, value: 0n, allowFailure: false });
        }
        const before = await Promise.all(outputs.map((currency) => balanceOf(currency, plan.recipient)));
        const { to, data, value } = encodeFill(plan, amount);
        const { status, gasUsed } = await transact(plan.solver, {
          to,
          data,
          value: numberToHex(value),
          gas: numberToHex(plan.gas ?? FILL_GAS),
        });
        const success = status === "success";
        const after = await Promise.all(outputs.map((currency) => balanceOf(currency, plan.recipient)));
        return { success, gasUsed, received: success ? after.map((now, index) => now - (before[index] ?? 0n)) : [] };
      } finally {
        // Anvil removes mined transactions from its pool later. After the revert, it would remove new ones with their nonces.
        await until(async () => ((await request("txpool_status")) as { readonly pending: Hex }).pending === "0x0");
        await request("evm_revert", [snapshot]);
      }
    },
  };
}
