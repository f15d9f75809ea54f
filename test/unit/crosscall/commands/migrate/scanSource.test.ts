import { readFileSync } from "node:fs";

import { expect } from "chai";

import { type Finding, READ_RULES } from "../../../../../packages/crosscall/src/commands/migrate/scan/rules.ts";
import { scanSource } from "../../../../../packages/crosscall/src/commands/migrate/scan/scanFolder.ts";

/** Samples end in .txt, so that the tools of this repository do not treat them as sources. */
function scanSample(name: string): Finding[] {
  return scanSource(name, readFileSync(new URL(`samples/${name}.txt`, import.meta.url), "utf8"));
}

/** Returns the short form of a finding: position, confidence, read expression and replacement. */
function short({ line, column, confidence, reads, replacement }: Finding): string[] {
  return [`${line}:${column}`, confidence, reads, replacement];
}

const expected: Record<string, [string, string, string, string][]> = {
  "reportFees.ts": [
    ["4:22", "certain", "GET /requests/v2", "`${BASE}/requests/v3`"],
    ["7:39", "certain", "query hash", "term: hash"],
    ["8:16", "certain", "query referrer", '"referrer"'],
    ["17:17", "certain", "referrer", "data: { referrer }"],
    ["18:17", "certain", "data.feesUsd", "fees: { quoted: feesUsd }"],
    ["19:24", "certain", "data.fees.gas", "fees.quoted.execution.amount"],
    ["19:43", "certain", "data.fees.fixed", "fees.quoted.execution.amount"],
    ["19:64", "certain", "data.fees.price", "fees.quoted.platform.amount"],
    ["19:85", "certain", "data.fees.gateway", "fees.quoted.platform.amount"],
    ["20:11", "certain", "data.metadata.sender", "sender = record.sender"],
    ["20:19", "certain", "data.metadata.currencyIn", "paid = record.data.route.actual.origin.inputCurrency"],
    [
      "20:37",
      "certain",
      "data.metadata.currencyOut",
      "currencyOut = record.data.route.actual.destination.outputCurrency",
    ],
    ["21:33", "certain", "data.inTxs[].hash", "txHash: hash"],
    ["22:89", "certain", "data.outTxs[].hash", "tx.txHash"],
    ["23:18", "certain", "data.failReason N/A", "request.data.failReason !== null"],
    ["26:10", "certain", "data.feesUsd.gas", "record.data.fees.quoted.execution.usd"],
    ["28:16", "certain", "data.metadata.recipient", "request.recipient"],
    ["31:13", "certain", "data.currencyObject", "request.data.route.actual.origin.inputCurrency.currency"],
    ["32:15", "certain", "data.expandedPriceImpact.actual.relay", "request.data.fees?.actual?.platform"],
    [
      "33:16",
      "certain",
      "data.subsidizedRequest",
      "Number(request.data.feeSponsorship?.actual?.sponsoredTotal?.amountUsd ?? 0) !== 0",
    ],
    ["34:14", "certain", "data.subsidizedFee.sponsor", "request.data.feeSponsorship?.actual?.sponsorPayment"],
    ["35:15", "certain", "data.supersededByRequestId", "record.supersededByRequestId"],
    ["36:12", "certain", "data.price", "data.route.actual.destination.inputCurrency.amount"],
    ["37:11", "certain", "depositAddress.depositAddressType", "request.depositAddress?.type"],
    ["42:12", "certain", "data.inTxs[].hash", "request.data.inTxs[0]?.txHash"],
    ["48:5", "certain", "status delayed", 'case "depositing": case "submitted":'],
  ],
  "listRequests.js": [
    ["5:36", "certain", "GET /requests/v2", '"https://api.example.org" + "/requests/v3"'],
    ["5:98", "certain", "query referrer", 'referrer: "app"'],
    ["7:18", "certain", "data.appFees", "request.data.appFees.quoted"],
    ["8:19", "certain", "data.paidAppFees", "request.data.appFees.actual"],
    ["9:41", "certain", "data.metadata.rate", "request.data.route.actual.rate"],
    ["9:69", "certain", "data.feeCurrency", "request.data.fees.currency.symbol"],
    ["10:9", "certain", "status delayed", 'request.status === "depositing" || request.status === "submitted"'],
    ["15:23", "certain", "GET /requests/v2", '"/requests/v3"'],
    ["17:24", "certain", "query hash", '"term"'],
    ["20:53", "certain", "data.metadata.route", "request.data.route.quoted"],
  ],
  "History.tsx": [
    ["12:12", "certain", "data.metadata.currencyIn", "record.data.route.actual.origin.inputCurrency"],
    ["13:12", "certain", "data.inTxs[].hash", "inTxs[0]?.txHash"],
    ["21:11", "certain", "GET /requests/v2", "`/api/requests/v3?user=${user}`"],
    ["38:36", "certain", "GET /requests/v2", '"/api/requests/v3?limit=1"'],
    ["42:14", "certain", "data.price", "data?.requests[0].data.route.actual.destination.inputCurrency.amount"],
  ],
  "elsewhere.ts": [
    ["4:54", "likely", "data.inTxs[].hash", "tx.txHash"],
    ["8:10", "likely", "data.fees.gas", "request.data.fees.quoted.execution.amount"],
    ["8:34", "likely", "data.feesUsd.gateway", "request.data.fees.quoted.platform.usd"],
    ["12:10", "likely", "data.metadata.currencyOut", "record.data.route.actual.destination.outputCurrency"],
    ["16:10", "likely", "data.inTxs[].hash", "inTxs[0]!.txHash"],
    ["20:3", "likely", "data.failReason N/A", "request.data.failReason === null"],
    ["20:40", "likely", "status delayed", 'request.status !== "depositing" && request.status !== "submitted"'],
  ],
  "nearMisses.ts": [],
};

/** Returns a file that reads one field of a record in a response. */
function scanRead(read: string): Finding[] {
  const text = `const [request] = (await (await fetch("/requests/v2")).json()).requests;\nuse(${read});\n`;
  return scanSource("read.ts", text).filter(({ line }) => line === 2);
}

describe("the scan of a source file", () => {
  for (const [name, findings] of Object.entries(expected)) {
    it(`finds v2 reads in ${name}, with positions and replacements`, () => {
      expect(scanSample(name).map(short)).to.deep.equal(findings);
    });
  }

  it("finds each field from the table in a record from a response", () => {
    for (const { from, reason } of READ_RULES) {
      const path = from.replaceAll(".[]", "[0]");
      const found = scanRead(`request.${path}`);
      expect(found.map(({ confidence, code, reason: why }) => [confidence, code, why])).to.deep.equal([
        ["certain", `request.${path}`, reason],
      ]);
    }
  });

  const HOST = "https://api.relay.link";
  const queries: Record<string, readonly [code: string, found: readonly string[]]> = {
    "an object": [`fetch("${HOST}/requests/v2?" + new URLSearchParams({ hash }))`, ["GET /requests/v2", "query hash"]],
    "an object in a template": [
      `fetch(\`${HOST}/requests/v2?\${new URLSearchParams({ hash })}\`)`,
      ["GET /requests/v2", "query hash"],
    ],
    pairs: [
      `fetch("${HOST}/requests/v2?" + new URLSearchParams([["hash", hash], ["limit", "1"]]))`,
      ["GET /requests/v2", "query hash"],
    ],
    "a query string": [
      `fetch("${HOST}/requests/v2?" + new URLSearchParams("limit=1&hash=" + hash))`,
      ["GET /requests/v2", "query hash"],
    ],
    "a search in a template": [
      `const u = new URL("${HOST}/requests/v2"); u.search = \`?\${new URLSearchParams({ hash })}\`;`,
      ["GET /requests/v2", "query hash"],
    ],
    "a search of text": [
      `const u = new URL("${HOST}/requests/v2"); u.search = "?hash=" + hash;`,
      ["GET /requests/v2", "query hash"],
    ],
    "an object with optional members": [
      `get("${HOST}/requests/v2", { params: { limit: 1, ...(hash ? { hash } : {}), ...(app && { referrer: app }) } })`,
      ["GET /requests/v2", "query hash", "query referrer"],
    ],
    "another object's members": [
      `const base = { hash }; get("${HOST}/requests/v2", { params: { ...base, limit: 1 } });`,
      ["query hash", "GET /requests/v2"],
    ],
    "members that are set later": [
      `const params = {}; params.hash = hash; params["referrer"] = app; get("${HOST}/requests/v2", { params });`,
      ["query hash", "query referrer", "GET /requests/v2"],
    ],
    "members of another object": [
      `const params = {}; other.hash = hash; get("${HOST}/requests/v2", { params });`,
      ["GET /requests/v2"],
    ],
    "the first version": [
      `fetch("${HOST}/requests?" + new URLSearchParams({ hash }))`,
      ["GET /requests", "query hash"],
    ],
    "the first version with its host elsewhere": [
      `const BASE = "${HOST}"; fetch(\`\${BASE}/requests?\${new URLSearchParams({ hash })}\`)`,
      ["GET /requests", "query hash"],
    ],
    "the first version of another service": [`fetch("/api/requests?" + new URLSearchParams({ hash }))`, []],
    v3: [`fetch("${HOST}/requests/v3?" + new URLSearchParams({ hash }))`, []],
  };
  for (const [name, [code, found]] of Object.entries(queries)) {
    it(`finds the query of a listing: ${name}`, () => {
      expect(scanSource("a.ts", code).map(({ reads }) => reads)).to.deep.equal(found);
    });
  }

  it("follows a record of the first version", () => {
    const code = `const page = await (await fetch("${HOST}/requests?user=0x")).json(); use(page.requests[0].data.price);`;
    expect(scanSource("a.ts", code).map(({ reads, confidence }) => [reads, confidence])).to.deep.equal([
      ["GET /requests", "certain"],
      ["data.price", "certain"],
    ]);
  });

  it("reports a value that is read again later only once", () => {
    expect(scanRead("request.data.metadata.currencyIn.currency.symbol").map(short)).to.deep.equal([
      ["2:5", "certain", "data.metadata.currencyIn", "request.data.route.actual.origin.inputCurrency"],
    ]);
  });

  it("does not report code that already reads v3", () => {
    for (const read of ["data.appFees.quoted", "data.fees.quoted.platform", "data.inTxs[0].txHash", "status"]) {
      expect(scanRead(`request.${read}`)).to.deep.equal([]);
    }
  });

  const ways: Record<string, string> = {
    "an alias": "const { requests } = await (await fetch(URL)).json(); const all = requests; use(all[0].data.price);",
    "a callback":
      "fetch(URL).then((r) => r.json()).then(({ requests }) => requests.forEach((r) => use(r.data.price)));",
    "a named callback":
      "const show = (r) => use(r.data.price); (await (await fetch(URL)).json()).requests.forEach(show);",
    "a function of the file":
      "function show(r) { use(r.data.price); } show((await (await fetch(URL)).json()).requests.at(-1));",
    "a generator":
      "async function* all() { yield* (await (await fetch(URL)).json()).requests; } for await (const r of all()) use(r.data.price);",
    "a field of a class":
      "class Store { #all = []; async load() { this.#all = (await (await fetch(URL)).json()).requests; } show() { use(this.#all[0].data.price); } }",
    "an object that is spread":
      "const r = (await (await fetch(URL)).json()).requests[0]; const copy = { ...r, seen: true }; use(copy.data.price);",
    "the result of Promise.all":
      "const [a, page] = await Promise.all([other(), fetch(URL).then((r) => r.json())]); use(page.requests[0].data.price);",
    "JSON.parse": "const page = JSON.parse(await (await fetch(URL)).text()); use(page.requests[0].data.price);",
    "the options of axios": "const { data } = await axios({ url: URL }); use(data.requests[0].data.price);",
    useMemo: "const p = useSWR(URL); const r = useMemo(() => p.data.requests[0], [p]); use(r.data.price);",
    "a reduction": "(await (await fetch(URL)).json()).requests.reduce((sum, r) => sum + use(r.data.price), 0);",
    "a choice": "const page = cached ?? (await (await fetch(URL)).json()); use(page.requests[0].data.price);",
  };
  for (const [name, code] of Object.entries(ways)) {
    it(`follows a record through ${name}`, () => {
      const findings = scanSource("way.ts", `const URL = base + "/requests/" + "v2";\n${code}\n`);
      const reads = findings.map(({ confidence, reads: what }) => [confidence, what]);
      expect(reads).to.deep.equal([
        ["certain", "GET /requests/v2"],
        ["certain", "data.price"],
      ]);
    });
  }

  it("reports a line of text that contains the URL as likely", () => {
    expect(scanSource("a.ts", 'log("GET /requests/v2 failed");').map(short)).to.deep.equal([
      ["1:5", "likely", "GET /requests/v2", '"GET /requests/v3 failed"'],
    ]);
  });

  it("terminates on circular values, and reads as much invalid code as possible", () => {
    const text = `let a = { ...a, b: a.b }; const { c } = f(c); const g = g; g(); function f(x) { return f(x.metadata); } a.c.inTxs[0].hash; if (`;
    expect(scanSource("a.js", text).map(short)).to.deep.equal([
      ["1:105", "likely", "data.inTxs[].hash", "a.c.inTxs[0].txHash"],
    ]);
  });
});
