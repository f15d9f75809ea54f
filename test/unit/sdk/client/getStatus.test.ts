import { expect } from "chai";

import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import { getStatus } from "../../../../packages/sdk/src/client/getStatus.ts";
import { factsOf, rejected } from "../../../support/refusal.ts";
import { useService } from "./service.ts";

describe("getStatus", () => {
  const service = useService();

  it("requests the status and returns it", async () => {
    const status = { status: "submitted", txHashes: ["0x01"], updatedAt: 5 };
    service.answers = () => ({ json: status });
    expect(await getStatus(createServiceClient({ baseUrl: service.url }), { requestId: "0xab" })).to.deep.equal(status);
    expect(service.calls.map(({ method, url }) => [method, url])).to.deep.equal([
      ["GET", "/intents/status/v3?requestId=0xab"],
    ]);
  });

  it("returns an unknown status unchanged", async () => {
    service.answers = () => ({ json: { status: "delayed" } });
    const answer = await getStatus(createServiceClient({ baseUrl: service.url }), { requestId: "0xab" });
    expect(answer).to.deep.equal({ status: "delayed" });
  });

  it("rejects a status that is invalid", async () => {
    service.answers = () => ({ json: { status: 7 } });
    const error = await rejected(getStatus(createServiceClient({ baseUrl: service.url }), { requestId: "0xab" }));
    expect(factsOf(error)).to.deep.equal({
      code: "MALFORMED_DATA",
      what: "the response of GET /intents/status/v3",
      path: "status",
      endpoint: "GET /intents/status/v3",
      tries: 1,
      requestId: "0xab",
    });
  });

  it("stops when the signal fires", async () => {
    const client = createServiceClient({ baseUrl: service.url });
    const error = await rejected(getStatus(client, { requestId: "0xab", signal: AbortSignal.abort() }));
    expect([error.code, service.calls]).to.deep.equal(["ABORTED", []]);
  });
});
