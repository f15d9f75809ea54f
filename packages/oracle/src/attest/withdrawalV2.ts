import { hashTypedData, type Hex, parseAbi, zeroAddress } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";
import {
  allocatorSpenderDomain,
  hashSubmitWithdrawRequest,
  type InitiatedV2Attestation,
  initiationExecutionKey,
  type InitiationV2Attestation,
  type OwnedWithdrawalBody,
  type PayloadParams,
  SUBMIT_WITHDRAW_REQUEST_TYPES,
  type SubmitWithdrawRequest,
  toSubmitWithdrawRequest,
  type WithdrawalStatusAttestation,
  type WithdrawalV2Body,
} from "@crosscall/protocol/attestation";
import type { VmType } from "@crosscall/protocol/vms";
import { requireAttested } from "../attestationRefusedError.ts";
import { hubContract } from "../hub.ts";
import type { OracleContext } from "../oracleContext.ts";
import { readContract } from "../readContract.ts";
import { withdrawalsNotSupported } from "../vms/rules.ts";
import type { SpentOutput } from "../vms/vmChain.ts";
import { requireAuthorization } from "./authorization.ts";
import { signDigest, signExecution } from "./signedExecution.ts";
import { depositoryOf, draftOutcome, type WithdrawalAccount, withdrawalAccountOf } from "./withdrawal.ts";

/**
 * Attests the outcome of a withdrawal through allocator v2. The withdrawal is pending until the payload is signed.
 */
export async function attestWithdrawalV2(
  context: OracleContext,
  body: WithdrawalV2Body,
): Promise<WithdrawalStatusAttestation> {
  const { chainId, transactionId, hints } = body;
  await requireOwnedWithdrawal(context, body, "/attestations/depository-withdrawals/v2");
  const vm = context.chains.vm(chainId);
  const account = ownedAccountOf(context, body);
  const payload = await readSignedPayload(
    context,
    submitRequestOf(context, body, account),
    context.chains.get(chainId).vmType,
    (built) => vm.decodeWithdrawal(built).hashCount ?? 1,
  );
  if (payload === undefined) return { status: 0 };
  const withdrawal = vm.decodeWithdrawal(payload);
  const located = { depository: account.depository, transactionId, hints };
  const status = await vm.readWithdrawalStatus(withdrawal, located);
  const executedId = status === 1 ? await vm.readExecutedId?.(withdrawal, located) : undefined;
  const withdrawalId = executedId ?? withdrawal.withdrawalId;
  const { amount } = withdrawal.payout();
  const draft = draftOutcome({ status, withdrawalId, amount, account, transactionId });
  return { status, ...(draft === undefined ? {} : { execution: await signExecution(context, draft) }) };
}

/** Attests that an owner's balance is transferred to the withdrawal's account. */
export async function attestInitiationV2(
  context: OracleContext,
  body: OwnedWithdrawalBody,
): Promise<InitiationV2Attestation> {
  const { hub, hubReader } = context;
  await requireOwnedWithdrawal(context, body, "/attestations/withdrawal-initiation/v2");
  const amount = readAmount(body);
  const account = ownedAccountOf(context, body);
  const { address, ownerAlias, tokenId } = account;
  requireBuildable(context, body, account);
  const balance = await hubReader.balanceOf(ownerAlias, tokenId);
  requireAttested(balance >= amount, "Insufficient balance for requested withdrawal");
  // Checks the request first, because otherwise the balance could be stuck in the withdrawal's account.
  await requireUnspentOutputs(context, body);
  return {
    withdrawalAddress: address,
    execution: await signExecution(context, {
      idempotencyKey: initiationExecutionKey(hub.id, tokenId, address),
      actions: [{ type: "transfer", from: ownerAlias, to: address, tokenId, amount }],
    }),
  };
}

/** Attests that the withdrawal's account holds exactly the withdrawn amount, for allocator v2. */
export async function attestInitiatedV2(
  context: OracleContext,
  body: OwnedWithdrawalBody,
): Promise<InitiatedV2Attestation> {
  await requireOwnedWithdrawal(context, body, "/attestations/withdrawal-initiated/v2");
  const amount = readAmount(body);
  const account = ownedAccountOf(context, body);
  const balance = await context.hubReader.balanceOf(account.address, account.tokenId);
  requireAttested(balance === amount, "Withdrawn amount different from withdrawal address balance");
  await requireUnspentOutputs(context, body);
  const request = submitRequestOf(context, body, account);
  const { chainId, depository, currency, spender, receiver: recipient, nonce, data } = request;
  const contract = {
    allocatorSpenderChainId: allocatorChainId(context).toString(),
    allocatorSpenderContract: hubContract(context.hub, "auroraAllocatorSpenderAddress"),
  };
  const signature = await signDigest(context, hashSubmitRequest(context, request));
  return {
    payloadParams: {
      chainId: chainId.toString(),
      depository,
      currency,
      amount: body.amount,
      spender,
      recipient,
      nonce,
      data,
      signatures: [{ ...contract, ...signature }],
    },
  };
}

/** Hashes the parameters of a response for the oracle's signature. */
export function hashPayloadParams(context: OracleContext, params: PayloadParams): Hex {
  const { chainId, amount, recipient: receiver, spender, nonce, data, depository, currency } = params;
  return hashSubmitRequest(context, {
    chainId: BigInt(chainId),
    depository,
    currency,
    amount: BigInt(amount),
    receiver,
    spender: spender as Hex,
    nonce: nonce as Hex,
    data: data as Hex,
  });
}

function hashSubmitRequest(context: OracleContext, message: SubmitWithdrawRequest): Hex {
  const spenderContract = hubContract(context.hub, "auroraAllocatorSpenderAddress");
  return hashTypedData({
    domain: allocatorSpenderDomain(allocatorChainId(context), spenderContract),
    types: SUBMIT_WITHDRAW_REQUEST_TYPES,
    primaryType: "SubmitWithdrawRequest",
    message,
  });
}

function allocatorChainId({ hub }: OracleContext): number {
  if (hub.auroraEvmChainId !== undefined) return hub.auroraEvmChainId;
  throw new InvalidStateError({
    message: "the hub file has no auroraEvmChainId",
    hint: "Add auroraEvmChainId to the hub file.",
  });
}

function readAmount({ amount }: OwnedWithdrawalBody): bigint {
  const value = BigInt(amount);
  requireAttested(value > 0n, "Withdrawn amount must be non-zero");
  return value;
}

/** Chain families for which this build cannot create requests to allocator v2. */
const WITHOUT_REQUESTS: readonly VmType[] = ["ton-vm", "xrp-vm"];

/**
 * @throws {@link AttestationRefusedError} without authorization, or if the request to the allocator cannot be built:
 * the balance would be stuck in the withdrawal's account
 */
async function requireOwnedWithdrawal(
  context: OracleContext,
  body: OwnedWithdrawalBody,
  endpoint: string,
): Promise<void> {
  const { chainId, currency, amount, ownerChainId, owner, recipient, nonce, additionalData } = body;
  const withdrawal = { chainId, currency, amount, ownerChainId, owner, recipient, nonce, additionalData };
  await requireAuthorization(context, { withdrawal, authorization: body, endpoint });
  const { vmType } = context.chains.get(chainId);
  requireAttested(!WITHOUT_REQUESTS.includes(vmType), withdrawalsNotSupported(vmType));
}

function ownedAccountOf(context: OracleContext, body: OwnedWithdrawalBody): WithdrawalAccount {
  const { owner: withdrawer, ownerChainId: withdrawerChainId, nonce: withdrawalNonce, ...rest } = body;
  return withdrawalAccountOf(context, { ...rest, withdrawer, withdrawerChainId, withdrawalNonce });
}

function submitRequestOf(
  { chains }: OracleContext,
  { chainId, currency, amount, recipient, nonce, additionalData }: OwnedWithdrawalBody,
  { ownerAlias, depository }: WithdrawalAccount,
): SubmitWithdrawRequest {
  return toSubmitWithdrawRequest({
    vmType: chains.get(chainId).vmType,
    chainId: chains.hubChainId(chainId),
    depository,
    currency,
    recipient,
    amount: BigInt(amount),
    spender: ownerAlias,
    nonce: nonce as Hex,
    ...(additionalData === undefined ? {} : { additionalData }),
  });
}

/**
 * Rejects data that the allocator cannot build a payload from. The owner can state data that the payload will contain
 * later.
 *
 * @throws {@link InvalidInputError} if the stated data is invalid
 */
function requireBuildable(context: OracleContext, body: OwnedWithdrawalBody, account: WithdrawalAccount): void {
  const { vmType } = context.chains.get(body.chainId);
  if (Object.hasOwn(body.additionalData ?? {}, vmType)) submitRequestOf(context, body, account);
}

const ALLOCATOR_ABI = parseAbi([
  "function payloads(bytes32 payloadId) view returns (bytes unsignedPayload)",
  "function payloadBuilders(uint256 chainId, string depository) view returns (address)",
  "function signedPayloads(bytes32 payloadId, bytes32 hashToSign) view returns (bytes)",
]);

const BUILDER_ABI = parseAbi([
  "function family() view returns (string)",
  "function hashToSign(uint256 chainId, string depository, bytes payload, uint32 index) view returns (bytes32)",
]);

/** Chain families with payloads that this build can read. */
const FAMILIES: readonly string[] = [
  "bitcoin-vm",
  "ethereum-vm",
  "hyperliquid-vm",
  "lighter-vm",
  "solana-vm",
  "tron-vm",
];

/**
 * Reads the payload that allocator v2 built and signed.
 *
 * @param countHashes returns the number of hashes of a payload, which must all be signed
 *
 * @returns undefined if the payload is not built or signed yet
 * @throws {@link AttestationRefusedError} if the allocator does not know the chain, or the payload is not supported
 */
async function readSignedPayload(
  { hub, hubReader }: OracleContext,
  request: SubmitWithdrawRequest,
  vmType: VmType,
  countHashes: (payload: Hex) => number,
): Promise<Hex | undefined> {
  const allocatorChain = hubReader.allocatorChain();
  const allocator = { address: hubContract(hub, "auroraAllocatorAddress"), abi: ALLOCATOR_ABI };
  const { chainId, depository } = request;
  const payloadId = hashSubmitWithdrawRequest(request);
  const [address, payload] = await Promise.all([
    readContract(allocatorChain, { ...allocator, functionName: "payloadBuilders", args: [chainId, depository] }),
    readContract(allocatorChain, { ...allocator, functionName: "payloads", args: [payloadId] }),
  ]);
  requireAttested(address !== zeroAddress, `No payload builder configured for chain ${chainId}`);
  const builder = { address, abi: BUILDER_ABI };
  const family = await readContract(allocatorChain, { ...builder, functionName: "family" });
  requirePayloadFamily(family, FAMILIES, vmType);
  if (payload === "0x") return undefined;
  const signed = await Promise.all(
    Array.from({ length: countHashes(payload) }, async (_, index) => {
      const args = [chainId, depository, payload, index] as const;
      const hash = await readContract(allocatorChain, { ...builder, functionName: "hashToSign", args });
      const read = { ...allocator, functionName: "signedPayloads", args: [payloadId, hash] } as const;
      return readContract(allocatorChain, read);
    }),
  );
  return signed.includes("0x") ? undefined : payload;
}

/** Family with its own payload format. Only chains of this family accept its payloads. */
const OWN_FORMAT = "bitcoin-vm";

/** @throws {@link AttestationRefusedError} if this build cannot read such payloads of the allocator for the chain */
export function requirePayloadFamily(family: string, families: readonly string[], vmType: VmType): void {
  const isOfChain = (family === OWN_FORMAT) === (vmType === OWN_FORMAT);
  requireAttested(families.includes(family) && isOfChain, "Vm type not implemented");
}

interface Spending {
  readonly chainId: string;
  readonly depository?: string | undefined;
  readonly additionalData?:
    | {
        readonly "bitcoin-vm"?:
          | {
              readonly allocatorUtxos: readonly Omit<SpentOutput, "address">[];
              readonly feeUtxos?: readonly SpentOutput[];
            }
          | undefined;
      }
    | undefined;
}

/**
 * Requires that the outputs in the request match the chain, because the allocator signs the values in the request.
 *
 * @throws {@link AttestationRefusedError} for an output that the withdrawal cannot spend
 */
export async function requireUnspentOutputs(
  { chains }: Pick<OracleContext, "chains">,
  { chainId, depository, additionalData }: Spending,
): Promise<void> {
  const chain = chains.get(chainId);
  const outputs = additionalData?.["bitcoin-vm"];
  if (chain.vmType !== "bitcoin-vm" || outputs === undefined) return;
  const address = depositoryOf(chain, depository);
  const { allocatorUtxos, feeUtxos = [] } = outputs;
  await chains.vm(chainId).requireUnspent?.([...allocatorUtxos.map((output) => ({ ...output, address })), ...feeUtxos]);
}
