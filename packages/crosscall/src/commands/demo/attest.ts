import type { Address, Hex } from "viem";
import { readContract } from "viem/actions";

import { attestationVerifierAbi } from "@crosscall/protocol/abi";
import { InvalidStateError } from "@crosscall/protocol/core";
import {
  attest,
  type Attested,
  requireAttestation,
  type TrustedChain,
  toVerifierCall,
} from "@crosscall/sdk/attestation";
import { createServiceClient } from "@crosscall/sdk";
import type { Order } from "@crosscall/protocol";
import type { SignedExecution } from "@crosscall/protocol/attestation";
import { chainClient } from "../../localnet/devchain/chainClient.ts";
import type { Localnet, LocalnetChain } from "../../localnet/index.ts";

export interface DemoAttestation {
  readonly verifier: Address;
  /** Addresses of the oracles that signed both executions, in ascending order. */
  readonly signers: readonly Address[];
  readonly deposit: DemoExecution;
  readonly fill: DemoExecution;
}

export interface DemoExecution {
  readonly idempotencyKey: string;
  /** Digest that the verifier computed. */
  readonly digest: Hex;
}

export interface SettledRequest {
  readonly order: Order;
  readonly orderId: Hex;
  readonly depositHash: Hex;
  readonly fillHash: Hex;
}

/**
 * Requests attestations of the deposit and the fill from two oracles, and verifies the signatures locally and on the
 * destination chain.
 */
export async function attestRequest(
  { oracle, apiKey, accounts, chains: [origin] }: Localnet,
  destination: LocalnetChain,
  { order, orderId, depositHash, fillHash }: SettledRequest,
  signal: AbortSignal,
): Promise<DemoAttestation> {
  if (oracle === undefined) {
    throw new InvalidStateError({
      message: "the network was started without oracles",
      hint: "Start the network with oracles.",
    });
  }
  const client = createServiceClient({ baseUrl: oracle.url, apiKey });
  const chainId = order.inputs[0]?.payment.chainId ?? "";
  const verifier = destination.contracts.attestationVerifier;
  const trusted: TrustedChain = { id: chainId, vmType: "ethereum-vm", depositories: [origin.contracts.depository] };
  const chains = [trusted, { ...trusted, id: order.output.chainId }];
  const { hub, signers } = oracle;
  const verify = async (attested: Extract<Attested, { kind: "deposits" | "fill" }>): Promise<DemoExecution> => {
    await requireAttestation({ attested, hub, chains, signers, threshold: signers.length, signal });
    const execution = requireExecution(attested.answer.execution);
    const digest = await readContract(chainClient(destination.id, destination.rpcUrl), {
      address: verifier,
      abi: attestationVerifierAbi,
      functionName: "verify",
      args: toVerifierCall(execution, signers),
    });
    return { idempotencyKey: execution.idempotencyKey, digest };
  };

  const deposits = { chainId, transactionId: depositHash, requestPeerSignatures: true };
  const deposited = await attest(client, "depository-deposits/v1", deposits, { signal });
  const { messages } = deposited;
  const deposit = await verify({ kind: "deposits", request: deposits, answer: deposited });
  const fills = {
    order,
    // Signature of the solver over the order id, which claims the order.
    orderSignature: await accounts.solver.signMessage({ message: { raw: orderId } }),
    inputs: messages.map(({ result: { onchainId } }) => ({ transactionId: depositHash, onchainId, inputIndex: 0 })),
    fill: { transactionId: fillHash },
    requestPeerSignatures: true,
  };
  const filled = await attest(client, "solver-fills/v1", fills, { signal });
  const fill = await verify({ kind: "fill", request: fills, answer: filled, deposits: messages });
  return { verifier, signers, deposit, fill };
}

function requireExecution(execution: SignedExecution | undefined): SignedExecution {
  if (execution !== undefined) return execution;
  throw new InvalidStateError({
    message: "the oracle found no deposit in the transaction",
    hint: "This is a bug in crosscall: report it with the output of --json.",
  });
}
