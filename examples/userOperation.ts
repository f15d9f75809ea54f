// Pays from an ERC-4337 account without gas: see docs/gasless.md.
import { createServiceClient, getQuote, watchRequest } from "@crosscall/sdk";
import { localnet } from "crosscall/localnet";
import { createPublicClient, encodeFunctionData, type Hex, http, parseAbi } from "viem";
import { entryPoint07Abi, getUserOperationHash, toPackedUserOperation } from "viem/account-abstraction";

const apiKey = "crosscall-local";
await using network = await localnet({ sponsoringApiKeys: [apiKey] });
const [origin, destination] = network.chains;
const { entryPoint, accountFactory, dollar } = origin.contracts;
const owner = network.accounts.user;
const factory = parseAbi([
  "function createAccount(address owner, uint256 salt) returns (address)",
  "function getAddress(address owner, uint256 salt) view returns (address)",
  "function executeBatch(address[] dest, uint256[] value, bytes[] func)",
]);
const chain = createPublicClient({ transport: http(origin.rpcUrl) });
const args = [owner.address, 0n] as const;
const sender = await chain.readContract({ address: accountFactory, abi: factory, functionName: "getAddress", args });
await origin.fund(sender, "USDC", 50_000_000n);

const client = createServiceClient({ baseUrl: network.url, apiKey });
const quote = await getQuote(client, {
  user: sender,
  recipient: owner.address,
  originChainId: origin.id,
  destinationChainId: destination.id,
  originCurrency: dollar,
  destinationCurrency: destination.contracts.dollar,
  tradeType: "EXACT_INPUT",
  amount: "50000000",
  originGasOverhead: 300_000,
});
const calls = (quote.steps ?? []).flatMap(({ items }) =>
  (items ?? []).map(({ data }) => data as { to: Hex; data: Hex }),
);
const operation = {
  sender,
  nonce: 0n,
  factory: accountFactory,
  factoryData: encodeFunctionData({ abi: factory, functionName: "createAccount", args }),
  callData: encodeFunctionData({
    abi: factory,
    functionName: "executeBatch",
    args: [calls.map(({ to }) => to), [], calls.map(({ data }) => data)],
  }),
  callGasLimit: 500_000n,
  verificationGasLimit: 500_000n,
  preVerificationGas: 100_000n,
  maxFeePerGas: 0n,
  maxPriorityFeePerGas: 0n,
  signature: "0x" as Hex,
};
const hash = getUserOperationHash({
  userOperation: operation,
  entryPointAddress: entryPoint,
  entryPointVersion: "0.7",
  chainId: origin.id,
});
const signature = await owner.signMessage({ message: { raw: hash } });
const data = encodeFunctionData({
  abi: entryPoint07Abi,
  functionName: "handleOps",
  args: [[toPackedUserOperation({ ...operation, signature })], owner.address],
});
const requestId = quote.steps?.[0]?.requestId ?? "";
await fetch(`${network.url}/execute`, {
  method: "POST",
  headers: { "content-type": "application/json", "x-api-key": apiKey },
  body: JSON.stringify({
    executionKind: "rawCalls",
    data: { chainId: origin.id, to: entryPoint, data, value: "0" },
    requestId,
  }),
});
const { outcome } = await watchRequest(client, { requestId });
console.log(outcome, await chain.getBalance({ address: sender }));
