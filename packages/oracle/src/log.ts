import { type DestinationStream, type Logger, pino, stdSerializers } from "pino";

import { type LogLevel, printableLines } from "@crosscall/protocol/core";

export type Log = Logger;

/** Fields that may contain secrets: headers, and details of third-party errors. */
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
 * Creates a log of JSON lines.
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

/** Limits the depth, because errors from endpoints can be nested as deeply as their responses. */
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

/** Keeps only the frames of the stack, because the message is a separate field. */
function redactStack(stack: string, message: string): string {
  const frames = stack.replace(message, () => "").split("\n");
  return frames
    .filter((line) => /^\s+at /u.test(line))
    .slice(0, MAX_FRAMES)
    .join("\n");
}

const MAX_LENGTH = 1_000;

const URLS = /\b(?!file:)[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'<>]+/giu;

/** Pattern of a credential's name and value. */
const CREDENTIALS =
  /\b(authorization|basic|bearer|[\w-]{0,16}(?:key|secret|token|password|passwd|credential)s?)(["']?\s*[:=]?\s*["']?(?:(?:basic|bearer)\s+)?)([^\s"',;&]+)/giu;

/** Pattern of the keys of RPC providers. It excludes hashes and addresses with 0x. */
const LONG_TOKENS = /(?<![\w-])(?!0x[0-9a-f]{40,64}\b)(?=[\w-]*\d)[\w-]{20,}/giu;

/** Removes URLs, credentials and control characters from text from an endpoint, because it can repeat the request. */
function redactText(text: string): string {
  const short = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  return short
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, " ")
    .replaceAll(URLS, "[URL]")
    .replaceAll(CREDENTIALS, "$1$2[REDACTED]")
    .replaceAll(LONG_TOKENS, "[REDACTED]");
}
