import { CrosscallError, shortReason } from "@crosscall/protocol/core";
import { errorColors, toJsonLine, writeNotice, writeOutput } from "./output.ts";

/** An error of a command that prints data on standard output. */
export class BesideDataError extends Error {
  constructor(cause: unknown) {
    super("the command failed while writing data", { cause });
  }
}

/**
 * Reports an error with its causes and hint. With `json`, prints one object on standard output, or on standard error if
 * the output is data.
 *
 * @returns whether the user stopped the command
 */
export function reportError(thrown: unknown, { json }: { json: boolean }): boolean {
  const error = thrown instanceof BesideDataError ? thrown.cause : thrown;
  const isInterrupted = causesOf(error).some((cause) => cause instanceof CrosscallError && cause.code === "ABORTED");
  if (json) {
    const write = thrown instanceof BesideDataError ? writeNotice : writeOutput;
    write(toErrorLine(error));
    return isInterrupted;
  }
  if (isInterrupted) {
    writeNotice("Stopped.\n");
    return true;
  }
  writeNotice(`${errorColors.red("Failed:")} ${describeFailure(error).join("\n")}\n`);
  return false;
}

/** Returns the message, the causes and the hint. */
export function describeFailure(error: unknown): string[] {
  return [
    indented(error instanceof Error ? error.message : String(error)),
    ...causesOf(error)
      .slice(1)
      .filter((cause) => cause instanceof Error && !(error instanceof Error && error.message.includes(cause.message)))
      .map((cause) => `  because: ${shortReason(cause)}`),
    ...(error instanceof CrosscallError ? [`${errorColors.green("To do:")} ${indented(error.hint)}`] : []),
    ...docsOf(error),
  ];
}

/** Indents untrusted text, so that it cannot look like another line of the report. */
function indented(text: string): string {
  return text.replaceAll("\n", "\n    ");
}

/** Returns the error and its causes, outermost first. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause !== undefined && causes.length < 8;) {
    causes.push(cause);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}

/** Returns the command that explains the error, or its cause if the error only names the failed stage. */
function docsOf(error: unknown): readonly string[] {
  const known = causesOf(error).filter((cause) => cause instanceof CrosscallError);
  const named = known.find(({ code }) => code !== "STAGE_FAILED") ?? known[0];
  return named === undefined ? [] : [`More: crosscall explain ${named.code}`];
}

/**
 * Formats an error as JSON. Falls back to the error from {@link toJsonLine} if data from a service cannot be printed.
 */
function toErrorLine(error: unknown): string {
  try {
    return toJsonLine({ ok: false, error: toPlain(error) });
  } catch (unprintable) {
    return toJsonLine({ ok: false, error: toPlain(unprintable) });
  }
}

function toPlain(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const fields =
    error instanceof CrosscallError ? { ...error.toJSON(), docs: error.docs } : { message: shortReason(error) };
  return error.cause === undefined ? fields : { ...fields, cause: toPlain(error.cause) };
}
