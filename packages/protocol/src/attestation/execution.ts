import { type Address, concat, encodeAbiParameters, type Hex, keccak256 as viemKeccak256, stringToHex } from "viem";

import { isSameAddress } from "../chains/address.ts";
import { deterministicId, type Keccak256 } from "./hubIds.ts";
import type { SignedExecution } from "./messages/parts.ts";

/** The domain of executions: an oracle contract version on the hub's chain. */
export interface ExecutionDomain {
  /** `2` today, `1` before. */
  readonly oracleVersion: string;
  /** The hub's EVM chain id. */
  readonly evmChainId: number;
  readonly oracleAddress: Address;
}

/** An instruction from the oracle to the settlement hub, executed once. */
export interface Execution {
  /** Key of 32 bytes. The hub runs only one execution per key. */
  readonly idempotencyKey: Hex;
  /** Encoded actions, in order of execution. */
  readonly actions: readonly Hex[];
}

/** EIP-712 types of an execution (spec 5, section 2). */
export const EXECUTION_TYPES = {
  Execution: [
    { name: "idempotencyKey", type: "bytes32" },
    { name: "actions", type: "bytes[]" },
  ],
} as const;

/** Returns the EIP-712 domain of executions. */
export function executionDomain({ oracleVersion, evmChainId, oracleAddress }: ExecutionDomain) {
  return { name: "RelayOracle", version: oracleVersion, chainId: evmChainId, verifyingContract: oracleAddress };
}

const DOMAIN_TYPE_HASH = viemKeccak256(
  stringToHex("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
);
const EXECUTION_TYPE_HASH = viemKeccak256(stringToHex("Execution(bytes32 idempotencyKey,bytes[] actions)"));

/**
 * Returns a function that hashes executions for one domain. It hashes the domain only once, which takes most of the
 * time.
 */
export function createExecutionHasher(
  domain: ExecutionDomain,
  keccak256: Keccak256 = viemKeccak256,
): (execution: Execution) => Hex {
  const { name, version, chainId, verifyingContract } = executionDomain(domain);
  const separator = keccak256(
    encodeAbiParameters(
      [{ type: "bytes32" }, { type: "bytes32" }, { type: "bytes32" }, { type: "uint256" }, { type: "address" }],
      [
        DOMAIN_TYPE_HASH,
        keccak256(stringToHex(name)),
        keccak256(stringToHex(version)),
        BigInt(chainId),
        verifyingContract,
      ],
    ),
  );
  return ({ idempotencyKey, actions }) => {
    const actionsHash = keccak256(concat(actions.map((action) => keccak256(action))));
    return keccak256(
      concat(["0x1901", separator, keccak256(concat([EXECUTION_TYPE_HASH, idempotencyKey, actionsHash]))]),
    );
  };
}

/** Returns the EIP-712 digest of an execution, which oracles sign. */
export function hashExecution(domain: ExecutionDomain, execution: Execution): Hex {
  return createExecutionHasher(domain)(execution);
}

/** Returns the key of a deposit's execution. */
export function depositExecutionKey(chainId: string, transactionId: string): Hex {
  return deterministicId(chainId, transactionId);
}

/**
 * Returns the key of the execution of a fill or refund, from the ids of the deposits and the order.
 */
export function settlementExecutionKey(onchainIds: readonly Hex[], orderId: Hex): Hex {
  const inOrder = onchainIds.toSorted((a, b) => {
    const [first, second] = [BigInt(a), BigInt(b)];
    return first < second ? -1 : Number(first > second);
  });
  return deterministicId(deterministicId(...inOrder), orderId);
}

/** Returns the key of the execution that burns a withdrawn balance. */
export function withdrawalExecutionKey(withdrawalId: string, transactionId: string | undefined): Hex {
  return deterministicId(withdrawalId, transactionId);
}

/** Returns the key of the execution that returns an expired withdrawal's balance. */
export function expiredWithdrawalExecutionKey(withdrawalId: string, transactionId: string | undefined): Hex {
  return deterministicId(withdrawalId, transactionId, "2");
}

export function expiredWithdrawRequestExecutionKey(withdrawRequestHash: Hex): Hex {
  return deterministicId(withdrawRequestHash, "2");
}

/**
 * Returns the key of the execution that moves a balance to the withdrawal's account.
 * @param hubId hub id, `relay`
 */
export function initiationExecutionKey(hubId: string, tokenId: bigint, address: Address): Hex {
  return deterministicId(hubId, tokenId, address);
}

/** Returns the key of the execution that moves a balance from one hub account to another. */
export function transferExecutionKey(
  hubId: string,
  tokenId: bigint,
  transfer: { readonly from: Address; readonly to: Address; readonly nonce: string },
): Hex {
  return deterministicId(hubId, tokenId, transfer.from, transfer.to, transfer.nonce);
}

/** Returns the key of the execution that returns a deposit to its depositor. */
export function recoverExecutionKey(depositOnchainId: Hex): Hex {
  return deterministicId(depositOnchainId, "recover");
}

export interface VerifierSignature {
  readonly signer: Address;
  readonly signature: Hex;
}

/**
 * Returns the arguments of `AttestationVerifier.verify` for an execution in an oracle's response: each signer once, in
 * ascending order.
 *
 * @param signers the verifier's signers. Other signatures are dropped, because the verifier rejects them. By default,
 * all are kept.
 */
export function toVerifierCall(
  { idempotencyKey, actions, signatures }: SignedExecution,
  signers?: readonly Address[],
): readonly [execution: Execution, signatures: readonly VerifierSignature[]] {
  const bySigner = new Map<string, VerifierSignature>();
  for (const { oracleSigner, signature } of signatures) {
    if (signers?.some((signer) => isSameAddress(signer, oracleSigner)) === false) continue;
    const signer = oracleSigner.toLowerCase() as Address;
    if (!bySigner.has(signer)) bySigner.set(signer, { signer, signature: signature as Hex });
  }
  const ascending = [...bySigner.values()].sort((a, b) => (a.signer < b.signer ? -1 : 1));
  return [{ idempotencyKey: idempotencyKey as Hex, actions: actions as Hex[] }, ascending];
}
