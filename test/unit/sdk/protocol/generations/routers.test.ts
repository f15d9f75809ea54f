import { expect } from "chai";

import {
  DEFAULT_ROUTER,
  LOCAL_ROUTER_VERSIONS,
  localRouterAddress,
  PUBLIC_CONTRACTS,
  ROUTER_ADDRESS,
  routerGenerationOf,
  type RouterGeneration,
  ROUTERS,
} from "../../../../../sdk/src/protocol/generations/routers.ts";
import { routerOn, serviceTrust } from "../../../../../sdk/src/verify/trust.ts";

const versionsOf = (accounts: readonly string[] | undefined): unknown =>
  (accounts ?? []).map((account) => routerGenerationOf(account)?.version);

describe("generations of routers", () => {
  it("are found by the address of a router or of an approval proxy, in any case", () => {
    expect(routerGenerationOf("0x0729E2A4716D9F7DD17858D5D504426D228697F7")?.version).to.equal("3.2");
    expect(routerGenerationOf("0xccc88a9d1b4ed6b0eaba998850414b24f1c315be")?.version).to.equal("3.0");
    expect(routerGenerationOf("0x000000000022D473030F116dDEE9F6B43aC78BA3")).to.equal(undefined);
  });

  it("are trusted on a chain if the service routes through them", () => {
    const all = ["2", "2.1", "3.0", "3.2"];
    for (const chainId of [1, 8_453, 59_144]) {
      expect(versionsOf(serviceTrust[chainId]?.routers)).to.deep.equal(all);
      expect(versionsOf(serviceTrust[chainId]?.spenders)).to.deep.equal(all);
    }
  });

  it("are the newest that the service uses where none is named, on local networks too", () => {
    const newest = ROUTERS.findLast(({ isOfService }) => isOfService);
    expect([DEFAULT_ROUTER, newest?.version]).to.deep.equal(["3.2", "3.2"]);
    expect(ROUTER_ADDRESS).to.equal("0x0729e2a4716d9f7dd17858d5d504426d228697f7");
    expect(
      LOCAL_ROUTER_VERSIONS.map((version) => routerGenerationOf(localRouterAddress(version))?.version),
    ).to.deep.equal(LOCAL_ROUTER_VERSIONS);
  });

  it("name the router of a chain, unless it may run more than one build", () => {
    expect(routerOn(8_453)).to.equal("0x0729E2a4716d9f7dD17858d5d504426D228697f7");
    expect(routerOn(59_144)).to.equal("0x6328ea02d28131e58B28E55c6258258A30d90E05");
    expect(routerOn(31_337)).to.equal(routerOn(8_453));
    for (const chainId of [324, 792_703_809, 424_242]) {
      expect(() => routerOn(chainId)).to.throw().with.property("code", "INVALID_INPUT");
    }
  });

  it("list every pair once as public, also those that the service never used", () => {
    const pairs = ROUTERS.flatMap(({ pairs }: RouterGeneration) => Object.values(pairs));
    expect(PUBLIC_CONTRACTS.routers.size).to.equal(new Set(pairs.map(({ router }) => router)).size);
    expect(PUBLIC_CONTRACTS.approvalProxies.size).to.equal(new Set(pairs.map((one) => one.approvalProxy)).size);
    expect(PUBLIC_CONTRACTS.routers.has("0xe6b730e58088884704cdf11cbe95c224d4d34154")).to.equal(true);
  });
});
