import { readdir } from "node:fs/promises";

import { expect } from "chai";
import { type AbiFunction, type AbiParameter, parseAbi } from "viem";

import type { ProtocolFamily } from "../../../../../packages/sdk/src/calls/decode/knownFunction.ts";

const PROTOCOLS = new URL("../../../../../packages/sdk/src/calls/decode/protocols/", import.meta.url);

/** Functions that only seem to use a signature, with the reason. */
const UNSIGNED: Readonly<Record<string, string>> = {
  PERMIT2_TRANSFER_FROM: "uses an allowance in Permit2",
  PERMIT2_TRANSFER_FROM_BATCH: "uses allowances in Permit2",
};

const namesOf = (inputs: readonly AbiParameter[]): string[] =>
  inputs.flatMap((input) => [input.name ?? "", ...("components" in input ? namesOf(input.components) : [])]);

describe("functions that use a signature", () => {
  it("have a signer, or a reason why they spend none", async () => {
    const seen: Record<string, boolean> = {};
    for (const file of await readdir(PROTOCOLS)) {
      const exported = (await import(new URL(file, PROTOCOLS).href)) as Readonly<Record<string, unknown>>;
      const families = Object.values(exported).filter(
        (value): value is ProtocolFamily => typeof value === "object" && value !== null && "functions" in value,
      );
      for (const { functions, structs = [] } of families) {
        for (const { signature, signed } of functions) {
          const [{ name, inputs }] = parseAbi([signature, ...structs]) as readonly [AbiFunction];
          const isNamed = /permit|sig(ned)?$|authorization$/iu.test(name);
          const hasSignature = namesOf(inputs).some((each) => /^(v|permitV)$|signature|^permits?$/iu.test(each));
          if (isNamed || hasSignature) seen[name] = (seen[name] ?? true) && signed !== undefined;
        }
      }
    }
    const unsigned = Object.keys(seen).filter((name) => seen[name] !== true);
    expect(unsigned.toSorted()).to.deep.equal(Object.keys(UNSIGNED).toSorted());
    expect(Object.keys(seen)).to.include.members(["permit", "executeSigned", "supplyWithPermit", "UNISWAPV3_VIP"]);
  });
});
