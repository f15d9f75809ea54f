export { createPreflight } from "./createPreflight.ts";
export { PreflightFailedError } from "./preflightFailedError.ts";
