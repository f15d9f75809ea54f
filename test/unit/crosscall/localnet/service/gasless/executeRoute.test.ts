import { expect } from "chai";
import { fastify } from "fastify";

import { createLog } from "../../../../../../packages/crosscall/src/localnet/log.ts";
import { executeRoute } from "../../../../../../packages/crosscall/src/localnet/service/routes/execute.ts";

describe("POST /execute", () => {
  it("does not log rejected calls as failures of the service", async () => {
    const lines: string[] = [];
    const app = fastify({ loggerInstance: createLog("warn", { write: (line) => lines.push(line) }) });
    app.decorateRequest("caller", { getter: () => ({ keyHash: "key" }) } as never);
    executeRoute(app, {} as never);
    const { statusCode, json } = await app.inject({ method: "POST", url: "/execute", payload: {} });
    expect([statusCode, json()]).to.deep.equal([400, { error: "data is required" }]);
    expect(lines).to.deep.equal([]);
  });
});
