import type { Hex } from "viem";

import { RequestNotFoundError } from "@crosscall/sdk/internal/client/errors";
import type { ServiceClient } from "@crosscall/sdk/internal/client/client";
import { QuoteSchema } from "@crosscall/sdk/internal/protocol/quote/quote";
import { readResponse } from "@crosscall/sdk/internal/protocol/schema/readResponse";
import type { ReplayInput } from "../../src/replay/subject/findFill.ts";
import type { FillOverrides } from "../../src/replay/subject/findReplayed.ts";
import { readJson } from "../options/readJson.ts";
import { readPlan } from "../plan/readPlan.ts";
import { findRequest } from "./findRequest.ts";
import { toPlannedFill } from "./toPlannedFill.ts";

export interface ReadInputParameters {
  /** A request id, the hash of a fill, or the path of a quote or a plan. */
  readonly what: string;
  /** Undefined without a service: a hash is then a transaction's. */
  readonly client: ServiceClient | undefined;
  /** Whether a hash may be a transaction's if no request has it. */
  readonly mayBeTransaction: boolean;
  readonly overrides: FillOverrides;
  /** Caches records for runs without the service; undefined for none. */
  readonly cacheFolder?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * @throws {@link RequestNotFoundError} if the service has no such request, and no chain may know the hash
 *
 * @throws {@link InvalidInputError} if the file cannot be used
 */
export async function readInput(parameters: ReadInputParameters): Promise<ReplayInput> {
  const { what, overrides, signal } = parameters;
  if (isHash(what)) return readHash(what, parameters);
  if (what.endsWith(".json")) {
    const content = await readJson(what, "what");
    if (typeof content === "object" && content !== null && "steps" in content) {
      return { kind: "quote", quote: readResponse(QuoteSchema, content) };
    }
  }
  return { kind: "plan", plan: toPlannedFill(what, await readPlan({ file: what, signal }), overrides) };
}

/** A plan's own amount precedes the option's. */
export function withOwnAmount(input: ReplayInput): ReplayInput {
  if (input.kind !== "plan" || input.plan.tradeType === "EXACT_INPUT") return input;
  return { kind: "plan", plan: { ...input.plan, delivered: undefined } };
}

/** Request ids and transaction hashes; everything else is a file. */
export function isHash(what: string): what is Hex {
  return /^0x[0-9a-fA-F]{64}$/u.test(what);
}

async function readHash(hash: Hex, parameters: ReadInputParameters): Promise<ReplayInput> {
  const { client, mayBeTransaction, cacheFolder, signal } = parameters;
  if (client === undefined) return { kind: "transaction", hash };
  try {
    const onKept = (): void => {
      process.stderr.write(
        `the service cannot be reached: request ${hash} is taken as it was when it was last replayed\n`,
      );
    };
    const record = await findRequest({ requestId: hash, client, cacheFolder, onKept, signal });
    return { kind: "request", record };
  } catch (error) {
    if (error instanceof RequestNotFoundError && mayBeTransaction) return { kind: "transaction", hash };
    throw error;
  }
}
