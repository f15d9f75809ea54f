import { expect } from "chai";

import { scanSource } from "../../../../../packages/crosscall/src/commands/migrate/scan/scanFolder.ts";

/** Returns the position, confidence, read expression and replacement of each finding. */
function scan(name: string, ...lines: string[]): string[] {
  return scanSource(name, lines.join("\n")).map(
    ({ line, column, confidence, reads, code, replacement }) =>
      `${line}:${column} ${confidence} ${reads}: ${code} -> ${replacement}`,
  );
}

describe("the scan for v2 quotes", () => {
  it("finds URLs in every format", () => {
    expect(
      scan(
        "a.ts",
        'await fetch("https://api.relay.link/quote/v2", { method: "POST" });',
        "await post(`${API}/quote/v2`);",
        'await post(API + "/execute/permits?signature=" + signature);',
        'await fetch("https://api.relay.link/quote");',
        'await relay.post("/price", request);',
        'await axios.post("https://api.testnets.relay.link/execute/permits", body);',
      ),
    ).to.deep.equal([
      "1:14 certain POST /quote/v2: https://api.relay.link/quote/v2 -> https://api.relay.link/quote/v3",
      "2:19 certain POST /quote/v2: /quote/v2 -> /quote/v3",
      "3:19 certain POST /execute/permits: /execute/permits -> /execute/permits/v2",
      "4:14 certain POST /quote: https://api.relay.link/quote -> https://api.relay.link/quote/v3",
      "5:19 likely POST /price: /price -> /quote/v3",
      "6:19 certain POST /execute/permits: https://api.testnets.relay.link/execute/permits -> " +
        "https://api.testnets.relay.link/execute/permits/v2",
    ]);
  });

  it("finds paths that are appended to a value, if the file has a URL of the service", () => {
    const calls = ["await fetch(`${base}/quote`);", 'await post(base + "/price");', "await get(`${base}/quotes`);"];
    expect(scan("a.ts", 'const base = "https://api.relay.link";', ...calls)).to.deep.equal([
      "2:21 likely POST /quote: /quote -> /quote/v3",
      "3:20 likely POST /price: /price -> /quote/v3",
    ]);
    expect(scan("a.ts", 'const base = "https://shop.example.org";', ...calls)).to.deep.equal([]);
  });

  it("finds paths that a client sends to, if the file has a URL of the service, but not routes of a server", () => {
    const calls = ['api.post("/quote", body);', "client.post<Price>('/price');", 'app.post("/quote", handler);'];
    const paths = ["2:11 likely POST /quote: /quote -> /quote/v3", "3:21 likely POST /price: /price -> /quote/v3"];
    expect(scan("a.ts", 'const api = create("https://api.relay.link");', ...calls)).to.deep.equal(paths);
    expect(scan("a.ts", 'const api = create("https://shop.example.org");', ...calls)).to.deep.equal([]);
  });

  it("finds queries in the arguments of clients, and listings in the markup of pages", () => {
    const url = '"https://api.relay.link/requests/v2"';
    const reads = (name: string, ...lines: string[]): string[] =>
      scanSource(name, lines.join("\n")).map(({ line, reads: read }) => `${line} ${read}`);
    expect(
      reads(
        "a.ts",
        `$.getJSON(${url}, { hash });`,
        `superagent.get(${url}).query({ hash, referrer });`,
        `request({ uri: ${url}, qs: { hash } });`,
        `fetch(${url}, { referrer: "no-referrer" });`,
      ),
    ).to.deep.equal([
      "1 GET /requests/v2",
      "1 query hash",
      "2 GET /requests/v2",
      "2 query hash",
      "2 query referrer",
      "3 GET /requests/v2",
      "3 query hash",
      "4 GET /requests/v2",
    ]);
    expect(scan("a.html", `<form action=${url}></form>`)).to.deep.equal([
      "1:37 certain GET /requests/v2: /requests/v2 -> /requests/v3",
    ]);
  });

  it("finds listings without a leading slash in Python, and URLs that are written in parts", () => {
    expect(scan("a.py", 'u = urljoin("https://api.relay.link/", "requests/v2")')).to.deep.equal([
      "1:41 certain GET /requests/v2: requests/v2 -> requests/v3",
    ]);
    expect(scan("a.ts", 'fetch(RELAY + "/requests" + "/v2?user=" + user);')).to.deep.equal([
      '1:7 certain GET /requests/v2: RELAY + "/requests" + "/v2?user=" + user -> /requests/v3',
    ]);
  });

  it("finds nothing in newer endpoints, comments and routes of other services", () => {
    expect(
      scan(
        "a.ts",
        'await fetch("https://api.relay.link/quote/v3");',
        "await post(`${API}/execute/permits/v2?signature=${signature}`);",
        "// POST https://api.relay.link/quote/v2",
        'app.get("/price", () => steps[0].items);',
        'await fetch("https://shop.example.org/quote");',
        'await fetch("https://api.relay.link/requests/v3");',
      ),
    ).to.deep.equal([]);
  });

  it("finds response fields near a use of the endpoints", () => {
    expect(
      scan(
        "a.js",
        'const quote = await (await fetch("https://api.relay.link/quote/v2")).json();',
        "send(quote.steps[0].items[0].data, quote.steps[0].requestId);",
        "show(quote.fees.relayer.amountUsd, quote.fees.gas, quote.fees?.app);",
      ).slice(1),
    ).to.deep.equal([
      "2:12 likely steps[].items: steps[0].items[0] -> steps[0]",
      "2:42 likely steps[].requestId: steps[0].requestId -> requestId",
      "3:12 likely fees.relayer: fees.relayer -> fees.quoted.platform",
      "3:42 likely fees.gas: fees.gas -> fees.quoted.execution",
      "3:58 likely fees.app: fees?.app -> fees.quoted.app",
    ]);
  });

  it("finds the items of a step that a loop or a callback names", () => {
    const found = (code: string) =>
      scan("a.js", 'fetch("https://api.relay.link/quote/v2");', code).flatMap(
        (line) => / likely (steps\[\].*)$/u.exec(line)?.[1] ?? [],
      );
    expect(found("const all = quote.steps.flatMap((s) => s.items.map(send));")).to.deep.equal([
      "steps[].items: s.items -> s",
    ]);
    expect(found("for (const one of quote.steps) send(one.items[0].data, other.items);")).to.deep.equal([
      "steps[].items: one.items[0] -> one",
    ]);
    expect(found("steps.forEach(async (one, index) => send(one?.items)); this.one.items;")).to.deep.equal([
      "steps[].items: one?.items -> one",
    ]);
    expect(found("cart.flatMap((c) => c.items);")).to.deep.equal([]);
  });

  it("finds calls to SDK functions", () => {
    expect(
      scan("a.ts", 'import { getPrice } from "@crosscall/sdk";', "const price = await getPrice(client, request);"),
    ).to.deep.equal(["2:21 certain getPrice: getPrice( -> getQuote("]);
    expect(scan("a.tsx", 'import { useQuote } from "@relayprotocol/relay-kit-hooks";')).to.have.length(1);
  });

  it("reads Vue components, pages and Python", () => {
    const script = 'await fetch("https://api.relay.link/quote/v2");';
    const places = ["<template>", "  <p>steps</p>", "</template>", '<script setup lang="ts">', script, "</script>"];
    const found = "POST /quote/v2: https://api.relay.link/quote/v2 -> https://api.relay.link/quote/v3";
    for (const name of ["a.vue", "a.html"]) expect(scan(name, ...places)).to.deep.equal([`5:14 certain ${found}`]);
    const listing = 'const a = await (await fetch("https://api.relay.link/requests/v2")).json();';
    expect(scan("b.vue", "<script>", listing, "show(a.requests[0].data.inTxs[0].hash);", "</script>")).to.have.length(
      2,
    );
    expect(
      scan(
        "a.py",
        'quote = requests.post("https://api.relay.link/quote/v2", json=body).json()',
        'data = quote["steps"][0]["items"][0]["data"]',
        'fee = quote["fees"]["relayer"]',
        '# requests.get("https://api.relay.link/requests/v2")',
        'page = requests.get(f"{API}/requests/v2")',
      ),
    ).to.deep.equal([
      `1:24 certain ${found}`,
      '2:15 likely steps[].items: steps"][0]["items"][0] -> steps"][0]',
      '3:14 likely fees.relayer: fees"]["relayer"] -> fees"]["quoted"]["platform"]',
      "5:28 certain GET /requests/v2: /requests/v2 -> /requests/v3",
    ]);
  });
});
