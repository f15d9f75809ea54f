import type { PlannedSvmTransaction } from "@crosscall/protocol/quote/rules";
import type { DelegatedAction, SvmTransaction } from "../executeStepsParameters.ts";
import type { Execution } from "../execution.ts";
import { requireVerified } from "../requireVerified.ts";

/** Returns what the callback of an SVM transaction gets. */
export function toSvmTransaction(
  execution: Execution,
  { data, position }: PlannedSvmTransaction,
  { verify, ...details }: DelegatedAction,
): SvmTransaction {
  const { originChainId: chainId, trust, quote, request } = execution;
  const quoted = "quotedRequest" in quote ? quote.quotedRequest : undefined;
  const { depositFeePayer: feePayer } = request ?? quoted ?? {};
  return {
    ...details,
    chainId,
    data,
    feePayer,
    async verify(changed) {
      if (changed === undefined) return verify();
      if (trust !== "service") await requireVerified({ ...execution, quote: withData(quote, position, changed) });
    },
  };
}

/** Replaces the data of an item. */
function withData(
  quote: Execution["quote"],
  position: string,
  data: Readonly<Record<string, unknown>>,
): Execution["quote"] {
  const steps = quote.steps?.map((step, stepIndex) => ({
    ...step,
    items: step.items?.map((item, index) => (`${stepIndex}.${index}` === position ? { ...item, data } : item)),
  }));
  return { ...quote, steps };
}
