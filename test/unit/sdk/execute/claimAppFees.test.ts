import { expect } from "chai";
import { createWalletClient, custom, type Hex, recoverMessageAddress } from "viem";

import { iterateAppFeeClaims } from "../../../../packages/sdk/src/client/appFees.ts";
import { claimAppFees } from "../../../../packages/sdk/src/execute/claimAppFees.ts";
import { createServiceClient, type ServiceClientOptions } from "../../../../packages/sdk/src/client/client.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { SVM_USDC, USDC, USER } from "../../protocol/fixtures.ts";
import { useService } from "../client/service.ts";

const ID: Hex = `0x${"c1".repeat(32)}`;
const ACCOUNT = localAccounts.user;

/** Step of a claim, as documented. */
const DATA = {
  sign: { signatureKind: "eip191", message: ID },
  post: { endpoint: "/execute/permits", method: "POST", body: { kind: "claim", requestId: ID } },
};
const STEP = {
  id: "authorize",
  action: "Sign authorization",
  description: "Authorize claiming funds",
  kind: "signature",
  items: [{ status: "incomplete", data: DATA }],
};
const withData = (data: object) => ({ steps: [{ ...STEP, items: [{ status: "incomplete", data }] }] });
const withSign = (change: object) => withData({ ...DATA, sign: { ...DATA.sign, ...change } });
const withPost = (change: object) => withData({ ...DATA, post: { ...DATA.post, ...change } });

describe("claimAppFees", () => {
  const service = useService();
  let signed = 0;
  const wallet = createWalletClient({
    account: {
      ...ACCOUNT,
      signMessage: (message) => {
        signed += 1;
        return ACCOUNT.signMessage(message);
      },
    },
    transport: custom({ request: () => Promise.reject(new Error("no chain is called")) }),
  });
  const PARAMETERS = { wallet, chainId: 8453, currency: USDC };
  const client = () => createServiceClient({ baseUrl: service.url, retry: false });
  const respondWith = (claim: unknown): void => {
    service.answers = ({ url }) => ({ json: url?.startsWith("/execute/") === true ? { message: "Success" } : claim });
  };

  beforeEach(() => {
    signed = 0;
    respondWith({ steps: [STEP] });
  });

  it("signs the claim's id, and posts the signature", async () => {
    expect(await claimAppFees(client(), { ...PARAMETERS, recipient: USER, amount: 5n })).to.deep.equal({ claimId: ID });
    const [claim, permit] = service.calls;
    expect([claim?.method, claim?.url, claim?.body]).to.deep.equal([
      "POST",
      `/app-fees/${ACCOUNT.address}/claim`,
      { chainId: 8453, currency: USDC, recipient: USER, amount: "5" },
    ]);
    const url = new URL(permit?.url ?? "", service.url);
    expect([permit?.method, url.pathname, permit?.body]).to.deep.equal([
      "POST",
      "/execute/permits",
      { kind: "claim", requestId: ID },
    ]);
    const signature = url.searchParams.get("signature") as Hex;
    expect(await recoverMessageAddress({ message: { raw: ID }, signature })).to.equal(ACCOUNT.address);
    expect(service.calls).to.have.length(2);
  });

  const V1 = "/execute/permits";
  const V2 = "/execute/permits/v2";
  const endpoints: Record<
    string,
    [client: Partial<ServiceClientOptions>, named: string, missing: Record<string, number>, posted: string[]]
  > = {
    "with an API key": [{ apiKey: "key" }, V1, {}, [V2]],
    "with an access token": [{ accessToken: () => Promise.resolve("token") }, V1, {}, [V2]],
    "without either": [{}, V1, {}, [V1]],
    "that the service names": [{}, V2, {}, [V2]],
    "of an older service": [{ apiKey: "key" }, V1, { [V2]: 404 }, [V2, V1]],
    "of a service that ended the older endpoint": [{}, V1, { [V1]: 410 }, [V1, V2]],
  };
  for (const [name, [options, named, missing, posted]] of Object.entries(endpoints)) {
    it(`posts to the newest endpoint: ${name}`, async () => {
      service.answers = ({ url }) => {
        const path = url?.split("?")[0] ?? "";
        if (!path.startsWith("/execute/")) return { json: withPost({ endpoint: named }) };
        return { status: missing[path] ?? 200, json: { message: "Success", steps: [] } };
      };
      const given = createServiceClient({ baseUrl: service.url, retry: false, ...options });
      expect(await claimAppFees(given, PARAMETERS)).to.deep.equal({ claimId: ID });
      expect(service.calls.slice(1).map(({ url }) => url?.split("?")[0])).to.deep.equal(posted);
      expect(signed).to.equal(1);
    });
  }

  it("claims everything for the wallet by default", async () => {
    await claimAppFees(client(), PARAMETERS);
    expect(service.calls[0]?.body).to.deep.equal({ recipient: ACCOUNT.address, chainId: 8453, currency: USDC });
  });

  it("accepts a step without display texts", async () => {
    respondWith({ steps: [{ kind: "signature", items: [{ data: DATA }] }] });
    expect(await claimAppFees(client(), PARAMETERS)).to.deep.equal({ claimId: ID });
  });

  const first = "steps[0].items[0].data";
  const hostile: Record<string, [body: unknown, path: string]> = {
    "no step": [{ steps: [] }, "steps"],
    "no list of steps": [{ message: "Success" }, "steps"],
    "a second step": [{ steps: [STEP, STEP] }, "steps"],
    "a transaction": [{ steps: [{ ...STEP, kind: "transaction" }] }, "steps[0].kind"],
    "no item": [{ steps: [{ ...STEP, items: [] }] }, "steps[0].items"],
    "a second item": [{ steps: [{ ...STEP, items: [STEP.items[0], STEP.items[0]] }] }, "steps[0].items"],
    "typed data": [withSign({ signatureKind: "eip712", domain: {} }), `${first}.sign.signatureKind`],
    "a text": [withSign({ message: "I give you everything" }), `${first}.sign.message`],
    "a message with the wrong length": [withSign({ message: `${ID}00` }), `${first}.sign.message`],
    "a message other than the id": [withSign({ message: `0x${"c2".repeat(32)}` }), `${first}.sign.message`],
    "another endpoint": [withPost({ endpoint: "/execute/permits/other" }), `${first}.post.endpoint`],
    "another host": [withPost({ endpoint: "https://example.org/execute/permits" }), `${first}.post.endpoint`],
    "another method": [withPost({ method: "PUT" }), `${first}.post.method`],
    "another kind": [withPost({ body: { kind: "eip3009", requestId: ID } }), `${first}.post.body.kind`],
    "no body": [withPost({ body: undefined }), `${first}.post.body`],
  };
  for (const [name, [body, path]] of Object.entries(hostile)) {
    it(`signs nothing if the service returns ${name}`, async () => {
      respondWith(body);
      const error = await rejected(claimAppFees(client(), PARAMETERS));
      expect(factsOf(error)).to.include({ code: "MALFORMED_DATA", path });
      expect([signed, service.calls.length]).to.deep.equal([0, 1]);
    });
  }

  const refused: Record<string, [object, string, string | undefined]> = {
    "a currency that is not an address": [{ currency: "usdc" }, "currency", '"usdc"'],
    "a recipient on another chain family": [{ recipient: SVM_USDC }, "recipient", JSON.stringify(SVM_USDC)],
    "a missing chain": [{ chainId: undefined }, "chainId", undefined],
    "a negative amount": [{ amount: -1n }, "amount", "-1"],
    "an unknown parameter": [{ address: USER }, "address", undefined],
  };
  for (const [name, [change, field, value]] of Object.entries(refused)) {
    it(`rejects ${name} before a request is sent`, async () => {
      const error = await rejected(claimAppFees(client(), { ...PARAMETERS, ...change }));
      expect(factsOf(error)).to.deep.equal({ code: "INVALID_INPUT", field, value });
      expect(service.calls).to.deep.equal([]);
    });
  }

  it("reports that the user rejected the signature", async () => {
    const refuses = createWalletClient({
      account: ACCOUNT.address,
      transport: custom({ request: () => Promise.reject(Object.assign(new Error("no"), { code: 4_001 })) }),
    });
    const error = await rejected(claimAppFees(client(), { ...PARAMETERS, wallet: refuses }));
    expect([error.code, service.calls.length]).to.deep.equal(["USER_REJECTED", 1]);
  });

  it("does not repeat either request if its outcome is unknown", async () => {
    for (const failing of ["/app-fees/", "/execute/"]) {
      const before = service.calls.length;
      service.answers = ({ url }) =>
        url?.startsWith(failing) === true ? { status: 503, json: {} } : { json: { steps: [STEP] } };
      const patient = createServiceClient({ baseUrl: service.url, retry: { baseDelayMs: 0 } });
      const error = await rejected(claimAppFees(patient, PARAMETERS));
      const isPosted = failing === "/execute/";
      expect(factsOf(error)).to.include({ code: "SERVICE_ERROR", tries: 1, ...(isPosted ? { requestId: ID } : {}) });
      expect(service.calls.length - before).to.equal(isPosted ? 2 : 1);
    }
  });

  it("stops if the signal aborts", async () => {
    const error = await rejected(claimAppFees(client(), { ...PARAMETERS, signal: AbortSignal.abort() }));
    expect([error.code, service.calls, signed]).to.deep.equal(["ABORTED", [], 0]);
  });
});

describe("iterateAppFeeClaims", () => {
  const service = useService();
  const collect = async (limit?: number): Promise<unknown[]> => {
    const ids: unknown[] = [];
    const client = createServiceClient({ baseUrl: service.url });
    const options = limit === undefined ? {} : { limit };
    for await (const { claimId } of iterateAppFeeClaims(client, { address: USER }, options)) ids.push(claimId);
    return ids;
  };

  beforeEach(() => {
    service.answers = ({ url }) => ({
      json:
        url?.includes("continuation=next") === true
          ? { claims: [{ claimId: "0xB" }, { claimId: "0xc" }] }
          : { claims: [{ claimId: "0xa" }, { claimId: "0xb" }], continuation: "next" },
    });
  });

  it("yields the claims on all pages once", async () => {
    expect(await collect()).to.deep.equal(["0xa", "0xb", "0xc"]);
    expect(service.calls.map(({ url }) => url)).to.deep.equal([
      `/app-fees/${USER}/claims?limit=50`,
      `/app-fees/${USER}/claims?limit=50&continuation=next`,
    ]);
  });

  it("requests no page beyond the limit", async () => {
    expect(await collect(2)).to.deep.equal(["0xa", "0xb"]);
    expect(service.calls.map(({ url }) => url)).to.deep.equal([`/app-fees/${USER}/claims?limit=2`]);
    expect(factsOf(await rejected(collect(0)))).to.deep.equal({ code: "INVALID_INPUT", field: "limit", value: "0" });
  });

  it("fails on a repeated cursor", async () => {
    service.answers = () => ({ json: { claims: [], continuation: "again" } });
    expect(factsOf(await rejected(collect()))).to.include({ code: "PAGING_STUCK", continuation: "again" });
  });
});
