import { expect } from "chai";
import { BaseError, UserRejectedRequestError } from "viem";

import { askUser, isUserRejection } from "../../../../../sdk/src/client/executeSteps/performSignature.ts";
import { factsOf, rejected } from "../../../../support/refusal.ts";

const coded = (code: unknown): Error => Object.assign(new Error("no"), { code });

describe("a rejection by the user", () => {
  const rejections: Record<string, unknown> = {
    "EIP-1193's code": coded(4_001),
    "ethers' code": coded("ACTION_REJECTED"),
    "WalletConnect's code": coded(5_000),
    "viem's error inside another": new BaseError("failed", { cause: new UserRejectedRequestError(new Error("no")) }),
    "words alone": new Error("User rejected the request."),
    "words behind a general code": Object.assign(
      new Error("MetaMask Tx Signature: User denied transaction signature."),
      {
        code: -32_603,
      },
    ),
  };
  for (const [name, error] of Object.entries(rejections)) {
    it(`is recognized by ${name}`, async () => {
      expect(isUserRejection(error)).to.equal(true);
      const failed = await rejected(askUser("deposit", () => Promise.reject(error as Error)));
      expect(factsOf(failed)).to.deep.equal({ code: "USER_REJECTED", stepId: "deposit" });
      expect(failed.cause).to.equal(error);
    });
  }

  it("does not match other failures", async () => {
    const other = new Error("the node rejected the transaction");
    for (const error of [other, coded(-32_000), undefined, "rejected"]) expect(isUserRejection(error)).to.equal(false);
    expect(await askUser("deposit", () => Promise.reject(other)).catch((error: unknown) => error)).to.equal(other);
  });
});
