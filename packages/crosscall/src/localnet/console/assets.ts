import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";

import { STYLE } from "../../replay/report/html/page.ts";
import type { ServiceApp } from "../service/route.ts";

export interface Asset {
  readonly name: string;
  readonly type: "text/css" | "text/javascript";
  readonly content: Buffer;
  readonly gzipped: Buffer;
}

/** URLs of the console's style sheet and scripts by name. They change with the content. */
export type AssetUrls = ReadonlyMap<string, string>;

const FOLDER = "/console/assets";

/** Reads the only styles and scripts that the pages may load. */
export async function readAssets(): Promise<readonly Asset[]> {
  const require = createRequire(import.meta.url);
  const own = (name: string): Promise<Buffer> => readFile(new URL(`browser/${name}`, import.meta.url));
  const style = Buffer.from(`${STYLE.text}\n${(await own("console.css")).toString()}`);
  return [
    toAsset("console.css", "text/css", style),
    toAsset("htmx.js", "text/javascript", await readFile(require.resolve("htmx.org/dist/htmx.min.js"))),
    toAsset("sse.js", "text/javascript", await readFile(require.resolve("htmx-ext-sse/dist/sse.min.js"))),
    toAsset("console.js", "text/javascript", await own("console.js")),
  ];
}

export function addAssets(scope: ServiceApp, assets: readonly Asset[]): AssetUrls {
  for (const { name, type, content, gzipped } of assets) {
    scope.get(`${FOLDER}/${name}`, { schema: { hide: true } }, (request, reply) => {
      const isGzipped = /\bgzip\b/u.test(request.headers["accept-encoding"] ?? "");
      void reply.header("vary", "accept-encoding").header("cache-control", "public, max-age=31536000, immutable");
      if (isGzipped) void reply.header("content-encoding", "gzip");
      return reply.type(`${type}; charset=utf-8`).send(isGzipped ? gzipped : content);
    });
  }
  return new Map(assets.map(({ name, content }) => [name, `${FOLDER}/${name}?v=${hashOf(content)}`]));
}

function toAsset(name: string, type: Asset["type"], content: Buffer): Asset {
  return { name, type, content, gzipped: gzipSync(content, { level: 9 }) };
}

function hashOf(content: Buffer): string {
  return createHash("sha256").update(content).digest("base64url").slice(0, 16);
}
