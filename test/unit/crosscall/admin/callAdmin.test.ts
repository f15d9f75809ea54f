import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setImmediate } from "node:timers/promises";

import { expect } from "chai";
import * as Type from "typebox";

import { callAdmin } from "../../../../packages/crosscall/src/admin/callAdmin.ts";
import { CrosscallError } from "../../../../packages/protocol/src/core/errors.ts";
import { type TestService, useService } from "../../sdk/client/service.ts";

/** Diagnostics channel of the process's HTTP client for received response headers. */
const HEAD_RECEIVED = "undici:request:headers";

describe("callAdmin", () => {
  const service: TestService = useService();
  const call = (signal = new AbortController().signal): Promise<unknown> =>
    callAdmin(
      { url: service.url, adminKey: "secret" },
      { method: "GET", path: "/admin/keys", response: Type.Object({ keys: Type.Array(Type.String()) }) },
      {},
      signal,
    ).catch((error: unknown) => (error instanceof CrosscallError ? error.code : error));

  it("sends the key and returns the response", async () => {
    service.answers = () => ({ json: { keys: ["one"] } });
    expect(await call()).to.deep.equal({ keys: ["one"] });
    const [{ method, url, headers }] = service.calls as [TestService["calls"][number]];
    expect([method, url, headers["x-admin-key"]]).to.deep.equal(["GET", "/admin/keys", "secret"]);
  });

  it("reports a rejection, another service, a redirect, and a missing response", async () => {
    const codes: unknown[] = [];
    for (const answer of [
      { status: 401, json: { message: "no" } },
      { json: { keys: 1 } },
      { status: 302, text: "", headers: { location: "https://example.org" } },
      "hang up",
    ] as const) {
      service.answers = () => answer;
      codes.push(await call());
    }
    expect(codes).to.deep.equal(["SERVICE_ERROR", "MALFORMED_DATA", "SERVICE_ERROR", "SERVICE_UNREACHABLE"]);
  });

  it("reports a response that ends early, after its headers", async () => {
    service.answers = () => "a cut-off answer";
    expect(await call()).to.equal("SERVICE_UNREACHABLE");
  });

  it("stops on an abort even after the response headers", async () => {
    service.answers = () => "half an answer";
    const controller = new AbortController();
    // Runs after the header listeners.
    const abort = (): void => void setImmediate().then(() => controller.abort());
    subscribe(HEAD_RECEIVED, abort);
    try {
      expect(await call(controller.signal)).to.equal("ABORTED");
    } finally {
      unsubscribe(HEAD_RECEIVED, abort);
    }
  });
});
