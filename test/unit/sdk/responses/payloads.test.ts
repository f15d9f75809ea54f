// Reads every sample payload in the service's public documentation with the corresponding public function.
import { readFileSync } from "node:fs";

import { expect } from "chai";
import { createWalletClient, http } from "viem";

import type { ClaimAppFeesParameters } from "../../../../packages/sdk/src/execute/claimAppFees.ts";
import { CrosscallError, MalformedDataError } from "../../../../packages/protocol/src/core/errors.ts";
import * as sdk from "../../../../packages/sdk/src/index.ts";
import {
  formatCurrencyAmount,
  isNativeCurrency,
  minimumOutput,
  parseData,
  quoteFeeTable,
  type QuoteRequest,
  readStatusEvent,
  readWebsocketMessage,
  recordFeeTable,
  type Step,
} from "../../../../packages/protocol/src/index.ts";
import { toV3 } from "../../../../packages/sdk/src/migrate.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { WebsocketCommandSchema } from "../../../../packages/protocol/src/request/websocketCommand.ts";
import { useService } from "../client/service.ts";
import { API_KEY, NOW, signedHeaders } from "../client/webhooks/signed.ts";
import { quoteRequest } from "../../protocol/fixtures.ts";

type ClaimFields = Omit<ClaimAppFeesParameters, "wallet">;

interface Sample {
  readonly page: string;
  readonly line: number;
  // The samples have different types, which each test checks.
  readonly payload: Readonly<Record<string, unknown>>;
}

const SAMPLES = JSON.parse(
  readFileSync(new URL("../../../vectors/payloads.json", import.meta.url), "utf8"),
) as readonly Sample[];

const REQUEST = { ...quoteRequest, tradeType: "EXACT_INPUT", txs: [] } as unknown as QuoteRequest;
delete (REQUEST as { protocolVersion?: string }).protocolVersion;

describe("the documentation's payload", () => {
  const service = useService();
  const client = () => sdk.createServiceClient({ baseUrl: service.url, apiKey: "key", quoteVersion: 2, retry: false });
  const covered = new Set<Sample>();

  /** Adds one test for each matching sample. */
  function samplesLike(
    isLike: (payload: Sample["payload"]) => boolean,
    what: string,
    read: (payload: Sample["payload"]) => unknown,
  ): void {
    for (const sample of SAMPLES.filter(({ payload }) => isLike(payload))) {
      covered.add(sample);
      it(`at ${sample.page}:${sample.line} is ${what}`, () => read(sample.payload));
    }
  }

  const has =
    (...names: string[]) =>
    (payload: Sample["payload"]): boolean =>
      names.every((name) => name in payload);

  samplesLike(has("tradeType"), "sent as a quote request", async (payload) => {
    service.answers = () => ({ json: {} });
    const request = payload as unknown as QuoteRequest;
    const field = await fieldOf(() => sdk.getQuote(client(), request));
    // Samples that contain placeholders for the reader's values are rejected with the placeholder's field.
    const isPlaceholder = /WALLET|PROXY_CONTRACT|YourFeePayer/u.test(JSON.stringify(payload));
    if (isPlaceholder) expect(["user", "txs[0].data", undefined]).to.include(field);
    else expect([field, service.calls.map(({ body }) => body)]).to.deep.equal([undefined, [payload]]);
  });

  const isQuote = (payload: Sample["payload"]): boolean => "fees" in payload && !("data" in payload);
  samplesLike(isQuote, "taken as a quote", async (payload) => {
    service.answers = () => ({ json: payload });
    const taken = await sdk.getQuote(client(), REQUEST);
    const { currencyIn, currencyOut } = taken.details ?? {};
    if (currencyOut?.minimumAmount != null) {
      expect(minimumOutput(taken)).to.be.a("bigint");
      expect(formatCurrencyAmount(BigInt(currencyIn?.amount ?? ""), currencyIn?.currency ?? {})).to.match(/ [A-Z]/u);
      expect(isNativeCurrency(currencyIn?.currency ?? {})).to.be.a("boolean");
    }
    if (taken.details?.expandedPriceImpact != null) expect(quoteFeeTable(taken).lines).to.have.length(4);
    expectPlanned(taken.steps);
    expectWhole(taken, payload);
  });

  samplesLike(has("items"), "planned as a step", (payload) => {
    expectPlanned([payload]);
  });
  samplesLike(
    (payload) => "steps" in payload && !isQuote(payload),
    "planned as steps",
    ({ steps }) => expectPlanned(steps as Step[]),
  );

  const isStatus = (payload: Sample["payload"]): boolean => "inTxHashes" in payload;
  samplesLike(isStatus, "read as a status", async (payload) => {
    service.answers = () => ({ json: payload });
    expect(await sdk.getStatus(client(), { requestId: "0xab" })).to.deep.equal(payload);
  });

  const isRecord = (payload: Sample["payload"]): boolean => "id" in payload && "data" in payload;
  samplesLike(
    (payload) => isRecord(payload) && "requestType" in payload,
    "read as a v3 record",
    async (payload) => {
      service.answers = () => ({ json: { requests: [payload] } });
      const [record] = (await sdk.listRequests(client())).requests;
      expectWhole(record ?? {}, payload);
      for (const phase of ["quoted", "actual"] as const) {
        const table = recordFeeTable(record ?? {}, phase);
        // In this sample, the fees are 7.001060 dollars, of which the sponsor pays nearly all.
        expect(table?.totalUsdE18).to.equal(6_999_165n * 10n ** 12n);
        expect(table?.sponsorPaysUsdE18).to.equal(6_999_165n * 10n ** 12n);
      }
    },
  );
  samplesLike(
    (payload) => isRecord(payload) && !("requestType" in payload),
    "read as a v2 record, and converted to v3",
    async (payload) => {
      service.answers = () => ({ json: { requests: [payload] } });
      const [record] = (await sdk.listRequestsV2(client(), { force: true })).requests;
      expectWhole(record ?? {}, payload);
      const migrated = toV3(record ?? {});
      expect(migrated.record).to.deep.include({ id: payload.id, status: payload.status });
      expect(recordFeeTable(migrated.record, "quoted")?.totalUsdE18).to.equal(6_999_165n * 10n ** 12n);
    },
  );
  samplesLike(has("deprecation"), "passed to onDeprecation", async (payload) => {
    service.answers = () => ({ json: { requests: [], ...payload } });
    let successor: string | undefined;
    const onDeprecation = (notice: { successor: string | undefined }): void => void ({ successor } = notice);
    await sdk.listRequestsV2(sdk.createServiceClient({ baseUrl: service.url, onDeprecation }), { force: true });
    expect(successor).to.match(/\/requests\/v3$/u);
  });

  samplesLike(has("chains"), "read as the list of chains", async (payload) => {
    service.answers = () => ({ json: payload });
    expect(await sdk.getChains(client())).to.deep.equal(payload.chains);
  });

  const isError = (payload: Sample["payload"]): boolean =>
    "message" in payload && ("errorCode" in payload || "error" in payload);
  samplesLike(isError, "a service error with its code", async (payload) => {
    service.answers = () => ({ status: 400, json: payload });
    const error = await failureOf(() => sdk.getQuote(client(), REQUEST));
    expect(error).to.include({ code: "SERVICE_ERROR", status: 400 });
    expect(error).to.have.property("errorCode", payload.errorCode);
    expect(error).to.have.property("errorData", payload.errorData);
    expect(error?.message).to.include(payload.message);
  });
  samplesLike(has("successor"), "a service error that names the successor", async (payload) => {
    service.answers = () => ({ status: 429, json: payload });
    const error = await failureOf(() => sdk.listRequestsV2(client(), { force: true }));
    expect(error).to.have.deep.property("errorData", {
      successor: payload.successor,
      migrationGuide: payload.migrationGuide,
    });
  });

  samplesLike(has("event", "data"), "verified as a webhook", async (payload) => {
    const rawBody = JSON.stringify(payload);
    for (const time of [NOW, Math.floor(NOW / 1_000)]) {
      const headers = signedHeaders(rawBody, time);
      expect(await sdk.verifyWebhook({ rawBody, headers, apiKey: API_KEY, now: NOW })).to.deep.equal(payload);
    }
    const { data } = payload as { data: { depositAddress: { address: string } } };
    const older = { ...payload, data: { ...data, depositAddress: "0x…" } };
    expect(readStatusEvent(older, "it").data.depositAddress).to.deep.equal({ address: "0x…" });
  });
  const isMessage = (payload: Sample["payload"]): boolean => "type" in payload && "status" in payload;
  samplesLike(isMessage, "read as a websocket message", (payload) => {
    expect(readWebsocketMessage(payload)).to.deep.equal(payload);
  });

  samplesLike(has("type", "filters"), "a command that the client can send", (payload) => {
    expect(parseData(WebsocketCommandSchema, payload, "the command")).to.equal(payload);
  });

  samplesLike(
    (payload) => "txHash" in payload && "chainId" in payload,
    "announced as a deposit",
    async (payload) => {
      service.answers = () => ({ json: {} });
      await sdk.announceDeposit(client(), payload as unknown as { chainId: number; txHash: string });
      expect(service.calls.map(({ body }) => body)).to.deep.equal([payload]);
    },
  );

  samplesLike(
    (payload) => "amountUsd" in payload && !("status" in payload),
    "read as a balance of app fees",
    async (payload) => {
      service.answers = () => ({ json: { balances: [payload] } });
      expect((await sdk.getAppFeeBalances(client(), { address: localAccounts.user.address })).balances).to.deep.equal([
        payload,
      ]);
    },
  );
  const isClaim = (payload: Sample["payload"]): boolean => JSON.stringify(payload).includes('"kind":"claim"');
  samplesLike(
    (payload) => Object.keys(payload).join() === "chainId,currency,recipient",
    "sent to claim app fees, and its response is signed",
    async (payload) => {
      const steps = SAMPLES.find((sample) => "steps" in sample.payload && isClaim(sample.payload))?.payload;
      service.answers = (_call, index) => ({ json: index === 0 ? steps : {} });
      const wallet = createWalletClient({ account: localAccounts.user, transport: http(service.url) });
      const { claimId } = await sdk.claimAppFees(client(), { wallet, ...(payload as unknown as ClaimFields) });
      const [claim, permit] = service.calls;
      expect([claim?.body, permit?.body]).to.deep.equal([payload, { kind: "claim", requestId: claimId }]);
    },
  );

  samplesLike(has("tx"), "announced as a transaction", async (payload) => {
    service.answers = () => ({ json: {} });
    const { txHash, ...transaction } = JSON.parse(payload.tx as string) as Record<string, unknown> & { txHash: string };
    const chainId = Number(payload.chainId);
    await sdk.announceTransaction(client(), { requestId: payload.requestId as string, chainId, txHash, transaction });
    expect(service.calls.map(({ body }) => body)).to.deep.equal([payload]);
  });

  it("is covered by a test, unless the client does not call its endpoint", () => {
    const others = SAMPLES.filter((sample) => !covered.has(sample)).map(({ page, line }) => `${page}:${line}`);
    expect(others.toSorted()).to.deep.equal(NOT_CALLED.toSorted());
  });
});

const NOT_CALLED: readonly string[] = [
  // Body for a permit of a kind that differs from its step's kind.
  "features/app-fees.mdx:170",
  // Responses of POST /execute.
  "features/gasless-execution.mdx:696",
  "features/gasless-execution.mdx:785",
  // An item's check, and a call, both without context.
  "references/api/api_core_concepts/step-execution.mdx:626",
  "references/api/api_guides/calling-integration-guide.mdx:809",
];

/**
 * Converts steps to actions. Samples with dots instead of hex data, or without steps, are rejected with the name of
 * that field.
 */
function expectPlanned(steps: readonly Step[] | null | undefined): void {
  const isAbbreviated =
    steps === undefined || /"data":"0x[0-9a-f]*\.\.\."|YOUR_WALLET_ADDRESS/u.test(JSON.stringify(steps));
  if (!isAbbreviated) {
    expect(sdk.planSteps(steps, 8453).length).to.be.greaterThan(0);
    return;
  }
  const paths = ["steps", "steps[0].items[0].data.data", "steps[0].items[0].data.from"];
  expect(() => sdk.planSteps(steps, 8453))
    .to.throw(MalformedDataError)
    .with.property("path")
    .that.is.oneOf(paths);
}

/**
 * Checks that the result has every field of the sample, except parts that the sample abbreviates or has in an older
 * format.
 */
function expectWhole(read: { readonly unreadable?: { fields: readonly { path: string }[] } }, payload: object): void {
  for (const { path } of read.unreadable?.fields ?? []) {
    const value = path.split(/[.[\]]+/u).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], payload);
    // The sample has dots, or is older and has an amount or a symbol instead of an amount object.
    expect(value, path).to.match(/^(…|\.\.\.|\d+|-\d+|eth)$/u);
  }
  for (const name of Object.keys(payload)) expect(read).to.have.property(name);
}

async function failureOf(run: () => Promise<unknown>): Promise<CrosscallError | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (error instanceof CrosscallError) return error;
    throw error;
  }
}

async function fieldOf(run: () => Promise<unknown>): Promise<unknown> {
  const error = await failureOf(run);
  return error === undefined ? undefined : (error as { field?: unknown }).field;
}
