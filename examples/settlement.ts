// Settles an order on the local hub, from its deposit to the depository's payment to the solver: see docs/settlement.md.
import {
  type Address,
  createWalletClient,
  type Hex,
  http,
  parseAbi,
  parseEther,
  parseEventLogs,
  publicActions,
  zeroAddress,
} from "viem";

import { createServiceClient, executeSteps, getQuote } from "@crosscall/sdk";
import {
  attest,
  decodeEvmWithdrawal,
  hashOwnerOrder,
  hubAlias,
  hubTokenId,
  toVerifierCall,
} from "@crosscall/sdk/attestation";
import type { Order } from "@crosscall/protocol";
import { localnet } from "crosscall/localnet";

const HUB_ABI = parseAbi([
  "struct Execution { bytes32 idempotencyKey; bytes[] actions; }",
  "struct OracleSignature { address signer; bytes signature; }",
  "struct SubmitWithdrawRequest { uint256 chainId; string depository; string currency; uint256 amount; address spender; string receiver; bytes data; bytes32 nonce; }",
  "function execute(Execution execution, OracleSignature[] signatures)",
  "function submitWithdrawRequest(SubmitWithdrawRequest request, OracleSignature[] signatures)",
  "function submitSignature(bytes32 payloadId, bytes signature)",
  "function balanceOf(address account, uint256 tokenId) view returns (uint256)",
  "event PayloadBuilt(bytes32 indexed requestHash, bytes payload, bytes32 hashToSign)",
]);
const DEPOSITORY_ABI = parseAbi([
  "struct Call { address to; bytes data; uint256 value; bool allowFailure; }",
  "struct CallRequest { Call[] calls; uint256 nonce; uint256 expiration; }",
  "function execute(CallRequest request, bytes signature)",
]);

await using network = await localnet();
const [origin, destination] = network.chains;
const { user, solver, allocator } = network.accounts;
if (network.oracle === undefined) throw new Error("The network runs no oracles");
const { url, hub } = network.oracle;
const service = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
const oracle = createServiceClient({ baseUrl: url, apiKey: network.apiKey });
const wallet = createWalletClient({ account: user, transport: http(origin.rpcUrl) }).extend(publicActions);
const contract = { chain: null, address: hub.oracleAddress, abi: HUB_ABI } as const;

const chainId = "local-31337";
const amount = parseEther("0.1");
const peers = { requestPeerSignatures: true } as const;
const tokenId = hubTokenId(chainId, zeroAddress);
const balanceOf = (account: Address) =>
  wallet.readContract({ ...contract, functionName: "balanceOf", args: [account, tokenId] });
const execute = async (execution?: Parameters<typeof toVerifierCall>[0]): Promise<void> => {
  if (execution === undefined) throw new Error("There is nothing to execute");
  const hash = await wallet.writeContract({ ...contract, functionName: "execute", args: toVerifierCall(execution) });
  await wallet.waitForTransactionReceipt({ hash });
};

// A user deposits, and the solver fills.
const quote = await getQuote(service, {
  user: user.address,
  originChainId: origin.id,
  destinationChainId: destination.id,
  originCurrency: zeroAddress,
  destinationCurrency: destination.contracts.dollar,
  tradeType: "EXACT_INPUT",
  amount: amount.toString(),
  includeProtocolData: true,
});
const { transactions, status } = await executeSteps(service, { quote, wallet });
const transactionId = transactions[0]?.txHash ?? "0x";

// The hub credits the deposit to the order, and the fill moves it to the solver.
const deposit = await attest(oracle, "depository-deposits/v1", { ...peers, chainId, transactionId });
await execute(deposit.execution);
const { execution } = await attest(oracle, "solver-fills/v1", {
  ...peers,
  order: quote.protocol?.v2?.orderData as Order,
  orderSignature: quote.protocol?.v2?.orderSignature ?? "0x",
  inputs: [{ transactionId, onchainId: deposit.messages[0]?.result.onchainId ?? "0x", inputIndex: 0 }],
  fill: { transactionId: status.txHashes?.[0] ?? "0x" },
});
await execute(execution);
const account = hubAlias(chainId, solver.address);
console.log("solver on the hub:", (await balanceOf(account)) === amount);

// The solver signs a withdrawal. The hub moves the balance to the withdrawal address.
const withdrawal = {
  chainId,
  currency: zeroAddress,
  amount: amount.toString(),
  ownerChainId: chainId,
  owner: solver.address,
  recipient: solver.address,
  nonce: `0x${"01".repeat(32)}`,
};
const raw = hashOwnerOrder({ operation: "withdrawal", ...withdrawal });
const owned = { ...withdrawal, ownerSignature: await solver.signMessage({ message: { raw } }) };
const initiation = await attest(oracle, "withdrawal-initiation/v2", { ...peers, ...owned });
await execute(initiation.execution);

// The allocator takes the request of the oracles, and builds the payload for the depository.
const { payloadParams } = await attest(oracle, "withdrawal-initiated/v2", { ...peers, ...owned });
const { signatures, recipient: receiver, ...params } = payloadParams;
const hash = await wallet.writeContract({
  ...contract,
  functionName: "submitWithdrawRequest",
  args: [
    {
      ...params,
      receiver,
      chainId: BigInt(params.chainId),
      amount: BigInt(params.amount),
      spender: params.spender as Address,
      data: params.data as Hex,
      nonce: params.nonce as Hex,
    },
    signatures
      .map(({ oracleSigner, signature }) => ({ signer: oracleSigner as Address, signature: signature as Hex }))
      .toSorted((a, b) => (a.signer < b.signer ? -1 : 1)),
  ],
});
const { logs } = await wallet.waitForTransactionReceipt({ hash });
const [built] = parseEventLogs({ abi: HUB_ABI, eventName: "PayloadBuilt", logs });
if (built === undefined) throw new Error("The allocator built no payload");

// Simulated: a key of the network signs in place of the threshold signer of the live allocator.
const { requestHash, payload, hashToSign } = built.args;
const signature = await allocator.sign?.({ hash: hashToSign });
if (signature === undefined) throw new Error("The account cannot sign a hash");
await wallet.writeContract({ ...contract, functionName: "submitSignature", args: [requestHash, signature] });
const before = await wallet.getBalance({ address: solver.address });
await wallet.writeContract({
  chain: null,
  address: origin.contracts.depository,
  abi: DEPOSITORY_ABI,
  functionName: "execute",
  args: [decodeEvmWithdrawal(payload), signature],
});
console.log("paid to the solver:", (await wallet.getBalance({ address: solver.address })) - before === amount);

// The hub burns what the depository has paid.
const burn = await attest(oracle, "depository-withdrawals/v2", { ...peers, ...owned });
await execute(burn.execution);
console.log("left on the hub:", await balanceOf(initiation.withdrawalAddress as Address));
