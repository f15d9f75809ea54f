import { registerHooks } from "node:module";

import { expect } from "chai";

import { createLocalNames } from "../../../../../packages/oracle/src/server.ts";
import type { LedgerParts } from "../../../../../packages/crosscall/src/localnet/ledgers/ledgerParts.ts";
import { openSolana } from "../../../../../packages/crosscall/src/localnet/ledgers/solana/openSolana.ts";
import { createLog } from "../../../../../packages/crosscall/src/localnet/log.ts";
import { InvalidStateError } from "../../../../../packages/protocol/src/core/errors.ts";

describe("the Solana chain without its simulator", () => {
  const missing = () => {
    throw new Error("Cannot find package 'litesvm'");
  };
  // As for a platform whose binary is not installed.
  const broken = () => ({
    url: "data:text/javascript,throw new Error('Cannot find native binding')",
    shortCircuit: true,
  });

  for (const [state, resolveSimulator] of [
    ["is missing", missing],
    ["cannot be loaded", broken],
  ] as const) {
    it(`does not open if the package ${state}, and names the package to install`, async () => {
      const hooks = registerHooks({
        resolve: (specifier, context, next) =>
          specifier === "litesvm" ? resolveSimulator() : next(specifier, context),
      });
      try {
        // Nothing reads the database before the simulator is found.
        const db = {} as LedgerParts["db"];
        const onLedgerChange = () => expect.fail("the ledger is open");
        const parts = {
          db,
          onLedgerChange,
          onArrival: () => Promise.resolve(),
          names: createLocalNames([]),
          log: createLog("silent"),
        };
        const error: unknown = await openSolana({ ...parts, clock: { now: () => 0 } }).then(
          (ledger) => ledger.close(),
          (caught: unknown) => caught,
        );
        expect(error).to.be.instanceOf(InvalidStateError);
        expect(error).to.have.property("hint").that.contains("npm install --save-dev litesvm");
      } finally {
        hooks.deregister();
      }
    });
  }
});
