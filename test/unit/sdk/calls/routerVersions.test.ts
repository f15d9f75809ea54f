import { expect } from "chai";
import { type Abi, decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from "viem";

import * as calls from "../../../../packages/sdk/src/calls/index.ts";
import type { Call } from "../../../../packages/protocol/src/common/call.ts";
import { refusal } from "../../../support/rejection.ts";
import { OTHER_PROXY, OTHER_TOKEN, PROXY, RECIPIENT, ROUTER, TOKEN } from "./accounts.ts";

// ABIs from spec 4, section 3.
const viaCall = [
  "function cleanupErc20sViaCall(address[] tokens, address[] tos, bytes[] datas, uint256[] amounts)",
  "function cleanupNativeViaCall(uint256 amount, address to, bytes data)",
] as const;
const older = parseAbi([
  "function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts)",
  "function cleanupNative(uint256 amount, address recipient)",
  ...viaCall,
]);
const newest = parseAbi([
  "function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts, bytes metadata)",
  "function cleanupNative(uint256 amount, address recipient, bytes metadata)",
  ...viaCall,
]);
const METADATA: Record<calls.RouterVersion, readonly string[]> = { v2: [], "v2.1": [], v3: ["0x"] };

function read({ to, data, value }: Call, version: calls.RouterVersion): unknown[] {
  const abi: Abi = version === "v3" ? newest : older;
  const { functionName, args } = decodeFunctionData({ abi, data: data as Hex });
  expect(encodeFunctionData({ abi, functionName, args: args ?? [] })).to.equal(data);
  return [to, functionName, ...(args ?? []), value];
}

describe("calls from the router to itself", () => {
  for (const routerVersion of calls.ROUTER_VERSIONS) {
    const router = { router: ROUTER, routerVersion };
    const metadata = METADATA[routerVersion];

    describe(`in version ${routerVersion}`, () => {
      it("sweep tokens", () => {
        const call = calls.cleanupErc20s({ ...router, cleanups: [{ token: TOKEN, recipient: RECIPIENT, amount: 5n }] });
        expect(read(call, routerVersion)).to.deep.equal([
          ROUTER,
          "cleanupErc20s",
          [TOKEN],
          [RECIPIENT],
          [5n],
          ...metadata,
          "0",
        ]);
      });

      it("sweep native currency", () => {
        const call = calls.cleanupNative({ ...router, recipient: RECIPIENT });
        expect(read(call, routerVersion)).to.deep.equal([ROUTER, "cleanupNative", 0n, RECIPIENT, ...metadata, "0"]);
      });

      it("call other contracts with tokens", () => {
        const call = calls.cleanupErc20sViaCall({
          ...router,
          cleanups: [
            { token: TOKEN, to: PROXY, data: "0x12" },
            { token: OTHER_TOKEN, to: OTHER_PROXY, data: "0x", amount: 5n },
          ],
        });
        expect(read(call, routerVersion)).to.deep.equal([
          ROUTER,
          "cleanupErc20sViaCall",
          [TOKEN, OTHER_TOKEN],
          [PROXY, OTHER_PROXY],
          ["0x12", "0x"],
          [0n, 5n],
          "0",
        ]);
      });

      it("call other contracts with native currency", () => {
        const call = calls.cleanupNativeViaCall({ ...router, to: PROXY, data: "0x12", amount: 5n });
        expect(read(call, routerVersion)).to.deep.equal([ROUTER, "cleanupNativeViaCall", 5n, PROXY, "0x12", "0"]);
        const plain = calls.cleanupNativeViaCall({ ...router, to: PROXY });
        expect(read(plain, routerVersion)).to.deep.equal([ROUTER, "cleanupNativeViaCall", 0n, PROXY, "0x", "0"]);
      });

      it("are used by plans and pushes", () => {
        const plan = calls.planCalls({
          ...router,
          tradeType: "EXACT_INPUT",
          destinationCurrency: TOKEN,
          recipient: RECIPIENT,
          amount: 1n,
          actions: [{ kind: "call", call: { to: PROXY, data: "0x12345678", value: "0" } }],
        });
        expect(read(plan.txs[1]!, routerVersion)[1]).to.equal("cleanupErc20s");
        expect(read(plan.txs[2]!, routerVersion)[1]).to.equal("cleanupNative");
        const program = calls.encodeProgram(
          { recipient: RECIPIENT, tokens: [{ token: TOKEN }], steps: [] },
          { executor: PROXY, livePuller: OTHER_PROXY, router: ROUTER },
        );
        const [push] = calls.pushAndExecute({ ...router, executor: PROXY, program });
        expect(read(push!, routerVersion)[1]).to.equal("cleanupErc20s");
      });
    });
  }

  it("default to the newest version", () => {
    const cleanups = [{ token: TOKEN, recipient: RECIPIENT }];
    expect(calls.cleanupErc20s({ router: ROUTER, cleanups })).to.deep.equal(
      calls.cleanupErc20s({ router: ROUTER, routerVersion: "v3", cleanups }),
    );
  });

  it("include metadata if the version supports it", () => {
    const call = calls.cleanupNative({ router: ROUTER, recipient: RECIPIENT, metadata: "0xabcd" });
    expect(read(call, "v3").at(-2)).to.equal("0xabcd");
    const tokens = calls.cleanupErc20s({
      router: ROUTER,
      cleanups: [{ token: TOKEN, recipient: RECIPIENT }],
      metadata: "0xabcd",
    });
    expect(read(tokens, "v3").at(-2)).to.equal("0xabcd");
  });

  const cleanup = { router: ROUTER, recipient: RECIPIENT };
  const refused: Record<string, [run: () => unknown, field: string]> = {
    "metadata for v2": [() => calls.cleanupNative({ ...cleanup, routerVersion: "v2", metadata: "0x" }), "metadata"],
    "metadata for v2.1": [
      () => calls.cleanupNative({ ...cleanup, routerVersion: "v2.1", metadata: "0x12" }),
      "metadata",
    ],
    "metadata that is not hex": [() => calls.cleanupNative({ ...cleanup, metadata: "0x1" }), "metadata"],
    "an unknown version": [() => calls.cleanupNative({ ...cleanup, routerVersion: "v4" as "v3" }), "routerVersion"],
    "no token to move": [() => calls.cleanupErc20sViaCall({ router: ROUTER, cleanups: [] }), "cleanups"],
    "zero tokens, which would mean all": [
      () =>
        calls.cleanupErc20sViaCall({ router: ROUTER, cleanups: [{ token: TOKEN, to: PROXY, data: "0x", amount: 0n }] }),
      "cleanups[0].amount",
    ],
    "zero native currency, which would mean all": [
      () => calls.cleanupNativeViaCall({ router: ROUTER, to: PROXY, amount: 0n }),
      "amount",
    ],
    "invalid call data": [() => calls.cleanupNativeViaCall({ router: ROUTER, to: PROXY, data: "0x1" }), "data"],
  };
  for (const [name, [run, field]] of Object.entries(refused)) {
    it(`reject ${name}`, () => {
      expect(refusal(run)).to.include({ code: "INVALID_INPUT", field });
    });
  }
});
