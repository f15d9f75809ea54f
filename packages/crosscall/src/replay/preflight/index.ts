export { createPreflight } from "./preflight.ts";
export { type PreflightReport } from "./preflightReport.ts";
