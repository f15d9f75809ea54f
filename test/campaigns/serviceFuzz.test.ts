import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";

import { expect } from "chai";
import fc from "fast-check";
import pg from "pg";

import { newPostgresDatabase } from "../support/postgres.ts";
import { quotePermit } from "../integration/gasless/support.ts";
import { callAdmin } from "../integration/support/adminCalls.ts";
import { BROKEN_BODIES, NASTY_PATHS, nastyText, nastyValue } from "../integration/support/nastyValues.ts";
import { type FuzzedCall, fuzzedCall, listOperations, type Operation } from "../integration/support/serviceFuzz.ts";
import { requestIdOf } from "../integration/support/requests.ts";
import { get } from "../integration/support/serviceCalls.ts";
import { useNetwork } from "../support/useNetwork.ts";

/** `npm run fuzz:service` uses another seed and more runs. */
const SEED = Number(process.env.CROSSCALL_FUZZ_SEED ?? 20_261_121);
const RUNS = Number(process.env.CROSSCALL_FUZZ_RUNS ?? 25);

const API_KEY = "crosscall-fuzz";

/** Date on which the v2 listing is still available, and its highest limit. */
const AUGUST = Date.parse("2026-08-15T12:00:00Z");

const ENDPOINT = /`((?:GET|POST|PUT|DELETE) \/[^`]+)`/gu;

const CALL_TIMEOUT_MS = 2_000;
/** Response time after which the service counts as hung, in milliseconds. */
const HUNG_MS = 20_000;

describe("the service under malformed input", () => {
  let databaseUrl: string;
  const network = useNetwork(async () => {
    databaseUrl = await newPostgresDatabase();
    const keys = { apiKeys: [API_KEY], sponsoringApiKeys: [API_KEY] };
    return { ...keys, databaseUrl, callTimeoutMs: CALL_TIMEOUT_MS, clock: { now: () => AUGUST } };
  });
  let database: pg.Client;
  let operations: readonly Operation[];
  let permitRequestId: string;

  before(async () => {
    database = new pg.Client({ connectionString: databaseUrl });
    await database.connect();
    operations = await listOperations(network);
    permitRequestId = requestIdOf(await quotePermit(network, "eip3009"));
  });
  after(() => database.end());
  afterEach(async () => {
    expect(Object.hasOwn(Object.prototype, "polluted")).to.equal(false);
    const { status, body } = await get(network, "/lives");
    expect([status, body]).to.deep.equal([200, { status: "ok" }]);
  });

  /**
   * Returns the number of rows in each table of the service. Excludes rows that background jobs and key usage write.
   */
  const countRows = async (): Promise<Record<string, number>> => {
    const { rows } = await database.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and not c.relispartition
         and n.nspname not in ('pg_catalog', 'information_schema', 'pgboss') and c.relname not like 'scan%'
         and c.relname <> 'usage_counts'`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of rows) {
      const { rows: counted } = await database.query<{ count: string }>(`select count(*) as count from ${name}`);
      counts[name] = Number(counted[0]?.count);
    }
    return counts;
  };
  const call = async ({ method, path, headers, body }: FuzzedCall): Promise<number> => {
    const response = await fetch(`${network.url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(HUNG_MS),
    });
    await response.arrayBuffer();
    return response.status;
  };
  /** Reverts the changes from a valid control request, so that later requests find the service in the same state. */
  const undo = async (): Promise<void> => {
    await callAdmin(network, "PUT", "/admin/clock", { reset: true });
    await callAdmin(network, "DELETE", "/admin/scenarios");
    await callAdmin(network, "POST", "/admin/restrictions", {});
    // An empty object selects all fills, so this releases every held fill.
    await callAdmin(network, "POST", "/admin/fills/release", { all: true });
    for (const { id } of network.chains) {
      await callAdmin(network, "POST", `/admin/chains/${id}/latency`, { latencyMs: 0 });
      await callAdmin(network, "POST", `/admin/chains/${id}/mining`, { automatic: true });
    }
  };

  it("finds the routes to fuzz: all documented routes and the control routes", async () => {
    const page = await readFile("docs/local-service.md", "utf8");
    const withoutNames = (text: string): string => text.replaceAll(/\{\w+\}/gu, "{}");
    const documented = [...page.matchAll(ENDPOINT)].map(([, endpoint = ""]) => withoutNames(endpoint));
    expect(documented).to.include.members(["POST /execute", "POST /execute/permits", "GET /app-fees/{}/balances"]);
    const fuzzed = operations.map(({ method, path }) => withoutNames(`${method} ${path}`));
    expect(fuzzed).to.include.members([...documented, "POST /admin/keys", "POST /admin/sponsors"]);
  });

  it("rejects each malformed body and path on every route", async () => {
    // Resetting the clock adds a row to the table.
    await undo();
    const before = await countRows();
    for (const { method, path, pathNames } of operations) {
      const headers = { "x-admin-key": network.adminKey, "x-api-key": network.apiKey };
      const json = { ...headers, "content-type": "application/json" };
      const paths = pathNames.length === 0 ? [path] : NASTY_PATHS.map((text) => path.replaceAll(/\{\w+\}/gu, text));
      const bodies = method === "GET" || method === "DELETE" ? [undefined] : BROKEN_BODIES;
      for (const each of paths) {
        for (const body of bodies) {
          const status = await call({ method, path: each, headers: body === undefined ? headers : json, body });
          expect([method, each, body?.slice(0, 50), status < 500]).to.deep.equal([
            method,
            each,
            body?.slice(0, 50),
            true,
          ]);
        }
      }
    }
    await undo();
    // The route that adds API keys accepts an empty object and an object with a duplicate field.
    const { api_keys: keysBefore, ...others } = before;
    const { api_keys: keysAfter, ...after } = await countRows();
    expect(after).to.deep.equal(others);
    expect(Number(keysAfter) - Number(keysBefore)).to.be.within(0, 1);
  });

  it("never returns a server error, and stores nothing for a rejected request", async () => {
    for (const operation of operations) {
      const before = await countRows();
      let accepted = 0;
      await fc.assert(
        fc.asyncProperty(fuzzedCall(network, operation, permitRequestId), async (fuzzed) => {
          const status = await call(fuzzed);
          if (status < 300) {
            accepted += 1;
            if (operation.path.startsWith("/admin/") && operation.method !== "GET") await undo();
          }
          expect([fuzzed, status < 500]).to.deep.equal([fuzzed, true]);
        }),
        { seed: SEED, numRuns: RUNS, endOnFailure: true },
      );
      if (accepted === 0 || operation.method === "GET") {
        expect([operation.path, await countRows()]).to.deep.equal([operation.path, before]);
      }
    }
  }).timeout(60_000 + RUNS * 300);

  it("rejects data that is not HTTP, and closes requests that never end", async () => {
    const { hostname, port } = new URL(network.url);
    /** Sends raw bytes, and returns everything received until the connection closes. */
    const speak = async (text: string): Promise<string> => {
      const socket = connect(Number(port), hostname);
      const chunks: Buffer[] = [];
      socket.on("data", (chunk) => chunks.push(chunk));
      socket.on("error", () => undefined);
      socket.write(text, "latin1");
      await once(socket, "close");
      return Buffer.concat(chunks).toString();
    };
    const head = "POST /quote/v2 HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n";
    const cases: [text: string, status: string][] = [
      ["GARBAGE\r\n\r\n", "400"],
      ["GET / HTTP/9.9\r\n\r\n", "400"],
      ["GET /\0 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n", "400"],
      ["GET /lives HTTP/1.1\r\nhost: 127.0.0.1\r\nbad header\r\n\r\n", "400"],
      [`GET /lives HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ${"y".repeat(40_000)}\r\n\r\n`, "431"],
      [`${head}content-length: 5\r\ncontent-length: 6\r\n\r\n{}`, "400"],
      [`${head}content-length: -1\r\n\r\n{}`, "400"],
      [`${head}transfer-encoding: chunked\r\n\r\nzz\r\n`, "400"],
      [`${head}content-length: 100\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, "400"],
      // Incomplete headers and bodies.
      ["GET /lives HTTP/1.1\r\nhost: 127.0.0.1\r\n", "408"],
      [`${head}content-length: 100\r\n\r\n{"user":`, "408"],
      [`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`, "408"],
    ];
    const answers = await Promise.all(cases.map(([text]) => speak(text)));
    for (const [index, answer] of answers.entries()) {
      const [text, status] = cases[index] ?? ["", ""];
      expect([text.slice(0, 80), answer.split(" ", 2)[1]]).to.deep.equal([text.slice(0, 80), status]);
      expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).to.include.keys("message", "errorCode");
    }
  });

  it("survives malformed websocket messages", async () => {
    const before = await countRows();
    const message = fc.oneof(
      nastyText().map((text) => text.toWellFormed()),
      nastyValue().map((value) => JSON.stringify(value)),
      fc
        .tuple(nastyValue(), nastyValue())
        .map(([event, id]) => JSON.stringify({ type: "subscribe", event, filters: { id } })),
      nastyValue().map((id) =>
        JSON.stringify({ type: "subscribe", event: "request.status.updated", filters: { id, ["__proto__"]: id } }),
      ),
      fc.uint8Array({ maxLength: 200 }),
      fc.constant("x".repeat(5_000)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 30 }), async (messages) => {
        const socket = new WebSocket(`${network.websocketUrl}?apiKey=${network.apiKey}`);
        await once(socket, "open");
        for (const each of messages) socket.send(typeof each === "string" ? each : new Uint8Array(each));
        socket.close();
        if (socket.readyState !== WebSocket.CLOSED) await once(socket, "close");
      }),
      { seed: SEED, numRuns: RUNS, endOnFailure: true },
    );
    for (const query of [
      "",
      "?apiKey=",
      "?apiKey=a&apiKey=b",
      "?apiKey[]=a",
      "?apiKey=%00",
      `?apiKey=${"x".repeat(9_000)}`,
    ]) {
      const socket = new WebSocket(`${network.websocketUrl}${query}`);
      const [{ code }] = (await once(socket, "close")) as [CloseEvent];
      expect([query, code]).to.deep.equal([query, 4_401]);
    }
    expect(await countRows()).to.deep.equal(before);
  });
});
