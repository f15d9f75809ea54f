// An app initially loads only the files in `exports/` whose exports it uses. esbuild keeps a module in the entry point
// if the entry point's file imports it and a later chunk needs it, even if the app does not use it initially.
export * from "./exports/errors.ts";
export * from "./exports/job.ts";
export * from "./exports/service.ts";
