import {
  ContractDecoder,
  EdrContext,
  IncludeTraces,
  L1_CHAIN_TYPE,
  L1Hardfork,
  MineOrdering,
  l1HardforkToString,
  l1ProviderFactory,
} from "@nomicfoundation/edr";

import type { Request } from "./rawNode.ts";

const BLOCK_GAS_LIMIT = 30_000_000n;

let shared: Promise<EdrContext> | undefined;

async function createContext(): Promise<EdrContext> {
  const context = new EdrContext();
  await context.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory());
  return context;
}

/** Parameters of {@link startRawEdr}. */
export interface RawEdrParameters {
  readonly url: string;
  readonly chainId: number;
  readonly blockNumber: bigint;
  /** Folder of the engine's cache. */
  readonly cacheDir: string;
}

/** Starts Hardhat's EVM on a fork of a chain, without the kit's code. */
export async function startRawEdr({ url, chainId, blockNumber, cacheDir }: RawEdrParameters): Promise<Request> {
  shared ??= createContext();
  const context = await shared;
  const hardfork = l1HardforkToString(L1Hardfork.Cancun);
  const provider = await context.createProvider(
    L1_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: true,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      chainId: BigInt(chainId),
      coinbase: Buffer.alloc(20),
      defaultTransactionGasLimit: BLOCK_GAS_LIMIT,
      genesisState: [],
      hardfork,
      minGasPrice: 0n,
      mining: { autoMine: true, blockGasLimit: BLOCK_GAS_LIMIT, memPool: { order: MineOrdering.Fifo } },
      network: {
        url,
        blockNumber,
        cacheDir,
        chainOverrides: [
          {
            chainId: BigInt(chainId),
            name: "bench",
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
  return async (method, params = []) => {
    id += 1;
    const response = await provider.handleRequest(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    const data: unknown = response.data;
    const answer = (typeof data === "string" ? JSON.parse(data) : data) as { result?: unknown; error?: unknown };
    if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
    return answer.result;
  };
}
