import { InvalidStateError } from "@crosscall/protocol/core";

/** Parts of the official SDK that the server uses. */
export type Sdk = Awaited<ReturnType<typeof importSdk>>;

/**
 * Loads the SDK of the Model Context Protocol, which only this command needs.
 *
 * @throws {@link InvalidStateError} if it is not installed
 */
export async function loadSdk(): Promise<Sdk> {
  try {
    return await importSdk();
  } catch (cause) {
    throw new InvalidStateError({
      message: "@modelcontextprotocol/sdk, which serves the tools, cannot be loaded",
      hint:
        "Install it in the project: `npm install --save-dev @modelcontextprotocol/sdk`, or run " +
        "`npx --package crosscall --package viem --package @modelcontextprotocol/sdk crosscall mcp`.",
      cause,
    });
  }
}

async function importSdk() {
  const [{ McpServer }, { StdioServerTransport }, { StreamableHTTPServerTransport }, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/mcp.js"),
    import("@modelcontextprotocol/sdk/server/stdio.js"),
    import("@modelcontextprotocol/sdk/server/streamableHttp.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const { CallToolRequestSchema, ListToolsRequestSchema } = types;
  return {
    McpServer,
    StdioServerTransport,
    StreamableHTTPServerTransport,
    CallToolRequestSchema,
    ListToolsRequestSchema,
  };
}
