import { type DestinationStream, type Logger, pino, stdSerializers } from "pino";

import { type LogLevel, printableLines } from "@crosscall/protocol/core";
import { redactText } from "./redactText.ts";

export type Log = Logger;

/** Fields that may contain secrets: headers, and details of foreign errors. */
const SECRET_PATHS = [
  "req.headers",
  "headers",
  "apiKey",
  "privateKey",
  "error.config",
  "error.request",
  "error.$response",
];

/**
 * JSON lines.
 *
 * @param destination standard output by default, for containers
 */
export function createOracleLog(level: LogLevel, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      hooks: { streamWrite: printableLines },
      redact: SECRET_PATHS,
      serializers: { error: serializeError },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
}

function serializeError(error: unknown): unknown {
  return redact(error instanceof Error ? stdSerializers.errWithCause(error) : error, 0);
}

/** Errors of endpoints may be nested as deeply as their responses. */
const MAX_DEPTH = 6;

function redact(value: unknown, depth: number): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return "…";
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => redact(item, depth + 1));
  const { message } = value as { message?: unknown };
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 50)
      .map(([name, field]: [string, unknown]) => {
        if (name !== "stack" || typeof field !== "string") return [name, redact(field, depth + 1)];
        return [name, redactStack(field, typeof message === "string" ? message : "")];
      }),
  );
}

const MAX_FRAMES = 20;

/** Only the frames: the message is logged beside it. */
function redactStack(stack: string, message: string): string {
  const frames = stack.replace(message, () => "").split("\n");
  return frames
    .filter((line) => /^\s+at /u.test(line))
    .slice(0, MAX_FRAMES)
    .join("\n");
}
