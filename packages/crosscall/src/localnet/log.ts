import { type DestinationStream, type Logger, pino, stdSerializers } from "pino";

import { type LogLevel, printableLines } from "@crosscall/protocol/core";

/** Log of the local network. */
export type Log = Logger;

export interface Reporter {
  readonly log: Log;
}

/**
 * Creates a log of JSON lines.
 *
 * @param destination standard error by default, so that standard output contains only the command's output
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      hooks: { streamWrite: printableLines },
      redact: ["req.headers['x-api-key']", "req.headers['x-admin-key']", "apiKey"],
      serializers: { error: stdSerializers.errWithCause },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
}
