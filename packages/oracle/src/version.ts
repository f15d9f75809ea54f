import { readFileSync } from "node:fs";

const MANIFEST = new URL("../package.json", import.meta.url);

/** Version of the oracle and all packages of crosscall. */
export const VERSION = (JSON.parse(readFileSync(MANIFEST, "utf8")) as { readonly version: string }).version;
