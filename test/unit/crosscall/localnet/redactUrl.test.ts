import { expect } from "chai";

import { redactUrl } from "../../../../packages/crosscall/src/localnet/redactUrl.ts";

const KEY = "gX3-0123456789abcdefABCDEF_01234";

describe("redactUrl", () => {
  const kept = [
    "http://127.0.0.1:8545",
    "https://mainnet.optimism.io",
    "https://rpc.example.com/op-mainnet/v1/8453/",
    "mainnet",
    "",
  ];
  for (const url of kept) {
    it(`keeps ${url === "" ? "nothing" : url}`, () => {
      expect(redactUrl(url)).to.equal(url);
    });
  }

  const redacted: Record<string, string> = {
    [`https://opt-mainnet.g.alchemy.com/v2/${KEY}`]: "https://opt-mainnet.g.alchemy.com/v2/REDACTED",
    [`https://node.quiknode.pro/${"0a".repeat(20)}/`]: "https://node.quiknode.pro/REDACTED/",
    [`https://me:${KEY}@rpc.example.com/eth`]: "https://REDACTED:REDACTED@rpc.example.com/eth",
    [`https://${KEY}@rpc.example.com/`]: "https://REDACTED@rpc.example.com/",
    [`https://rpc.example.com/?apikey=${KEY}&a=1`]: "https://rpc.example.com/?apikey=REDACTED&a=REDACTED",
    [`https://rpc.example.com/eth#${KEY}`]: "https://rpc.example.com/eth",
    "https://rpc.example.com/k3y": "https://rpc.example.com/REDACTED",
    [`https//rpc.example.com/${KEY}`]: "https//REDACTED/REDACTED",
  };
  for (const [url, shown] of Object.entries(redacted)) {
    it(`shows ${shown}`, () => {
      expect(redactUrl(url)).to.equal(shown);
    });
  }
});
