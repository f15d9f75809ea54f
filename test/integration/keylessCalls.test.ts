import { expect } from "chai";

import { useNetwork } from "../support/useNetwork.ts";
import { get } from "./support/serviceCalls.ts";

describe("a network with a default API key", () => {
  const network = useNetwork({ defaultApiKey: "crosscall-local", keys: [{ apiKey: "limited", limits: { other: 0 } }] });
  const listing = (headers: Record<string, string>) => get(network, "/requests/v3", headers);

  it("treats requests without a key as if they sent that key", async () => {
    expect((await listing({})).status).to.equal(200);
    expect((await get(network, "/requests/v3?apiKey=crosscall-local")).status).to.equal(200);
  });

  it("accepts an explicit key, and rejects a wrong key", async () => {
    expect((await get(network, "/chains", { "x-api-key": "limited" })).status).to.equal(429);
    expect((await listing({ "x-api-key": "wrong" })).status).to.equal(401);
  });

  it("opens a websocket without a key", async () => {
    const socket = new WebSocket(network.websocketUrl);
    const first = await new Promise<string>((resolve) => {
      socket.addEventListener("message", ({ data }) => {
        resolve(String(data));
      });
      socket.addEventListener("close", ({ code }) => {
        resolve(`closed with ${code}`);
      });
    });
    expect(first).to.include('"status":"ready"');
    socket.close();
  });
});

describe("a network without a default API key", () => {
  const network = useNetwork({ keys: [{ apiKey: "bearer" }] });

  it("requires a key, which can be a bearer token", async () => {
    const statusOf = async (headers: Record<string, string>) => (await get(network, "/requests/v3", headers)).status;
    expect(await statusOf({})).to.equal(401);
    expect(await statusOf({ authorization: "Bearer bearer" })).to.equal(200);
    expect(await statusOf({ authorization: "Bearer other" })).to.equal(401);
    expect(await statusOf({ authorization: "Bearer other", "x-api-key": "bearer" })).to.equal(200);
  });

  it("allows and exposes to web pages the headers that published clients use", async () => {
    const origin = "http://localhost:5173";
    const asked = ["content-type", "x-api-key", "relay-sdk-version", "relay-kit-ui-version"];
    const preflight = await fetch(`${network.url}/quote/v2`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": asked.join(","),
      },
    });
    expect(preflight.status).to.equal(204);
    expect(preflight.headers.get("access-control-allow-origin")).to.equal(origin);
    const allowed = preflight.headers.get("access-control-allow-headers")?.split(/,\s*/u);
    expect(allowed).to.include.members(asked).and.not.include("x-other");
    const response = await fetch(`${network.url}/requests`, { headers: { origin } });
    expect(response.headers.get("access-control-expose-headers")?.split(/,\s*/u)).to.deep.equal([
      "Deprecation",
      "Sunset",
      "Link",
      "Retry-After",
      "x-crosscall-ignored",
    ]);
    expect(response.headers.get("deprecation")).to.match(/^@\d+$/u);
  });
});
