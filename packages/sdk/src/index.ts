// An app that uses some of the exports loads at first only their file in `exports/`: esbuild keeps with an entry point
// every module that its file names and that a later chunk needs, used at first or not.
export * from "./exports/errors.ts";
export * from "./exports/job.ts";
export * from "./exports/service.ts";
