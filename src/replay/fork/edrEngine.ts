import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  ContractDecoder,
  EdrContext,
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
import { type Engine, EngineError } from "./engine.ts";

/** Which rules a chain has beside those of Ethereum. */
export type ChainKind = "l1" | "op";

/** What {@link startEdrEngine} takes. */
export interface EdrEngineParameters {
  /** Where it reads the chain. */
  readonly url: string;
  readonly chainId: number;
  readonly kind: ChainKind;
  /** The block after which the copy begins. */
  readonly blockNumber: bigint;
  readonly rules: Pick<BlockHeader, "rules" | "hasFeeParameters">;
  readonly gasLimit: bigint;
}

/** Of a call that names no limit; the calls of a fill do. */
const DEFAULT_GAS = 30_000_000n;

let shared: Promise<EdrContext> | undefined;

/** One for the process: it holds the threads of all engines. */
function sharedContext(): Promise<EdrContext> {
  shared ??= hardhatContext().catch(ownContext);
  return shared;
}

/**
 * The context of the Hardhat that is installed beside: a second one in the process, as on a local network, would print
 * a complaint. Hardhat publishes no way to it.
 */
async function hardhatContext(): Promise<EdrContext> {
  const url = new URL("dist/src/internal/edr/context.js", import.meta.resolve("hardhat/package.json"));
  const { getGlobalEdrContext } = (await import(url.href)) as { getGlobalEdrContext: () => Promise<EdrContext> };
  return getGlobalEdrContext();
}

async function ownContext(): Promise<EdrContext> {
  const context = new EdrContext();
  await context.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory());
  await context.registerProviderFactory(OP_CHAIN_TYPE, opProviderFactory());
  return context;
}

/** Starts Hardhat's EVM in this process, on a copy of a chain. */
export async function startEdrEngine(parameters: EdrEngineParameters): Promise<Engine> {
  const { url, chainId, kind, blockNumber, rules, gasLimit } = parameters;
  const context = await sharedContext();
  const hardfork = hardforkOf(rules, kind);
  // The proxy before the chain keeps what is read; the engine would keep it too, in the working folder.
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
        // The engine knows no history of most chains, and would run nothing on their blocks.
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
      // Long answers come as objects.
      const answer = (typeof data === "string" ? JSON.parse(data) : data) as EdrAnswer;
      if (answer.error !== undefined) throw new EngineError(answer.error);
      return answer.result;
    },
    async close() {
      provider = undefined;
      await rm(cacheDir, { recursive: true, force: true });
    },
  };
}

interface EdrAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The engine's name of the rules that a header shows. */
function hardforkOf({ rules, hasFeeParameters }: EdrEngineParameters["rules"], kind: ChainKind): string {
  const isOp = kind === "op";
  switch (rules) {
    case "london":
      return isOp ? opHardforkToString(OpHardfork.Bedrock) : l1HardforkToString(L1Hardfork.London);
    case "merge":
      return isOp ? opHardforkToString(OpHardfork.Regolith) : l1HardforkToString(L1Hardfork.Merge);
    case "shanghai":
      return isOp ? opHardforkToString(OpHardfork.Canyon) : l1HardforkToString(L1Hardfork.Shanghai);
    case "cancun":
      return isOp ? opHardforkToString(OpHardfork.Granite) : l1HardforkToString(L1Hardfork.Cancun);
    case "prague":
      if (!isOp) return l1HardforkToString(L1Hardfork.Prague);
      // The engine reads the parameters of the base fee off the block, and has no answer where they are missing.
      return opHardforkToString(hasFeeParameters ? OpHardfork.Isthmus : OpHardfork.Granite);
  }
}
