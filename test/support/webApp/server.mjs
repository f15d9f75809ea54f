// Serves the page next to this file on the port in the first argument.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const page = readFileSync(new URL("index.html", import.meta.url));
createServer((_request, response) => response.setHeader("content-type", "text/html").end(page)).listen(
  Number(process.argv[2]),
  "127.0.0.1",
);
