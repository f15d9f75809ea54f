import { expect } from "chai";

import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import { getSignature } from "../../../../packages/sdk/src/client/readEndpoints.ts";
import { rejected } from "../../../support/refusal.ts";
import { USDC, USER } from "../../protocol/fixtures.ts";
import { useService } from "./service.ts";

const SIGNATURE = {
  requestData: {
    originChainId: 8453,
    originUser: USER,
    originCurrency: USDC,
    originAmount: "1000000",
    destinationChainId: 10,
    destinationUser: USER,
  },
  signature: `0x${"ab".repeat(65)}`,
};

describe("getSignature", () => {
  const service = useService();

  it("requests the signature by id and returns it", async () => {
    service.answers = () => ({ json: SIGNATURE });
    const client = createServiceClient({ baseUrl: service.url });
    expect(await getSignature(client, { requestId: "0xab" })).to.deep.equal(SIGNATURE);
    expect(service.calls.map(({ method, url }) => [method, url])).to.deep.equal([["GET", "/requests/0xab/signature"]]);
  });

  it("escapes an id with the characters of a URL in the path", async () => {
    service.answers = () => ({ json: SIGNATURE });
    await getSignature(createServiceClient({ baseUrl: service.url }), { requestId: "../a?b#c d%" });
    expect(service.calls[0]?.url).to.equal("/requests/..%2Fa%3Fb%23c%20d%25/signature");
  });

  it("stops when the signal fires", async () => {
    const client = createServiceClient({ baseUrl: service.url });
    const error = await rejected(getSignature(client, { requestId: "0xab", signal: AbortSignal.abort() }));
    expect([error.code, service.calls]).to.deep.equal(["ABORTED", []]);
  });
});
