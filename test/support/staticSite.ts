import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

/** A folder on a host that serves files, a folder's `index.html`, and nothing else. */
export interface StaticSite {
  readonly url: string;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

export async function serveFolder(folder: string): Promise<StaticSite> {
  const server = createServer(({ url = "/" }, response) => void respond(folder, url, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
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
