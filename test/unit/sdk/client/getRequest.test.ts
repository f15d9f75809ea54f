import { expect } from "chai";

import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import { getRequest } from "../../../../packages/sdk/src/client/listRequests.ts";
import { factsOf, rejected } from "../../../support/refusal.ts";
import { requestRecord } from "../../protocol/fixtures.ts";
import { useService } from "./service.ts";

const requestId = requestRecord.id;

describe("getRequest", () => {
  const service = useService();
  const client = () => createServiceClient({ baseUrl: service.url, apiKey: "key" });

  it("returns the record with the id from any list", async () => {
    service.answers = () => ({ json: { requests: [{ ...requestRecord, id: "0x01" }, requestRecord] } });
    const query = { requestId: requestId.toUpperCase().replace("0X", "0x"), includeAuthenticatedData: true };
    expect(await getRequest(client(), query)).to.deep.equal(requestRecord);
    expect(service.calls.map(({ url }) => url)).to.deep.equal([
      `/requests/v3?includeAuthenticatedData=true&id=${query.requestId}`,
    ]);
  });

  for (const requests of [[], [{ ...requestRecord, id: "0x01" }]]) {
    it(`reports a missing record among ${requests.length}`, async () => {
      service.answers = () => ({ json: { requests } });
      expect(factsOf(await rejected(getRequest(client(), { requestId })))).to.deep.equal({
        code: "REQUEST_NOT_FOUND",
        requestId,
      });
    });
  }

  it("stops when the signal fires", async () => {
    const error = await rejected(getRequest(client(), { requestId, signal: AbortSignal.abort() }));
    expect([error.code, service.calls]).to.deep.equal(["ABORTED", []]);
  });
});
