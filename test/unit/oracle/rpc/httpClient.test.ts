import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

import { expect } from "chai";

import { createHttpClient } from "../../../../packages/oracle/src/rpc/httpClient.ts";

const CALL = { method: "POST", body: "{}", timeoutMs: 5_000, maxBytes: 1_000 } as const;

describe("the oracle's HTTP client", () => {
  it("sends a request again if the server closed the idle connection", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        // As with a connection that times out while the next request is sent.
        socket.once("data", () => socket.resetAndDestroy());
      });
      socket.on("error", () => undefined);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = createHttpClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    try {
      for (const expected of [1, 2, 3]) {
        expect(await client.send(CALL)).to.deep.equal({ status: 200, body: "ok" });
        expect(connections).to.equal(expected);
      }
    } finally {
      client.close();
      server.close();
    }
  });
});
