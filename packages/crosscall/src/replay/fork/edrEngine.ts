import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  ContractDecoder,
  EdrContext,
  GENERIC_CHAIN_TYPE,
  genericChainProviderFactory,
  IncludeTraces,
  L1_CHAIN_TYPE,
  L1Hardfork,
  MineOrdering,
  OP_CHAIN_TYPE,
  OpHardfork,
  type Provider,
  l1HardforkToString,
  l1ProviderFactory,
  opHardforkToString,
  opProviderFactory,
} from "@nomicfoundation/edr";

import type { BlockHeader } from "./blockHeader.ts";
import { type Engine, EngineError } from "./fork.ts";

/** Rules of the chain. `op` adds OP Stack rules to Ethereum's. */
export type ChainKind = "l1" | "op";

export interface EdrEngineParameters {
  /** URL to read the forked state from. */
  readonly url: string;
  readonly chainId: number;
  readonly kind: ChainKind;
  /** Last forked block. */
  readonly blockNumber: bigint;
  readonly rules: Pick<BlockHeader, "rules" | "hasFeeParameters">;
  readonly gasLimit: bigint;
}

/** Gas of a call without a gas limit. Calls for fills have their own limit. */
const DEFAULT_GAS = 30_000_000n;

let shared: Promise<EdrContext> | undefined;

/** Returns the context of this process, which owns the threads of all chains. */
export function sharedContext(): Promise<EdrContext> {
  shared ??= hardhatContext().catch(ownContext);
  return shared;
}

/**
 * Returns the context of an installed Hardhat with the same EDR, because a second context prints a warning. Hardhat has
 * no public API for the context.
 */
async function hardhatContext(): Promise<EdrContext> {
  const hardhat = import.meta.resolve("hardhat/package.json");
  const edr = createRequire(hardhat).resolve("@nomicfoundation/edr");
  if (edr !== createRequire(import.meta.url).resolve("@nomicfoundation/edr")) return ownContext();
  const url = new URL("dist/src/internal/edr/context.js", hardhat);
  const { getGlobalEdrContext } = (await import(url.href)) as { getGlobalEdrContext: () => Promise<EdrContext> };
  return getGlobalEdrContext();
}

async function ownContext(): Promise<EdrContext> {
  const context = new EdrContext();
  await context.registerProviderFactory(GENERIC_CHAIN_TYPE, genericChainProviderFactory());
  await context.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory());
  await context.registerProviderFactory(OP_CHAIN_TYPE, opProviderFactory());
  return context;
}

export async function startEdrEngine(parameters: EdrEngineParameters): Promise<Engine> {
  const { url, chainId, kind, blockNumber, rules, gasLimit } = parameters;
  const context = await sharedContext();
  const hardfork = hardforkOf(rules, kind);
  // Uses a temporary cache folder. The proxy in front of the chain already caches reads, and the engine would cache
  // them again in the working directory.
  const cacheDir = await mkdtemp(join(tmpdir(), "crosscall-engine-"));
  let provider: Provider | undefined = await context.createProvider(
    kind === "op" ? OP_CHAIN_TYPE : L1_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: true,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      chainId: BigInt(chainId),
      coinbase: Buffer.alloc(20),
      defaultTransactionGasLimit: DEFAULT_GAS,
      genesisState: [],
      hardfork,
      minGasPrice: 0n,
      mining: { autoMine: true, blockGasLimit: gasLimit, memPool: { order: MineOrdering.Fifo } },
      network: {
        url,
        blockNumber,
        cacheDir,
        // The engine does not know the hardforks of most chains, and would reject their blocks.
        chainOverrides: [
          {
            chainId: BigInt(chainId),
            name: `chain ${chainId}`,
            hardforkActivationOverrides: [{ condition: { blockNumber: 0n }, hardfork }],
          },
        ],
      },
      networkId: BigInt(chainId),
      observability: { includeCallTraces: IncludeTraces.None },
      ownedAccounts: [],
      precompileOverrides: [],
      transactionGasCap: false,
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined },
    { subscriptionCallback: () => undefined },
    new ContractDecoder(),
  );
  let id = 0;
  return {
    async request(method, params = []) {
      if (provider === undefined) throw new EngineError({ code: -32000, message: "the fork is closed" });
      id += 1;
      const response = await provider.handleRequest(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      const data: unknown = response.data;
      // The engine returns long responses as objects.
      const parsed = (typeof data === "string" ? JSON.parse(data) : data) as EdrResponse;
      if (parsed.error !== undefined) throw new EngineError(parsed.error);
      return parsed.result;
    },
    async close() {
      provider = undefined;
      await rm(cacheDir, { recursive: true, force: true });
    },
  };
}

interface EdrResponse {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const L1_HARDFORKS = {
  london: L1Hardfork.London,
  merge: L1Hardfork.Merge,
  shanghai: L1Hardfork.Shanghai,
  cancun: L1Hardfork.Cancun,
  prague: L1Hardfork.Prague,
} as const satisfies Record<BlockHeader["rules"], L1Hardfork>;

const OP_HARDFORKS = {
  london: OpHardfork.Bedrock,
  merge: OpHardfork.Regolith,
  shanghai: OpHardfork.Canyon,
  cancun: OpHardfork.Granite,
  prague: OpHardfork.Isthmus,
} as const satisfies Record<BlockHeader["rules"], OpHardfork>;

function hardforkOf({ rules, hasFeeParameters }: EdrEngineParameters["rules"], kind: ChainKind): string {
  if (kind !== "op") return l1HardforkToString(L1_HARDFORKS[rules]);
  // The engine fails if a block has no base fee parameters.
  return opHardforkToString(OP_HARDFORKS[rules === "prague" && !hasFeeParameters ? "cancun" : rules]);
}
