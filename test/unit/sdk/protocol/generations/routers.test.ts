import { expect } from "chai";

import {
  PUBLIC_CONTRACTS,
  routerGenerationOf,
  type RouterGeneration,
  ROUTERS,
} from "../../../../../sdk/src/protocol/generations/routers.ts";
import { serviceTrust } from "../../../../../sdk/src/verify/trust.ts";

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

  it("list every pair once as public, also those that the service never used", () => {
    const pairs = ROUTERS.flatMap(({ pairs }: RouterGeneration) => Object.values(pairs));
    expect(PUBLIC_CONTRACTS.routers.size).to.equal(new Set(pairs.map(({ router }) => router)).size);
    expect(PUBLIC_CONTRACTS.approvalProxies.size).to.equal(new Set(pairs.map((one) => one.approvalProxy)).size);
    expect(PUBLIC_CONTRACTS.routers.has("0xe6b730e58088884704cdf11cbe95c224d4d34154")).to.equal(true);
  });
});
