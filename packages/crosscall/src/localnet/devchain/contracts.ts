import { type Address, type Hex, zeroAddress } from "viem";

import {
  type Deployable,
  deploymentAddress,
  deploymentData,
  DEPOSITORY_ADDRESS,
  PERMIT2_ADDRESS,
} from "@crosscall/protocol/chains";
import { DEFAULT_ROUTER, localRouterAddress, type LocalRouterVersion } from "@crosscall/protocol/generations";
import { readArtifact } from "../../artifacts.ts";
import { localAccounts } from "./accounts.ts";
import type { LiveChain } from "./liveChains.ts";
import { LOCAL_HUB, ORACLE_SIGNERS } from "./oracleHub.ts";
import { CONTRACT_SOURCES, readPublished } from "./published.ts";

/** Contracts of a local chain. Their addresses are the same on every chain. */
export interface ChainContracts {
  readonly router: Address;
  readonly depository: Address;
  /** A 6-decimal dollar token with EIP-2612 and EIP-3009. */
  readonly dollar: Address;
  /** A 6-decimal dollar token whose functions return nothing and whose allowances change only from or to zero. */
  readonly tether: Address;
  /** A plain 18-decimal token with EIP-2612. */
  readonly token: Address;
  /** An 18-decimal token that burns part of every transfer. */
  readonly feeToken: Address;
  /** Wrapped native currency, with the code of Ethereum's. */
  readonly wrappedNative: Address;
  /** An ERC-4626 vault for the dollar token. */
  readonly vault: Address;
  /** The kit's destination proxy for that vault. */
  readonly vaultProxy: Address;
  /** Contract that sends the leftovers of swaps on the router to the solver. */
  readonly sweeper: Address;
  /** Contract that turns signed permits into deposits. */
  readonly approvalProxy: Address;
  /** EntryPoint v0.7 of ERC-4337, with its published code at its live address. */
  readonly entryPoint: Address;
  /** Factory of the EntryPoint's sample accounts, with its published code at its live address. */
  readonly accountFactory: Address;
  /** Uniswap v3, with its published code. */
  readonly uniswapFactory: Address;
  readonly uniswapPositions: Address;
  /** SwapRouter02. */
  readonly uniswapRouter: Address;
  /** QuoterV2. */
  readonly uniswapQuoter: Address;
  /** Contract that requires the signatures of both of the network's oracles. */
  readonly attestationVerifier: Address;
  /** Aave v3 with the dollar as its reserve, with its published code; only with `protocols: ["aave"]`. */
  readonly aavePool?: Address;
  /** The reserve's interest-bearing token. */
  readonly aaveToken?: Address;
}

/** A deployment through the CREATE2 factory. */
export interface PlannedDeployment {
  readonly address: Address;
  /** Call data of the factory. */
  readonly data: Hex;
}

export interface ContractPlan {
  readonly contracts: ChainContracts;
  /** In deployment order. */
  readonly deployments: readonly PlannedDeployment[];
}

const ACCOUNT_ABSTRACTION = "@account-abstraction/contracts/artifacts";
/** Salt that the EntryPoint's authors mined. */
const ENTRY_POINT_SALT: Hex = "0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3";
export const WETH9 = "canonical-weth/build/contracts/WETH9.json";
const UNISWAP_CORE = "@uniswap/v3-core/artifacts/contracts";
const UNISWAP_PERIPHERY = "@uniswap/v3-periphery/artifacts/contracts";
const UNISWAP_ROUTERS = "@uniswap/swap-router-contracts/artifacts/contracts";

const plans = new Map<string, ContractPlan>();

/**
 * Plans the contracts of a local chain. They depend only on the build, the router and the copied live chain, so the
 * plans are cached.
 */
export function planContracts(version: LocalRouterVersion = DEFAULT_ROUTER, live?: LiveChain): ContractPlan {
  const key = `${version} ${live?.id}`;
  const plan = plans.get(key) ?? makePlan(version, live);
  plans.set(key, plan);
  return plan;
}

function makePlan(version: LocalRouterVersion, live: LiveChain | undefined): ContractPlan {
  const router = localRouterAddress(version);
  const deployments: PlannedDeployment[] = [];
  const add = (deployable: Deployable): Address => {
    const address = deploymentAddress(deployable);
    deployments.push({ address, data: deploymentData(deployable) });
    return address;
  };
  const own = (name: keyof typeof CONTRACT_SOURCES, ...args: readonly unknown[]): Address =>
    add({ artifact: readArtifact(CONTRACT_SOURCES[name]), args });
  const published = (path: string, ...args: readonly unknown[]): Address =>
    add({ artifact: readPublished(path), args });

  const dollar = live?.dollar ?? own("dollar");
  const entryPoint = add({
    artifact: readPublished(`${ACCOUNT_ABSTRACTION}/EntryPoint.json`),
    salt: ENTRY_POINT_SALT,
  });
  const vault = own("vault", dollar, "Local Dollar Vault", "vUSDC");
  const wrappedNative = live?.wrappedNative ?? published(WETH9);
  const uniswapFactory = published(`${UNISWAP_CORE}/UniswapV3Factory.sol/UniswapV3Factory.json`);
  const uniswapPositions = published(
    `${UNISWAP_PERIPHERY}/NonfungiblePositionManager.sol/NonfungiblePositionManager.json`,
    uniswapFactory,
    wrappedNative,
    // The omitted position descriptor only draws images.
    zeroAddress,
  );
  return {
    contracts: {
      router,
      depository: DEPOSITORY_ADDRESS,
      dollar,
      tether: live?.tether ?? own("tether"),
      token: own("token"),
      feeToken: own("feeToken", localAccounts.deployer.address),
      wrappedNative,
      vault,
      vaultProxy: own("vaultProxy", vault, zeroAddress),
      sweeper: own("sweeper"),
      approvalProxy: own(
        `approval proxy ${version}`,
        localAccounts.solver.address,
        DEPOSITORY_ADDRESS,
        PERMIT2_ADDRESS,
        router,
      ),
      entryPoint,
      accountFactory: published(`${ACCOUNT_ABSTRACTION}/SimpleAccountFactory.json`, entryPoint),
      uniswapFactory,
      uniswapPositions,
      uniswapRouter: published(
        `${UNISWAP_ROUTERS}/SwapRouter02.sol/SwapRouter02.json`,
        zeroAddress,
        uniswapFactory,
        uniswapPositions,
        wrappedNative,
      ),
      uniswapQuoter: published(`${UNISWAP_PERIPHERY}/lens/QuoterV2.sol/QuoterV2.json`, uniswapFactory, wrappedNative),
      attestationVerifier: own(
        "attestationVerifier",
        ORACLE_SIGNERS,
        BigInt(ORACLE_SIGNERS.length),
        LOCAL_HUB.oracleVersion,
        BigInt(LOCAL_HUB.evmChainId),
        LOCAL_HUB.oracleAddress,
      ),
    },
    deployments,
  };
}
