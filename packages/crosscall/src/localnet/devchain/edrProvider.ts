import {
  ContractDecoder,
  GasEstimationMode,
  GENERIC_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  MineOrdering,
  type Provider,
  type Response,
} from "@nomicfoundation/edr";
import { hexToBytes, numberToHex } from "viem";
import { privateKeyToAddress } from "viem/accounts";

import { InvalidStateError } from "@crosscall/protocol/core";
import { isObject } from "@crosscall/protocol/schema";
import { sharedContext } from "../../replay/fork/edrEngine.ts";
import { EngineError } from "../../replay/fork/fork.ts";
import { NODE_KEYS } from "./accounts.ts";
import type { Request } from "./chainRecord.ts";
import type { Hardfork } from "./options.ts";
import { REVERTED } from "./serveRpc.ts";

export interface EdrProviderParameters {
  readonly chainId: number;
  readonly hardfork: Hardfork;
  /** Unix seconds of the first block. A fork continues the forked chain's time. */
  readonly genesisTime: number;
  readonly fork?: { readonly url: string; readonly blockNumber?: number; readonly cacheDir: string } | undefined;
  /** Constant responses of methods. */
  readonly responses: Readonly<Record<string, string>>;
  /** Receives the notifications of `eth_subscribe`. */
  readonly onNotification: (subscription: string, result: unknown) => void;
}

/** Gas limits of the blocks, and of transactions since Osaka (EIP-7825). */
const BLOCK_GAS = 60_000_000n;
const OSAKA_TRANSACTION_GAS = 16_777_216n;

const COINBASE = "0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e";
const ACCOUNTS = NODE_KEYS.map((key) => privateKeyToAddress(key));

const BALANCE = 10_000n * 10n ** 18n;

/** Methods that run a call, whose sender is optional. */
const CALLS: ReadonlySet<string> = new Set(["eth_sendTransaction", "eth_call", "eth_estimateGas"]);

/** Starts Hardhat's EVM with the accounts and the settings of a Hardhat node. */
export async function openEdr(parameters: EdrProviderParameters): Promise<{ request: Request; close: () => void }> {
  const { chainId, hardfork, genesisTime, fork, responses, onNotification } = parameters;
  const gasLimit = hardfork === "osaka" ? OSAKA_TRANSACTION_GAS : BLOCK_GAS;
  const context = await sharedContext();
  let provider: Provider | undefined = await context.createProvider(
    GENERIC_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      bailOnTransactionFailure: true,
      chainId: BigInt(chainId),
      coinbase: hexToBytes(COINBASE),
      defaultTransactionGasLimit: gasLimit,
      gasEstimationMode: GasEstimationMode.NoInternalOutOfGas,
      genesisState: [
        // Accounts start without code, even on a fork where they delegate to a contract.
        ...ACCOUNTS.map((address) => ({ address: hexToBytes(address), balance: BALANCE, code: new Uint8Array() })),
        ...(fork === undefined ? l1GenesisState(l1HardforkFromString(hardfork)) : []),
      ],
      hardfork,
      minGasPrice: 0n,
      mining: { autoMine: true, blockGasLimit: BLOCK_GAS, memPool: { order: MineOrdering.Priority } },
      network:
        fork === undefined
          ? { genesisBlockGasLimit: BLOCK_GAS, genesisBlockTime: BigInt(genesisTime) }
          : {
              url: fork.url,
              cacheDir: fork.cacheDir,
              ...(fork.blockNumber === undefined ? {} : { blockNumber: BigInt(fork.blockNumber) }),
            },
      networkId: BigInt(chainId),
      observability: {},
      ownedAccounts: [...NODE_KEYS],
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined },
    {
      subscriptionCallback({ filterId, result }) {
        for (const one of [result].flat()) onNotification(numberToHex(filterId), one);
      },
    },
    new ContractDecoder(),
  );
  let id = 0;
  const send: Request = async (method, params = []) => {
    const known = responses[method];
    if (known !== undefined) return known;
    if (provider === undefined) {
      throw new InvalidStateError({ message: "the node is closed", hint: "Start another network." });
    }
    id += 1;
    return readResponse(await provider.handleRequest(JSON.stringify({ jsonrpc: "2.0", id, method, params })));
  };
  return {
    async request(method, params = []) {
      // Libraries recognize Hardhat's nodes by this name.
      if (method === "web3_clientVersion") return `HardhatNetwork/${String(await send(method))}`;
      const [call, ...rest] = params;
      if (!CALLS.has(method) || !isObject(call)) return send(method, params);
      const sent = { ...call, from: call.from ?? ACCOUNTS[0] };
      return send(method, [method === "eth_sendTransaction" ? await complete(send, sent, gasLimit) : sent, ...rest]);
    },
    close() {
      provider = undefined;
    },
  };
}

/** Adds the missing fees and gas limit to a transaction, as Hardhat does. */
async function complete(
  send: Request,
  transaction: Readonly<Record<string, unknown>>,
  defaultGas: bigint,
): Promise<Readonly<Record<string, unknown>>> {
  const priced = { ...transaction, ...(await missingFees(send, transaction)) };
  return priced.gas === undefined ? { ...priced, gas: await estimateGas(send, priced, defaultGas) } : priced;
}

interface FeeHistory {
  readonly baseFeePerGas: readonly string[];
  readonly reward: readonly (readonly string[])[];
}

async function missingFees(
  send: Request,
  { gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
  if (gasPrice !== undefined || (maxFeePerGas !== undefined && maxPriorityFeePerGas !== undefined)) return {};
  const history = (await send("eth_feeHistory", ["0x1", "latest", [50]])) as FeeHistory;
  const paid = BigInt(history.reward[0]?.[0] ?? 0);
  const suggested = paid > 0n ? paid : BigInt((await send("eth_maxPriorityFeePerGas")) as string) || 1n;
  const priority = typeof maxPriorityFeePerGas === "string" ? BigInt(maxPriorityFeePerGas) : suggested;
  // Covers the highest base fee after two full blocks.
  const highest = (BigInt(history.baseFeePerGas.at(-1) ?? 0) * 81n) / 64n;
  const given = typeof maxFeePerGas === "string" ? BigInt(maxFeePerGas) : highest;
  const maximum = given < priority ? given + priority : given;
  return { maxFeePerGas: numberToHex(maximum), maxPriorityFeePerGas: numberToHex(priority) };
}

async function estimateGas(send: Request, transaction: unknown, defaultGas: bigint): Promise<unknown> {
  try {
    return await send("eth_estimateGas", [transaction]);
  } catch (error) {
    // The transaction may succeed nevertheless.
    if (!isInnerOutOfGas((error as { readonly data?: unknown }).data)) throw error;
    const { gasLimit } = (await send("eth_getBlockByNumber", ["pending", false])) as { readonly gasLimit: string };
    return numberToHex(BigInt(gasLimit) < defaultGas ? BigInt(gasLimit) : defaultGas);
  }
}

const INNER_OUT_OF_GAS =
  "Gas estimation failed: an internal call runs out of gas with any gas limit of the transaction. Set the gas limit.";

/** Whether this is the data of an estimate's error because a call in the transaction runs out of gas with any limit. */
function isInnerOutOfGas(data: unknown): boolean {
  return isObject(data) && data.reason === "InternalCallOutOfGas";
}

function readResponse(response: Response): unknown {
  const data: unknown = response.data;
  // EDR returns long responses as objects.
  const { result, error } = (typeof data === "string" ? JSON.parse(data) : data) as {
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  };
  if (error === undefined) return result;
  const { code, message, data: details } = error;
  if (isInnerOutOfGas(details)) throw new EngineError({ code, message: INNER_OUT_OF_GAS, data: details });
  const isRevert = isObject(details) && response.stackTrace()?.kind === "StackTrace";
  // As on other nodes, the data of a reverted call is what the contract returned.
  throw new EngineError(isRevert ? { code: REVERTED, message, data: details.data } : { code, message, data: details });
}
