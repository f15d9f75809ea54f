import { request as httpRequest, type OutgoingHttpHeaders } from "node:http";

import { expect } from "chai";
import { WebSocket } from "ws";

import { openForeignNode } from "../../packages/crosscall/src/localnet/devchain/foreignNode.ts";
import { createLocalNames } from "../../packages/oracle/src/service/localNames.ts";
import { OTHER_ADDRESS } from "../support/otherAddress.ts";
import { useNetwork } from "../support/useNetwork.ts";

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

interface Call {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** Sends a request with a custom Host header, which `fetch` does not allow. */
function call(url: string, { method = "GET", headers = {}, body }: Call = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => {
        const isJson = /json/u.test(response.headers["content-type"] ?? "");
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: isJson ? (JSON.parse(text) as unknown) : text,
        });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Returns the status of a rejected handshake, or 101. */
function connect(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers });
    socket.once("unexpected-response", (sent, response) => {
      resolve(response.statusCode ?? 0);
      sent.destroy();
    });
    socket.once("open", () => {
      resolve(101);
      socket.terminate();
    });
    socket.once("error", reject);
  });
}

const corsOf = ({ headers }: Answer) => Object.keys(headers).filter((name) => name.startsWith("access-control-"));

const rejectionOf = ({ status, body }: Answer) => {
  const { errorCode, field, hint } = body as Record<string, unknown>;
  return [status, errorCode, field, typeof hint];
};

const FOREIGN_HOSTS = [
  "evil.test",
  "evil.test:80",
  "127.0.0.1.evil.test",
  "localhost.evil.test",
  "0.0.0.0",
  "10.0.0.1",
];
const FOREIGN_ORIGINS = [
  "https://evil.test",
  "http://127.0.0.1.evil.test",
  "http://10.0.0.1",
  "null",
  "file://",
  "evil",
];

describe("callers of a local network", () => {
  const network = useNetwork({ hosts: ["Proxy.example"], listen: "0.0.0.0" });
  const jsonRpc = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
  const onChain = (headers: OutgoingHttpHeaders, url = network.chains[0].rpcUrl, method = "POST") =>
    call(url, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(method === "OPTIONS" ? {} : { body: jsonRpc }),
    });
  const admin = (path: string, { headers, ...rest }: Call = {}) =>
    call(`${network.url}${path}`, { ...rest, headers: { "x-admin-key": network.adminKey, ...headers } });

  it("are accepted only for loopback names and allowed hosts, on every port", async () => {
    const { oracle, chains } = network;
    const paths = ["/chains", "/admin/keys", "/documentation/json", "/metrics", "/nothing"];
    const targets = [
      ...paths.map((path) => `${network.url}${path}`),
      `${oracle?.url ?? ""}/lives/v1`,
      `${oracle?.peerUrl ?? ""}/chains/v1`,
      ...chains.map(({ rpcUrl }) => rpcUrl),
    ];
    for (const target of targets) {
      for (const host of FOREIGN_HOSTS) {
        const answer = await call(target, { headers: { host } });
        expect([target, host, ...rejectionOf(answer)]).to.deep.equal([
          target,
          host,
          403,
          "FORBIDDEN",
          "host",
          "string",
        ]);
        expect(corsOf(answer)).to.deep.equal([]);
      }
      const { port } = new URL(target);
      for (const host of [
        `localhost:${port}`,
        `127.0.0.1:${port}`,
        `[::1]:${port}`,
        "proxy.example",
        "PROXY.EXAMPLE:1",
      ]) {
        expect((await call(target, { headers: { host } })).status, `${target} ${host}`).to.not.equal(403);
      }
    }
  });

  it("reach the chains on another address under an allowed name", async () => {
    const [{ rpcUrl }] = network.chains;
    expect(new URL(rpcUrl).hostname).to.equal("127.0.0.1");
    const url = rpcUrl.replace("127.0.0.1", OTHER_ADDRESS);
    const answer = await onChain({ host: "proxy.example" }, url);
    expect([answer.status, answer.body]).to.deep.equal([200, { jsonrpc: "2.0", id: 1, result: "0x7a69" }]);
    expect(rejectionOf(await onChain({ host: "evil.test" }, url))).to.deep.equal([403, "FORBIDDEN", "host", "string"]);
    const page = { host: "proxy.example", origin: "https://evil.test" };
    expect(rejectionOf(await onChain(page, url))).to.deep.equal([403, "FORBIDDEN", "origin", "string"]);
  });

  it("can open the console under these names only", async () => {
    for (const [host, status] of [
      ["evil.test", 403],
      ["proxy.example", 200],
    ] as const) {
      expect((await call(`${network.consoleUrl}/requests`, { headers: { host } })).status).to.equal(status);
    }
  });

  it("can read the public API from other websites, but neither admin routes nor the console", async () => {
    const origin = "https://app.example";
    const read = await call(`${network.url}/chains`, { headers: { origin } });
    expect([read.status, read.headers["access-control-allow-origin"]]).to.deep.equal([200, origin]);
    const preflight = (path: string, method: string, from = origin) =>
      call(`${network.url}${path}`, {
        method: "OPTIONS",
        headers: {
          origin: from,
          "access-control-request-method": method,
          "access-control-request-headers": "x-api-key",
        },
      });
    const quote = await preflight("/quote/v3", "POST");
    expect(quote.status).to.equal(204);
    const allowed = String(quote.headers["access-control-allow-headers"]).split(", ");
    expect([allowed.includes("x-api-key"), allowed.includes("x-admin-key")]).to.deep.equal([true, false]);
    expect(String(quote.headers["access-control-allow-methods"]).split(", ")).to.have.members(["GET", "HEAD", "POST"]);

    for (const path of [
      "/admin/snapshot",
      "/admin/keys",
      "/%61dmin/keys",
      "/admin/nothing",
      "/console/requests",
      "/%63onsole/fills",
    ]) {
      for (const from of [origin, "null", "http://127.0.0.1:1"]) {
        const answer = await admin(path, { headers: { origin: from } });
        expect([path, answer.status, corsOf(answer)]).to.deep.equal([path, 403, []]);
        const refused = await preflight(path, "GET", from);
        expect([path, refused.status, corsOf(refused)]).to.deep.equal([path, 403, []]);
      }
    }
    // Even the service's own origin gets no CORS headers, because its pages do not need them.
    const own = await admin("/admin/keys", { headers: { origin: network.url } });
    expect([own.status, corsOf(own)]).to.deep.equal([200, []]);
    const refused = await preflight("/admin/keys", "GET", network.url);
    expect([refused.status, corsOf(refused)]).to.deep.equal([404, []]);
  });

  it("require the network's random admin key", async () => {
    expect(network.adminKey).to.match(/^[0-9a-f]{64}$/u);
    const { adminKey } = network;
    for (const key of ["crosscall-admin", "", "undefined", adminKey.slice(1), `${adminKey}0`, adminKey.toUpperCase()]) {
      expect((await admin("/admin/keys", { headers: { "x-admin-key": key } })).status, key).to.equal(401);
    }
    expect((await call(`${network.url}/admin/snapshot`)).status).to.equal(401);
    expect((await admin("/admin/keys")).status).to.equal(200);
  });

  it("can send only JSON bodies to admin routes", async () => {
    const { apiKey } = network;
    const body = JSON.stringify({ apiKey, url: "http://127.0.0.1:9/hook" });
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      undefined,
    ]) {
      const headers = type === undefined ? {} : { "content-type": type };
      expect((await admin("/admin/webhooks", { method: "PUT", headers, body })).status, type).to.equal(415);
    }
    const { body: list } = await admin("/admin/webhooks");
    expect(list).to.deep.equal({ webhooks: [] });
  });

  it("cannot use a chain or an oracle from other websites", async () => {
    await using foreign = await openForeignNodeOf(network.chains[1].rpcUrl);
    const urls = [...network.chains.map(({ rpcUrl }) => rpcUrl), foreign.rpcUrl];
    for (const url of urls) {
      for (const origin of FOREIGN_ORIGINS) {
        for (const method of ["POST", "OPTIONS"]) {
          const answer = await onChain({ origin, "content-type": "text/plain" }, url, method);
          expect([origin, ...rejectionOf(answer)]).to.deep.equal([origin, 403, "FORBIDDEN", "origin", "string"]);
          expect(corsOf(answer)).to.deep.equal([]);
        }
      }
      for (const origin of [
        undefined,
        "http://localhost:5173",
        "http://127.0.0.1:3000",
        "http://[::1]:8080",
        "https://proxy.example",
        "chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn",
        "moz-extension://0f9d1c1e",
        "safari-web-extension://0f9d1c1e",
      ]) {
        const answer = await onChain(origin === undefined ? {} : { origin }, url);
        expect([origin, answer.status, (answer.body as { id: number }).id]).to.deep.equal([origin, 200, 1]);
        expect(answer.headers["access-control-allow-origin"]).to.equal("*");
      }
    }
    for (const url of [network.oracle?.url ?? "", network.oracle?.peerUrl ?? ""]) {
      const headers = { "x-api-key": network.apiKey };
      expect((await call(`${url}/chains/v1`, { headers })).status).to.equal(200);
      const answer = await call(`${url}/chains/v1`, { headers: { ...headers, origin: "https://evil.test" } });
      expect(rejectionOf(answer)).to.deep.equal([403, "FORBIDDEN", "origin", "string"]);
    }
  });

  it("can open websockets under the same rules", async () => {
    const chain = network.chains[0].rpcUrl.replace("http", "ws");
    const service = `${network.websocketUrl}?apiKey=${network.apiKey}`;
    expect(await connect(chain, {})).to.equal(101);
    expect(await connect(chain, { origin: "http://localhost:5173" })).to.equal(101);
    expect(await connect(chain, { origin: "https://evil.test" })).to.equal(403);
    expect(await connect(chain, { host: "evil.test" })).to.equal(403);
    // The websocket is part of the public API, for web apps.
    expect(await connect(service, { origin: "https://app.example" })).to.equal(101);
    // A rejected handshake must leave no connection, because an open one would prevent the network from closing.
    expect(await connect(service, { host: "evil.test" })).to.equal(403);
    expect(await connect(`${network.websocketUrl}/nothing`, {})).to.equal(404);
  });
});

async function openForeignNodeOf(url: string) {
  const node = await openForeignNode(url, createLocalNames(["proxy.example"]));
  return { rpcUrl: node.rpcUrl, [Symbol.asyncDispose]: () => node.close() };
}
