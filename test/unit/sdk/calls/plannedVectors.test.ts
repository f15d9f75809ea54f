import { readFileSync } from "node:fs";

import { expect } from "chai";
import { type Address, zeroAddress } from "viem";

import { planCalls, type ProxyAction } from "../../../../packages/sdk/src/calls/planCalls.ts";
import type { Call } from "../../../../packages/protocol/src/common/call.ts";

interface Vector {
  readonly router: Address;
  readonly token?: Address;
  readonly proxy: Address;
  readonly recipient: Address;
  readonly minimumIn: string;
  readonly minimumOut: string;
  readonly deadline: string;
  readonly txs: readonly Call[];
}

const VECTORS = new URL("../../../vectors/", import.meta.url);

// Solidity tests compare the calls of `FillTest` with the same files.
describe("planCalls: calls that the Solidity test helper builds, too", () => {
  for (const name of ["planned-execute", "planned-execute-native"]) {
    it(name, () => {
      const vector = JSON.parse(readFileSync(new URL(`${name}.json`, VECTORS), "utf8")) as Vector;
      expect(plan(vector)).to.deep.equal(vector.txs);
    });
  }
});

function plan({ router, token, proxy, recipient, ...limits }: Vector): readonly Call[] {
  const execution = {
    kind: "proxy",
    proxy,
    recipient,
    minimumIn: BigInt(limits.minimumIn),
    minimumOut: BigInt(limits.minimumOut),
    deadline: BigInt(limits.deadline),
  } as const;
  const action: ProxyAction =
    token === undefined ? { ...execution, functionName: "executeNative" } : { ...execution, token };
  return planCalls({
    tradeType: "EXACT_INPUT",
    router,
    destinationCurrency: token ?? zeroAddress,
    recipient,
    amount: 100n,
    actions: [action],
  }).txs;
}
