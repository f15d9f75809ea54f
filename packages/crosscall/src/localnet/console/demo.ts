import * as Type from "typebox";

import { AbortedError, InvalidStateError } from "@crosscall/protocol/core";
import { type QuoteRequest, readAnyQuote, requestIdOf } from "@crosscall/protocol/quote/rules";
import { demoRequest, payQuote, planVaultDeposit } from "../market/demoRequest.ts";
import type { ChainReader } from "../market/market.ts";
import { markup, type Markup } from "../../replay/report/html/markup.ts";
import { ADMIN_ROUTES } from "../service/admin/routes.ts";
import type { ServiceApp } from "../service/route.ts";
import type { Controls } from "./controls.ts";

interface DemoParts extends ChainReader {
  readonly controls: Controls;
}

/** Outcomes of a demo request: the button, and what the request shows. */
const OUTCOMES = {
  success: { button: "Run a demo request", choice: "is filled" },
  SLIPPAGE: { button: "Run one that is refunded", choice: "is refunded: SLIPPAGE" },
  hold: { button: "Run one that is held", choice: "is held" },
} as const;

type DemoOutcome = keyof typeof OUTCOMES;

const DEMO_OUTCOMES = Object.keys(OUTCOMES) as DemoOutcome[];

/** Time to wait for the payment. On a paused chain, the page shows the request before its deposit. */
const PAYMENT_MS = 5_000;

/** Adds the route that sends a request from the network's user: native currency for a deposit into the vault. */
export function addDemo(scope: ServiceApp, { controls, chains }: DemoParts): void {
  scope.post(
    "/console/demo",
    { schema: { hide: true, body: Type.Object({ outcome: Type.String({ enum: DEMO_OUTCOMES }) }) } },
    async (request, reply) => {
      const { outcome } = request.body;
      // A scenario set for the next request could apply to a different request.
      const scenario = outcome === "SLIPPAGE" ? { referrer: `scenario:${outcome}` } : {};
      const wanted = { ...vaultRequest({ chains }), ...scenario };
      const quote = readAnyQuote(await controls.quote(request, wanted));
      const requestId = requestIdOf(quote);
      if (outcome === "hold") {
        await controls.change(request, ADMIN_ROUTES.fills.hold, { body: { filter: { id: [requestId] } } });
      }
      const { originChainId } = wanted;
      const payment = { originChainId, chains: [...chains.values()], signal: AbortSignal.timeout(PAYMENT_MS) };
      try {
        await payQuote(quote.steps, payment);
      } catch (error) {
        if (!(error instanceof AbortedError)) throw error;
      }
      return reply.redirect(`/console/requests/${requestId}`, 303);
    },
  );
}

/** @throws {@link InvalidStateError} if the network has only one chain */
function vaultRequest({ chains }: ChainReader): QuoteRequest {
  const [origin, destination] = [...chains.values()];
  if (origin === undefined || destination === undefined) {
    throw new InvalidStateError({
      message: "a demo request needs two chains",
      hint: "Start the network with two chains.",
    });
  }
  const { contracts } = destination;
  const request = demoRequest(origin.id, destination.id, contracts.dollar);
  return { ...request, ...planVaultDeposit(contracts, BigInt(request.amount)) };
}

/** Renders one button for each outcome. */
export function demoButtons(): Markup {
  return markup`<div class="actions">${DEMO_OUTCOMES.map((outcome, index) =>
    demoForm(outcome, index === 0 ? "primary" : ""),
  )}</div>`;
}

export function demoForm(outcome: DemoOutcome, kind = ""): Markup {
  return markup`<form method="post" action="/console/demo"><input type="hidden" name="outcome" value="${outcome}"><button class="${kind}">${OUTCOMES[outcome].button}</button></form>`;
}

/** Renders the choice of an outcome with one button. */
export function demoChoice(): Markup {
  return markup`<form class="demo" method="post" action="/console/demo"><label>A demo request that <select name="outcome">${DEMO_OUTCOMES.map(
    (outcome) => markup`<option value="${outcome}">${OUTCOMES[outcome].choice}</option>`,
  )}</select></label> <button class="primary">Run</button></form>`;
}
