import {
  type Abi,
  type AbiFunction,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  numberToHex,
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
import { algebra, slipstream, swapRouter, swapRouter02, uniswapPeriphery } from "./protocols/uniswapV3.ts";
import {
  ACTIONS,
  COMMANDS,
  positionManager,
  universalRouter,
  universalRouterCommands,
  v4Actions,
} from "./protocols/universalRouter.ts";
import { callerPositions, signatures, tokenSignatures } from "./protocols/signatures.ts";
import { allowanceHolder, balancerV3, balancerVault, curveRouter, oneInch, settler } from "./protocols/aggregators.ts";
import type { SwapRouterRules } from "./swapRouters.ts";

export interface IndexedFunction {
  readonly family: string;
  readonly item: AbiFunction;
  readonly known: KnownFunction;
  readonly router: SwapRouterRules | undefined;
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
  slipstream,
  algebra,
  swapRouter,
  swapRouter02,
  uniswapPeriphery,
  universalRouter,
  positionManager,
  oneInch,
  allowanceHolder,
  settler,
  curveRouter,
  balancerVault,
  balancerV3,
  permit2,
  tokenSignatures,
  signatures,
  callerPositions,
  nft,
  morpho,
  curve,
  lido,
  multicall3,
];

/** Commands and actions, which are not functions of a contract. */
const INNER: readonly ProtocolFamily[] = [universalRouterCommands, v4Actions];

let index: ReadonlyMap<Hex, IndexedFunction> | undefined;
let inner: readonly (readonly [Hex, IndexedFunction])[] | undefined;

export function findKnownFunction(selector: Hex): IndexedFunction | undefined {
  // Built on first use, so that the import parses no ABIs.
  index ??= new Map([...FAMILIES, ...INNER].flatMap(indexFamily));
  return index.get(selector);
}

/** Returns the known function of a decoded call. */
export function knownOf({ data }: { readonly data: string }): IndexedFunction | undefined {
  return data.length < 10 ? undefined : findKnownFunction(data.slice(0, 10).toLowerCase() as Hex);
}

/**
 * Encodes a command of the universal router or an action of Uniswap v4 like a call of a function with its name, so that
 * it is decoded like one. Unknown numbers become the selector.
 */
export function encodeInnerFunction(kind: "command" | "action", code: number, input: Hex): Hex {
  inner ??= INNER.flatMap(indexFamily);
  const name = (kind === "command" ? COMMANDS : ACTIONS)[code];
  const forms = inner.filter(([, { item }]) => item.name === name);
  const encode = (selector: Hex): Hex => `${selector}${input.slice(2)}`;
  // Versions of the router have different parameters.
  const data = forms.map(([selector, { item }]) => ({ item, data: encode(selector) }));
  const fitting = data.length > 1 ? data.find((each) => readFunction(each.item, each.data)?.tail === "0x") : undefined;
  return (fitting ?? data[0])?.data ?? encode(numberToHex(code, { size: 4 }));
}

/** Whether a function is a command or an action, which is decoded leniently. */
export function isInnerFunction({ item }: IndexedFunction): boolean {
  return /^[A-Z]/u.test(item.name);
}

/** Reads the bytes after the arguments as an argument if the function defines them. */
export function readKnownFunction({ item, known: { rest } }: IndexedFunction, data: Hex): ReadFunction | undefined {
  const read = readFunction(item, data);
  if (read?.tail === undefined || rest === undefined) return read;
  return { ...read, args: [...read.args, { name: rest, type: "bytes", value: read.tail }], tail: "0x" };
}

function indexFamily({ name, structs = [], router, functions }: ProtocolFamily): [Hex, IndexedFunction][] {
  return functions.map((known) => {
    const [item] = parseAbi([known.signature, ...structs]) as readonly [AbiFunction];
    return [toFunctionSelector(item), { family: name, item, known, router }];
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
