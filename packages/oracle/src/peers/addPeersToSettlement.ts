import {
  type ExecuteAndWithdrawAttestation,
  ExecuteAndWithdrawRequestSchema,
  type SignedExecuteAndWithdrawRequest,
  type SignedExecution,
  SignedExecutionSchema,
} from "@crosscall/protocol/attestation";
import { hashExecuteAndWithdraw } from "../attest/executeAndWithdraw.ts";
import type { OracleContext } from "../oracleContext.ts";
import { fieldOf, hashSignedExecution } from "./addPeers.ts";
import { judgeMessage } from "./judgeMessage.ts";
import type { PeerCall, PeerVerdict } from "./peers.ts";

interface SignaturePair {
  readonly oracleSigner: string;
  readonly execution: SignedExecution["signatures"][number];
  readonly request: SignedExecuteAndWithdrawRequest["signatures"][number];
}

/**
 * Adds the signatures of peers that signed both messages, since the hub takes one set of signers for both (spec 5,
 * section 5).
 */
export async function addPeersToSettlement(
  context: OracleContext,
  call: PeerCall,
  answer: ExecuteAndWithdrawAttestation,
): Promise<ExecuteAndWithdrawAttestation> {
  const { execution, executeAndWithdrawRequest: request } = answer;
  if (execution === undefined) return answer;
  const ownSigner = context.signer.address;
  const ofExecution = {
    schema: SignedExecutionSchema,
    own: execution,
    digest: hashSignedExecution(context, execution),
    ownSigner,
  };
  const ofRequest = {
    schema: ExecuteAndWithdrawRequestSchema,
    own: request,
    digest: hashExecuteAndWithdraw(context, request),
    ownSigner,
  };
  const judge = async (theirs: unknown): Promise<PeerVerdict<SignaturePair>> => {
    const [executions, requests] = await Promise.all([
      judgeMessage(ofExecution, fieldOf(theirs, "execution")),
      judgeMessage(ofRequest, fieldOf(theirs, "executeAndWithdrawRequest")),
    ]);
    if (!executions.isAgreed) return executions;
    if (!requests.isAgreed) return requests;
    const signatures = executions.signatures.flatMap((signature): SignaturePair[] => {
      const oracleSigner = signature.oracleSigner.toLowerCase();
      const other = requests.signatures.find((candidate) => candidate.oracleSigner.toLowerCase() === oracleSigner);
      return other === undefined ? [] : [{ oracleSigner, execution: signature, request: other }];
    });
    return signatures.length === 0 ? { isAgreed: false, failure: "forged" } : { isAgreed: true, signatures };
  };
  const pairs = await context.peers.collect(call, judge);
  return {
    executeAndWithdrawRequest: {
      ...request,
      signatures: [...request.signatures, ...pairs.map((pair) => pair.request)],
    },
    execution: { ...execution, signatures: [...execution.signatures, ...pairs.map((pair) => pair.execution)] },
  };
}
