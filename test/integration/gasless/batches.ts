import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  pad,
  parseAbi,
} from "viem";
import { readContract } from "viem/actions";

import { BATCH_EXECUTOR_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { reader } from "../support/parties.ts";

type Signer = LocalAccount;

/** Chain of any network, with its contracts and URL. */
type Chain = Pick<LocalnetChain, "contracts" | "id" | "rpcUrl">;

const EXECUTOR_ABI = parseAbi([
  "struct Call { address to; uint256 value; bytes data; }",
  "struct BatchedCall { Call[] calls; bool revertOnFailure; }",
  "struct SignedBatchedCall { BatchedCall batchedCall; uint256 nonce; bytes32 keyHash; address executor; uint256 deadline; }",
  "function execute(SignedBatchedCall signedBatchedCall, bytes wrappedSignature) payable",
  "function getSeq(uint256 key) view returns (uint256)",
]);

/** EIP-712 types of a batch, as documented. */
const TYPES = {
  SignedBatchedCall: [
    { name: "batchedCall", type: "BatchedCall" },
    { name: "nonce", type: "uint256" },
    { name: "keyHash", type: "bytes32" },
    { name: "executor", type: "address" },
    { name: "deadline", type: "uint256" },
  ],
  BatchedCall: [
    { name: "calls", type: "Call[]" },
    { name: "revertOnFailure", type: "bool" },
  ],
  Call: [
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "data", type: "bytes" },
  ],
} as const;

export interface BatchCall {
  readonly to: Address;
  readonly value: bigint;
  readonly data: Hex;
}

/** Changes to a batch and its signature. */
export interface BatchChange {
  readonly nonce?: bigint;
  readonly executor?: Address;
  /** Unix seconds. */
  readonly deadline?: bigint;
  /** Chain ID that the signature covers. */
  readonly chainId?: number;
  readonly signer?: Signer;
  /** Calls that replace the signed calls. */
  readonly callsAfterSigning?: readonly BatchCall[];
}

/** Returns call data that runs calls for an account that delegates to the batch executor. */
export async function signBatch(
  account: Signer,
  chain: Chain,
  calls: readonly BatchCall[],
  { nonce = 0n, executor, deadline = 0n, chainId = chain.id, signer = account, callsAfterSigning }: BatchChange = {},
): Promise<Hex> {
  const message = {
    batchedCall: { calls, revertOnFailure: true },
    nonce,
    keyHash: pad("0x00"),
    executor: executor ?? ("0x0000000000000000000000000000000000000000" as const),
    deadline,
  };
  const signature = await signer.signTypedData({
    domain: {
      name: "Calibur",
      version: "1.0.0",
      chainId,
      verifyingContract: account.address,
      salt: pad(BATCH_EXECUTOR_ADDRESS, { size: 32 }),
    },
    types: TYPES,
    primaryType: "SignedBatchedCall",
    message,
  });
  const wrapped = encodeAbiParameters([{ type: "bytes" }, { type: "bytes" }], [signature, "0x"]);
  const sent = { ...message, batchedCall: { ...message.batchedCall, calls: callsAfterSigning ?? calls } };
  return encodeFunctionData({ abi: EXECUTOR_ABI, functionName: "execute", args: [sent, wrapped] });
}

/** Returns the nonce of the account's next batch. */
export async function nextNonce(chain: LocalnetChain, account: Address): Promise<bigint> {
  const client = reader(chain);
  if ((await client.getCode({ address: account })) === undefined) return 0n;
  return readContract(client, { address: account, abi: EXECUTOR_ABI, functionName: "getSeq", args: [0n] });
}

/** Returns a quote's transactions. */
export function callsOf(quote: Quote): BatchCall[] {
  return quote.steps.flatMap(({ items }) =>
    items.map(({ data }) => {
      const { to, value = "0", data: input } = data as { to: Address; value?: string; data: Hex };
      return { to, value: BigInt(value), data: input };
    }),
  );
}

/** Returns an authorization for the batch executor, in the posted format. */
export async function authorize(
  account: Signer,
  chain: Chain,
  change: { readonly nonce?: number; readonly chainId?: number; readonly contractAddress?: Address } = {},
) {
  const nonce = await reader(chain).getTransactionCount({ address: account.address });
  const signed = await account.signAuthorization?.({
    contractAddress: BATCH_EXECUTOR_ADDRESS,
    chainId: chain.id,
    nonce,
    ...change,
  });
  if (signed === undefined) throw new Error("the account cannot sign authorizations");
  const { chainId, address, nonce: signedNonce, yParity = 0, r, s } = signed;
  return { chainId, address, nonce: signedNonce, yParity, r, s };
}
