import {
  type Abi,
  type AbiFunction,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from "viem";

import type { DecodedArgument } from "./decodedCall.ts";
import type { KnownFunction, ProtocolFamily } from "./knownFunction.ts";
import { aaveV3, compoundV3, morpho } from "./protocols/lending.ts";
import { curve } from "./protocols/curve.ts";
import { erc20, erc4626, multicall3, nft, permit2, wrappedNative } from "./protocols/tokens.ts";
import {
  approvalProxy,
  approvalProxy30,
  kitExecutor,
  kitProxies,
  routerV2,
  routerV3,
  routerViaCalls,
} from "./protocols/routerAndKit.ts";
import { lido } from "./protocols/lido.ts";
import { uniswapV2 } from "./protocols/uniswapV2.ts";
import { uniswapV3, universalRouter } from "./protocols/uniswapV3.ts";

export interface IndexedFunction {
  readonly family: string;
  readonly item: AbiFunction;
  readonly known: KnownFunction;
}

const FAMILIES: readonly ProtocolFamily[] = [
  routerV3,
  routerViaCalls,
  routerV2,
  approvalProxy,
  approvalProxy30,
  kitProxies,
  kitExecutor,
  erc20,
  wrappedNative,
  erc4626,
  aaveV3,
  compoundV3,
  uniswapV2,
  uniswapV3,
  universalRouter,
  permit2,
  nft,
  morpho,
  curve,
  lido,
  multicall3,
];

let index: ReadonlyMap<Hex, IndexedFunction> | undefined;

export function findKnownFunction(selector: Hex): IndexedFunction | undefined {
  // Built on first use, so that the import parses no ABIs.
  index ??= new Map(FAMILIES.flatMap(indexFamily));
  return index.get(selector);
}

/** Reads the bytes after the arguments as an argument if the function defines them. */
export function readKnownFunction({ item, known: { rest } }: IndexedFunction, data: Hex): ReadFunction | undefined {
  const read = readFunction(item, data);
  if (read?.tail === undefined || rest === undefined) return read;
  return { ...read, args: [...read.args, { name: rest, type: "bytes", value: read.tail }], tail: "0x" };
}

function indexFamily({ name, structs = [], functions }: ProtocolFamily): [Hex, IndexedFunction][] {
  return functions.map((known) => {
    const [item] = parseAbi([known.signature, ...structs]) as readonly [AbiFunction];
    return [toFunctionSelector(item), { family: name, item, known }];
  });
}

export interface ReadFunction {
  readonly item: AbiFunction;
  readonly args: readonly DecodedArgument[];
  /** Bytes after the arguments; `undefined` for a non-canonical encoding. */
  readonly tail: Hex | undefined;
}

/** Returns undefined if the data does not match. */
export function readFunction(item: AbiFunction, data: Hex): ReadFunction | undefined {
  try {
    const { args = [] } = decodeFunctionData<Abi>({ abi: [item], data });
    const plain = encodeFunctionData<Abi>({ abi: [item], functionName: item.name, args });
    return {
      item,
      args: item.inputs.map(({ name = "", type }, index) => ({ name, type, value: args[index] })),
      tail: data.startsWith(plain) ? `0x${data.slice(plain.length)}` : undefined,
    };
  } catch {
    return undefined;
  }
}
