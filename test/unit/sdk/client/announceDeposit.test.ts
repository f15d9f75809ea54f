import { expect } from "chai";

import { announceDeposit } from "../../../../packages/sdk/src/client/postEndpoints.ts";
import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import { factsOf, rejected } from "../../../support/refusal.ts";
import { useService } from "./service.ts";

const DEPOSIT = { chainId: 8453, txHash: "0x01" };

describe("announceDeposit", () => {
  const service = useService();

  beforeEach(() => {
    service.answers = () => ({ json: { message: "Success" } });
  });

  it("posts chain, hash and request, and nothing else", async () => {
    const { signal } = new AbortController();
    const client = createServiceClient({ baseUrl: service.url });
    await announceDeposit(client, { ...DEPOSIT, requestId: "0xab", signal });
    await announceDeposit(client, DEPOSIT);
    expect(service.calls.map(({ method, url, body }) => [method, url, body])).to.deep.equal([
      ["POST", "/transactions/index", { ...DEPOSIT, requestId: "0xab" }],
      ["POST", "/transactions/index", DEPOSIT],
    ]);
  });

  it("reports when the service rejects", async () => {
    service.answers = () => ({ status: 400, json: { message: "no", errorCode: "UNSUPPORTED_CHAIN" } });
    const error = await rejected(announceDeposit(createServiceClient({ baseUrl: service.url }), DEPOSIT));
    expect(factsOf(error)).to.include({ code: "SERVICE_ERROR", errorCode: "UNSUPPORTED_CHAIN" });
  });

  it("stops when the signal fires", async () => {
    const client = createServiceClient({ baseUrl: service.url });
    const error = await rejected(announceDeposit(client, { ...DEPOSIT, signal: AbortSignal.abort() }));
    expect([error.code, service.calls]).to.deep.equal(["ABORTED", []]);
  });
});
