import { expect } from "chai";
import type { Page } from "playwright-core";

import { callAdmin } from "../integration/support/adminCalls.ts";
import { useBrowser } from "../support/browser.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { serve, type TestServer } from "../support/httpServer.ts";

/** Part of a response that a page can read: the status, or nothing. */
type Seen = number | "nothing";

interface Fetched {
  readonly url: string;
  readonly method?: string;
  readonly mode?: "cors" | "no-cors";
  readonly credentials?: "include" | "omit";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const MINE = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "hardhat_mine", params: ["0x5"] });
const JSON_TYPE = { "content-type": "application/json" };
const TEXT_TYPE = { "content-type": "text/plain" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };

// The worst case: the page is served from this machine's address under another host name.
describe("pages of other websites in a browser with a console session", () => {
  const network = useNetwork();
  const browser = useBrowser(["--host-resolver-rules=MAP evil.test 127.0.0.1"]);
  let website: TestServer;
  let page: Page;

  before(async () => {
    website = await serve((_request, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>A website</title>"),
    );
    page = await (await browser().newContext()).newPage();
    await page.goto(network.createSignInUrl());
    await page.goto(`${network.consoleUrl}/fills`);
    await page.getByRole("button", { name: "Hold fills" }).waitFor();
  });
  beforeEach(() => page.goto(`http://evil.test:${website.port}/`));
  after(() => website.close());

  const run = <Result>(script: string): Promise<Result> => page.evaluate<Result>(`(async () => { ${script} })()`);
  /** Returns what a page can read of a response. An opaque response has the status 0. */
  const see = ({ url, ...options }: Fetched): Promise<Seen> =>
    run(`
      const options = { credentials: "include", ...${JSON.stringify(options)} };
      const response = await fetch(${JSON.stringify(url)}, options).catch(() => undefined);
      if (response === undefined || response.type === "opaque") return "nothing";
      await response.text();
      return response.status;`);
  const open = (url: string): Promise<string> =>
    run(`
      const socket = new WebSocket(${JSON.stringify(url)});
      return new Promise((resolve) => {
        socket.onopen = () => { resolve("open"); socket.close(); };
        socket.onerror = () => resolve("refused");
      });`);
  const load = (tag: string, url: string): Promise<string> =>
    run(`
      const element = document.createElement(${JSON.stringify(tag)});
      return new Promise((resolve) => {
        element.onload = () => resolve("loaded");
        element.onerror = () => resolve("refused");
        element.src = ${JSON.stringify(url)};
        document.body.append(element);
      });`);
  const submit = async (action: string, type: string, fields: Readonly<Record<string, string>>): Promise<Seen> => {
    const response = page.waitForResponse(action);
    await run(`
      const [form, frame] = ["form", "iframe"].map((name) => document.createElement(name));
      frame.name = "answer";
      document.body.append(frame);
      Object.assign(form, { target: "answer", method: "post", action: ${JSON.stringify(action)}, enctype: ${JSON.stringify(type)} });
      for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {
        const input = document.createElement("input");
        Object.assign(input, { name, value });
        form.append(input);
      }
      document.body.append(form);
      form.submit();`);
    return (await response).status();
  };
  const state = async () => ({
    heights: await Promise.all(network.chains.map(async (chain) => (await chain.state()).blockNumber)),
    holds: (await network.fills.list()).holds,
    scenarios: await network.scenarios.list(),
    webhooks: (await callAdmin(network, "GET", "/admin/webhooks")).body,
    keys: (await callAdmin(network, "GET", "/admin/keys")).body,
  });

  it("can read the public API, but not the admin routes, console, chains or oracles", async () => {
    const { url, oracle, chains, apiKey } = network;
    expect(await see({ url: `${url}/chains` })).to.equal("nothing");
    expect(await run(`return (await fetch("${url}/chains")).status;`)).to.equal(200);
    for (const path of [
      "/admin/snapshot",
      "/admin/keys",
      "/admin/webhooks",
      "/console/requests",
      "/console/chains/31337",
    ]) {
      for (const headers of [{}, { "x-admin-key": "crosscall-admin" }, { "x-admin-key": network.adminKey }]) {
        for (const credentials of ["include", "omit"] as const) {
          const fetched = { url: `${url}${path}`, headers, credentials };
          expect(await see(fetched), path).to.equal("nothing");
        }
      }
      expect(await load("script", `${url}${path}`)).to.equal("refused");
      expect(await load("img", `${url}${path}`)).to.equal("refused");
    }
    for (const target of [oracle?.url ?? "", oracle?.peerUrl ?? ""]) {
      expect(await see({ url: `${target}/chains/v1`, headers: { "x-api-key": apiKey } })).to.equal("nothing");
      expect(await see({ url: `${target}/lives/v1` })).to.equal("nothing");
    }
    for (const { rpcUrl } of chains) {
      for (const headers of [JSON_TYPE, TEXT_TYPE]) {
        expect(await see({ url: rpcUrl, method: "POST", headers, body: MINE })).to.equal("nothing");
      }
      expect(await open(rpcUrl.replace("http", "ws"))).to.equal("refused");
    }
    // Part of the public API that requires a key.
    expect(await open(`${network.websocketUrl}?apiKey=${apiKey}`)).to.equal("open");
  });

  it("cannot change anything with requests without a preflight, forms or websockets", async () => {
    const before = await state();
    const { url, apiKey, chains, oracle } = network;
    const webhook = JSON.stringify({ apiKey, url: "http://127.0.0.1:9/hook" });
    const scenario = JSON.stringify({ name: "http:503" });
    for (const headers of [TEXT_TYPE, FORM_TYPE]) {
      for (const [path, body] of [
        ["/admin/webhooks", webhook],
        ["/admin/scenarios", scenario],
        ["/admin/fills/hold", "{}"],
        ["/admin/chains/31337/mine", "{}"],
        ["/console/fills/hold", "filter="],
        ["/console/chains/31337/mine", "blocks=5"],
      ] as const) {
        await see({ url: `${url}${path}`, method: "POST", mode: "no-cors", headers, body });
        await see({ url: `${url}${path}`, method: "POST", headers, body });
      }
      for (const { rpcUrl } of chains) {
        await see({ url: rpcUrl, method: "POST", mode: "no-cors", headers, body: MINE });
      }
      await see({ url: `${oracle?.url ?? ""}/attest/v1`, method: "POST", mode: "no-cors", headers, body: "{}" });
    }
    for (const [path, fields] of [
      ["/console/fills/hold", { filter: "" }],
      ["/admin/fills/hold", { filter: "" }],
    ] as const) {
      for (const type of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"]) {
        expect(await submit(`${url}${path}`, type, fields)).to.be.oneOf([401, 403, 415]);
      }
    }
    for (const { rpcUrl } of chains) {
      expect(await submit(`${rpcUrl}/`, "text/plain", { [MINE]: "" })).to.equal(403);
    }
    expect(await state()).to.deep.equal(before);
  });

  it("cannot read anything through a host name that resolves to this machine", async () => {
    const ports = [network.url, network.oracle?.url ?? "", ...network.chains.map(({ rpcUrl }) => rpcUrl)];
    for (const target of ports) {
      const own = target.replace("127.0.0.1", "evil.test");
      const answer = await page.goto(`${own}/`);
      expect(answer?.status()).to.equal(403);
      for (const path of ["/chains", "/admin/snapshot", "/console/requests", "/documentation/json", "/chains/v1"]) {
        expect(await see({ url: `${own}${path}` })).to.equal(403);
      }
      expect(await see({ url: own, method: "POST", headers: JSON_TYPE, body: MINE })).to.equal(403);
      expect(await open(`${own.replace("http", "ws")}/ws?apiKey=${network.apiKey}`)).to.equal("refused");
    }
  });

  it("cannot use a sign-in link twice, or use the console session", async () => {
    const link = network.createSignInUrl();
    await (await browser().newContext()).newPage().then((other) => other.goto(link));
    expect((await page.goto(link))?.status()).to.equal(200);
    const third = await (await browser().newContext()).newPage();
    expect((await third.goto(link))?.status()).to.equal(403);
    const cookies = await page.context().cookies();
    expect(cookies.map(({ httpOnly, sameSite, path }) => ({ httpOnly, sameSite, path }))).to.deep.equal([
      { httpOnly: true, sameSite: "Strict", path: "/console" },
    ]);
  });

  it("can send requests to the chains from localhost, as wallets do", async () => {
    await page.goto(`http://localhost:${website.port}/`);
    const [chain] = network.chains;
    const before = (await chain.state()).blockNumber;
    const fetched = { url: chain.rpcUrl, method: "POST", headers: JSON_TYPE, body: MINE };
    expect(
      await run(`return (await fetch(${JSON.stringify(chain.rpcUrl)}, ${JSON.stringify(fetched)})).status;`),
    ).to.equal(200);
    expect((await chain.state()).blockNumber).to.equal(before + 5);
    expect(await open(chain.rpcUrl.replace("http", "ws"))).to.equal("open");
  });
});
