import { expect } from "chai";
import { zeroAddress } from "viem";

import { post } from "../../integration/support/serviceCalls.ts";
import { importFrom, PRELOAD, runCopy } from "./copies.ts";
import { API_KEY, ARBITRUM_USDC, BASE_USDC, type Check, type Stage } from "./stage.ts";

interface TestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Runs the tests of the vendor's MCP server that normally call the live service. */
export async function runLiveTests(folder: string, { network, redirects }: Stage, check: Check): Promise<void> {
  const args = ["node_modules/vitest/vitest.mjs", "run", "src/integration.test.ts", "--reporter=json"];
  const { output } = await runCopy(folder, args, { RELAY_API_URL: network.url }, redirects);
  const { testResults } = JSON.parse(output.slice(output.indexOf("{"))) as TestReport;
  for (const { fullName, status, failureMessages } of testResults.flatMap((file) => file.assertionResults)) {
    await check(fullName, () => expect(status, failureMessages.join("\n")).to.equal("passed"));
  }
}

interface McpClient {
  readonly connect: (transport: object) => Promise<void>;
  readonly close: () => Promise<void>;
  readonly listTools: () => Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { readonly name: string; readonly arguments: object }): Promise<{
    readonly isError?: boolean;
    readonly content: readonly { readonly text?: string }[];
  }>;
}

interface McpModule {
  readonly Client: new (information: object) => McpClient;
  readonly StdioClientTransport: new (options: object) => object;
}

/** Starts the MCP server, and calls each of its tools. */
export async function callTools(folder: string, { network, redirects }: Stage, check: Check): Promise<void> {
  const { Client } = await importFrom<McpModule>(folder, "@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await importFrom<McpModule>(folder, "@modelcontextprotocol/sdk/client/stdio.js");
  const client = new Client({ name: "campaign", version: "1" });
  const env = { RELAY_API_URL: network.url, RELAY_API_KEY: API_KEY, CROSSCALL_REDIRECTS: JSON.stringify(redirects) };
  const args = ["--import", PRELOAD, "dist/index.js"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, env }));
  try {
    const user = network.accounts.user.address;
    const { body } = await post(network, "/quote/v2", {
      user,
      originChainId: 8_453,
      destinationChainId: 10,
      originCurrency: zeroAddress,
      destinationCurrency: zeroAddress,
      amount: "10000000000000000",
      tradeType: "EXACT_INPUT",
    });
    const { steps } = body as { steps: readonly { requestId: string }[] };
    const given = argumentsOf(user, steps[0]?.requestId ?? "");
    for (const { name } of (await client.listTools()).tools) {
      await check(name, async () => {
        const { isError = false, content } = await client.callTool({ name, arguments: given[name] ?? {} });
        const text = content.map((part) => part.text).join("\n");
        expect(isError, text).to.equal(false);
      });
    }
  } finally {
    await client.close();
  }
}

/** Returns arguments for each tool that requires them. */
function argumentsOf(user: string, requestId: string): Readonly<Record<string, object>> {
  const parties = { sender: user, recipient: user };
  const swap = { originCurrency: "USDC", destinationCurrency: "ETH", amount: "10000000" };
  return {
    get_supported_tokens: { term: "USDC", chainIds: [8_453] },
    get_bridge_quote: {
      ...parties,
      originChainId: "ethereum",
      destinationChainId: "base",
      currency: "ETH",
      amount: "10000000000000000",
    },
    get_swap_quote: { ...parties, ...swap, originChainId: "base", destinationChainId: "arb" },
    estimate_fees: { ...swap, originChainId: "base", destinationChainId: "op" },
    get_transaction_status: { requestId },
    get_transaction_history: { user },
    get_relay_app_url: { destinationChainId: "base", fromChainId: "ethereum" },
    check_chain_status: { chainId: "base", destinationChainId: "op" },
    get_token_price: { chainId: "base", address: BASE_USDC },
    get_token_details: { chainId: "arb", address: ARBITRUM_USDC, includeChart: true },
    get_app_fees: { wallet: user },
    index_transaction: { chainId: "base", txHash: requestId },
    get_multi_input_quote: {
      ...parties,
      origins: ["base", "arb"].map((chainId) => ({ chainId, currency: "USDC", amount: "10000000" })),
      destinationChainId: "op",
      destinationCurrency: "USDC",
    },
    convert_amount: { amount: "1.5", decimals: 18, direction: "toSmallestUnit" },
    get_user_balance: {
      user,
      originChainId: "base",
      destinationChainId: "op",
      originCurrency: "USDC",
      destinationCurrency: "USDC",
    },
    execute_api_call: { method: "GET", path: "/chains" },
  };
}
