import { attest } from "../../../packages/sdk/src/attestation.ts";
import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import type { Localnet } from "../../../packages/crosscall/src/localnet/index.ts";

/** Requests attestations of a request's deposit and fill from the network's oracle. */
export async function attestFill(
  network: Localnet,
  { quote, deposit, fill }: { readonly quote: Quote; readonly deposit: string; readonly fill: string },
) {
  const oracle = createServiceClient({ baseUrl: network.oracle!.url, apiKey: network.apiKey });
  const { orderData: order, orderSignature } = quote.protocol!.v2;
  const { messages } = await attest(oracle, "depository-deposits/v1", {
    chainId: `local-${network.chains[0].id}`,
    transactionId: deposit,
  });
  return attest(oracle, "solver-fills/v1", {
    order,
    orderSignature: orderSignature!,
    inputs: [{ transactionId: deposit, onchainId: messages[0]!.result.onchainId, inputIndex: 0 }],
    fill: { transactionId: fill },
  });
}
