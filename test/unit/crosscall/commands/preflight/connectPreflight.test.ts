import { expect } from "chai";

import { connectPreflight } from "../../../../../packages/crosscall/src/commands/preflight/connectPreflight.ts";

const [OWN, GIVEN] = ["http://127.0.0.1:1", "http://127.0.0.1:2"];

describe("connectPreflight", () => {
  const connect = (endpoints: readonly string[], own?: string) =>
    connectPreflight(endpoints, own, AbortSignal.timeout(10_000));

  it("uses a given node of an SVM chain without requesting its chain id, or else the node of the folder's network", async () => {
    for (const [endpoints, own, chains] of [
      [[`792703809=${GIVEN}`], OWN, [{ id: 792_703_809, rpcUrl: GIVEN }]],
      [[], OWN, [{ id: 792_703_809, rpcUrl: OWN }]],
      [[`9286185=${GIVEN}`], undefined, [{ id: 9_286_185, rpcUrl: GIVEN }]],
      [[], undefined, []],
    ] as const) {
      expect(await connect(endpoints, own)).to.deep.equal({ chains, targets: new Map() });
    }
  });
});
