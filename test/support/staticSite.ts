import { readFile, stat } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { extname, join } from "node:path";

import { serve, type TestServer } from "./httpServer.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Serves the files of a folder as a static host does, including `index.html` for folders. */
export function serveFolder(folder: string): Promise<TestServer> {
  return serve(({ url = "/" }, response) => respond(folder, url, response));
}

async function respond(folder: string, url: string, response: ServerResponse): Promise<void> {
  const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  const file = join(folder, path);
  try {
    if (!(await stat(file)).isDirectory()) {
      const content = await readFile(file);
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain; charset=utf-8" }).end(content);
    } else if (path.endsWith("/")) {
      const page = await readFile(join(file, "index.html"));
      response.writeHead(200, { "content-type": "text/html" }).end(page);
    } else {
      response.writeHead(301, { location: `${path}/` }).end();
    }
  } catch {
    response.writeHead(404).end();
  }
}
