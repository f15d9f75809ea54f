import { readFileSync } from "node:fs";

const MANIFEST = new URL(import.meta.resolve("crosscall/package.json"));

/** Version of crosscall and all of its packages. */
export const VERSION = (JSON.parse(readFileSync(MANIFEST, "utf8")) as { readonly version: string }).version;
