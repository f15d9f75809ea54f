import { expect } from "chai";

import { AUTHORIZATION_TYPES } from "../../../../packages/protocol/src/quote/permitTypes.ts";
import { planSteps } from "../../../../packages/protocol/src/quote/planSteps.ts";
import type { Quote } from "../../../../packages/protocol/src/quote/quote.ts";
import { acceptUnverified, type VerifiedStep, verifySteps } from "../../../../packages/sdk/src/verify/verifiedSteps.ts";
import {
  APPROVAL_PROXY,
  AUTHORIZATION,
  NOW,
  PERMIT_REQUEST,
  permitQuote,
  REQUEST_ID,
  TOKEN,
  USER,
} from "./permitQuote.ts";

const APPROVAL: NonNullable<Quote["steps"]>[number] = {
  id: "approve",
  action: "",
  description: "",
  kind: "transaction",
  items: [
    {
      status: "incomplete",
      data: {
        from: USER,
        to: TOKEN,
        data: `0x095ea7b3${"0".repeat(24)}${APPROVAL_PROXY.slice(2)}${"0".repeat(64)}`,
        value: "0",
        chainId: 8453,
      },
    },
  ],
};

const verify = (quote: Quote, laterSteps: NonNullable<Quote["steps"]> = []) =>
  verifySteps({ request: PERMIT_REQUEST, quote, laterSteps, clock: { now: () => NOW * 1_000 } });

async function verified(quote: Quote, laterSteps: NonNullable<Quote["steps"]> = []): Promise<readonly VerifiedStep[]> {
  const verification = await verify(quote, laterSteps);
  if (verification.verdict === "refused") throw new Error(JSON.stringify(verification.report.claims));
  return verification.steps;
}

describe("verified steps", () => {
  it("are the actions of the quote and of later steps, in order", async () => {
    const quote = permitQuote(AUTHORIZATION);
    const steps = await verified({ ...quote, steps: [{ ...APPROVAL, requestId: REQUEST_ID }] }, quote.steps ?? []);
    expect(steps.map(({ stepId, position }) => [stepId, position])).to.deep.equal([
      ["approve", "0.0"],
      ["authorize1", "1.0"],
    ]);
  });

  it("are immutable, even if the quote changes", async () => {
    const quote = structuredClone(permitQuote(AUTHORIZATION));
    const steps = await verified(quote);
    const before = structuredClone(steps);
    const sign = quote.steps?.[0]?.items?.[0]?.data?.sign;
    Object.assign(sign as object, { value: {}, domain: {} });
    expect(steps).to.deep.equal(before);
    const isFrozen = (value: unknown): boolean =>
      typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));
    expect(steps.every(isFrozen)).to.equal(true);
  });

  it("contain the permit to sign in the kit's own types", async () => {
    const [signature] = await verified(permitQuote(AUTHORIZATION));
    if (signature?.kind !== "signature") throw new Error("there is no signature");
    expect(signature.typedData?.types).to.equal(AUTHORIZATION_TYPES.types);
    expect(signature.typedData).to.deep.equal({
      domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: TOKEN },
      types: AUTHORIZATION_TYPES.types,
      primaryType: "TransferWithAuthorization",
      value: { ...AUTHORIZATION.value, validAfter: "0", validBefore: String(NOW + 600) },
    });
  });

  it("do not exist for a refused quote", async () => {
    const quote = permitQuote(AUTHORIZATION);
    const { verdict, ...others } = await verify({ ...quote, steps: [...quote.steps!, ...quote.steps!] });
    expect([verdict, Object.keys(others)]).to.deep.equal(["refused", ["report"]]);
  });

  it("are the service's steps for callers that skip verification", () => {
    const planned = planSteps([APPROVAL, ...permitQuote(AUTHORIZATION).steps!], 8453);
    const [approval, signature] = planned;
    const accepted = acceptUnverified(planned);
    expect(accepted).to.deep.equal([approval, { ...signature, typedData: undefined }]);
    expect([accepted.every(Object.isFrozen), planned.some(Object.isFrozen)]).to.deep.equal([true, false]);
  });
});
