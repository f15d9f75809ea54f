import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { BUILT_PACKAGES } from "../publishedPackages.ts";

export interface Registry extends AsyncDisposable {
  readonly url: string;
}

/**
 * Serves packed packages as an npm registry, and redirects requests for other packages, so that documented commands run
 * before a release.
 *
 * @param tarballs path by package name
 * @param upstream registry with the other packages
 */
export async function startRegistry(tarballs: Readonly<Record<string, string>>, upstream: string): Promise<Registry> {
  const files = new Map<string, Buffer>();
  const documents = new Map<string, (url: string) => object>();
  for (const [name, path] of Object.entries(tarballs)) {
    const tarball = await readFile(path);
    const manifest = JSON.parse(await readFile(join(BUILT_PACKAGES, name, "package.json"), "utf8")) as {
      readonly version: string;
    };
    const { version } = manifest;
    files.set(`/${name}/-/${version}.tgz`, tarball);
    const digest = (algorithm: string, encoding: "base64" | "hex"): string =>
      createHash(algorithm).update(tarball).digest(encoding);
    documents.set(`/${name}`, (url) => {
      const dist = {
        tarball: `${url}/${name}/-/${version}.tgz`,
        integrity: `sha512-${digest("sha512", "base64")}`,
        shasum: digest("sha1", "hex"),
      };
      return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
    });
  }
  const server = createServer(({ url: requested = "/" }, response) => {
    const [encoded = ""] = requested.split("?");
    const path = decodeURIComponent(encoded);
    const file = files.get(path);
    const document = documents.get(path);
    if (file !== undefined) response.end(file);
    else if (document === undefined) response.writeHead(302, { location: new URL(requested, upstream).href }).end();
    else response.setHeader("content-type", "application/json").end(JSON.stringify(document(url)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
