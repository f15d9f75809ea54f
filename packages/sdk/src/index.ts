// An app initially loads only the files in `exports/` whose exports it uses. esbuild keeps in an entry point every
// module that the entry point's file imports and a later chunk needs, even if unused at first.
export * from "./exports/errors.ts";
export * from "./exports/job.ts";
export * from "./exports/service.ts";
