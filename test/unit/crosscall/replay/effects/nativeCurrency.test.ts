import { expect } from "chai";
import * as viemChains from "viem/chains";

import { nativeCurrencyOf } from "../../../../../packages/crosscall/src/replay/effects/nativeCurrency.ts";
import { VM_TYPE_BY_CHAIN_ID } from "../../../../../packages/protocol/src/chains/index.ts";

const LOCAL_IDS = [31_337, 31_338];

describe("nativeCurrencyOf", () => {
  it("returns the currency that viem lists for each EVM chain, and none for others", () => {
    const all = Object.values(viemChains);
    for (const [id, vmType] of VM_TYPE_BY_CHAIN_ID) {
      const listed = all.filter((chain) => chain.id === id && chain.nativeCurrency.decimals === 18);
      const known = vmType === "evm" ? listed.map(({ nativeCurrency }) => nativeCurrency.symbol) : [];
      const symbol = nativeCurrencyOf(id)?.symbol;
      if (LOCAL_IDS.includes(id)) expect(symbol).to.equal("ETH");
      // viem has test networks of other projects with the id 999.
      else expect(known.length === 0 ? [undefined] : known, String(id)).to.include(symbol);
    }
    expect(nativeCurrencyOf(123_456_789)).to.equal(undefined);
  });
});
