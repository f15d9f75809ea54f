import { type Account, type Address, type Hex, parseEther, toHex, zeroAddress } from "viem";
import { getCode, readContract, waitForTransactionReceipt, writeContract } from "viem/actions";

import { localDollarAbi } from "../../abi/localDollar.generated.ts";
import { readArtifact } from "../../chains/artifacts.ts";
import { CREATE2_FACTORY, CREATE2_FACTORY_CODE } from "../../chains/create2.ts";
import { deploy, hasCode } from "../../chains/deploy.ts";
import { DEPOSITORY_ADDRESS, ROUTER_ADDRESS } from "../../chains/serviceAddresses.ts";
import { ChainError, CrosscallError, WrongChainError } from "../../core/errors.ts";
import { localAccounts } from "../accounts.ts";
import { type ChainClient, chainClient } from "./chainClient.ts";
import { CONTRACT_SOURCES } from "./sources.ts";

/** The contracts of a prepared local chain. */
export interface ChainContracts {
  readonly router: Address;
  readonly depository: Address;
  /** The 6-decimal dollar token. */
  readonly dollar: Address;
  /** An ERC-4626 vault of the dollar token. */
  readonly vault: Address;
  /** The kit's destination proxy for that vault. */
  readonly vaultProxy: Address;
}

/** What the solver is given of the dollar token, in its smallest unit, and below what it is given more. */
const SOLVER_DOLLARS = 1_000_000_000_000_000n;
const SOLVER_DOLLARS_LOW = SOLVER_DOLLARS / 2n;

const SOLVER_NATIVE = parseEther("1000000");

/**
 * Makes a bare local chain one that the service can use: the router and the depository at the live addresses, the
 * kit's contracts deployed as on any chain, the solver funded. What is there already stays as it is, so that a chain
 * can be prepared again after a restart.
 *
 * @throws {@link WrongChainError} when the RPC URL serves another chain
 * @throws {@link ChainError} when the node does not answer, or does not let code be placed (only local nodes do)
 */
export async function prepareChain(chainId: number, rpcUrl: string): Promise<ChainContracts> {
  const client = chainClient(chainId, rpcUrl, localAccounts.deployer);
  try {
    return await prepare(client);
  } catch (cause) {
    if (cause instanceof CrosscallError) throw cause;
    throw new ChainError({
      message: `chain ${chainId} at ${rpcUrl} could not be prepared`,
      cure: "Give the URL of a running local node (anvil or Hardhat) with its usual accounts.",
      chainId,
      cause,
    });
  }
}

async function prepare(client: ChainClient<Account>): Promise<ChainContracts> {
  const chainId = client.chain.id;
  const actualChainId = await client.getChainId();
  if (actualChainId !== chainId) {
    throw new WrongChainError({
      what: client.chain.rpcUrls.default.http[0] ?? "",
      expectedChainId: chainId,
      actualChainId,
    });
  }

  await placeCode(client, CREATE2_FACTORY, CREATE2_FACTORY_CODE);
  await placeCode(client, ROUTER_ADDRESS, readArtifact(CONTRACT_SOURCES.router).deployedBytecode);
  if (!(await hasCode(client, DEPOSITORY_ADDRESS))) {
    // The allocator is an immutable: only a deployed instance has the code with it filled in.
    const artifact = readArtifact(CONTRACT_SOURCES.depository);
    const instance = await deploy(client, { artifact, args: [localAccounts.allocator.address] });
    const code = await getCode(client, { address: instance });
    if (code !== undefined) await placeCode(client, DEPOSITORY_ADDRESS, code);
  }

  const dollar = await deploy(client, { artifact: readArtifact(CONTRACT_SOURCES.dollar) });
  const vault = await deploy(client, {
    artifact: readArtifact(CONTRACT_SOURCES.vault),
    args: [dollar, "Local Dollar Vault", "vUSDC"],
  });
  const vaultProxy = await deploy(client, {
    artifact: readArtifact(CONTRACT_SOURCES.vaultProxy),
    args: [vault, zeroAddress],
  });

  await fundSolver(client, dollar);
  return { router: ROUTER_ADDRESS, depository: DEPOSITORY_ADDRESS, dollar, vault, vaultProxy };
}

async function placeCode(client: ChainClient<Account>, address: Address, code: Hex): Promise<void> {
  if (await hasCode(client, address)) return;
  await localNodeRequest(client, "hardhat_setCode", [address, code]);
}

async function fundSolver(client: ChainClient<Account>, dollar: Address): Promise<void> {
  const solver = localAccounts.solver.address;
  const balance = await readContract(client, {
    address: dollar,
    abi: localDollarAbi,
    functionName: "balanceOf",
    args: [solver],
  });
  if (balance >= SOLVER_DOLLARS_LOW) return;
  await localNodeRequest(client, "hardhat_setBalance", [solver, toHex(SOLVER_NATIVE)]);
  const hash = await writeContract(client, {
    address: dollar,
    abi: localDollarAbi,
    functionName: "mint",
    args: [solver, SOLVER_DOLLARS - balance],
  });
  await waitForTransactionReceipt(client, { hash });
}

/** Calls a method that local nodes have beside the standard ones; anvil answers Hardhat's names too. */
async function localNodeRequest(client: ChainClient<Account>, method: string, params: unknown[]): Promise<void> {
  await (client.request as (call: { method: string; params: unknown[] }) => Promise<unknown>)({ method, params });
}
