import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

// Declares what the plugin adds to Fastify, even for programs that import only this file.
import type {} from "@fastify/swagger";
import type { FastifyPluginCallback } from "fastify";

/** Files of Swagger UI, which the npm package contains, because installing it also installs its telemetry. */
const FOLDER = new URL("../swagger-ui/", import.meta.url);
const FILES = { "swagger-ui.css": "text/css", "swagger-ui-bundle.js": "text/javascript" };

/** @param base URL of the folder, relative to the page */
const toPage = (base: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>API</title>
    <link rel="stylesheet" href="${base}/static/swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${base}/static/swagger-ui-bundle.js"></script>
    <script>
      SwaggerUIBundle({ url: "${base}/json", dom_id: "#swagger-ui", deepLinking: true });
    </script>
  </body>
</html>
`;

/** Serves the OpenAPI document of `@fastify/swagger`, and Swagger UI. Register it with a prefix. */
export const documentationPages: FastifyPluginCallback = (app, _options, done) => {
  const hidden = { schema: { hide: true } };
  app.get("/", hidden, ({ url }, reply) => {
    const [path = ""] = url.split("?");
    const base = path.endsWith("/") ? "." : path.slice(path.lastIndexOf("/") + 1);
    return reply.type("text/html; charset=utf-8").send(toPage(base));
  });
  app.get("/json", hidden, () => app.swagger());
  app.get("/yaml", hidden, (_request, reply) => reply.type("application/x-yaml").send(app.swagger({ yaml: true })));
  for (const [name, type] of Object.entries(FILES)) {
    app.get(`/static/${name}`, hidden, async (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).send(await readFile(pathOf(name))),
    );
  }
  done();
};

function pathOf(name: string): string | URL {
  const bundled = new URL(name, FOLDER);
  return existsSync(bundled) ? bundled : createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
}
