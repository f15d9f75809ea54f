import {
  type Abi,
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  maxUint256,
  numberToHex,
  parseAbi,
  zeroHash,
} from "viem";

import type { CreatableCode } from "../../../../packages/protocol/src/chains/create2.ts";
import { readArtifact } from "../../../../packages/crosscall/src/artifacts.ts";
import type { ChainContracts } from "../../../../packages/crosscall/src/localnet/devchain/contracts.ts";
import type { DevChain } from "../../../../packages/crosscall/src/localnet/devchain/devChain.ts";
import { startChain } from "../../../../packages/crosscall/src/localnet/devchain/startChain.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/index.ts";
import { createLog } from "../../../../packages/crosscall/src/localnet/log.ts";
import { createDeal, type Deal } from "../../../../packages/crosscall/src/replay/deal.ts";
import type { FillCall, FillPlan } from "../../../../packages/crosscall/src/replay/fillPlan.ts";
import type { Fork } from "../../../../packages/crosscall/src/replay/fork/fork.ts";
import { openFork } from "../../../../packages/crosscall/src/replay/fork/openFork.ts";
import { preparePlanned, type PreparedFill } from "../../../../packages/crosscall/src/replay/prepare/preparedFill.ts";
import { placeHostiles } from "../../../../packages/crosscall/src/localnet/scenarios/faults.ts";

const CHAIN_ID = 31_460;

/** Recipient of the output. */
export const USER: Address = getAddress("0x00000000000000000000000000000000000000c1");
export const SOLVER: Address = localAccounts.solver.address;
const DEPLOYER: Address = localAccounts.deployer.address;

/** Signatures of token functions. Anyone can mint test tokens. */
export const TRANSFER = "function transfer(address to, uint256 amount)";
export const MINT = "function mint(address to, uint256 amount)";

/** Fork of a local chain, with helpers that run fills on it. */
export interface FillFork {
  readonly fork: Fork;
  readonly deal: Deal;
  /** The forked chain. */
  readonly chain: DevChain;
  readonly contracts: ChainContracts;
  readonly router: Address;
  /** Deploys a contract from the checkout, and returns its address. */
  readonly deploy: (source: string, ...args: readonly unknown[]) => Promise<Address>;
  /** Deploys any other contract. */
  readonly create: (code: CreatableCode, ...args: readonly unknown[]) => Promise<Address>;
  /** Sends a transaction, by default from the deployer's account. */
  readonly send: (call: FillCall, from?: Address) => Promise<void>;
  readonly plan: (calls: readonly FillCall[], terms?: Partial<FillPlan>) => FillPlan;
  readonly run: (plan: FillPlan, amount: bigint) => Promise<PreparedFill>;
  readonly close: () => Promise<void>;
}

/** Returns a call that must succeed, by its function signature. */
export function callOf(to: Address, signature: string, ...args: readonly unknown[]): FillCall {
  const abi: Abi = parseAbi([signature] as readonly string[]);
  return { to, data: encodeFunctionData({ abi, args }), value: 0n, allowFailure: false };
}

/** Returns a call with raw call data. */
export function rawCall(to: Address, data: Hex, value = 0n): FillCall {
  return { to, data, value, allowFailure: false };
}

export function approve(token: Address, spender: Address, amount = maxUint256): FillCall {
  return callOf(token, "function approve(address spender, uint256 amount)", spender, amount);
}

/** Returns a call to a destination proxy. */
export function execute(proxy: Address, { minimumIn = 1n, minimumOut = 1n, deadline = maxUint256 } = {}): FillCall {
  return callOf(proxy, "function execute(address, uint256, uint256, uint256)", USER, minimumIn, minimumOut, deadline);
}

/** Starts a local chain and forks it. */
export async function openFillFork(): Promise<FillFork> {
  const upstream = await startChain({ id: CHAIN_ID }, createLog("silent"));
  await placeHostiles(upstream.chain.client);
  const fork = await openFork({ rpcUrl: upstream.chain.rpcUrl });
  const deal = createDeal(fork);
  const { contracts } = upstream.chain;
  const gasPrice = numberToHex(2n * fork.environment.baseFeePerGas);
  const submit = async (from: Address, rest: Record<string, unknown>): Promise<{ contractAddress: Address | null }> => {
    // The preparation does not advance the time, because fills must run at the block's time.
    await fork.prepareBlock();
    await fork.request("hardhat_impersonateAccount", [from]);
    await fork.request("hardhat_setBalance", [from, numberToHex(10n ** 24n)]);
    const hash = await fork.request("eth_sendTransaction", [{ from, gasPrice, gas: "0x1c9c380", ...rest }]);
    const receipt = (await fork.request("eth_getTransactionReceipt", [hash])) as {
      status: Hex;
      contractAddress: Address | null;
    };
    if (receipt.status !== "0x1") throw new Error("a test transaction reverted");
    return receipt;
  };
  const create: FillFork["create"] = async ({ abi, bytecode }, ...args) => {
    const inputs = abi.find((item) => item.type === "constructor")?.inputs ?? [];
    const data = concat([bytecode, encodeAbiParameters(inputs, args)]);
    const { contractAddress } = await submit(DEPLOYER, { data });
    return getAddress(contractAddress ?? "0x");
  };
  return {
    fork,
    deal,
    chain: upstream.chain,
    contracts,
    router: contracts.router,
    deploy: (source, ...args) => create(readArtifact(source), ...args),
    create,
    async send({ to, data, value }, from = DEPLOYER) {
      await submit(from, { to, data, value: numberToHex(value) });
    },
    plan: (calls, terms = {}) => ({
      chainId: CHAIN_ID,
      router: contracts.router,
      routerVersion: "v3",
      solver: SOLVER,
      currency: contracts.dollar,
      minimumAmount: 990n,
      expectedAmount: 1_000n,
      calls,
      refundTo: USER,
      nftRecipient: USER,
      recipient: USER,
      orderId: zeroHash,
      ...terms,
    }),
    run: (plan, amount) => preparePlanned(fork, { plan, amount, deal }),
    async close() {
      await fork.close();
      await upstream.close();
    },
  };
}
