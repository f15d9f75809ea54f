import { Writable } from "node:stream";

import { expect } from "chai";

import { createLog } from "../../../../../packages/crosscall/src/localnet/log.ts";
import { listUnhonoredFields } from "../../../../../packages/crosscall/src/localnet/market/quote/listUnhonoredFields.ts";
import { createFieldFilter } from "../../../../../packages/crosscall/src/localnet/service/quoteBodies/ignoreFields.ts";
import type { QuoteRequest } from "../../../../../packages/protocol/src/index.ts";

describe("createFieldFilter", () => {
  it("removes and names fields without an effect, and logs each once", () => {
    let logged = "";
    const destination = new Writable({
      write(chunk: Buffer, _encoding, done) {
        logged += chunk.toString();
        done();
      },
    });
    const filter = createFieldFilter({ log: createLog("warn", destination), strict: false });
    const headers: string[] = [];
    const reply = { header: (name: string, value: string) => headers.push(`${name}: ${value}`) };
    const request = { user: "0x1", ttl: 5, referrerAddress: "0x2", useFallbacks: true, source: "\u001b[31mapp" };
    for (const one of [request, { ...request, other: 1 }]) {
      const sent: unknown = one;
      const fields = listUnhonoredFields(sent as QuoteRequest);
      expect(filter<object>(one, fields, reply)).to.deep.equal({ user: "0x1", ttl: 5 });
    }
    expect(headers).to.deep.equal([
      "x-crosscall-ignored: referrerAddress, useFallbacks, source",
      "x-crosscall-ignored: referrerAddress, useFallbacks, source, other",
    ]);
    const lines = logged
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { level: number; field: string });
    expect(lines.map(({ level, field }) => [level, field])).to.deep.equal(
      ["referrerAddress", "useFallbacks", "source", "other"].map((field) => [40, field]),
    );
  });
});
