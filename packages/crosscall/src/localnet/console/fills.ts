import { createHash } from "node:crypto";

import * as Type from "typebox";

import { compact } from "@crosscall/protocol/core";
import { FAIL_REASONS, REFUND_FAIL_REASONS } from "@crosscall/protocol/schema";
import { rejectField } from "../market/rejection.ts";
import { markup, type Markup } from "../../replay/report/html/markup.ts";
import { section, toHtmlTable } from "../../replay/report/html/page.ts";
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
import { shortText, timeText } from "./elements.ts";
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
  const readHeld = async (mayChange: boolean) => {
    const { holds, held, total } = await fills.list();
    const content = markup`${holdTable(holds)}${heldTable(held, total, mayChange)}`;
    const seen = createHash("sha256").update(content.text).digest("base64url").slice(0, 16);
    // The page polls, because holds have no events, but it is only updated after a change.
    const part = markup`<div id="held" hx-get="/console/fills/held?seen=${seen}" hx-trigger="every 1s" hx-swap="outerHTML">${content}</div>`;
    return { seen, part };
  };

  scope.get("/console/fills", { schema: { hide: true } }, async (request, reply) => {
    const mayChange = controls.mayChange(request);
    const { part } = await readHeld(mayChange);
    return pages.send(request, reply, {
      title: "Fills",
      content: markup`<h1>Fills</h1>
<p>A hold stops the solver before it fills a request. The request stays pending until it is released.</p>
${mayChange ? holdForm() : ""}
${part}
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
        content: markup`<h1>Release a fill</h1>
<p><a href="/console/requests/${requestId}">${requestId}</a></p>
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
    "Hold and release",
    markup`<div class="actions">
<form method="post" action="/console/fills/hold"><label>Only fills with (a field=value per line)
<textarea name="filter" class="short" placeholder="destinationChainId=31338" spellcheck="false"></textarea></label><button>Hold fills</button></form>
<form method="post" action="/console/fills/release"><input type="hidden" name="oldest" value="true"><button>Release the oldest</button></form>
<form method="post" action="/console/fills/release"><input type="hidden" name="all" value="true"><button>Release all, and end the holds</button></form>
</div>`,
  );
}

function holdTable(holds: readonly FillHold[]): Markup {
  return section(
    "Holds",
    holds.length === 0
      ? markup`<p>There are no holds.</p>`
      : toHtmlTable({
          title: "Active holds",
          columns: [{ title: "hold", isNumber: true }, { title: "since" }, { title: "fills" }],
          rows: holds.map(({ id, createdAt, filter }) => [
            String(id),
            createdAt,
            Object.keys(filter).length === 0 ? "all" : shown(JSON.stringify(filter), 400),
          ]),
        }),
  );
}

function heldTable(held: readonly HeldFill[], total: number, mayChange: boolean): Markup {
  if (held.length === 0) return section("Held fills", markup`<p>No held fills.</p>`);
  const more = total > held.length ? markup`<p class="quiet">${total - held.length} more held fills.</p>` : "";
  return section(
    "Held fills",
    markup`<div class="scroll" tabindex="0"><table><caption>Oldest first</caption>
<thead><tr><th scope="col">request</th><th scope="col">held at</th><th scope="col">user</th><th scope="col">chains</th><th scope="col">quoted output, smallest unit</th><th scope="col">release</th></tr></thead>
<tbody>${held.map((fill) => heldRow(fill, mayChange))}</tbody></table></div>${more}`,
  );
}

function heldRow(fill: HeldFill, mayChange: boolean): Markup {
  const { requestId, heldAt, user, originChainId, destinationChainId, expectedAmount, destinationSymbol } = fill;
  const controls = mayChange
    ? markup`<form method="post" action="/console/fills/release"><input type="hidden" name="requestId" value="${requestId}"><button aria-label="Release ${requestId} as quoted">as quoted</button> <a href="/console/fills/${requestId}">otherwise…</a></form>`
    : "";
  return markup`<tr><td><a href="/console/requests/${requestId}">${shortText(requestId)}</a></td><td>${timeText(new Date(heldAt))}</td><td>${shortText(user)}</td><td>${originChainId} → ${destinationChainId}</td><td class="number">${expectedAmount} ${shown(destinationSymbol, 20)}</td><td>${controls}</td></tr>\n`;
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
