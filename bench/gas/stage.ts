import { fileURLToPath } from "node:url";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import {
  type Abi,
  type Address,
  type Hex,
  createTestClient,
  custom,
  encodeFunctionData,
  erc20Abi,
  erc4626Abi,
  maxUint256,
  publicActions,
  size,
  walletActions,
  zeroAddress,
} from "viem";
import { hardhat } from "viem/chains";

import kitConfig from "../../hardhat.config.ts";
import peersConfig from "../hardhat.config.ts";

/** Delivered amount. Like real amounts, it has no trailing zeros. */
export const AMOUNT = 1_234_567_890n;

/** One token unit, which keeps a contract's balance slot nonzero. */
export const SEED = 1n;

/** Gas limit of each transaction, because a node's estimate runs the transaction several times. */
const GAS_LIMIT = 5_000_000n;

/** The push executor, and the benchmark's executors that also deny routers. */
export const EXECUTORS = ["PushExecutor", "OneRouterExecutor", "TwoRoutersExecutor"] as const;

export type ExecutorName = (typeof EXECUTORS)[number];

/** The local routers, oldest first. */
export const ROUTERS = ["LocalRouter", "LocalRouter32"] as const;

export type RouterName = (typeof ROUTERS)[number];

/** A contract on the chain. */
export interface Contract {
  readonly address: Address;
  encode(functionName: string, args: readonly unknown[]): Hex;
}

/** A call by the router. */
export interface Call {
  readonly target: Address;
  readonly allowFailure: boolean;
  readonly value: bigint;
  readonly callData: Hex;
}

/** The contracts of all approaches, on one chain. */
export interface Contracts {
  readonly router: Contract;
  readonly dollar: Contract;
  readonly vault: Contract;
  readonly typedProxy: Contract;
  readonly executor: Contract;
  readonly puller: Contract;
  readonly guideProxy: Contract;
  readonly across: Contract;
}

/** A mined transaction of the router. */
export interface Mined {
  readonly gasUsed: number;
  /** Gas of each call by the router, before refunds, keyed by target. */
  readonly callGas: ReadonlyMap<Address, number>;
}

/** Chain on which all approaches run, with their accounts and contracts. */
export interface Stage {
  readonly contracts: Contracts;
  readonly solver: Address;
  readonly recipient: Address;
  /** Runs `work`, then reverts the chain to its previous state. */
  undone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** @param nftRecipient recipient of NFTs; the zero address for none */
  multicall(calls: readonly Call[], nftRecipient: Address): Promise<Mined>;
  /** Sends a multicall without an NFT recipient several times, without measuring it. */
  repeat(calls: readonly Call[], times: number): Promise<void>;
  mint(to: Address, amount: bigint): Promise<void>;
  balanceOf(token: Contract, holder: Address): Promise<bigint>;
  allowance(owner: Address, spender: Address): Promise<bigint>;
  previewDeposit(amount: bigint): Promise<bigint>;
  nativeOf(holder: Address): Promise<bigint>;
  /** Code size of a contract, in bytes. */
  codeSizeOf(contract: Contract): Promise<number>;
  /** Removes the recipient's shares. */
  emptyRecipient(): Promise<void>;
}

/** A frame of the node's `callTracer`. */
interface Frame {
  readonly to: Address;
  readonly gasUsed: Hex;
  readonly calls?: readonly Frame[];
}

/** Differences between benchmarks. */
export interface StageOptions {
  readonly executor?: ExecutorName;
  readonly router?: RouterName;
}

/** Deploys the contracts. The vault already has a holder, and its share price is not 1. */
export async function setUpStage(options: StageOptions = {}): Promise<Stage> {
  const { executor: executorName = "PushExecutor", router: routerName = "LocalRouter" } = options;
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const [kit, peers] = await Promise.all([
    createHardhatRuntimeEnvironment(kitConfig, {}, root),
    createHardhatRuntimeEnvironment(peersConfig, {}, root),
  ]);
  const { provider } = await kit.network.create("hardhat");
  const client = createTestClient({ mode: "hardhat", chain: hardhat, transport: custom(provider), pollingInterval: 1 })
    .extend(publicActions)
    .extend(walletActions);
  const [solver, recipient, holder] = await client.getAddresses();
  if (solver === undefined || recipient === undefined || holder === undefined) throw new Error("too few accounts");

  const send = async (to: Address, data: Hex, from = solver): Promise<Hex> => {
    const hash = await client.sendTransaction({ account: from, to, data, gas: GAS_LIMIT });
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== "success") throw new Error(`a transaction to ${to} reverted`);
    return hash;
  };
  const deploy = async (name: string, args: readonly unknown[] = [], { artifacts } = kit): Promise<Contract> => {
    const { abi, bytecode } = await artifacts.readArtifact(name);
    const hash = await client.deployContract({ account: solver, abi: abi as Abi, bytecode: bytecode as Hex, args });
    const { contractAddress } = await client.waitForTransactionReceipt({ hash });
    if (contractAddress == null) throw new Error(`${name} cannot be deployed`);
    return contractAt(contractAddress, abi as Abi);
  };
  const deployExecutor = async (): Promise<Contract> => {
    if (executorName === "PushExecutor") return deploy(executorName);
    if (executorName === "OneRouterExecutor") return deploy(executorName, [router.address], peers);
    const other = await deploy(ROUTERS.find((name) => name !== routerName) ?? routerName);
    return deploy(executorName, [router.address, other.address], peers);
  };

  const router = await deploy(routerName);
  const dollar = await deploy("LocalDollar");
  const vault = await deploy("LocalVault", [dollar.address, "Vault", "VLT"]);
  const executor = await deployExecutor();
  const { abi: executorAbi } = await kit.artifacts.readArtifact("PushExecutor");
  const livePuller = await client.readContract({
    address: executor.address,
    abi: executorAbi as Abi,
    functionName: "livePuller",
  });
  const contracts: Contracts = {
    router,
    dollar,
    vault,
    executor,
    typedProxy: await deploy("Erc4626Proxy", [vault.address, zeroAddress]),
    puller: contractAt(livePuller as Address, (await kit.artifacts.readArtifact("LivePuller")).abi as Abi),
    guideProxy: await deploy("GuideProxy", [vault.address], peers),
    across: await deploy("MulticallHandler", [], peers),
  };

  const mint = async (to: Address, amount: bigint): Promise<void> => {
    await send(dollar.address, dollar.encode("mint", [to, amount]));
  };
  await mint(holder, 10n * AMOUNT);
  await send(dollar.address, dollar.encode("approve", [vault.address, maxUint256]), holder);
  await send(vault.address, vault.encode("deposit", [9n * AMOUNT, holder]), holder);
  await mint(vault.address, AMOUNT / 7n);
  await mint(solver, 1_000n * AMOUNT);
  await send(dollar.address, dollar.encode("approve", [router.address, maxUint256]));

  const sendMulticall = (calls: readonly Call[], nftRecipient: Address): Promise<Hex> =>
    send(router.address, router.encode("multicall", [calls, recipient, nftRecipient, "0x"]));

  return {
    contracts,
    solver,
    recipient,
    mint,
    async undone(work) {
      const id = await client.snapshot();
      try {
        return await work();
      } finally {
        await client.revert({ id });
      }
    },
    async multicall(calls, nftRecipient) {
      const hash = await sendMulticall(calls, nftRecipient);
      const { gasUsed } = await client.getTransactionReceipt({ hash });
      const trace = (await provider.request({
        method: "debug_traceTransaction",
        params: [hash, { tracer: "callTracer" }],
      })) as Frame;
      return {
        gasUsed: Number(gasUsed),
        callGas: new Map((trace.calls ?? []).map((frame) => [lowerCase(frame.to), Number(frame.gasUsed)])),
      };
    },
    async repeat(calls, times) {
      for (let time = 0; time < times; time += 1) await sendMulticall(calls, zeroAddress);
    },
    balanceOf: (token, account) =>
      client.readContract({ address: token.address, abi: erc20Abi, functionName: "balanceOf", args: [account] }),
    allowance: (owner, spender) =>
      client.readContract({
        address: dollar.address,
        abi: erc20Abi,
        functionName: "allowance",
        args: [owner, spender],
      }),
    previewDeposit: (amount) =>
      client.readContract({ address: vault.address, abi: erc4626Abi, functionName: "previewDeposit", args: [amount] }),
    nativeOf: (address) => client.getBalance({ address }),
    codeSizeOf: async ({ address }) => size((await client.getCode({ address })) ?? "0x"),
    async emptyRecipient() {
      const shares = await client.readContract({
        address: vault.address,
        abi: erc4626Abi,
        functionName: "balanceOf",
        args: [recipient],
      });
      await send(vault.address, vault.encode("transfer", [holder, shares]), recipient);
    },
  };
}

function contractAt(address: Address, abi: Abi): Contract {
  return {
    address: lowerCase(address),
    encode: (functionName, args) => encodeFunctionData({ abi, functionName, args }),
  };
}

/** Lowercases an address for comparison. */
function lowerCase(address: Address): Address {
  return address.toLowerCase() as Address;
}
