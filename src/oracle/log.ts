import { type DestinationStream, type Logger, pino, stdSerializers } from "pino";

import type { LogLevel } from "@crosscall/sdk/internal/core/logLevel";

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
    { level, redact: SECRET_PATHS, serializers: { error: stdSerializers.errWithCause } },
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
}
