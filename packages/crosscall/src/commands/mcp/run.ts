import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { writeOutput } from "../../terminal/output.ts";
import { createMcpServer } from "./createMcpServer.ts";
import { loadSdk } from "./loadSdk.ts";
import { OwnNetwork } from "./ownNetwork.ts";
import { type PlaceOptions, Places } from "./places.ts";
import { serveHttp } from "./serveHttp.ts";
import { composeTools } from "./tools/compose.ts";
import { docsTools } from "./tools/docs.ts";
import { controlTools, networkTools } from "./tools/network.ts";
import { QuoteShelf, quoteTools } from "./tools/quotes.ts";
import { requestTools } from "./tools/requests.ts";
import type { Tool } from "./tool.ts";

interface McpOptions extends PlaceOptions {
  readonly allowControl?: boolean;
  /** Port; undefined for standard input and output. */
  readonly http?: number;
}

/** Serves until Ctrl-C or, over standard input, until the client closes it. Then stops the network that a tool started. */
export async function runMcp(options: McpOptions): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const sdk = await loadSdk();
  const ended = new AbortController();
  const signal = AbortSignal.any([interrupt.signal, ended.signal]);
  const own = new OwnNetwork(signal);
  const tools = listTools(options, own);
  const createConnection = () => createMcpServer({ sdk, tools, allowsControl: options.allowControl === true, signal });
  try {
    if (options.http === undefined) {
      const closed = new Promise<void>((resolve) => process.stdin.once("close", resolve).once("end", resolve));
      const server = createConnection();
      await server.connect(new sdk.StdioServerTransport());
      await Promise.race([closed, interrupt.fired]);
      ended.abort();
      await server.close();
    } else {
      const endpoint = await serveHttp({ sdk, port: options.http, createConnection });
      writeOutput(`MCP server   ${endpoint.url}\n\nAny program on this machine can use it. Press Ctrl-C to stop it.\n`);
      await interrupt.fired;
      await endpoint.close();
    }
  } finally {
    await own.stop();
  }
}

function listTools(options: PlaceOptions, own: OwnNetwork): readonly Tool[] {
  const places = new Places(options, own);
  const shelf = new QuoteShelf();
  return [
    ...composeTools(places),
    ...quoteTools(places, shelf),
    ...requestTools(places, shelf),
    ...docsTools,
    ...networkTools(places, own),
    ...controlTools(places, own),
  ];
}
