import { expect } from "chai";

import { createServiceClient } from "../../../../../packages/sdk/src/client/client.ts";
import { createAccessToken } from "../../../../../packages/sdk/src/client/postEndpoints.ts";
import { getStatus } from "../../../../../packages/sdk/src/client/getStatus.ts";
import { systemTimer } from "../../../../../packages/protocol/src/core/timer.ts";
import { factsOf, rejected } from "../../../../support/rejection.ts";
import { useService } from "../service.ts";

const MINUTE_MS = 60_000;

/** Returns a token in the service's format, with a lifetime in seconds. */
function jwt(name: string, lifetime: number): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return [encode({ alg: "HS256" }), encode({ sub: name, iat: 100, exp: 100 + lifetime }), "c2ln"].join(".");
}

describe("a client's access tokens", () => {
  const service = useService();
  let now: number;
  let minted: number;
  const timer = { ...systemTimer, now: () => now };

  beforeEach(() => {
    now = 1_790_000_000_000;
    minted = 0;
    service.answers = () => ({ json: { status: "waiting" } });
  });

  const clientOf = (accessToken: () => Promise<string>) =>
    createServiceClient({ baseUrl: service.url, accessToken, timer, limits: false, retry: false });
  const call = (client: ReturnType<typeof clientOf>) => getStatus(client, { requestId: "0x01" });
  const sent = () => service.calls.map(({ headers }) => headers.authorization);
  const numbered = (lifetime: number) => () => Promise.resolve(jwt(String((minted += 1)), lifetime));

  it("are sent instead of a key, and requested only once for concurrent requests", async () => {
    const client = clientOf(numbered(900));
    await Promise.all([call(client), call(client), call(client)]);
    expect([minted, sent()]).to.deep.equal([1, Array.from({ length: 3 }, () => `Bearer ${jwt("1", 900)}`)]);
    expect(service.calls[0]?.headers).not.to.have.property("x-api-key");
  });

  for (const [name, source, freshMs] of [
    ["a minute before they expire", numbered(900), 14 * MINUTE_MS],
    ["halfway through a short lifetime", numbered(60), MINUTE_MS / 2],
    ["after 14 minutes if they have no expiration", () => Promise.resolve(`opaque-${(minted += 1)}`), 14 * MINUTE_MS],
  ] as const) {
    it(`are replaced ${name}`, async () => {
      const client = clientOf(source);
      await call(client);
      now += freshMs - 1;
      await call(client);
      expect(minted).to.equal(1);
      now += 1;
      await call(client);
      expect(minted).to.equal(2);
    });
  }

  it("are replaced once if the service rejects a token", async () => {
    const client = clientOf(numbered(900));
    service.answers = (_call, index) => (index === 0 ? { status: 401, json: {} } : { json: { status: "waiting" } });
    await call(client);
    expect([minted, service.calls.length]).to.deep.equal([2, 2]);
    service.answers = () => ({ status: 401, json: { message: "no" } });
    const error = await rejected(call(client));
    expect([error.code, minted, service.calls.length]).to.deep.equal(["SERVICE_ERROR", 3, 4]);
  });

  it("make the request fail if they cannot be created, and are requested again by the next request", async () => {
    const answers: (() => Promise<string>)[] = [
      () => Promise.reject(new Error("offline")),
      () => Promise.resolve(""),
      () => Promise.resolve("with space"),
      () => Promise.resolve("good"),
    ];
    const client = clientOf(() => answers.shift()!());
    for (let index = 0; index < 3; index += 1) {
      expect((await rejected(call(client))).code).to.equal("ACCESS_TOKEN_FAILED");
    }
    await call(client);
    expect(sent()).to.deep.equal(["Bearer good"]);
  });

  it("do not delay an abort or the timeout", async () => {
    const never = () => new Promise<string>(() => undefined);
    const controller = new AbortController();
    const pending = rejected(getStatus(clientOf(never), { requestId: "0x01", signal: controller.signal }));
    controller.abort();
    expect((await pending).code).to.equal("ABORTED");
    const client = createServiceClient({ baseUrl: service.url, accessToken: never, timeoutMs: 1 });
    expect((await rejected(call(client))).code).to.equal("TIMED_OUT");
    expect(service.calls).to.deep.equal([]);
  });

  it("do not appear in errors or printed output", async () => {
    const token = "secret-token";
    const client = clientOf(() => Promise.resolve(token));
    service.answers = () => ({ status: 400, json: { message: `no ${token}` } });
    const error = await rejected(call(client));
    expect(JSON.stringify(error)).not.to.include(token);
    expect(Object.keys(client)).not.to.include("accessToken");
  });

  it("cannot be combined with a key", () => {
    const both = { baseUrl: service.url, apiKey: "key", accessToken: () => Promise.resolve("token") };
    expect(() => createServiceClient(both))
      .to.throw()
      .that.includes({ code: "INVALID_INPUT", field: "accessToken" });
  });
});

describe("createAccessToken", () => {
  const service = useService();
  const client = () => createServiceClient({ baseUrl: service.url, apiKey: "key" });

  it("exchanges the key for a token", async () => {
    const expiresAt = "2026-11-26T12:15:00.000Z";
    service.answers = () => ({ json: { token: "t", tokenType: "Bearer", expiresAt, scope: "public-api" } });
    expect(await createAccessToken(client())).to.deep.equal({ token: "t", expiresAt: new Date(expiresAt) });
    const [{ method, url, headers, body } = {}] = service.calls;
    expect([method, url, headers?.["x-api-key"], body]).to.deep.equal(["POST", "/access-tokens", "key", {}]);
  });

  it("requires a key and a complete response", async () => {
    const accessToken = () => Promise.resolve("token");
    for (const options of [{}, { accessToken }]) {
      const error = await rejected(createAccessToken(createServiceClient({ baseUrl: service.url, ...options })));
      expect(factsOf(error)).to.include({ code: "INVALID_INPUT", field: "client.apiKey" });
    }
    expect(service.calls).to.deep.equal([]);
    for (const json of [{}, { token: "t" }, { token: "t", expiresAt: "soon" }]) {
      service.answers = () => ({ json });
      expect((await rejected(createAccessToken(client()))).code).to.equal("MALFORMED_DATA");
    }
  });
});
