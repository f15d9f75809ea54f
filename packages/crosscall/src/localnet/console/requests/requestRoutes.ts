import * as Type from "typebox";

import { AbortedError } from "@crosscall/protocol/core";
import { markup } from "../../../replay/report/html/markup.ts";
import type { ServiceApp } from "../../service/route.ts";
import { commandBlocks, requestCommands, serviceOptions } from "../commands.ts";
import type { ConsoleParts } from "../consoleParts.ts";
import { copyBlock } from "../elements.ts";
import type { LiveChanges } from "../liveChanges.ts";
import type { Pages } from "../page.ts";
import { serviceOf } from "../serviceOf.ts";
import { readRequest } from "./requestFacts.ts";
import { hasReplay, replayPlace, requestMarkup } from "./requestPage.ts";
import { replaySection } from "./replaySection.ts";

interface RequestParts extends Pick<
  ConsoleParts,
  "chains" | "clock" | "currencies" | "shownApiKey" | "solver" | "store"
> {
  readonly pages: Pages;
  readonly live: LiveChanges;
}

const params = Type.Object({ requestId: Type.String() });

/** One request with its timeline, funds flow, fees, calls, order and failure, live, and the replay of its fill. */
export function addRequestPage(scope: ServiceApp, parts: RequestParts): void {
  const { pages, live, clock } = parts;
  scope.get("/console/requests/:requestId", { schema: { hide: true, params } }, async (request, reply) => {
    const sinceSeconds = Math.floor(clock.now() / 1_000);
    const facts = await readRequest(parts, request.params.requestId);
    const { id } = facts.request;
    const rpcUrl = parts.chains.get(facts.request.destination_chain_id)?.rpcUrl;
    return pages.send(request, reply, {
      title: `Request ${id.slice(0, 10)}`,
      content: markup`<h1>Request</h1>
<div id="request" hx-ext="sse" sse-connect="/console/requests/${id}/events?since=${sinceSeconds}" sse-swap="request" hx-swap="innerHTML">
${await requestMarkup(parts, facts)}
</div>
${hasReplay(parts, facts) ? replayPlace(facts) : ""}
${commandBlocks(requestCommands(serviceOf(request, parts), id))}
${rpcUrl === undefined ? "" : copyBlock("Replay in a terminal", `crosscall replay ${id} ${serviceOptions(serviceOf(request, parts))} --rpc-url ${rpcUrl}`)}`,
    });
  });

  scope.get(
    "/console/requests/:requestId/events",
    { schema: { hide: true, params, querystring: Type.Object({ since: Type.Optional(Type.Integer()) }) } },
    async (request, reply) => {
      const { id, updated_at } = (await readRequest(parts, request.params.requestId)).request;
      const sinceSeconds = request.query.since ?? Math.floor(updated_at.getTime() / 1_000);
      live.serve(request, reply, {
        sinceSeconds,
        render: async (change) => {
          if ("requestId" in change && change.requestId !== id) return [];
          const facts = await readRequest(parts, id);
          const isOld = "sinceSeconds" in change && facts.request.updated_at.getTime() < change.sinceSeconds * 1_000;
          return isOld ? [] : [await requestMarkup(parts, facts)];
        },
      });
      return reply;
    },
  );

  scope.get(
    "/console/requests/:requestId/replay",
    { schema: { hide: true, params, querystring: Type.Object({ part: Type.Optional(Type.String()) }) } },
    async (request, reply) => {
      const facts = await readRequest(parts, request.params.requestId);
      const left = new AbortController();
      reply.raw.on("close", () => left.abort(new AbortedError({ what: "the replay" })));
      const part = await replaySection(parts, facts, left.signal);
      if (request.query.part !== undefined) return pages.sendPart(reply, part);
      return pages.send(request, reply, {
        title: "Replay",
        content: markup`<h1>Replay of <a href="/console/requests/${facts.request.id}">a request</a></h1>${part}`,
      });
    },
  );
}
