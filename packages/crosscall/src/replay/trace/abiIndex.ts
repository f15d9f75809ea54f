import {
  type Abi,
  type AbiEvent,
  type AbiFunction,
  decodeAbiParameters,
  decodeEventLog,
  type Hex,
  toEventSelector,
  toFunctionSelector,
} from "viem";

import {
  type DecodedArgument,
  findKnownFunction,
  type ReadFunction,
  readFunction,
  readKnownFunction as readKnown,
  signatureOf,
} from "@crosscall/sdk/kit";
import { type AbiError, findKnownError, selectorOf } from "@crosscall/protocol/reverts";
import { findListedError } from "../causes/catalog.ts";
import type { FrameLog } from "./callFrame.ts";
import { STANDARD_ABIS } from "./standardAbis.ts";

export interface DecodedItem {
  readonly name: string;
  readonly signature: string;
  readonly args: readonly DecodedArgument[];
}

export interface AbiIndex {
  readCall(data: Hex): ReadFunction | undefined;
  /** Decodes the result of a call. Returns undefined if no ABI matches. */
  readResult(input: Hex, output: Hex): readonly DecodedArgument[] | undefined;
  readError(data: Hex): DecodedItem | undefined;
  readEvent(log: Pick<FrameLog, "topics" | "data">): DecodedItem | undefined;
}

type Named = AbiEvent | AbiError;

let standard: AbiIndex | undefined;

/**
 * Indexes by their ABIs. They are cached, because hashing the signatures of a whole project takes longer than a fill.
 */
const indexes = new WeakMap<readonly Abi[], AbiIndex>();

/** Creates an index of ABIs that falls back to those of the kit, of standards and of known protocols. */
export function createAbiIndex(abis: readonly Abi[] = []): AbiIndex {
  standard ??= createIndexOf(STANDARD_ABIS, {
    readCall: (data) => readKnownFunction(data),
    readResult: () => undefined,
    readError: (data) => readErrorOf(findKnownError(data)?.abi, data) ?? readErrorOf(findListedError(data), data),
    readEvent: () => undefined,
  });
  if (abis.length === 0) return standard;
  const index = indexes.get(abis) ?? createIndexOf(abis, standard);
  indexes.set(abis, index);
  return index;
}

function createIndexOf(abis: readonly Abi[], next: AbiIndex): AbiIndex {
  const items = abis.flat();
  const functions = Map.groupBy(
    items.filter((item): item is AbiFunction => item.type === "function"),
    toFunctionSelector,
  );
  const errors = Map.groupBy(
    items.filter((item): item is AbiError => item.type === "error"),
    (item) => selectorOf(signatureOf(item)),
  );
  const events = Map.groupBy(
    items.filter((item): item is AbiEvent => item.type === "event"),
    toEventSelector,
  );
  return {
    readCall(data) {
      const readings = (functions.get(selectorIn(data)) ?? []).flatMap((item) => readFunction(item, data) ?? []);
      const exact = readings.find(({ tail }) => tail === "0x");
      if (exact !== undefined) return exact;
      const inherited = next.readCall(data);
      return inherited?.tail === "0x" ? inherited : (readings[0] ?? inherited);
    },
    readResult(input, output) {
      for (const item of functions.get(selectorIn(input)) ?? []) {
        const results = readFunction(item, input) === undefined ? undefined : readOutputs(item, output);
        if (results !== undefined) return results;
      }
      return next.readResult(input, output);
    },
    readError(data) {
      const readings = (errors.get(selectorIn(data)) ?? []).flatMap((item) => readErrorOf(item, data) ?? []);
      return readings[0] ?? next.readError(data);
    },
    readEvent(log) {
      const [topic] = log.topics;
      const candidates = topic === undefined ? [] : (events.get(topic) ?? []);
      return candidates.flatMap((item) => readEventOf(item, log) ?? [])[0] ?? next.readEvent(log);
    },
  };
}

function selectorIn(data: Hex): Hex {
  return data.slice(0, 10).toLowerCase() as Hex;
}

function readKnownFunction(data: Hex): ReadFunction | undefined {
  const known = findKnownFunction(selectorIn(data));
  return known === undefined ? undefined : readKnown(known, data);
}

function readOutputs({ outputs }: AbiFunction, output: Hex): readonly DecodedArgument[] | undefined {
  if (outputs.length === 0) return undefined;
  try {
    const values: readonly unknown[] = decodeAbiParameters(outputs, output);
    return outputs.map(({ name = "", type }, index) => ({ name, type, value: values[index] }));
  } catch {
    return undefined;
  }
}

function readErrorOf(item: AbiError | undefined, data: Hex): DecodedItem | undefined {
  if (item === undefined) return undefined;
  try {
    const values: readonly unknown[] = decodeAbiParameters(item.inputs, `0x${data.slice(10)}`);
    return decodedItem(item, values);
  } catch {
    return undefined;
  }
}

function readEventOf(item: AbiEvent, { topics, data }: Pick<FrameLog, "topics" | "data">): DecodedItem | undefined {
  try {
    // viem returns named values, but names are optional in ABIs.
    const inputs = item.inputs.map((input, index) => ({ ...input, name: String(index) }));
    const named = { ...item, inputs };
    const { args } = decodeEventLog({ abi: [named], topics: topics as [Hex, ...Hex[]], data });
    // Optional, because viem omits `args` for an event without arguments.
    const values: Readonly<Record<string, unknown>> = { ...args };
    return decodedItem(
      item,
      inputs.map(({ name }) => values[name]),
    );
  } catch {
    return undefined;
  }
}

function decodedItem(item: Named, values: readonly unknown[]): DecodedItem {
  return {
    name: item.name,
    signature: signatureOf(item),
    args: item.inputs.map(({ name = "", type }, index) => ({ name, type, value: values[index] })),
  };
}
