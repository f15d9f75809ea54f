import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import type { Hex } from "viem";

import { findRequest, readInput } from "../../../../../packages/crosscall/src/commands/replay/readInput.ts";
import { createServiceClient } from "../../../../../packages/sdk/src/client/client.ts";
import { useService } from "../../../sdk/client/service.ts";
import { factsOf, rejected } from "../../../../support/rejection.ts";
import { requestRecord } from "../../../protocol/fixtures.ts";

describe("findRequest", () => {
  const service = useService();
  const requestId = requestRecord.id as Hex;
  let folder: string;
  let keptUsed: number;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-find-request-"));
    keptUsed = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const find = (cacheFolder: string | undefined = folder) =>
    findRequest({
      requestId,
      client: createServiceClient({ baseUrl: service.url, apiKey: "key" }),
      cacheFolder,
      onKept: () => keptUsed++,
      signal: new AbortController().signal,
    });

  it("returns the cached record if the service fails, and reports the failure", async () => {
    service.answers = () => ({ json: { requests: [requestRecord] } });
    expect([await find(), keptUsed]).to.deep.equal([requestRecord, 0]);
    service.answers = () => ({ status: 503, json: {} });
    expect([await find(), keptUsed]).to.deep.equal([requestRecord, 1]);
  });

  it("caches that a request does not exist", async () => {
    service.answers = () => ({ json: { requests: [] } });
    const facts = factsOf(await rejected(find()));
    expect(facts).to.deep.equal({ code: "REQUEST_NOT_FOUND", requestId });
    service.answers = () => "hang up";
    expect(factsOf(await rejected(find()))).to.deep.equal(facts);
  });

  it("throws the service's error if nothing is cached", async () => {
    service.answers = () => "hang up";
    expect((await rejected(find())).code).to.equal("SERVICE_UNREACHABLE");
  });

  it("returns the record even if it cannot be cached", async () => {
    service.answers = () => ({ json: { requests: [requestRecord] } });
    expect(await find("/dev/null")).to.deep.equal(requestRecord);
  });
});

describe("readInput", () => {
  it("rejects an incomplete hash, which is not a file", async () => {
    const { signal } = new AbortController();
    const parameters = { client: undefined, mayBeTransaction: true, overrides: {}, signal };
    for (const what of ["0x", "0x1234", `0x${"0".repeat(63)}`]) {
      const { message } = await rejected(readInput({ what, ...parameters }));
      expect(message).to.include(`${JSON.stringify(what)} is not a request id or transaction hash`);
    }
  });
});
