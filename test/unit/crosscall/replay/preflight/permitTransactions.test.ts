import { expect } from "chai";
import { decodeFunctionData, erc20Abi, getAddress, isAddressEqual } from "viem";

import {
  LOCAL_PAIRS,
  type RouterGeneration,
  ROUTERS,
} from "../../../../../packages/protocol/src/generations/routers.ts";
import { serviceTrust } from "../../../../../packages/sdk/src/verify/trust.ts";
import { permitTransactions } from "../../../../../packages/crosscall/src/replay/preflight/permitTransactions.ts";
import { BATCH_WITH_VALUE, USER } from "../../../sdk/verify/permitQuote.ts";

/** Returns the transactions of an approval proxy's permit on Base. */
function transactionsOf(spender: string, msgValue?: string) {
  const { msgValue: _, ...witness } = BATCH_WITH_VALUE.value.witness;
  const value = {
    ...BATCH_WITH_VALUE.value,
    spender,
    witness: { ...witness, ...(msgValue === undefined ? {} : { msgValue }) },
  };
  const action = { kind: "signature", stepId: "authorize", position: "0.0", chainId: 8_453, sign: { value } };
  return permitTransactions(action as never, USER, { ...serviceTrust[8_453]!, id: 8_453 }) ?? [];
}

describe("the effects of a permit with calls", () => {
  const pairs = [...ROUTERS.flatMap((one: RouterGeneration) => Object.values(one.pairs)), ...LOCAL_PAIRS];
  for (const { router, approvalProxy } of pairs) {
    it(`are a payment to the router of approval proxy ${approvalProxy}, and a call`, () => {
      const [paid, ran] = transactionsOf(approvalProxy);
      const { args } = decodeFunctionData({ abi: erc20Abi, data: paid!.data });
      expect(isAddressEqual(getAddress(String(args[1])), getAddress(router))).to.equal(true);
      expect([ran!.to, ran!.value]).to.deep.equal([router, 0n]);
    });
  }

  it("include the value in the 3.2 permit", () => {
    const [, ran] = transactionsOf(BATCH_WITH_VALUE.value.spender, "7");
    expect(ran!.value).to.equal(7n);
  });
});
