import { request } from "node:http";

import { expect } from "chai";

import { createMemoryCache } from "../../../../../packages/crosscall/src/replay/fork/remoteCache.ts";
import { openRpcCacheProxy } from "../../../../../packages/crosscall/src/replay/fork/rpcCacheProxy.ts";

describe("the node of a fork", () => {
  it("rejects pages of other websites, also under their own host name", async () => {
    const sent: unknown[] = [];
    const proxy = await openRpcCacheProxy({
      upstream: {
        host: "node.example",
        sent: 0,
        send(calls) {
          sent.push(...calls);
          return Promise.resolve(calls.map(() => ({ result: "0x1" })));
        },
      },
      cache: createMemoryCache(),
      chainId: 1,
      blockNumber: 1n,
    });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getBalance", params: [] });
    const post = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const sending = request(proxy.url, { method: "POST", headers, agent: false }, (response) => {
          response.resume().once("end", () => resolve(response.statusCode));
        });
        sending.once("error", reject).end(body);
      });
    expect(await post({ origin: "https://other.example" })).to.equal(403);
    expect(await post({ host: "other.example" })).to.equal(403);
    expect(sent).to.deep.equal([]);
    expect(await post({})).to.equal(200);
    expect(sent).to.have.length(1);
    await proxy.close();
  });
});
