import { expect } from "chai";
import { type AbiFunction, decodeFunctionData, type Hex, toFunctionSelector } from "viem";

import { callProxy, type CallProxyParameters } from "../../../../packages/sdk/src/calls/callProxy.ts";
import { readArtifact } from "../../../../packages/crosscall/src/artifacts.ts";
import { PROXY, RECIPIENT, ROUTER } from "./accounts.ts";
import { readCall } from "./decode.ts";

const limits = { proxy: PROXY, minimumIn: 5n, deadline: 7n };

/** Every function, with the contract of the build that has it. */
const FUNCTIONS = {
  execute: [{ ...limits, recipient: RECIPIENT, minimumOut: 6n, functionName: "execute" }, "proxies/Erc4626Proxy"],
  executeNative: [
    { ...limits, recipient: RECIPIENT, minimumOut: 6n, functionName: "executeNative", router: ROUTER },
    "proxies/WrappedNativeProxy",
  ],
  repay: [{ ...limits, borrower: RECIPIENT, minimumRepaid: 6n, functionName: "repay" }, "proxies/AaveV3Proxy"],
  repayNative: [
    { ...limits, borrower: RECIPIENT, minimumRepaid: 6n, functionName: "repayNative", router: ROUTER },
    "proxies/AaveV3Proxy",
  ],
} as const satisfies Record<string, readonly [CallProxyParameters, string]>;

describe("callProxy", () => {
  it("executes with the recipient, both minima and the deadline", () => {
    const call = callProxy({ proxy: PROXY, recipient: RECIPIENT, minimumIn: 5n, minimumOut: 6n, deadline: 7n });
    expect(readCall(call)).to.deep.equal({
      to: PROXY,
      name: "execute",
      args: [RECIPIENT, 5n, 6n, 7n],
      value: "0",
    });
  });

  it("requires at least one unit, in and out, if no minimum is given", () => {
    expect(readCall(callProxy({ proxy: PROXY, recipient: RECIPIENT, deadline: 7n })).args).to.deep.equal([
      RECIPIENT,
      1n,
      1n,
      7n,
    ]);
    const repaid = callProxy({ proxy: PROXY, functionName: "repay", borrower: RECIPIENT, deadline: 7n });
    expect(readCall(repaid).args).to.deep.equal([RECIPIENT, 1n, 1n, 7n]);
  });

  for (const [name, [parameters, contract]] of Object.entries(FUNCTIONS)) {
    it(`encodes ${name} for the build's contract`, () => {
      const { abi } = readArtifact(contract);
      const call = callProxy(parameters);
      const isNative = name.endsWith("Native");
      expect([call.to, call.value]).to.deep.equal([isNative ? ROUTER : PROXY, "0"]);
      const outer = isNative ? readCall(call) : undefined;
      const data = (outer?.args[2] ?? call.data) as Hex;
      if (outer !== undefined) {
        expect([outer.name, ...outer.args.slice(0, 2)]).to.deep.equal(["cleanupNativeViaCall", 0n, PROXY]);
      }
      const item = abi.find(
        (known): known is AbiFunction => known.type === "function" && toFunctionSelector(known) === data.slice(0, 10),
      );
      expect(item?.name).to.equal(name);
      expect(decodeFunctionData({ abi, data }).args).to.deep.equal([RECIPIENT, 5n, 6n, 7n]);
    });
  }

  it("does not compile if a function's parameter is missing", () => {
    // @ts-expect-error the router sends native to the proxy
    const native = (): unknown => callProxy({ ...limits, recipient: RECIPIENT, functionName: "executeNative" });
    // @ts-expect-error a debt has a borrower
    const debt = (): unknown => callProxy({ ...limits, recipient: RECIPIENT, functionName: "repay" });
    expect([native, debt]).to.have.length(2);
  });
});
