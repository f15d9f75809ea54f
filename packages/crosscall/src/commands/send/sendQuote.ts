import {
  executeSteps,
  type ExecuteStepsParameters,
  type ExecutionEvent,
  type ExecutionResult,
  getRequest,
  PaymentUnresolvedError,
  type ServiceClient,
} from "@crosscall/sdk";
import { requestIdOf } from "@crosscall/protocol/quote/rules";
import {
  CrosscallError,
  type ErrorCode,
  printable,
  RequestNotFilledError,
  StageFailedError,
} from "@crosscall/protocol/core";
import type { ProgressLines } from "../../terminal/progressLines.ts";

export interface SentStep {
  readonly stepId: string;
  readonly txHash: string;
}

export interface SendProgress {
  readonly requestId: string;
  /** Steps that this run sent or found pending. */
  readonly sent: readonly SentStep[];
  /** Command that continues without paying twice. */
  readonly resume: string;
  /** Reason why the request was not filled, if known. */
  readonly failReason?: string | undefined;
}

/** Thrown if the command stops early. Sent transactions remain sent. */
class SendStoppedError extends CrosscallError {
  readonly code = "ABORTED";
  readonly requestId: string;
  /** Steps that this run sent or found pending. */
  readonly sent: readonly SentStep[];
  /** Command that continues without paying twice. */
  readonly resume: string;

  constructor(parameters: SendProgress & { cause: unknown }) {
    const { requestId, sent, resume, cause } = parameters;
    super({
      message: `stopped before request ${requestId} completed`,
      hint: `To continue without paying twice, run this command with the same endpoints and key: ${resume}`,
      cause,
    });
    this.requestId = requestId;
    this.sent = sent;
    this.resume = resume;
  }
}

/** Describes the unresolved payment, and how to find it. */
function describeUnresolved(error: PaymentUnresolvedError): readonly string[] {
  const { requestId, stepId, chainId, account, what, reference, askedAtMs, payableUntil } = error;
  return [
    "The payment may have gone through, or may still go through. Nothing else was sent.",
    `request    ${requestId}`,
    `step       ${stepId} on chain ${chainId}, from ${account}`,
    `${what.padEnd(10)} ${reference ?? "unknown: the wallet returned none"}`,
    `requested  ${new Date(askedAtMs).toISOString()}`,
    ...(payableUntil === undefined ? [] : [`expires    ${new Date(payableUntil * 1_000).toISOString()}`]),
  ];
}

/** Returns the command's hint instead of the library's. */
function hintOf({ payableUntil }: PaymentUnresolvedError): string {
  const wait =
    payableUntil === undefined
      ? "Search for the payment in a block explorer, and run this command again later"
      : `Run this command again after ${new Date(payableUntil * 1_000).toISOString()}`;
  return `${wait}: the command does not pay twice. Add --pay-again to pay now and risk a second payment.`;
}

/** Thrown instead of the original failure, with the sent steps and the command to continue. */
class SendFailedError extends CrosscallError {
  readonly code: ErrorCode;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(failure: unknown, { requestId, sent, resume, failReason }: SendProgress) {
    const error = failure instanceof CrosscallError ? failure : new StageFailedError({ stage: "send", cause: failure });
    const hint = error instanceof PaymentUnresolvedError ? hintOf(error) : error.hint;
    super({ message: error.message, hint, cause: error.cause });
    this.code = error.code;
    this.name = error.name;
    this.#fields = {
      ...error.toJSON(),
      hint,
      requestId,
      sent,
      resume,
      ...(failReason === undefined ? {} : { failReason }),
    };
  }

  override toJSON(): Record<string, unknown> {
    return { ...this.#fields };
  }
}

export interface SendQuoteParameters extends ExecuteStepsParameters {
  readonly signal: AbortSignal;
  readonly progress: ProgressLines;
  /** Command that continues. */
  readonly resume: string;
}

export async function sendQuote(
  client: ServiceClient,
  { progress, resume, ...parameters }: SendQuoteParameters,
): Promise<ExecutionResult> {
  let requestId = requestIdOf(parameters.quote);
  const sent: SentStep[] = [];
  const seen = { isPaid: false };
  const onEvent = (event: ExecutionEvent): void => {
    if (event.kind === "requoted") requestId = requestIdOf(event.quote);
    if (event.kind === "found") seen.isPaid = true;
    // A step can be reported again by a later run, or by a replacement with higher fees.
    if (event.kind === "sent") sent.push({ stepId: event.stepId, txHash: event.txHash });
    progress.line(printable(describeEvent(event)));
    progress.wait(event.kind === "sent" ? `waiting for a block with ${event.txHash}` : "waiting for the next status");
  };
  progress.wait("checking wallets, balances and started steps");
  try {
    return await executeSteps(client, { ...parameters, onEvent });
  } catch (error) {
    progress.stop();
    const reached = { requestId, sent, resume };
    if (error instanceof RequestNotFilledError) {
      const failReason = await failReasonOf(client, error.requestId, parameters.signal);
      throw new SendFailedError(withReason(error, failReason), { ...reached, failReason });
    }
    if (sent.length > 0) {
      for (const { stepId, txHash } of sent) progress.line(printable(`sent ${stepId} ${txHash}`));
      progress.line(`To continue without paying twice: ${resume}`);
      progress.line("Use the same endpoints and the same key.");
    }
    if (error instanceof PaymentUnresolvedError) {
      for (const line of describeUnresolved(error)) progress.line(printable(line));
      // The unresolved payment can be the permit of an earlier request.
      throw new SendFailedError(error, { ...reached, requestId: error.requestId });
    }
    if (parameters.signal.aborted) throw new SendStoppedError({ ...reached, cause: error });
    throw sent.length > 0 || seen.isPaid ? new SendFailedError(error, reached) : error;
  } finally {
    progress.stop();
  }
}

function describeEvent(event: ExecutionEvent): string {
  switch (event.kind) {
    case "requoted":
      return `quoted again: request ${requestIdOf(event.quote)}`;
    case "found":
      return `already paid${event.txHash === undefined ? "" : ` by ${event.txHash}`}: nothing is sent`;
    case "bundled":
      return `bundled ${event.stepIds.join(" and ")}`;
    case "sent":
      return event.isResumed === true
        ? `${event.stepId} ${event.txHash} was sent by an earlier run`
        : `sent ${event.stepId} ${event.txHash}`;
    case "confirmed":
      return `confirmed ${event.stepId}, ${event.gasUsed} gas`;
    case "signed":
      return `signed ${event.stepId}`;
    case "performed":
      return `performed ${event.stepId}`;
    case "status":
      return `status ${event.status.status}`;
    default:
      return event satisfies never;
  }
}

/** Reads the failReason of a request. Returns undefined without an API key or a response. */
async function failReasonOf(
  client: ServiceClient,
  requestId: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (client.apiKey === undefined) return undefined;
  const record = await getRequest(client, { requestId, signal }).catch(() => undefined);
  return record?.data?.failReason ?? undefined;
}

/** Adds the failReason if the status has no details. */
function withReason(error: RequestNotFilledError, failReason: string | undefined): RequestNotFilledError {
  const { requestId, status, details } = error;
  if (details !== undefined || failReason === undefined) return error;
  return new RequestNotFilledError({ requestId, status, details: failReason });
}
