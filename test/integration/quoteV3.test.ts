import { expect } from "chai";

import * as sdk from "../../packages/sdk/src/index.ts";
import { verifyQuote } from "../../packages/sdk/src/verify.ts";
import { quoteFeeTable } from "../../packages/protocol/src/quote/quoteFeeTable.ts";
import { endpointGeneration } from "../../packages/protocol/src/generations/endpoints.ts";
import type { Quote, QuoteV3 } from "../../packages/protocol/src/complete.ts";
import { AccessTokenSchema } from "../../packages/protocol/src/common/serviceResponses.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import {
  PermitResponseV3Schema,
  QuoteV3Schema,
  readAnyQuote,
  toQuote,
} from "../../packages/protocol/src/quote/quoteV3.ts";
import { listSchemaErrors } from "../../packages/protocol/src/schema/checkSchema.ts";
import { getQuote as getCompleteQuote } from "../support/complete.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { fundPermits, PERMIT_KINDS, permitRequest, permitStepOf, signPermit } from "./gasless/support.ts";
import { attestFill } from "./support/attestFill.ts";
import { appClock, userWallet } from "./support/parties.ts";
import { etherRequest } from "./support/requests.ts";
import { get, post, recordOf } from "./support/serviceCalls.ts";

const { deprecatedSince, endsOn } = endpointGeneration("/quote/v2");
const HEADERS = {
  deprecation: "@1795564800",
  sunset: "Tue, 23 Feb 2027 00:00:00 GMT",
  link: (successor: string) =>
    [
      '</documentation>; rel="deprecation"; type="text/html"',
      '</documentation>; rel="sunset"; type="text/html"',
      `<${successor}>; rel="successor-version"`,
    ].join(", "),
};

describe("quote v3 of the service", () => {
  let now = Date.parse("2026-11-26T12:00:00Z");
  const network = useNetwork({
    clock: { now: () => now },
    keepsRetired: false,
    apiKeys: ["own", "sponsor"],
    keys: [{ apiKey: "plain", limits: { quote: 50 } }],
    sponsoringApiKeys: ["sponsor"],
  });
  const key = () => ({ "x-api-key": network.apiKey });
  const errorOf = ({ status, body }: { status: number; body: unknown }) => [
    status,
    (body as { errorCode?: string }).errorCode,
  ];

  for (const [name, request] of Object.entries({
    ether: () => etherRequest(network),
    "a token, with an approval": () => ({
      ...etherRequest(network),
      originCurrency: network.chains[0].contracts.dollar,
      amount: "20000000",
    }),
    "a deposit address": () => ({
      ...etherRequest(network),
      useDepositAddress: true,
      refundTo: network.accounts.user.address,
    }),
  } satisfies Record<string, () => QuoteRequest>)) {
    it(`has the same values as v2 for ${name}`, async () => {
      const { status, body } = await post(network, "/quote/v3", request(), key());
      expect([status, listSchemaErrors(QuoteV3Schema, body)]).to.deep.equal([200, []]);
      const v2 = (await post(network, "/quote/v2", request(), key())).body as Quote;
      const v3 = body as QuoteV3;
      const read = readAnyQuote(v3) as Quote;
      expect(Object.keys(v3)).to.have.members(["requestId", "steps", "fees", "feeSponsorship", "details", "protocol"]);
      for (const step of v3.steps) expect(step).not.to.have.any.keys("items", "requestId");
      expect(read.steps.map(({ id, kind }) => [id, kind])).to.deep.equal(
        v2.steps.flatMap(({ id, kind, items }) => items.map(() => [id, kind])),
      );
      expect(read.steps.map(({ requestId }) => requestId)).to.deep.equal(read.steps.map(() => v3.requestId));
      expect(read.steps.map(({ items: [item] }) => item?.data?.from)).to.deep.equal(
        v2.steps.flatMap(({ items }) => items.map(({ data }) => data?.from)),
      );
      expect(read.details).to.deep.equal(v2.details);
      const record = await recordOf(network, v3.requestId);
      expect(record.data.fees).to.deep.include(v3.fees);
    });
  }

  it("requires either a key or a token, and rejects requests with neither or both", async () => {
    const request = etherRequest(network);
    const { body } = await post(network, "/access-tokens", {}, { "x-api-key": "sponsor" });
    const authorization = `Bearer ${(body as { token: string }).token}`;
    const quote = (headers: Record<string, string>) => post(network, "/quote/v3", request, headers);
    expect((await quote({ authorization })).status).to.equal(200);
    expect((await post(network, "/quote/v2", request, { authorization })).status).to.equal(200);
    for (const headers of [{}, { "x-api-key": "unknown" }, { authorization: "Bearer eyJ.a.b" }]) {
      expect(errorOf(await quote(headers))).to.deep.equal([401, "UNAUTHORIZED_QUOTE"]);
    }
    expect(errorOf(await quote({ ...key(), authorization }))).to.deep.equal([400, "INVALID_REQUEST"]);
    const changed = `${authorization.slice(0, -2)}AA`;
    expect(errorOf(await quote({ authorization: changed }))).to.deep.equal([401, "UNAUTHORIZED_QUOTE"]);
  });

  it("has a single error format, with a code", async () => {
    const { status, body } = await post(network, "/quote/v3", { ...etherRequest(network), amount: "x" }, key());
    expect([status, Object.keys(body as object)]).to.deep.equal([400, ["message", "errorCode", "errorData"]]);
    expect(body).to.have.nested.property("errorData.field", "amount");
    const scenario = { ...etherRequest(network), referrer: "scenario:quote:NO_QUOTES" };
    expect(errorOf(await post(network, "/quote/v3", scenario, key()))).to.deep.equal([400, "NO_QUOTES"]);
  });

  it("accepts signatures at version 2 of the permits route", async () => {
    await fundPermits(network);
    const posted = await post(network, "/quote/v3", permitRequest(network, "eip3009"), key());
    const v3 = posted.body as QuoteV3;
    const [step] = v3.steps;
    const { requestId } = v3;
    expect(step?.data?.post).to.deep.equal({
      endpoint: "/execute/permits/v2",
      method: "POST",
      body: { kind: "eip3009", requestId },
    });
    const read = readAnyQuote(v3) as Quote;
    const signature = await signPermit(network, permitStepOf(read));
    const permit = (text: string) =>
      post(network, `/execute/permits/v2?signature=${text}`, { kind: "eip3009", requestId });
    const refused = await permit("0x");
    expect(errorOf(refused)).to.deep.equal([400, "PERMIT_FAILED"]);
    expect(refused.body).to.include({ requestId });
    const { status, body } = await permit(signature);
    expect([status, listSchemaErrors(PermitResponseV3Schema, body)]).to.deep.equal([200, []]);
  });

  describe("in the SDK", () => {
    const tokenClient = () =>
      sdk.createServiceClient({
        baseUrl: network.url,
        accessToken: async () => (await sdk.createAccessToken(keyClient())).token,
      });
    const keyClient = () => sdk.createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
    const execute = async (
      client: sdk.ServiceClient,
      quote: sdk.ExecuteStepsParameters["quote"],
      change: Partial<sdk.ExecuteStepsParameters> = {},
    ) => {
      const wallet = userWallet(network, network.chains[0]);
      const common = { wallet, trust: network.trust, pollIntervalMs: 25, clock: appClock(network) };
      const { status } = await sdk.executeSteps(client, {
        ...common,
        quote,
        ...change,
      });
      return status;
    };

    for (const days of [-120, 120]) {
      for (const kind of PERMIT_KINDS) {
        it(`is paid by a permit and attested if the clock differs by ${days} days from the chains' time: ${kind}`, async () => {
          const before = now;
          now = Date.now() + days * 86_400_000;
          try {
            const posted: string[] = [];
            const fetchNoting: typeof fetch = (input, init) => {
              const { method, url } = new Request(input, init);
              if (method === "POST") posted.push(new URL(url).pathname);
              return fetch(input, init);
            };
            const client = sdk.createServiceClient({
              baseUrl: network.url,
              apiKey: network.apiKey,
              fetch: fetchNoting,
            });
            const quote = await getCompleteQuote(client, {
              ...permitRequest(network, kind, { includeProtocolData: true }),
              clock: appClock(network),
            });
            const { status, inTxHashes, txHashes } = await execute(client, quote);
            expect([status, posted]).to.deep.equal(["success", ["/quote/v3", "/execute/permits/v2"]]);
            const { execution } = await attestFill(network, { quote, deposit: inTxHashes![0]!, fill: txHashes![0]! });
            expect(execution?.signatures.length).to.be.greaterThan(0);
          } finally {
            now = before;
          }
        });
      }
    }

    for (const [name, client] of Object.entries({ "a key": keyClient, "an access token": tokenClient })) {
      it(`is quoted, verified and executed with ${name}`, async () => {
        const request = etherRequest(network);
        const quote = await sdk.getQuote(client(), request);
        expect([quote.fees, quoteFeeTable(quote).mismatches]).to.deep.equal([undefined, []]);
        expect((await execute(client(), quote)).status).to.equal("success");
      });
    }

    it("earns app fees that can be claimed even after the older endpoints end", async () => {
      const before = now;
      now = Date.parse(endsOn);
      try {
        const { user } = network.accounts;
        const appFees = [{ recipient: user.address, fee: "100" }];
        const quote = await sdk.getQuote(keyClient(), {
          ...etherRequest(network, { appFees }),
          clock: appClock(network),
        });
        expect((await execute(keyClient(), quote)).status).to.equal("success");
        const [{ id: chainId, contracts }] = network.chains;
        const wallet = userWallet(network, network.chains[0]);
        const service = sdk.createServiceClient({ baseUrl: network.url });
        const { claimId } = await sdk.claimAppFees(service, { wallet, chainId, currency: contracts.dollar });
        const { claims } = await sdk.listAppFeeClaims(service, { address: user.address });
        expect(claims.map((claim) => claim.claimId)).to.deep.equal([claimId]);
      } finally {
        now = before;
      }
    });

    it("is verified and executed in the service's raw format", async () => {
      const request = etherRequest(network);
      const raw = (await post(network, "/quote/v3", request, key())).body as QuoteV3;
      const { verdict } = await verifyQuote({ request, quote: raw, trust: network.trust, clock: appClock(network) });
      expect([verdict, sdk.requestIdOf(raw)]).to.deep.equal(["bound", raw.requestId]);
      expect(sdk.planSteps(raw.steps, request.originChainId, 0, raw.details.sender)).to.deep.equal(
        sdk.planSteps(toQuote(raw).steps, request.originChainId),
      );
      expect((await execute(keyClient(), raw, { request })).status).to.equal("success");
    });

    it("is rejected like a v2 quote if a step does something else", async () => {
      const request = etherRequest(network);
      const raw = (await post(network, "/quote/v3", request, key())).body as QuoteV3;
      const { stranger } = network.accounts;
      for (const change of [
        { data: { ...raw.steps[0]!.data, to: stranger.address } },
        { data: { ...raw.steps[0]!.data, from: stranger.address } },
      ]) {
        const quote = { ...raw, steps: [{ ...raw.steps[0]!, ...change }] };
        const { verdict } = await verifyQuote({ request, quote, trust: network.trust, clock: appClock(network) });
        expect(verdict).to.equal("refused");
      }
      const other = { ...raw, details: { ...raw.details, sender: stranger.address } };
      const { verdict } = await verifyQuote({ request, quote: other, trust: network.trust, clock: appClock(network) });
      expect(verdict).to.equal("refused");
    });
  });

  describe("POST /access-tokens", () => {
    const mint = (headers: Record<string, string>) => post(network, "/access-tokens", {}, headers);

    it("creates a token that is valid for 15 minutes and not cached", async () => {
      const response = await fetch(`${network.url}/access-tokens`, {
        method: "POST",
        headers: { "content-type": "application/json", ...key() },
        body: "{}",
      });
      const body = (await response.json()) as { expiresAt: string };
      expect([response.status, response.headers.get("cache-control")]).to.deep.equal([200, "no-store"]);
      expect(listSchemaErrors(AccessTokenSchema, body)).to.deep.equal([]);
      expect(body).to.include({
        tokenType: "Bearer",
        scope: "public-api",
        expiresAt: new Date(now + 900_000).toISOString(),
      });
    });

    it("rejects keys without elevated limits, and requests with tokens", async () => {
      const { token } = (await mint(key())).body as { token: string };
      expect(errorOf(await mint({ "x-api-key": "plain" }))).to.deep.equal([403, "FORBIDDEN"]);
      for (const headers of [{}, { "x-api-key": "unknown" }, { authorization: `Bearer ${token}` }]) {
        expect(errorOf(await mint(headers))).to.deep.equal([401, "UNAUTHORIZED"]);
      }
    });

    it("creates tokens that expire, and that cannot use sponsored fees", async () => {
      const { token } = (await mint({ "x-api-key": "sponsor" })).body as { token: string };
      const bearer = { authorization: `Bearer ${token}` };
      const sponsored = { ...etherRequest(network), subsidizeFees: true };
      expect((await post(network, "/quote/v3", sponsored, { "x-api-key": "sponsor" })).status).to.equal(200);
      expect(errorOf(await post(network, "/quote/v3", sponsored, bearer))).to.deep.equal([403, "FORBIDDEN"]);
      expect((await get(network, "/requests/v3", bearer)).status).to.equal(200);
      now += 900_000;
      expect(errorOf(await get(network, "/requests/v3", bearer))).to.deep.equal([401, "UNAUTHORIZED"]);
    });
  });

  describe("the endpoints that version 3 replaces", () => {
    const SUCCESSORS = {
      "/quote/v2": "/quote/v3",
      "/quote": "/quote/v3",
      "/price": "/quote/v3",
      "/execute/permits": "/execute/permits/v2",
    };
    const call = async (path: string) => {
      const response = await fetch(`${network.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...key() },
        body: JSON.stringify(etherRequest(network)),
      });
      return { status: response.status, headers: response.headers, body: await response.json() };
    };
    let before: number;
    beforeEach(() => {
      before = now;
    });
    afterEach(() => {
      now = before;
    });

    it("are named as successors of older endpoints until their deprecation", async () => {
      for (const path of ["/config", "/config/v2"]) {
        const successorAt = async (time: number) => {
          now = time;
          return (await fetch(`${network.url}${path}`)).headers.get("link");
        };
        const first = Date.parse(deprecatedSince);
        expect(await successorAt(first - 1)).to.equal('</quote/v2>; rel="successor-version"');
        expect(await successorAt(first)).to.equal('</quote/v3>; rel="successor-version"');
      }
    });

    it("reject a referrer without credentials after their deprecation", async () => {
      const quote = (referrer: string, headers: Record<string, string> = {}) =>
        post(network, "/quote/v2", { ...etherRequest(network), referrer }, headers);
      now = Date.parse(deprecatedSince) - 1;
      expect((await quote("app.example")).status).to.equal(200);
      now += 1;
      expect(errorOf(await quote("app.example"))).to.deep.equal([401, "UNAUTHORIZED_QUOTE"]);
      expect((await quote("app.example", key())).status).to.equal(200);
      expect((await quote("")).status).to.equal(200);
      expect(errorOf(await quote("scenario:quote:NO_QUOTES"))).to.deep.equal([400, "NO_QUOTES"]);
    });

    for (const [path, successor] of Object.entries(SUCCESSORS)) {
      it(`announce their end after their deprecation: ${path}`, async () => {
        now = Date.parse(deprecatedSince) - 1;
        expect((await call(path)).headers.get("sunset")).to.equal(null);
        for (const time of [deprecatedSince, endsOn]) {
          now = Date.parse(time);
          const { headers } = await call(path);
          expect(Object.keys(HEADERS).map((name) => headers.get(name))).to.deep.equal([
            HEADERS.deprecation,
            HEADERS.sunset,
            HEADERS.link(successor),
          ]);
        }
      });

      it(`return 410 from their end date: ${path}`, async () => {
        now = Date.parse(endsOn) - 1;
        expect((await call(path)).status).not.to.equal(410);
        now = Date.parse(endsOn);
        const { status, body } = await call(path);
        expect([status, (body as { successor: string }).successor]).to.deep.equal([410, successor]);
      });
    }
  });
});

describe("a network that keeps retired endpoints", () => {
  const network = useNetwork({ keepsRetired: true, clock: { now: () => Date.parse("2028-01-01T00:00:00Z") } });

  it("serves these endpoints after their end", async () => {
    const request = { ...etherRequest(network), referrer: "app.example" };
    expect((await post(network, "/quote/v2", request)).status).to.equal(200);
    expect((await get(network, "/requests/v2")).status).to.equal(200);
  });
});
