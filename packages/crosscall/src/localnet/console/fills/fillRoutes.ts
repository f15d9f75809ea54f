import { createHash } from "node:crypto";

import * as Type from "typebox";

import { compact } from "@crosscall/protocol/core";
import { refuseField } from "../../market/refusal.ts";
import { markup } from "../../../replay/report/html/markup.ts";
import { createFillControls } from "../../service/admin/fillControls.ts";
import { DEPOSIT_CHANGES } from "../../service/admin/depositChanges.ts";
import type { ServiceApp } from "../../service/route.ts";
import type { ServiceParts } from "../../service/serviceParts.ts";
import type { ConsoleParts } from "../consoleParts.ts";
import type { Controls } from "../controls.ts";
import type { Pages } from "../page.ts";
import { serviceOf } from "../serviceOf.ts";
import { fillCommands, holdForm, heldTable, holdTable, outcomeForm } from "./fillForms.ts";

interface FillParts extends Pick<ConsoleParts, "shownApiKey"> {
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

/** Holds, held fills, and their release, as `crosscall fills`. */
export function addFillPages(
  scope: ServiceApp,
  parts: FillParts & Pick<ServiceParts, "chainControls" | "chains" | "clock" | "store">,
): void {
  const { pages, controls } = parts;
  const fills = createFillControls(parts);
  const readHeld = async (mayChange: boolean) => {
    const { holds, held, total } = await fills.list();
    const content = markup`${holdTable(holds)}${heldTable(held, total, mayChange)}`;
    const seen = createHash("sha256").update(content.text).digest("base64url").slice(0, 16);
    // Holds have no events, so the page asks; nothing is swapped as long as nothing changes.
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
      await controls.change(request, { method: "POST", path: "/admin/fills/hold", body: { filter } });
      return reply.redirect("/console/fills", 303);
    },
  );

  scope.post("/console/fills/release", { schema: { hide: true, body: OutcomeSchema } }, async (request, reply) => {
    await controls.change(request, { method: "POST", path: "/admin/fills/release", body: toOutcome(request.body) });
    const { requestId } = request.body;
    return reply.redirect(requestId === undefined ? "/console/fills" : `/console/requests/${requestId}`, 303);
  });
}

/** `user=0x…` on each line; values of one field are alternatives. */
function parseFilter(text: string): Record<string, string[]> {
  const filter: Record<string, string[]> = {};
  for (const line of text.split(/[\r\n]+/u).map((each) => each.trim())) {
    if (line === "") continue;
    const at = line.indexOf("=");
    if (at < 1) throw refuseField("filter", line, "has no field and value", "Write field=value on each line.");
    (filter[line.slice(0, at).trim()] ??= []).push(line.slice(at + 1).trim());
  }
  return filter;
}

/** Forms send texts, and what was left empty. */
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
    throw refuseField("parameters", text, "is not JSON", 'Write for example {"bps":-25}.');
  }
}
