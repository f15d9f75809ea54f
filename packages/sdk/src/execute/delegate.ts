import { compact, UnsupportedStepError } from "@crosscall/protocol/core";
import type { TransferData } from "@crosscall/protocol/quote";
import { withinPrompt } from "./boundClient.ts";
import type { RequestJournal } from "./requestJournal.ts";
import type { VerifyStep } from "./requireVerified.ts";
import type { PlannedExchangeAction, PlannedStep, PlannedSvmTransaction } from "@crosscall/protocol/quote/rules";

export interface DelegatedAction {
  readonly requestId: string;
  readonly stepId: string;
  /**
   * An earlier run passed it on and recorded no result. Check whether it was done before doing it again; on the
   * exchange chain, `memo` identifies it.
   */
  readonly mayHaveRun: boolean;
  readonly signal: AbortSignal | undefined;
}

/** A transfer to make on the exchange chain (spec 2, section 6). */
export interface ExchangeAction extends DelegatedAction {
  readonly action: TransferData["action"];
}

/** A transaction to sign and send on the SVM chain. */
export interface SvmTransaction extends DelegatedAction {
  /** The item's data, unchanged. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Callbacks for actions that no EVM wallet can perform. Each returns the transaction id, if there is one. */
export interface ActionCallbacks {
  readonly onExchangeAction?: (action: ExchangeAction) => Promise<string | undefined>;
  readonly onSvmTransaction?: (transaction: SvmTransaction) => Promise<string | undefined>;
}

export function requireCallbacks(actions: readonly PlannedStep[], callbacks: ActionCallbacks): void {
  for (const { kind, stepId } of actions) {
    const isMissing =
      (kind === "exchangeAction" && callbacks.onExchangeAction === undefined) ||
      (kind === "svmTransaction" && callbacks.onSvmTransaction === undefined);
    if (isMissing) throw new UnsupportedStepError({ stepId, kind });
  }
}

export interface DelegateParameters {
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
  readonly journal: RequestJournal;
  /** How long the callback may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Called right before the callback. */
  readonly verify: VerifyStep;
  readonly callbacks: ActionCallbacks;
}

/** Calls the callback, unless an earlier run recorded its result. */
export async function delegate(
  planned: PlannedExchangeAction | PlannedSvmTransaction,
  { requestId, signal, journal, timeoutMs, verify, callbacks }: DelegateParameters,
): Promise<string | undefined> {
  const { stepId, position } = planned;
  const earlier = await journal.handed(position);
  if (earlier?.isDone === true) return earlier.result;
  const step = await verify(planned);
  await journal.setHanded(position, { isDone: false });
  const details = { requestId, signal, stepId, mayHaveRun: earlier !== undefined };
  const result = await withinPrompt(step.kind, { signal, promptTimeoutMs: timeoutMs }, async () =>
    step.kind === "exchangeAction"
      ? callbacks.onExchangeAction?.({ ...details, action: step.action })
      : callbacks.onSvmTransaction?.({ ...details, data: step.data }),
  );
  await journal.setHanded(position, compact({ isDone: true, result }));
  return result;
}
