import { expect } from "chai";
import type { Address } from "viem";

import { approve, callProxy, cleanupErc20s, cleanupNative } from "../../../../packages/sdk/src/calls/index.ts";
import { refusal } from "../../../support/refusal.ts";
import { PROXY, ROUTER, TOKEN, RECIPIENT } from "./accounts.ts";

const WRONG = "0x1234" as Address;
const TOO_LARGE = 2n ** 256n;

/** Builds with one invalid parameter, and the field that the error names. */
const REFUSED: Record<string, [build: () => unknown, field: string]> = {
  "a token to approve": [() => approve({ token: WRONG, spender: PROXY }), "token"],
  "a spender": [() => approve({ token: TOKEN, spender: WRONG }), "spender"],
  "a negative allowance": [() => approve({ token: TOKEN, spender: PROXY, amount: -1n }), "amount"],
  "an allowance above 2^256 - 1": [() => approve({ token: TOKEN, spender: PROXY, amount: TOO_LARGE }), "amount"],
  "a proxy": [() => callProxy({ proxy: WRONG, recipient: RECIPIENT, deadline: 1n }), "proxy"],
  "a proxy's recipient": [() => callProxy({ proxy: PROXY, recipient: WRONG, deadline: 1n }), "recipient"],
  "a minimum in": [() => callProxy({ proxy: PROXY, recipient: RECIPIENT, deadline: 1n, minimumIn: -1n }), "minimumIn"],
  "a minimum out": [
    () => callProxy({ proxy: PROXY, recipient: RECIPIENT, deadline: 1n, minimumOut: TOO_LARGE }),
    "minimumOut",
  ],
  "a deadline": [() => callProxy({ proxy: PROXY, recipient: RECIPIENT, deadline: -1n }), "deadline"],
  "a router to sweep tokens from": [
    () => cleanupErc20s({ router: WRONG, cleanups: [{ token: TOKEN, recipient: RECIPIENT }] }),
    "router",
  ],
  "a token to sweep": [
    () => cleanupErc20s({ router: ROUTER, cleanups: [{ token: WRONG, recipient: RECIPIENT }] }),
    "cleanups[0].token",
  ],
  "a recipient of tokens": [
    () => cleanupErc20s({ router: ROUTER, cleanups: [{ token: TOKEN, recipient: WRONG }] }),
    "cleanups[0].recipient",
  ],
  "a swept amount": [
    () => cleanupErc20s({ router: ROUTER, cleanups: [{ token: TOKEN, recipient: RECIPIENT, amount: -1n }] }),
    "cleanups[0].amount",
  ],
  "a router to sweep native from": [() => cleanupNative({ router: WRONG, recipient: RECIPIENT }), "router"],
  "a recipient of native": [() => cleanupNative({ router: ROUTER, recipient: WRONG }), "recipient"],
  "a native amount": [() => cleanupNative({ router: ROUTER, recipient: RECIPIENT, amount: TOO_LARGE }), "amount"],
};

describe("call builders", () => {
  for (const [name, [build, field]] of Object.entries(REFUSED)) {
    it(`reject invalid ${name} by field`, () => {
      expect(refusal(build)).to.include({ code: "INVALID_INPUT", field });
    });
  }
});
