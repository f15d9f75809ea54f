export { createPreflight } from "./createPreflight.ts";
export { type PreflightReport } from "./preflightReport.ts";
