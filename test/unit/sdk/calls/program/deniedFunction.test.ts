import { expect } from "chai";
import { parseAbi, toFunctionSignature } from "viem";

import { deniedFunctions } from "../../../../../packages/protocol/src/abi/deniedFunctions.generated.ts";
import { deniedFunction } from "../../../../../packages/sdk/src/calls/program/deniedFunction.ts";

describe("deniedFunction", () => {
  it("reports a function by its selector", () => {
    expect([deniedFunction("0x095ea7b3"), deniedFunction("0xa9059cbb"), deniedFunction("0x6e553f65")]).to.deep.equal([
      "approve(address,uint256)",
      "transfer(address,uint256)",
      undefined,
    ]);
  });

  it("has canonical signatures, so that their hashes are selectors", () => {
    const canonical = deniedFunctions.map((signature) => {
      const [item] = parseAbi([`function ${signature}`] as readonly string[]);
      if (item?.type !== "function") throw new Error(`${signature} is no function`);
      return toFunctionSignature(item);
    });
    expect(deniedFunctions).to.deep.equal(canonical);
  });
});
