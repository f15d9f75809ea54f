import { expect } from "chai";
import { isAddress } from "viem";

import { serviceTrust } from "../../../../packages/sdk/src/verify/trust.ts";
import { findLiveChain, LIVE_CHAINS } from "../../../../packages/crosscall/src/localnet/devchain/liveChains.ts";

describe("the live chains", () => {
  for (const chain of LIVE_CHAINS) {
    it(`include ${chain.displayName} with the name that the SDK pins, and each token once`, () => {
      expect(serviceTrust[chain.id]?.name).to.equal(chain.protocolChainId);
      expect(findLiveChain(chain.name)).to.equal(chain);
      const addresses = chain.tokens.map(({ address }) => address);
      expect(addresses.filter((address) => !isAddress(address))).to.deep.equal([]);
      expect(new Set(addresses).size).to.equal(addresses.length);
      // The token's code stores each value in one word.
      const texts = chain.tokens.flatMap(({ name, symbol }) => [name, symbol]);
      expect(texts.filter((text) => Buffer.byteLength(text) > 31)).to.deep.equal([]);
    });
  }
});
