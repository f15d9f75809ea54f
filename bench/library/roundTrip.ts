import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { createClient, convertViemChainToRelayChain } from "@relayprotocol/relay-sdk";
import { base, optimism } from "viem/chains";

import { createServiceClient, getQuote } from "../../packages/sdk/src/index.ts";
import { NATIVE, USDC, USER, quote } from "../../test/unit/protocol/fixtures.ts";
import type { Operation } from "./operations.ts";

const PARTIES = { user: USER, recipient: USER, tradeType: "EXACT_INPUT", amount: "1000000" } as const;

/** Requests one quote with each library from the same server on the loopback interface. */
export interface RoundTrip extends AsyncDisposable {
  readonly operations: readonly Operation[];
}

/** Starts a server that always returns the same quote, in the format of the service. */
export async function setUpRoundTrip(): Promise<RoundTrip> {
  const answer = JSON.stringify(quote);
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.setHeader("content-type", "application/json").end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const client = createServiceClient({ baseUrl, limits: false });
  const sdk = createClient({
    baseApiUrl: baseUrl,
    chains: [base, optimism].map((chain) => convertViemChainToRelayChain(chain)),
  });
  return {
    operations: [
      {
        name: "getQuote over loopback, request and response validated",
        run: () =>
          getQuote(client, {
            ...PARTIES,
            originChainId: base.id,
            originCurrency: USDC,
            destinationChainId: optimism.id,
            destinationCurrency: NATIVE,
          }),
      },
      {
        name: "same with the published SDK, not validated",
        run: () =>
          sdk.actions.getQuote({
            ...PARTIES,
            chainId: base.id,
            currency: USDC,
            toChainId: optimism.id,
            toCurrency: NATIVE,
          }),
      },
    ],
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
