import { expect } from "chai";

import {
  verifyWebhook,
  type VerifyWebhookParameters,
} from "../../../../../packages/sdk/src/client/webhooks/verifyWebhook.ts";
import { createWebhookHandler } from "../../../../../packages/sdk/src/client/webhooks/createWebhookHandler.ts";
import { InvalidInputError } from "../../../../../packages/protocol/src/core/errors.ts";
import { factsOf, rejected } from "../../../../support/rejection.ts";
import { API_KEY, NOW, signedHeaders, statusEvent } from "./signed.ts";

const BODY = JSON.stringify(statusEvent({ details: "größer" }));

describe("verifyWebhook", () => {
  const verify = (change: Partial<VerifyWebhookParameters> = {}) =>
    verifyWebhook({ rawBody: BODY, headers: signedHeaders(BODY), apiKey: API_KEY, now: NOW, ...change });
  const flawOf = async (change: Partial<VerifyWebhookParameters>) => factsOf(await rejected(verify(change)));

  it("returns the event from a signed body, as text and as bytes", async () => {
    expect(await verify()).to.deep.equal(statusEvent({ details: "größer" }));
    const bytes = new TextEncoder().encode(BODY);
    expect(await verify({ rawBody: bytes.buffer })).to.deep.equal(statusEvent({ details: "größer" }));
    expect(await verify({ rawBody: Buffer.from(BODY) })).to.deep.equal(statusEvent({ details: "größer" }));
  });

  it("reads headers in any letter case, and the platform's `Headers`", async () => {
    const headers = signedHeaders(BODY);
    await verify({ headers: new Headers(headers) });
    await verify({ headers: new Map(Object.entries(headers)) });
    await verify({ headers: Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value] as const) });
    await verify({ headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])) });
    await verify({ headers: { get: (name: string) => Object.entries(headers).find(([one]) => one === name)?.[1] } });
    await verify({
      headers: {
        "X-Signature-Timestamp": headers["x-signature-timestamp"],
        "X-Signature-SHA256": headers["x-signature-sha256"].toUpperCase(),
      },
    });
  });

  for (const apiKey of [null, undefined, "", 5]) {
    it(`rejects ${JSON.stringify(apiKey)} as the API key, even for a delivery signed with that text`, async () => {
      const signedWithText = { headers: signedHeaders(BODY, undefined, String(apiKey)) };
      const options = { ...signedWithText, apiKey: apiKey as string };
      expect(await flawOf(options)).to.include({ code: "INVALID_INPUT", field: "apiKey" });
      expect(() => createWebhookHandler({ apiKey: apiKey as string })).to.throw(InvalidInputError);
    });
  }

  it("rejects a time that is not a number, with which no delivery would be too old", async () => {
    for (const field of ["now", "toleranceMs"]) {
      expect(await flawOf({ [field]: Number.NaN })).to.include({ code: "INVALID_INPUT", field });
    }
  });

  const { "x-signature-timestamp": timestamp, "x-signature-sha256": signature } = signedHeaders(BODY);
  const flaws: Record<string, [Partial<VerifyWebhookParameters>, string]> = {
    "another key": [{ apiKey: "other" }, "signature-wrong"],
    "a byte more": [{ rawBody: `${BODY} ` }, "signature-wrong"],
    "another time": [
      { headers: { "x-signature-timestamp": String(NOW + 1), "x-signature-sha256": signature } },
      "signature-wrong",
    ],
    "half a signature": [
      { headers: { "x-signature-timestamp": timestamp, "x-signature-sha256": signature.slice(0, 32) } },
      "signature-wrong",
    ],
    "no signature": [{ headers: { "x-signature-timestamp": timestamp } }, "signature-missing"],
    "no time": [{ headers: { "x-signature-sha256": signature } }, "timestamp-missing"],
    "an invalid time": [{ headers: signedHeaders(BODY, "soon") }, "timestamp-missing"],
    "two times": [
      { headers: { "x-signature-timestamp": [timestamp, timestamp], "x-signature-sha256": signature } },
      "timestamp-missing",
    ],
    "a time before the window": [{ now: NOW + 300_001 }, "timestamp-old"],
    "a time after the window": [{ now: NOW - 300_001 }, "timestamp-ahead"],
    "a time before a configured window": [{ now: NOW + 11, toleranceMs: 10 }, "timestamp-old"],
  };
  const parsed: Record<string, [unknown, string]> = {
    "a parsed body": [JSON.parse(BODY), "body-parsed"],
    "a list": [[...Buffer.from(BODY)], "body-parsed"],
    "a number": [7, "body-parsed"],
    "no body": [undefined, "body-missing"],
    "a body of null": [null, "body-missing"],
    "an empty text": ["", "body-missing"],
    "no bytes": [new Uint8Array(), "body-missing"],
  };
  for (const [name, [body, flaw]] of Object.entries(parsed)) {
    it(`rejects ${name}, and hints that the raw body is needed`, async () => {
      const error = await rejected(verify({ rawBody: body as string }));
      expect(factsOf(error)).to.deep.equal({ code: "WEBHOOK_REFUSED", flaw });
    });
  }

  it("rejects a delivery without headers", async () => {
    for (const headers of [undefined, null, {}, [], [7], ["x-signature-timestamp", "1"]]) {
      expect(await flawOf({ headers: headers as never })).to.deep.equal({
        code: "WEBHOOK_REFUSED",
        flaw: "timestamp-missing",
      });
    }
  });

  for (const [name, [change, flaw]] of Object.entries(flaws)) {
    it(`rejects ${name}`, async () => {
      expect(await flawOf(change)).to.deep.equal({ code: "WEBHOOK_REFUSED", flaw });
    });
  }

  it("accepts both ends of the window", async () => {
    await verify({ now: NOW + 300_000 });
    await verify({ now: NOW - 300_000 });
  });

  for (const [body, path] of [
    ["{", ""],
    ["[]", "event"],
    ['{"event":"weather"}', "event"],
    ['{"event":"request.status.updated"}', "data"],
    [JSON.stringify({ ...statusEvent(), data: { ...statusEvent().data, requestId: null } }), "data.requestId"],
    [JSON.stringify({ ...statusEvent(), data: { ...statusEvent().data, status: 5 } }), "data.status"],
  ] as const) {
    it(`reports the malformed part of a signed body: ${path}`, async () => {
      expect(await flawOf({ rawBody: body, headers: signedHeaders(body) })).to.deep.equal({
        code: "MALFORMED_DATA",
        what: "the webhook",
        path,
      });
    });
  }
});
