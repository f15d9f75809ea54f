import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";

import { requestPages } from "../../packages/crosscall/src/commands/mirror/run.ts";
import { systemClock } from "../../packages/protocol/src/core/timer.ts";
import { createServiceClient, executeSteps, type RequestQuery } from "../../packages/sdk/src/index.ts";
import type { RequestRecord } from "../../packages/protocol/src/complete.ts";
import { readResponse, RequestRecordSchema } from "../../packages/protocol/src/index.ts";
import { localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { createLog } from "../../packages/crosscall/src/localnet/log.ts";
import { type Mirror, startMirror } from "../../packages/crosscall/src/mirror/startMirror.ts";
import { saveRecords } from "../../packages/crosscall/src/localnet/store/mirror/records.ts";
import { syncRequests } from "../../packages/crosscall/src/localnet/store/mirror/syncRequests.ts";
import { openStore } from "../../packages/crosscall/src/localnet/store/store.ts";
import { toMirroredRequest } from "../../packages/crosscall/src/localnet/store/mirror/toMirroredRequest.ts";
import { getQuote, listRequests } from "../support/complete.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { failureOf } from "./support/failureOf.ts";
import { userWallet } from "./support/parties.ts";
import { etherRequest } from "./support/requests.ts";

const never = new AbortController().signal;

describe("a mirror of another service's requests", () => {
  const network = useNetwork({ otherApiKeys: ["stranger"] });
  let folder: string;
  const opened: Mirror[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-mirror-"));
    // Creates more requests than fit on a page. One is filled, and one belongs to another user.
    await executeSteps(service(), { quote: await quote(), wallet: userWallet(network, network.chains[0]) });
    for (let index = 0; index < 54; index += 1) await quote();
    await quote("stranger");
  });
  after(async () => {
    for (const mirror of opened) await mirror.close();
    await rm(folder, { recursive: true, force: true });
  });

  const service = (apiKey = network.apiKey) => createServiceClient({ baseUrl: network.url, apiKey });

  const quote = (apiKey = network.apiKey, referrer = "my-app") =>
    getQuote(
      service(apiKey),
      etherRequest(network, { referrer, appFees: [{ recipient: network.accounts.stranger.address, fee: "25" }] }),
    );

  async function openMirror(database: Parameters<typeof startMirror>[0]["database"]): Promise<Mirror> {
    const mirror = await startMirror({
      source: network.url,
      changesSince: requestPages(service()),
      apiKeys: [network.apiKey],
      database,
      clock: systemClock,
      log: createLog("silent"),
    });
    opened.push(mirror);
    return mirror;
  }

  const everything = async (baseUrl: string, query: RequestQuery = {}): Promise<readonly RequestRecord[]> => {
    const client = createServiceClient({ baseUrl, apiKey: network.apiKey });
    const records: RequestRecord[] = [];
    let continuation: string | undefined;
    do {
      const page = await listRequests(client, {
        apiKey: network.apiKey,
        ...query,
        ...(continuation === undefined ? {} : { continuation }),
      });
      records.push(...page.requests);
      continuation = page.continuation;
    } while (continuation !== undefined);
    return records;
  };

  for (const [name, place] of [
    ["PGlite", () => Promise.resolve({ folder: join(folder, "mirror") })],
    ["PostgreSQL", async () => ({ url: await newPostgresDatabase() })],
  ] as const) {
    it(`lists the same requests as the service, for every filter, on ${name}`, async () => {
      const mirror = await openMirror(await place());
      const progress: { records: number; total: number }[] = [];
      expect(await mirror.sync(never, (step) => progress.push(step))).to.equal(55);
      expect(progress).to.deep.equal([
        { records: 50, total: 55 },
        { records: 55, total: 55 },
      ]);
      const url = await mirror.serve(0);
      const [filled] = await everything(network.url, { status: "success" });
      const queries: RequestQuery[] = [
        {},
        { includeAuthenticatedData: true },
        { sortBy: "amountUsd", includeTotal: true },
        { status: "success" },
        { user: network.accounts.user.address.toLowerCase(), originChainId: network.chains[0].id },
        { fillTxHash: filled?.data.outTxs[0]?.txHash ?? "" },
        { depositTxHash: filled?.data.inTxs[0]?.txHash ?? "" },
        { term: filled?.data.outTxs[0]?.txHash.toUpperCase().replace("0X", "0x") ?? "" },
        { orderId: filled?.protocol?.orderId ?? "" },
        { currencyOutSymbol: "usdc", requestType: "Crosschain Swap", amountUsdMin: "1", features: ["app_fees"] },
        { appFeesAmountUsdMin: "6.25", appFeesAmountUsdMax: "6.25" },
        { fillTimeMin: 0 },
        { startBlock: filled?.data.inTxs[0]?.block ?? 0, endBlock: filled?.data.inTxs[0]?.block ?? 0 },
        { filters: [{ status: "success" }, { "not:originChainId": network.chains[0].id }] },
      ];
      for (const query of queries) {
        const expected = await everything(network.url, query);
        expect(await everything(url, query), JSON.stringify(query)).to.deep.equal(expected);
        // A comparison of two empty lists would prove nothing.
        expect(expected, JSON.stringify(query)).not.to.have.length(0);
      }
    });
  }

  it("follows changes, and requests only changed records again", async () => {
    const mirror = await openMirror({ folder: join(folder, "changes") });
    await mirror.sync(never);
    // Late enough that the overlap of the next sync contains no request from the first sync.
    network.clock.setOffset(600_000);
    const quoted = await quote();
    await mirror.sync(never);
    expect(await mirror.sync(never)).to.equal(1);
    const url = await mirror.serve(0);
    const requestId = quoted.steps[0]?.requestId ?? "";
    expect((await everything(url, { id: requestId }))[0]?.status).to.equal("waiting");
    await executeSteps(service(), { quote: quoted, wallet: userWallet(network, network.chains[0]) });
    expect(await mirror.sync(never)).to.equal(1);
    expect(await everything(url, { id: requestId })).to.deep.equal(await everything(network.url, { id: requestId }));
    expect(await everything(url, { status: "pending" })).to.deep.equal([]);
  });

  it("can run two syncs on one database concurrently", async () => {
    const url = await newPostgresDatabase();
    const mirrors = [await openMirror({ url }), await openMirror({ url })];
    await Promise.all(mirrors.map((mirror) => mirror.sync(never)));
    const quoted = await quote();
    await executeSteps(service(), { quote: quoted, wallet: userWallet(network, network.chains[0]) });
    await Promise.all(mirrors.map((mirror) => mirror.sync(never)));
    for (const mirror of mirrors) {
      expect(await everything(await mirror.serve(0))).to.deep.equal(await everything(network.url));
    }
  });

  it("resumes where it stopped after an abort between two pages", async () => {
    const stopped = await openMirror({ folder: join(folder, "stopped") });
    const stop = new AbortController();
    const failure = await failureOf(stopped.sync(stop.signal, () => stop.abort()));
    expect(failure).to.have.property("code", "ABORTED");
    await stopped.close();
    const resumed = await openMirror({ folder: join(folder, "stopped") });
    await resumed.sync(never);
    const url = await resumed.serve(0);
    expect(await everything(url)).to.deep.equal(await everything(network.url));
  });

  it("keeps newer records when an older page arrives late", async () => {
    const store = await openStore({ onError: (error) => expect.fail(error.message) });
    const [record] = await everything(network.url, { status: "success" });
    if (record === undefined) throw new Error("no request is filled");
    const older = { ...record, status: "pending" as const, updatedAt: record.createdAt };
    await saveRecords(store.db, [toMirroredRequest(record, null)]);
    await saveRecords(store.db, [toMirroredRequest(older, null)]);
    const rows = await store.db.selectFrom("requests").select("status").execute();
    expect(rows).to.deep.equal([{ status: "success" }]);
    await store.close();
  });

  it("stores an unusual record unchanged, and reports a record that it cannot store", async () => {
    const store = await openStore({ onError: (error) => expect.fail(error.message) });
    const [record] = await everything(network.url, { status: "success" });
    if (record === undefined) throw new Error("no request is filled");
    const odd = { ...record, data: { ...record.data, route: null, fees: "later" } };
    const skipped: unknown[] = [];
    const records = [odd, { status: "success" }, "nothing"].map((raw) => readResponse(RequestRecordSchema, raw));
    const synced = await syncRequests({
      db: store.db,
      source: network.url,
      // oxlint-disable-next-line typescript/require-await
      changesSince: async function* () {
        yield { records, total: records.length };
      },
      madeWith: network.apiKey,
      overlapMs: 0,
      signal: never,
      onSkipped: ({ code, path }, raw) => skipped.push([code, path, raw]),
    });
    expect(synced).to.equal(3);
    expect(await store.db.selectFrom("records").select("record").execute()).to.deep.equal([{ record: odd }]);
    expect(skipped).to.deep.equal([
      ["MALFORMED_DATA", "id", { status: "success" }],
      ["MALFORMED_DATA", "id", "nothing"],
    ]);
    await store.close();
  });

  it("rejects the keys of other integrators, and the database of a local network", async () => {
    const mirror = await openMirror({ folder: join(folder, "refused") });
    await mirror.serve(0);
    const foreign = await startMirror({
      source: network.url,
      changesSince: requestPages(service()),
      apiKeys: ["stranger"],
      database: { folder: join(folder, "foreign") },
      clock: systemClock,
      log: createLog("silent"),
    });
    opened.push(foreign);
    expect(await failureOf(foreign.sync(never))).to.include({ code: "SERVICE_ERROR", status: 403 });
    const networkFolder = join(folder, "network");
    await (await localnet({ keepsRetired: true, databaseFolder: networkFolder })).close();
    expect(await failureOf(openMirror({ folder: networkFolder }))).to.have.property("code", "INVALID_STATE");
  });
});
