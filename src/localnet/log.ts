import { type DestinationStream, type Logger, pino, stdSerializers } from "pino";

/** Where the local network writes what it does. */
export type Log = Logger;

/** Levels of the log, from nothing to everything. */
export const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;

/** How much is logged. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * A log of JSON lines.
 *
 * @param destination standard error when left out, so that standard output stays the command's own
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      redact: ["req.headers['x-api-key']", "req.headers['x-admin-key']", "apiKey"],
      serializers: { error: stdSerializers.errWithCause },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
}
