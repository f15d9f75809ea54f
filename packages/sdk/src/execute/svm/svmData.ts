import { bytesToHex, hexToBytes } from "viem";

import { doc, parseData } from "@crosscall/protocol/schema";
import * as T from "@crosscall/protocol/schema/type";
import type { SvmInstruction } from "./svmMessage.ts";

const DataSchema = T.Object({
  instructions: T.Array(
    T.Object({
      programId: T.String(),
      keys: T.Array(T.Object({ pubkey: T.String(), isSigner: T.Boolean(), isWritable: T.Boolean() })),
      data: T.String({ pattern: "^(0x)?([0-9a-fA-F]{2})*$", description: doc("Hex, usually without 0x.") }),
    }),
  ),
  addressLookupTableAddresses: T.Optional(T.Array(T.String())),
});

/** Instructions and lookup tables of a step. */
export interface SvmData {
  readonly instructions: readonly SvmInstruction[];
  readonly addressLookupTableAddresses: readonly string[];
}

/** Reads the data of a step's item. */
export function readSvmData({ stepId, data }: { readonly stepId: string; readonly data: object }): SvmData {
  const { instructions, addressLookupTableAddresses = [] } = parseData(DataSchema, data, `step ${stepId}`, "data");
  return {
    addressLookupTableAddresses,
    instructions: instructions.map(({ data: hex, ...instruction }) => ({
      ...instruction,
      data: hexToBytes(`0x${hex.replace(/^0x/u, "")}`),
    })),
  };
}

/** Returns data in the format of a step's item. */
export function toSvmData({ instructions, addressLookupTableAddresses }: SvmData) {
  return {
    addressLookupTableAddresses,
    instructions: instructions.map(({ data, ...instruction }) => ({ ...instruction, data: bytesToHex(data).slice(2) })),
  };
}
