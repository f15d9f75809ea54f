import { request as httpRequest, type OutgoingHttpHeaders } from "node:http";

import { expect } from "chai";
import { parseEther } from "viem";

import { localnet, type Localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { readAssets } from "../../packages/crosscall/src/localnet/console/assets.ts";
import { quoteDollars, requestIdOf } from "./support/scenarioRuns.ts";
import { callAdmin } from "./support/adminCalls.ts";

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request with a custom Host header, which `fetch` does not allow. */
function call(
  { url }: Pick<Localnet, "url">,
  path: string,
  { method = "GET", headers = {}, body }: { method?: string; headers?: OutgoingHttpHeaders; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
    const sent = httpRequest(`${url}${path}`, { method, headers: { ...type, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Starts a session and returns its cookie. */
async function signIn(network: Localnet): Promise<string> {
  const { headers } = await call(network, new URL(network.createSignInUrl()).pathname);
  return String(headers["set-cookie"]).split(";")[0] ?? "";
}

const VIEWS = ["/console/requests", "/console/fills", "/console/chains", "/console/chains/31337", "/console/quote"];

describe("access to the console", () => {
  describe("under a loopback name", () => {
    let network: Localnet;
    let session: string;

    before(async () => {
      network = await localnet({ keepsRetired: true, oracle: false, limits: "documented" });
      session = await signIn(network);
    });
    after(() => network.close());

    const holds = async () => (await network.fills.list()).holds.length;
    const hold = (headers: OutgoingHttpHeaders) =>
      call(network, "/console/fills/hold", {
        method: "POST",
        headers: { cookie: session, ...headers },
        body: "filter=",
      });

    it("is read-only without a session, which a single-use link starts", async () => {
      const { text } = await call(network, "/console/fills");
      expect(text).to.include("Admin key").and.not.include("Hold fills");
      expect((await hold({ origin: network.url, cookie: "" })).status).to.equal(403);
      const { pathname } = new URL(network.createSignInUrl());
      // Link checkers send HEAD requests.
      expect((await call(network, pathname, { method: "HEAD" })).status).to.equal(404);
      const { status, headers } = await call(network, pathname);
      expect([status, headers.location]).to.deep.equal([303, "/console"]);
      const cookie = String(headers["set-cookie"]);
      expect(cookie).to.include("HttpOnly").and.include("SameSite=Strict").and.include("Path=/console");
      const opened = { cookie: cookie.split(";")[0] };
      expect((await call(network, "/console/fills", { headers: opened })).text).to.include("Hold fills");
      const again = await call(network, pathname);
      expect([again.status, again.headers["set-cookie"]]).to.deep.equal([403, undefined]);
      // The browser that used the link can reload the page.
      expect((await call(network, pathname, { headers: opened })).status).to.equal(303);
      expect((await call(network, "/console/sign-in/unknown")).status).to.equal(403);
    });

    it("sets no scenario for other requests if a demo request gets no quote", async () => {
      await network.scenarios.set("quote:NO_QUOTES", { next: 1 });
      const { status } = await call(network, "/console/demo", {
        method: "POST",
        headers: { cookie: session, origin: network.url },
        body: "outcome=SLIPPAGE",
      });
      expect(status).to.equal(400);
      expect(await network.scenarios.list()).to.deep.equal([]);
    });

    it("cannot be opened by other websites, except through links", async () => {
      const read = async (headers: OutgoingHttpHeaders) =>
        (await call(network, "/console/requests", { headers })).status;
      for (const site of ["cross-site", "same-site"]) {
        expect(await read({ "sec-fetch-site": site, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" })).to.equal(
          403,
        );
        expect(
          await read({ "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }),
        ).to.equal(403);
        expect(
          await read({ "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }),
        ).to.equal(200);
      }
      expect(await read({ origin: "http://evil.example" })).to.equal(403);
      const { headers } = await call(network, "/console/requests");
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).to.deep.equal([]);
    });

    it("rejects forms submitted from another website or port", async () => {
      for (const headers of [
        {},
        { origin: "null" },
        { origin: "http://evil.example" },
        { origin: "http://127.0.0.1:1" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "none" },
        { "sec-fetch-site": "cross-site", origin: network.url },
      ]) {
        expect((await hold(headers)).status, JSON.stringify(headers)).to.equal(403);
      }
      expect(await holds()).to.equal(0);
      for (const headers of [{ origin: network.url }, { "sec-fetch-site": "same-origin" }]) {
        expect((await hold(headers)).status).to.equal(303);
      }
      expect(await holds()).to.equal(2);
      await network.fills.releaseAll();
    });

    it("shows an admin route's error for a rejected form", async () => {
      const body = "filter=status%3Dsuccess";
      const { status, text } = await call(network, "/console/fills/hold", {
        method: "POST",
        headers: { origin: network.url, cookie: session },
        body,
      });
      expect([status, text.includes("is not a field of a group")]).to.deep.equal([400, true]);
    });

    it("forbids inline styles and scripts, frames and other hosts on every page", async () => {
      for (const path of [
        ...VIEWS,
        "/console/requests/0x00",
        "/console/requests?status=x",
        "/console/assets/htmx.js",
      ]) {
        const { headers } = await call(network, path);
        const policy = String(headers["content-security-policy"]);
        expect(policy, path)
          .to.include("default-src 'none'")
          .and.include("script-src 'self';")
          .and.not.include("unsafe");
        expect(headers["x-content-type-options"], path).to.equal("nosniff");
      }
    });

    it("serves less than 200 kB of scripts and styles", async () => {
      const sizes = (await readAssets()).map(({ gzipped }) => gzipped.length);
      expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.below(200_000);
      const { headers } = await call(network, "/console/assets/htmx.js", { headers: { "accept-encoding": "gzip" } });
      expect(headers["content-encoding"]).to.equal("gzip");
    });

    it("is not part of the documented API, and has no rate limit", async () => {
      const { paths } = (await (await fetch(`${network.url}/documentation/json`)).json()) as { paths: object };
      expect(Object.keys(paths).filter((path) => path.includes("console"))).to.deep.equal([]);
      const statuses = new Set<number>();
      for (let count = 0; count < 210; count += 1)
        statuses.add((await call(network, "/console/assets/console.js")).status);
      expect([...statuses]).to.deep.equal([200]);
    });

    it("sends a page, on connection, the changes made since it was rendered", async () => {
      const quotes = [
        await quoteDollars(network),
        await quoteDollars(network, {
          originCurrency: network.chains[0].contracts.token,
          amount: parseEther("10").toString(),
        }),
      ];
      const [first = "", second = ""] = quotes.map(requestIdOf);
      const seconds = Math.floor(network.clock.now() / 1_000);
      const firstEvent = async (query: string, headers: Record<string, string> = {}): Promise<string> => {
        const stop = new AbortController();
        const response = await fetch(`${network.url}/console/requests/events?${query}`, {
          headers,
          signal: stop.signal,
        });
        let text = "";
        for await (const part of response.body ?? []) {
          text += Buffer.from(part).toString();
          if (text.includes("\n\n")) break;
        }
        stop.abort();
        return text.split("\n\n")[0] ?? "";
      };
      const token = "currencyInSymbol=TKN";
      expect(await firstEvent(`since=${seconds - 60}&${token}`))
        .to.include(second)
        .and.not.include(first);
      // When a browser reconnects, it sends the last event ID.
      const away = { "last-event-id": String(seconds - 60) };
      expect(await firstEvent(`since=${seconds + 60}&${token}`, away)).to.include(second);
    });

    it("is not affected by scenarios", async () => {
      await callAdmin(network, "POST", "/admin/scenarios", { name: "http:503" });
      expect((await fetch(`${network.url}/chains`)).status).to.equal(503);
      expect((await call(network, "/console/requests")).status).to.equal(200);
      await network.scenarios.clear();
    });
  });

  it("closes with the network, including live pages", async () => {
    await using network = await localnet({ keepsRetired: true, oracle: false });
    const live = await fetch(`${network.url}/console/requests/events?since=0`);
    await network.close();
    expect(await live.text().catch(() => "ended")).to.be.a("string");
  });

  describe("with the admin key", () => {
    const hosts = ["console.example"];
    const foreign = { host: "console.example", origin: "http://console.example" };

    async function withNetwork(consoleAdmin: boolean, test: (network: Localnet) => Promise<void>): Promise<void> {
      await using network = await localnet({
        keepsRetired: true,
        oracle: false,
        adminKey: "own secret",
        hosts,
        consoleAdmin,
      });
      await test(network);
    }
    const hold = async (network: Localnet, headers: OutgoingHttpHeaders) =>
      (await call(network, "/console/fills/hold", { method: "POST", headers, body: "filter=" })).status;
    const unlock = (network: Localnet, headers: OutgoingHttpHeaders, key: string, back = "/console/fills") =>
      call(network, "/console/unlock", {
        method: "POST",
        headers,
        body: new URLSearchParams({ key, back }).toString(),
      });

    it("requires the key once per browser for changes", async () => {
      await withNetwork(false, async (network) => {
        const headers = { origin: network.url };
        expect(await hold(network, headers)).to.equal(403);
        expect((await call(network, "/console/fills")).text)
          .to.include("Admin key")
          .and.not.include("Hold fills");
        expect((await unlock(network, headers, "wrong")).status).to.equal(403);
        const { status, headers: answer } = await unlock(network, headers, "own secret");
        expect([status, answer.location]).to.deep.equal([303, "/console/fills"]);
        const cookie = String(answer["set-cookie"]);
        expect(cookie).to.include("HttpOnly").and.include("SameSite=Strict").and.not.include("secret");
        const session = { ...headers, cookie: cookie.split(";")[0] };
        expect(await hold(network, session)).to.equal(303);
        expect(await hold(network, { ...session, origin: "http://evil.example" })).to.equal(403);
        expect((await unlock(network, headers, "own secret", "//evil.example/console")).headers.location).to.equal(
          "/console",
        );
      });
    });

    it("is read-only under another host name", async () => {
      await withNetwork(false, async (network) => {
        const { text } = await call(network, "/console/fills", { headers: { host: foreign.host } });
        expect(text).to.include("read only").and.not.include("Admin key");
        const { headers } = await unlock(network, foreign, "own secret");
        const cookie = String(headers["set-cookie"]).split(";")[0];
        expect(await hold(network, { ...foreign, cookie })).to.equal(403);
        expect(await hold(network, { ...foreign, cookie: await signIn(network) })).to.equal(403);
      });
    });

    it("can change the network under another host name if consoleAdmin is set and the key is given", async () => {
      await withNetwork(true, async (network) => {
        expect(await hold(network, foreign)).to.equal(403);
        const { headers } = await unlock(network, foreign, "own secret");
        const cookie = String(headers["set-cookie"]).split(";")[0];
        expect(await hold(network, { ...foreign, cookie })).to.equal(303);
      });
    });
  });
});
