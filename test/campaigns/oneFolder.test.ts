import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { startAnvil, stopPrograms } from "../integration/support/processes.ts";
import { inputs } from "../support/inputs.ts";
import { type Service, type ServiceParameters, startService } from "./crash/service.ts";

const PROCESSES = 3;

describe("several processes started in the same folder", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-folder-"));
  });
  after(async () => {
    await stopPrograms();
    await rm(folder, { recursive: true, force: true });
  });

  it("run one at a time, and the next process starts after a crash", async () => {
    const nodes = await Promise.all([startAnvil(31_337), startAnvil(31_338)]);
    const chains = nodes.map(({ ready }, index) => ({ id: 31_337 + index, rpcUrl: ready }));
    const parameters: ServiceParameters = { chains, database: ["--database", folder] };
    const rounds = inputs(2);
    for (let round = 0; round < rounds; round += 1) {
      const starts = await Promise.allSettled(Array.from({ length: PROCESSES }, () => startService(parameters)));
      const running = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
      expect(running).to.have.length(1);
      for (const start of starts) if (start.status === "rejected") expectInUse(start.reason, running[0]);
      const response = await fetch(`${running[0]?.ready.url}/ready`);
      expect(response.status).to.equal(200);
      await running[0]?.stop("SIGKILL");
    }
    console.log(`      ${rounds} rounds of ${PROCESSES} processes in one folder`);
  });
});

/** The URL of the process that holds the lock is known only after it starts to listen. */
function expectInUse(reason: unknown, owner?: Service): void {
  const { error } = JSON.parse((reason as Error).message) as {
    error: { cause: { code: string; flaw: string; owner?: { pid: number } } };
  };
  const { code, flaw, owner: named } = error.cause;
  expect([code, flaw]).to.deep.equal(["DATABASE_UNUSABLE", "in-use"]);
  expect([undefined, owner?.child.pid]).to.include(named?.pid);
}
