import * as Type from "typebox";

import { getRequest, getStatus } from "@crosscall/sdk";
import { compact, InvalidInputError } from "@crosscall/protocol/core";
import { amountText, isPresent } from "@crosscall/protocol/schema";
import type { ReplayInput } from "../../../replay/subject/findFill.ts";
import { requireRpcUrl } from "../../../options/target.ts";
import { type Explanation, formatExplanation, readExplanations } from "../../explain/explanations.ts";
import { findInjected, formatInjected } from "../../replay/injected.ts";
import { chainOf, isHash, readInput, toPlannedFill } from "../../replay/readInput.ts";
import { toEnvelopeRequest } from "../../replay/replayOptions.ts";
import { toStatusLine } from "../../watch/run.ts";
import { type Place, placeField, type Places } from "../places.ts";
import { codesOf, commandOf, defineTool, type Tool } from "../tool.ts";
import { planField, readGivenPlan } from "./compose.ts";
import { quoteField, type QuoteShelf } from "./quotes.ts";

const hash = (description: string) => Type.String({ pattern: "^0x[0-9a-fA-F]{64}$", description });

export function requestTools(places: Places, shelf: QuoteShelf): readonly Tool[] {
  return [
    defineTool({
      name: "request",
      description:
        "Show the status of a request and, if its fill failed, the failReason with its explanation. replay finds the call that failed.",
      input: { requestId: hash("Id of the request."), ...placeField },
      async run({ requestId, place: name }, signal) {
        const place = await places.select(name);
        const client = place.client();
        const status = await getStatus(client, { requestId, signal });
        // Only the record, which requires an API key, has the reason.
        const { data } = place.hasKey ? await getRequest(client, { requestId, signal }) : {};
        const reasons = [data?.failReason, data?.refundFailReason].filter(isPresent).filter((code) => code !== "N/A");
        const explanations = (await Promise.all(reasons.map(explanationsOf))).flat();
        return {
          ok: reasons.length === 0 && !["failure", "refund"].includes(status.status),
          summary: [
            toStatusLine(status).trimEnd(),
            ...(place.hasKey ? [] : ["Start the server with --api-key to read the failReason."]),
            ...explanations.map(formatExplanation),
          ].join("\n"),
          facts: {
            status: status.status,
            failReason: data?.failReason ?? null,
            refundFailReason: data?.refundFailReason ?? null,
          },
          command: commandOf("status", requestId, ...place.serviceFlags),
        };
      },
    }),
    defineTool({
      name: "replay",
      description:
        "Replay a fill on a fork of its chain. Returns the cause of a failure, the call tree and leftover funds. With `envelope`, find all delivered amounts that work. Pass one of request, transaction, quote and plan.",
      input: {
        request: Type.Optional(hash("Id of a request that was filled or failed.")),
        transaction: Type.Optional(hash("Hash of a fill's transaction; needs chainId.")),
        chainId: Type.Optional(Type.Integer({ description: "Chain of the transaction." })),
        quote: Type.Optional(quoteField),
        plan: Type.Optional(planField),
        amount: Type.Optional(amountText("Delivered amount; required for an EXACT_INPUT plan.")),
        envelope: Type.Optional(Type.Boolean({ description: "Try a range of delivered amounts." })),
        from: Type.Optional(amountText("Lowest amount of the envelope.")),
        to: Type.Optional(amountText("Highest amount of the envelope.")),
        ...placeField,
      },
      async run(given, signal) {
        const { envelope, from, to, chainId } = given;
        const place = await places.select(given.place);
        const overrides = compact({ amount: given.amount === undefined ? undefined : BigInt(given.amount) });
        const { input, what } = await readSubject(given, overrides, { place, shelf, signal });
        const chain = chainOf(input) ?? chainId;
        // Imported here, because it loads the EVM.
        const { replay } = await import("../../../replay/replay.ts");
        const { formatReport } = await import("../../../replay/report/formatReport.ts");
        const { toWire } = await import("../../../replay/report/reportJson.ts");
        const report = await replay({
          input,
          rpcUrl: requireRpcUrl(place.rpcUrls, chain),
          overrides,
          exact: false,
          envelope: toEnvelopeRequest({
            ...compact({
              envelope,
              from: from === undefined ? undefined : BigInt(from),
              to: to === undefined ? undefined : BigInt(to),
            }),
          }),
          signal,
        });
        const scenarios = await findInjected(input, place.network, signal);
        const { verdict, findings, envelope: measured } = report;
        const { ranges, smallestWorking } = measured ?? {};
        return {
          ok: verdict.outcome === "success" && (ranges ?? []).every(({ success }) => success),
          summary: `${formatInjected(scenarios)}${formatReport(report)}`,
          facts: toWire({
            verdict,
            findings: codesOf(findings),
            ...(scenarios.length === 0 ? {} : { scenarios: scenarios.map(({ name }) => name) }),
            ...(ranges === undefined
              ? {}
              : { envelope: { worksForAll: ranges.every(({ success }) => success), smallestWorking, ranges } }),
          }),
          command: commandOf(
            "replay",
            what,
            ...(isHash(what) ? place.serviceFlags : []),
            ...place.rpcFlags(chain),
            ...(given.amount === undefined ? [] : ["--amount", given.amount]),
            ...(envelope === true ? ["--envelope"] : []),
            ...(from === undefined ? [] : ["--from", from]),
            ...(to === undefined ? [] : ["--to", to]),
          ),
        };
      },
    }),
    defineTool({
      name: "explain",
      description: "Explain the code of an error, a failReason or a finding.",
      input: { code: Type.String({ description: "Such as SLIPPAGE or ALLOWANCE_LEFT." }) },
      async run({ code }) {
        const explanations = await readExplanations(code);
        return {
          ok: true,
          summary: explanations.map(formatExplanation).join("\n"),
          facts: { pages: explanations.map(({ page }) => page) },
          command: commandOf("explain", code),
        };
      },
    }),
  ];
}

/** A newer service can return a reason that no page explains. */
async function explanationsOf(code: string): Promise<readonly Explanation[]> {
  return readExplanations(code).catch((error: unknown) => {
    if (error instanceof InvalidInputError) return [];
    throw error;
  });
}

interface GivenSubject {
  readonly request?: string;
  readonly transaction?: string;
  readonly quote?: string;
  readonly plan?: string | object;
}

/** @returns the fill, and the name of the fill in a command */
async function readSubject(
  { request, transaction, quote, plan }: GivenSubject,
  overrides: { readonly amount?: bigint },
  { place, shelf, signal }: { readonly place: Place; readonly shelf: QuoteShelf; readonly signal: AbortSignal },
): Promise<{ readonly input: ReplayInput; readonly what: string }> {
  const given = Object.keys(compact({ request, transaction, quote, plan }));
  if (given.length !== 1) {
    throw new InvalidInputError({
      field: "request, transaction, quote, plan",
      value: given.join(", "),
      reason: "exactly one of these is required",
      hint: "Pass the request's id to replay a fill that failed, or a quote or plan to try a fill.",
    });
  }
  if (transaction !== undefined && isHash(transaction)) {
    return { input: { kind: "transaction", hash: transaction }, what: transaction };
  }
  if (quote !== undefined) {
    const read = await shelf.read(quote);
    return { input: { kind: "quote", quote: read.quote }, what: read.file };
  }
  if (plan !== undefined) {
    const read = await readGivenPlan(plan);
    return { input: { kind: "plan", plan: toPlannedFill(read.file, read.plan, overrides) }, what: read.file };
  }
  const what = request ?? "";
  const input = await readInput({ what, client: place.client(), mayBeTransaction: false, overrides, signal });
  return { input, what };
}
