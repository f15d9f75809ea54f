import { createHash } from "node:crypto";

import * as Type from "typebox";

import { compact } from "@crosscall/protocol/core";
import { formatAmount } from "@crosscall/protocol/encoding";
import { FAIL_REASONS, REFUND_FAIL_REASONS } from "@crosscall/protocol/schema";
import { findQuotedChain } from "../market/quotedChains.ts";
import { rejectField } from "../market/rejection.ts";
import { type Content, markup, type Markup } from "../../replay/report/html/markup.ts";
import { section } from "../../replay/report/html/page.ts";
import { shown } from "../../replay/report/notation.ts";
import { DEPOSIT_CHANGES } from "../scenarios/scenario.ts";
import { createFillControls } from "../service/admin/fills.ts";
import { ADMIN_ROUTES } from "../service/admin/routes.ts";
import type { FillHold, HeldFill } from "../service/admin/schemas.ts";
import type { ServiceApp } from "../service/route.ts";
import type { KeyDisplay } from "./consoleParts.ts";
import type { ChainReader, Recorder } from "../market/market.ts";
import type { ChainController } from "../service/serviceParts.ts";
import { adminCurl, commandBlocks, serviceOf } from "./commands.ts";
import type { Controls } from "./controls.ts";
import { accountLabel, accountNames, type AccountNames } from "./accountNames.ts";
import { chainLabel } from "./chainLogo.ts";
import { demoForm } from "./demo.ts";
import { ARROW, amountText, callout, clockText, definitions, emptyState, heldBadge, shortText } from "./elements.ts";
import type { Pages } from "./page.ts";

interface FillParts extends ChainReader, Recorder, ChainController, KeyDisplay {
  readonly pages: Pages;
  readonly controls: Controls;
}

const OutcomeSchema = Type.Object({
  requestId: Type.Optional(Type.String()),
  oldest: Type.Optional(Type.String()),
  all: Type.Optional(Type.String()),
  amount: Type.Optional(Type.String()),
  belowMinimum: Type.Optional(Type.String()),
  scenario: Type.Optional(Type.String()),
  parameters: Type.Optional(Type.String()),
  deposit: Type.Optional(Type.String({ enum: ["", ...DEPOSIT_CHANGES] })),
});

/** Adds pages for holds and held fills, with the same functions as `crosscall fills`. */
export function addFillPages(scope: ServiceApp, parts: FillParts): void {
  const { pages, controls } = parts;
  const fills = createFillControls(parts);
  const nameOfChain = (chainId: number): string => findQuotedChain(parts.chains, chainId)?.name ?? String(chainId);
  const names = accountNames(parts);
  const readHeld = async (mayChange: boolean) => {
    const { holds, held, total } = await fills.list();
    const card = (fill: HeldFill): Markup => heldCard(fill, { mayChange, names, nameOfChain });
    const content = markup`${holdNote(holds, mayChange)}${board(held.map(card), total, { isHolding: holds.length > 0, mayChange })}`;
    const seen = createHash("sha256").update(content.text).digest("base64url").slice(0, 16);
    // The page polls, because holds have no events, but it is only updated after a change.
    const part = markup`<div id="held" aria-live="polite" hx-get="/console/fills/held?seen=${seen}" hx-trigger="every 1s" hx-swap="outerHTML">${content}</div>`;
    return { seen, part };
  };

  scope.get("/console/fills", { schema: { hide: true } }, async (request, reply) => {
    const mayChange = controls.mayChange(request);
    const { part } = await readHeld(mayChange);
    return pages.send(request, reply, {
      title: "Fills",
      content: markup`<h1>Fills</h1>
<p class="lead">A hold stops the solver before it fills a request. The request stays pending until you release it, with the outcome you choose.</p>
<div id="released"></div>
${part}
${mayChange ? holdForm() : ""}
${fillCommands(serviceOf(request, parts).url)}`,
    });
  });

  scope.get(
    "/console/fills/held",
    { schema: { hide: true, querystring: Type.Object({ seen: Type.String() }) } },
    async (request, reply) => {
      const { seen, part } = await readHeld(controls.mayChange(request));
      return seen === request.query.seen ? reply.status(204).send() : pages.sendPart(reply, part);
    },
  );

  scope.get(
    "/console/fills/:requestId",
    { schema: { hide: true, params: Type.Object({ requestId: Type.String() }) } },
    (request, reply) => {
      const { requestId } = request.params;
      return pages.send(request, reply, {
        title: "Release a fill",
        content: markup`<p class="crumbs"><a href="/console/fills">Fills</a> / <a href="/console/requests/${requestId}"><code>${shortText(requestId)}</code></a></p>
<h1>Release a fill</h1>
${outcomeForm(requestId)}`,
      });
    },
  );

  scope.post(
    "/console/fills/hold",
    { schema: { hide: true, body: Type.Object({ filter: Type.Optional(Type.String()) }) } },
    async (request, reply) => {
      const filter = parseFilter(request.body.filter ?? "");
      await controls.change(request, ADMIN_ROUTES.fills.hold, { body: { filter } });
      return reply.redirect("/console/fills", 303);
    },
  );

  scope.post("/console/fills/release", { schema: { hide: true, body: OutcomeSchema } }, async (request, reply) => {
    await controls.change(request, ADMIN_ROUTES.fills.release, { body: toOutcome(request.body) });
    const { requestId } = request.body;
    // htmx replaces the board. Without it, the browser goes to the request.
    if (request.headers["hx-request"] !== undefined && requestId !== undefined) {
      const { part } = await readHeld(controls.mayChange(request));
      const note = callout(
        "plain",
        "Released",
        markup`<p><a href="/console/requests/${requestId}">Follow request ${shortText(requestId)}</a></p>`,
      );
      return pages.sendPart(reply, markup`<div id="released" hx-swap-oob="true">${note}</div>${part}`);
    }
    return reply.redirect(requestId === undefined ? "/console/fills" : `/console/requests/${requestId}`, 303);
  });
}

/** Parses lines such as `user=0x…`. Values of the same field are alternatives. */
function parseFilter(text: string): Record<string, string[]> {
  const filter: Record<string, string[]> = {};
  for (const line of text.split(/[\r\n]+/u).map((each) => each.trim())) {
    if (line === "") continue;
    const at = line.indexOf("=");
    if (at < 1) throw rejectField("filter", line, "is not field=value", "Write field=value on each line.");
    (filter[line.slice(0, at).trim()] ??= []).push(line.slice(at + 1).trim());
  }
  return filter;
}

/** Converts the fields of a form, which are all text and can be empty. */
function toOutcome(form: Type.Static<typeof OutcomeSchema>): object {
  const { requestId, oldest, all, amount, belowMinimum, scenario, parameters = "", deposit } = form;
  const given = (text: string | undefined): string | undefined => (text === "" ? undefined : text);
  return compact({
    requestId,
    oldest: oldest === undefined ? undefined : true,
    all: all === undefined ? undefined : true,
    amount: given(amount),
    belowMinimum: belowMinimum === undefined ? undefined : true,
    scenario: given(scenario),
    parameters: parameters === "" ? undefined : parseParameters(parameters),
    deposit: given(deposit),
  });
}

function parseParameters(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw rejectField("parameters", text, "is not JSON", 'Pass JSON, for example {"bps":-25}.');
  }
}

/** Scenarios for held fills. Omits scenarios that the service rejects because they need a different deposit. */
const SCENARIOS = [
  "delivery",
  "stale-price",
  ...FAIL_REASONS,
  ...REFUND_FAIL_REASONS.map((reason) => `refund:${reason}`),
];

function holdForm(): Markup {
  return section(
    "Hold some fills",
    markup`<div class="actions">
<form method="post" action="/console/fills/hold"><label>Only fills with (a field=value per line)
<textarea name="filter" class="short" placeholder="destinationChainId=31338" spellcheck="false"></textarea></label><button>Hold fills</button></form>
</div>`,
  );
}

const HOLD_ALL = markup`<form method="post" action="/console/fills/hold"><button class="primary">Hold all new fills</button></form>`;
const RELEASE_OLDEST = markup`<form method="post" action="/console/fills/release"><input type="hidden" name="oldest" value="true"><button>Release the oldest</button></form>`;
const RELEASE_ALL = markup`<form method="post" action="/console/fills/release"><input type="hidden" name="all" value="true"><button>Release all, and end the holds</button></form>`;

/** Renders the active holds, and how to end them. */
function holdNote(holds: readonly FillHold[], mayChange: boolean): Markup {
  if (holds.length === 0) return markup``;
  const lines = holds.map(
    ({ createdAt, filter }) =>
      markup`<li>${Object.keys(filter).length === 0 ? "all new fills" : markup`fills with ${filterText(filter)}`} <span class="quiet">since ${clockText(new Date(createdAt))}</span></li>`,
  );
  return callout(
    "held",
    "Holding",
    markup`<ul>${lines}</ul>${mayChange ? markup`<div class="actions">${RELEASE_OLDEST}${RELEASE_ALL}</div>` : ""}`,
  );
}

function filterText(filter: FillHold["filter"]): string {
  const fields = Object.entries(filter).map(([field, values]) => {
    const texts = [values].flat().map((value) => shortText(String(value)));
    return `${field} ${texts.join(" or ")}`;
  });
  return shown(fields.join(", "), 400);
}

interface BoardState {
  readonly isHolding: boolean;
  readonly mayChange: boolean;
}

function board(cards: readonly Markup[], total: number, { isHolding, mayChange }: BoardState): Markup {
  if (cards.length === 0) {
    const next = isHolding
      ? markup`<p>The next fill that matches appears here. Send a request to see it.</p>${mayChange ? demoForm("success", "primary") : ""}`
      : markup`<p>Hold the next fills, send a request, and release each fill here: as quoted, with less, or with a failure.</p>${mayChange ? markup`<div class="actions">${HOLD_ALL}${demoForm("hold")}</div>` : ""}`;
    return emptyState(isHolding ? "No fill is held yet" : "Fills run as soon as they are paid", next);
  }
  const more = total > cards.length ? markup`<p class="quiet">${total - cards.length} more held fills.</p>` : "";
  return markup`<div class="board">${cards}</div>${more}`;
}

interface CardFacts {
  readonly mayChange: boolean;
  readonly names: AccountNames;
  readonly nameOfChain: (chainId: number) => string;
}

function heldCard(fill: HeldFill, { mayChange, names, nameOfChain }: CardFacts): Markup {
  const { requestId, heldAt, recipient, originChainId, destinationChainId, tradeType } = fill;
  const { expectedAmount, minimumAmount, destinationSymbol, destinationDecimals, expectedUsd } = fill;
  const inUnits = (amount: string): string => formatAmount(BigInt(amount), destinationDecimals);
  return markup`<article class="card">
<div class="badges">${heldBadge()} <span class="quiet">since ${clockText(new Date(heldAt))}</span></div>
<h2>${amountText(inUnits(expectedAmount), destinationSymbol, expectedUsd)}</h2>
<p>${chainLabel(originChainId, nameOfChain(originChainId))} ${ARROW} ${chainLabel(destinationChainId, nameOfChain(destinationChainId))}</p>
${definitions([
  {
    label: "request",
    content: markup`<a href="/console/requests/${requestId}"><code>${shortText(requestId)}</code></a>`,
  },
  { label: "recipient", content: accountLabel(names, recipient) },
  { label: "at least", content: amountText(inUnits(minimumAmount), destinationSymbol) },
  { label: "trade type", content: tradeType },
])}
${mayChange ? releaseForms(requestId, { isBoard: true, minimumAmount: tradeType === "EXACT_OUTPUT" ? undefined : minimumAmount }) : ""}
</article>`;
}

interface ReleaseOptions {
  /** Quoted minimum, if the delivered amount can be chosen. */
  readonly minimumAmount?: string | undefined;
  /** Whether the forms are on the board, which stays open after a release. */
  readonly isBoard?: boolean;
}

/** Renders the most common releases of a held fill, and the link to all others. */
export function releaseForms(requestId: string, { minimumAmount, isBoard = false }: ReleaseOptions = {}): Markup {
  const update = isBoard ? markup` hx-post="/console/fills/release" hx-target="#held" hx-swap="outerHTML"` : markup``;
  const form = (fields: Content, button: Markup): Markup =>
    markup`<form method="post" action="/console/fills/release"${update}><input type="hidden" name="requestId" value="${requestId}">${fields}${button}</form>`;
  const least =
    minimumAmount === undefined
      ? ""
      : form(
          markup`<input type="hidden" name="amount" value="${minimumAmount}">`,
          markup`<button>Deliver the minimum</button>`,
        );
  return markup`<div class="actions">${form("", markup`<button class="primary" aria-label="Release as quoted: ${requestId}">Release as quoted</button>`)}${least}${form(
    markup`<input type="hidden" name="scenario" value="SLIPPAGE">`,
    markup`<button class="danger">Fail with SLIPPAGE</button>`,
  )}<a href="/console/fills/${requestId}">Another outcome…</a></div>`;
}

/** Renders controls for every outcome of `crosscall fills release`. */
function outcomeForm(requestId: string): Markup {
  return markup`<form class="stack" method="post" action="/console/fills/release"><input type="hidden" name="requestId" value="${requestId}">
<p>Set at most one of amount, scenario and deposit. Without one, the fill is as quoted.</p>
<label>Delivered amount, in the smallest unit <input name="amount" inputmode="numeric" autocomplete="off"></label>
<p><label><input type="checkbox" name="belowMinimum" value="true"> Allow an amount below the quoted minimum</label></p>
<label>Scenario <input name="scenario" list="scenarios" autocomplete="off"></label>
<datalist id="scenarios">${SCENARIOS.map((name) => markup`<option value="${name}"></option>`)}</datalist>
<label>Parameters of the scenario, as JSON <input name="parameters" autocomplete="off" spellcheck="false"></label>
<label>Deposit <select name="deposit"><option value="">as it is</option>${DEPOSIT_CHANGES.map((change) => markup`<option>${change}</option>`)}</select></label>
<p><button>Release</button></p>
</form>`;
}

function fillCommands(url: string): Markup {
  return commandBlocks({
    curl: `${adminCurl(url, "/admin/fills/hold", {})}
${adminCurl(url, "/admin/fills")}
${adminCurl(url, "/admin/fills/release", { oldest: true })}`,
    sdk: `import { localnet } from "crosscall/localnet";

await using network = await localnet();
await network.fills.hold();
console.log(await network.fills.list());
await network.fills.releaseOldest();`,
    cli: `crosscall fills hold --url ${url}
crosscall fills list --url ${url}
crosscall fills release --oldest --url ${url}`,
  });
}
