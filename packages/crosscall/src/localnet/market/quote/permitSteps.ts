import type { Address } from "viem";

import { PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import type { Step } from "@crosscall/protocol/complete";
import { latestTime } from "../../devchain/chainTime.ts";
import type { StoredPermit } from "../../store/permits.ts";
import { createPermit, permitMessage, permitPostOf } from "../gasless/permit.ts";
import type { Payer, Timed } from "../market.ts";
import { isSimulated } from "../quotedChains.ts";
import type { PreparedQuote } from "./prepareQuote.ts";
import { readAllowance } from "./readOrigin.ts";
import { approvalSteps, polledItem } from "./steps.ts";

/** Lifetime of a permit in seconds, as on the live service. */
const PERMIT_LIFETIME = 600;

export interface PermitQuote {
  readonly permit: StoredPermit;
  readonly steps: Step[];
}

/** Quotes a permit. Returns undefined if the request does not use a permit. */
export async function quotePermit(
  { clock, solver }: Timed & Payer,
  { quote, route, requestId, orderId }: PreparedQuote,
): Promise<PermitQuote | undefined> {
  const { request, origin, input } = quote;
  if (request.usePermit !== true || isSimulated(origin)) return undefined;
  const amount = route.price.inputAmount;
  const { permitCalls } = route;
  const permit = await createPermit(origin, {
    token: input.currency.address as Address,
    owner: quote.user as Address,
    amount,
    // Chains count whole seconds.
    deadline: (await latestTime(clock, [origin])) + 1 + (request.permitExpiry ?? PERMIT_LIFETIME),
    requestId,
    orderId,
    execution: permitCalls && {
      calls: permitCalls.map(({ to, data }) => ({ to, data })),
      refundTo: quote.user,
      metadata: requestId,
    },
  });
  const side = { ...quote, origin };
  const approval =
    permit.kind === "permit2"
      ? approvalSteps({
          quote: side,
          requestId,
          spender: PERMIT2_ADDRESS,
          allowance: await readAllowance(side, PERMIT2_ADDRESS),
          amount,
          purpose: "permit",
          fees: await origin.client.estimateFeesPerGas(),
        })
      : [];
  const { value, ...message } = permitMessage(permit, { solver: solver.address, contracts: origin.contracts });
  const data = {
    sign: { signatureKind: "eip712", ...message, value },
    post: { endpoint: "/execute/permits", method: "POST", body: permitPostOf(permit, requestId) },
  };
  return {
    permit,
    steps: [
      ...approval,
      {
        id: permitCalls === undefined ? "authorize1" : "authorize2",
        action: "Sign authorization in your wallet",
        description: `Sign an authorization to ${describe(quote, permitCalls !== undefined)} on ${origin.name}`,
        kind: "signature",
        requestId,
        depositAddress: "",
        items: [polledItem(requestId, data)],
      },
    ],
  };
}

function describe({ input, output }: PreparedQuote["quote"], isExecuted: boolean): string {
  const [from, to] = [input.currency.symbol, output.currency.symbol];
  if (!isExecuted) return `deposit ${from}`;
  return from === to ? `send ${from}` : `swap ${from} for ${to}`;
}
