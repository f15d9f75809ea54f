/** Levels of a log, from nothing to everything. */
export const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;

/** How much is logged. */
export type LogLevel = (typeof LOG_LEVELS)[number];
