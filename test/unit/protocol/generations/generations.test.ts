import { expect } from "chai";
import { globSync, readFileSync } from "node:fs";

import { endpointGeneration, ENDPOINTS, successorOf } from "../../../../packages/protocol/src/generations/endpoints.ts";
import {
  DEFAULT_ROUTER,
  LOCAL_PAIRS,
  LOCAL_ROUTER_VERSIONS,
  localRouterAddress,
  PUBLIC_CONTRACTS,
  ROUTER_ADDRESS,
  type RouterGeneration,
  routerGenerationOf,
  ROUTERS,
} from "../../../../packages/protocol/src/generations/routers.ts";
import { routerOn, serviceTrust } from "../../../../packages/sdk/src/verify/trust.ts";

const versionsOf = (accounts: readonly string[] | undefined): unknown =>
  (accounts ?? []).map((account) => routerGenerationOf(account)?.version);

const ROOT = new URL("../../../../", import.meta.url);

/**
 * Files that may contain versions: the registry and its test, files generated from it, and recordings of the live
 * service.
 */
const WITH_ADDRESSES = [
  "contracts/testing/Routers.sol",
  "docs/addresses.md",
  "docs/spec/**",
  "packages/protocol/src/generations/routers.ts",
  "test/unit/protocol/generations/generations.test.ts",
  "test/vectors/**",
];

describe("router versions", () => {
  it("are found by the address of a router or of an approval proxy, in any letter case", () => {
    expect(routerGenerationOf("0x0729E2A4716D9F7DD17858D5D504426D228697F7")?.version).to.equal("3.2");
    expect(routerGenerationOf("0xccc88a9d1b4ed6b0eaba998850414b24f1c315be")?.version).to.equal("3.0");
    expect(routerGenerationOf("0x000000000022D473030F116dDEE9F6B43aC78BA3")).to.equal(undefined);
  });

  it("are trusted on a chain if the service uses their routers", () => {
    const all = ["2", "2.1", "3.0", "3.2"];
    for (const chainId of [1, 8_453, 59_144]) {
      expect(versionsOf(serviceTrust[chainId]?.routers)).to.deep.equal(all);
      expect(versionsOf(serviceTrust[chainId]?.spenders)).to.deep.equal(all);
    }
  });

  it("default to the newest version that the service uses, even on local networks", () => {
    const newest = ROUTERS.findLast(({ isOfService }) => isOfService);
    expect([DEFAULT_ROUTER, newest?.version]).to.deep.equal(["3.2", "3.2"]);
    expect(ROUTER_ADDRESS).to.equal("0x0729E2a4716d9f7dD17858d5d504426D228697f7");
    expect(
      LOCAL_ROUTER_VERSIONS.map((version) => routerGenerationOf(localRouterAddress(version))?.version),
    ).to.deep.equal(LOCAL_ROUTER_VERSIONS);
  });

  it("determine the router of a chain, unless the chain can have more than one build", () => {
    expect(routerOn(8_453)).to.equal("0x0729E2a4716d9f7dD17858d5d504426D228697f7");
    expect(routerOn(59_144)).to.equal("0x6328ea02d28131e58B28E55c6258258A30d90E05");
    expect(routerOn(31_337)).to.equal(routerOn(8_453));
    for (const chainId of [324, 792_703_809, 424_242]) {
      expect(() => routerOn(chainId))
        .to.throw()
        .with.property("code", "INVALID_INPUT");
    }
  });

  it("list every pair once as public, including pairs that the service never used", () => {
    const pairs = ROUTERS.flatMap(({ pairs }: RouterGeneration) => Object.values(pairs));
    const named = new Map([...PUBLIC_CONTRACTS].map(([address, { name }]) => [address, name]));
    expect(named).to.deep.equal(
      new Map(
        pairs.flatMap(({ router, approvalProxy }) => [
          [router.toLowerCase(), "a public router"],
          [approvalProxy.toLowerCase(), "an approval proxy"],
        ]),
      ),
    );
    expect(named.get("0xe6b730e58088884704cdf11cbe95c224d4d34154")).to.equal("a public router");
  });

  it("are defined only in the registry, so that a new version needs only one entry", () => {
    const folders = "bench,configs,contracts,create-crosscall,docker,docs,examples,scripts,sdk,src,test";
    const files = globSync(["*.md", `{${folders}}/**/*.{html,js,json,md,mts,py,sol,ts,tsx,txt,vue,yaml,yml}`], {
      cwd: ROOT,
      exclude: ["**/node_modules/**", "docs/.vitepress/{cache,dist}/**", ...WITH_ADDRESSES],
    });
    expect(files.length).to.be.greaterThan(1_000);
    const known = [...PUBLIC_CONTRACTS.keys(), ...LOCAL_PAIRS.map(({ approvalProxy }) => approvalProxy)];
    const pattern = new RegExp(known.map((address) => address.slice(2)).join("|"), "iu");
    expect(files.filter((file) => pattern.test(readFileSync(new URL(file, ROOT), "utf8")))).to.deep.equal([]);
  });
});

describe("endpoint versions", () => {
  it("name a successor for each endpoint that ends, and none for the newest", () => {
    const successors = Object.fromEntries(ENDPOINTS.map(({ path }) => [path, successorOf(path)]));
    expect(successors).to.deep.equal({
      "/price": "/quote/v3",
      "/quote": "/quote/v3",
      "/quote/v2": "/quote/v3",
      "/quote/v3": undefined,
      "/execute/permits": "/execute/permits/v2",
      "/execute/permits/v2": undefined,
      "/requests/v2": "/requests/v3",
      "/requests/v3": undefined,
    });
    expect(ENDPOINTS.filter((one) => "endsOn" in one).map(({ path }) => path)).to.deep.equal(
      ENDPOINTS.map(({ path }) => path).filter((path) => successorOf(path) !== undefined),
    );
  });

  it("are listed on the first page of the docs with their end dates", () => {
    const rows = readFileSync("docs/index.md", "utf8").split("\n");
    const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });
    for (const one of ENDPOINTS) {
      const row = rows.find((text) => text.startsWith("|") && new RegExp(`[ \`]${one.path}\``, "u").test(text));
      expect(row, one.path).to.not.equal(undefined);
      if ("endsOn" in one) expect(row, one.path).to.include(`| ${day.format(new Date(one.endsOn))} `);
    }
  });

  it("contain the dates in the service's headers", () => {
    const { deprecatedSince, endsOn } = endpointGeneration("/quote/v2");
    expect(Date.parse(deprecatedSince) / 1_000).to.equal(1_795_564_800);
    expect(new Date(endsOn).toUTCString()).to.equal("Tue, 23 Feb 2027 00:00:00 GMT");
  });
});
