import { expect } from "chai";

import { createServiceClient } from "../../../src/client/client.ts";
import { getChains } from "../../../src/client/getChains.ts";
import { factsOf, rejected } from "../core/refusal.ts";
import { chainEntry } from "../protocol/fixtures.ts";
import { useService } from "./service.ts";
import { virtualTimer } from "./virtualTimer.ts";

describe("getChains", () => {
  const service = useService();

  beforeEach(() => {
    service.answers = (_call, index) => ({ json: { chains: [{ ...chainEntry, id: index }] } });
  });

  it("asks once in five minutes, each client for itself", async () => {
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

  it("asks anew when the clock was set back", async () => {
    let now = 1_000_000;
    const timer = { ...virtualTimer(), now: () => now };
    const client = createServiceClient({ baseUrl: service.url, timer });
    await getChains(client);
    now = 0;
    expect((await getChains(client))[0]?.id).to.equal(1);
  });

  it("remembers no answer of another shape", async () => {
    const client = createServiceClient({ baseUrl: service.url });
    service.answers = () => ({ json: { chains: [{ ...chainEntry, id: "1" }] } });
    expect(factsOf(await rejected(getChains(client)))).to.include({ code: "MALFORMED_DATA", path: "chains[0].id" });
    service.answers = () => ({ json: { chains: [chainEntry] } });
    expect(await getChains(client)).to.deep.equal([chainEntry]);
  });

  it("stops when the signal fires", async () => {
    const client = createServiceClient({ baseUrl: service.url });
    const error = await rejected(getChains(client, { signal: AbortSignal.abort() }));
    expect([error.code, service.calls]).to.deep.equal(["ABORTED", []]);
  });
});
