import { expect } from "chai";

import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import { getChains } from "../../../../packages/sdk/src/client/readEndpoints.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { chainEntry } from "../../protocol/fixtures.ts";
import { useService } from "./service.ts";
import { virtualTimer } from "./virtualTimer.ts";

describe("getChains", () => {
  const service = useService();

  beforeEach(() => {
    service.answers = (_call, index) => ({ json: { chains: [{ ...chainEntry, id: index }] } });
  });

  it("fetches once in five minutes for each client", async () => {
    const timer = virtualTimer(1_000_000);
    const client = createServiceClient({ baseUrl: service.url, timer });
    const idOf = async (maxAgeMs?: number, of = client) =>
      (await getChains(of, maxAgeMs === undefined ? {} : { maxAgeMs }))[0]?.id;
    expect(await idOf()).to.equal(0);
    await timer.advance(299_999);
    expect(await idOf()).to.equal(0);
    expect(await idOf(undefined, createServiceClient({ baseUrl: service.url, timer }))).to.equal(1);
    await timer.advance(1);
    expect(await idOf()).to.equal(2);
    expect(await idOf(0)).to.equal(3);
    expect(await idOf(1)).to.equal(3);
    expect(service.calls.map(({ url }) => url)).to.deep.equal(["/chains", "/chains", "/chains", "/chains"]);
  });

  it("fetches again if the clock was set back", async () => {
    let now = 1_000_000;
    const timer = { ...virtualTimer(), now: () => now };
    const client = createServiceClient({ baseUrl: service.url, timer });
    await getChains(client);
    now = 0;
    expect((await getChains(client))[0]?.id).to.equal(1);
  });

  it("returns an unreadable entry separately, with the reason", async () => {
    const odd = { ...chainEntry, id: "one", currency: 5 };
    service.answers = () => ({ json: { chains: [odd, chainEntry, null] } });
    const { id: _id, currency: _currency, ...readable } = chainEntry;
    expect(await getChains(createServiceClient({ baseUrl: service.url }))).to.deep.equal([
      {
        ...readable,
        unreadable: {
          raw: odd,
          fields: [
            { path: "id", reason: "it must be integer" },
            { path: "currency", reason: "it must be object" },
          ],
        },
      },
      chainEntry,
      { unreadable: { raw: null, fields: [{ path: "", reason: "it must be object" }] } },
    ]);
  });

  it("does not cache a response without chains", async () => {
    const client = createServiceClient({ baseUrl: service.url });
    service.answers = () => ({ json: {} });
    expect(factsOf(await rejected(getChains(client)))).to.include({ code: "MALFORMED_DATA", path: "chains" });
    service.answers = () => ({ json: { chains: [chainEntry] } });
    expect(await getChains(client)).to.deep.equal([chainEntry]);
  });

  it("stops if the signal aborts", async () => {
    const client = createServiceClient({ baseUrl: service.url });
    const error = await rejected(getChains(client, { signal: AbortSignal.abort() }));
    expect([error.code, service.calls]).to.deep.equal(["ABORTED", []]);
  });
});
