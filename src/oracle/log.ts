import { type DestinationStream, type Logger, pino, stdSerializers } from "pino";

import type { LogLevel } from "@crosscall/sdk/internal/core/logLevel";

/** Where the oracle writes what it does: JSON lines. */
export type Log = Logger;

/** Where secrets could come in: headers of calls, and what foreign clients hang on their errors. */
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
 * A log of JSON lines.
 *
 * @param destination standard output when left out, where containers look for it
 */
export function createOracleLog(level: LogLevel, destination?: DestinationStream): Log {
  return pino(
    { level, redact: SECRET_PATHS, serializers: { error: stdSerializers.errWithCause } },
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
}
