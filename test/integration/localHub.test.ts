import { readFile } from "node:fs/promises";

import { expect } from "chai";
import {
  type Address,
  encodeFunctionData,
  type Hex,
  parseEther,
  zeroAddress,
  zeroHash,
  createWalletClient,
  http,
} from "viem";
import { getBalance, getCode, readContract, simulateContract } from "viem/actions";

import {
  attest,
  decodeEvmWithdrawal,
  hashOwnerOrder,
  hubAlias,
  toVerifierCall,
} from "../../packages/sdk/src/attestation.ts";
import { createServiceClient, executeSteps } from "../../packages/sdk/src/index.ts";
import { hashSubmitWithdrawRequest } from "../../packages/protocol/src/attestation/withdrawRequest.ts";
import { localHubAbi } from "../../packages/crosscall/src/abi/localHub.generated.ts";
import { localAccounts } from "../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { getQuote } from "../support/complete.ts";
import { useNetwork } from "../support/useNetwork.ts";
import {
  HERE,
  lower,
  userAddress,
  solverAddress,
  RECIPIENT,
  NATIVE_HERE,
  SOLVER_ALIAS,
  word,
  hubRequests,
} from "./support/hubRequests.ts";
import { inHubOrder, type LocalHub, openLocalHub, payOut, revertOf, sendOn, signPayload } from "./support/localHub.ts";
import { depositoryAbi } from "../../packages/protocol/src/abi/service.generated.ts";

const { user, solver } = localAccounts;

const inLowerCase = (record: object): object =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "string" ? value.toLowerCase() : value,
    ]),
  );

describe("the settlement hub of a local network", () => {
  const network = useNetwork({ apiKeys: ["mine"] });
  let hub: LocalHub;
  before(() => {
    hub = openLocalHub(network);
  });
  const { oracle } = hubRequests(network, () => hub);

  it("settles a request from the service, including the solver's payment from the depository", async () => {
    const [origin, destination] = network.chains;
    const client = createServiceClient({ baseUrl: network.url, apiKey: "mine" });
    const amount = parseEther("0.1");
    const quote = await getQuote(client, {
      user: user.address,
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: zeroAddress,
      destinationCurrency: destination.contracts.dollar,
      tradeType: "EXACT_INPUT",
      amount: amount.toString(),
      includeProtocolData: true,
    });
    const wallet = createWalletClient({ account: user, transport: http(origin.rpcUrl) });
    const { transactions, status } = await executeSteps(client, { quote, wallet });
    const transactionId = transactions[0]!.txHash;
    const { orderData: order, orderSignature } = quote.protocol!.v2;

    const peers = { requestPeerSignatures: true } as const;
    const held = () => hub.balanceOf(SOLVER_ALIAS, NATIVE_HERE);
    const before = await held();
    const deposit = await attest(oracle(), "depository-deposits/v1", { ...peers, chainId: HERE, transactionId });
    await hub.execute(deposit.execution);
    const [message] = deposit.messages;
    const fill = await attest(oracle(), "solver-fills/v1", {
      ...peers,
      order,
      orderSignature: orderSignature!,
      inputs: [{ transactionId, onchainId: message!.result.onchainId, inputIndex: 0 }],
      fill: { transactionId: status.txHashes![0]! },
    });
    await hub.execute(fill.execution);
    expect(await held()).to.equal(before + amount);

    const moved = { chainId: HERE, currency: zeroAddress, amount: amount.toString(), nonce: word(41) };
    const owned = { ...moved, ownerChainId: HERE, owner: solverAddress, recipient: solverAddress };
    const raw = hashOwnerOrder({ operation: "withdrawal", ...owned });
    const withdrawal = { ...owned, ownerSignature: await solver.signMessage({ message: { raw } }) };
    const initiation = await attest(oracle(), "withdrawal-initiation/v2", { ...peers, ...withdrawal });
    await hub.execute(initiation.execution);
    const withdrawalAddress = initiation.withdrawalAddress as Address;
    expect([await held(), await hub.balanceOf(withdrawalAddress, NATIVE_HERE)]).to.deep.equal([before, amount]);

    const { payloadParams } = await attest(oracle(), "withdrawal-initiated/v2", { ...peers, ...withdrawal });
    const { signatures, recipient, ...params } = payloadParams;
    const request = {
      ...params,
      chainId: BigInt(params.chainId),
      amount: BigInt(params.amount),
      spender: params.spender as Address,
      receiver: recipient,
      data: params.data as Hex,
      nonce: params.nonce as Hex,
    };
    const args = [request, inHubOrder(signatures)] as const;
    await hub.send(encodeFunctionData({ abi: localHubAbi, functionName: "submitWithdrawRequest", args }));
    const payloadId = hashSubmitWithdrawRequest(request);
    const payload = await hub.payloadOf(payloadId);
    const statusOf = async () => (await attest(oracle(), "depository-withdrawals/v2", withdrawal)).status;
    const signature = await signPayload(network, origin.id, payload);
    await hub.send(
      encodeFunctionData({ abi: localHubAbi, functionName: "submitSignature", args: [payloadId, signature] }),
    );
    expect(await statusOf()).to.equal(0);

    const chain = chainClient(origin.id, origin.rpcUrl);
    const funds = await getBalance(chain, { address: solver.address });
    await payOut(network, origin, payload, signature);
    expect(await getBalance(chain, { address: solver.address })).to.equal(funds + amount);
    const second = simulateContract(chain, {
      address: origin.contracts.depository,
      abi: depositoryAbi,
      functionName: "execute",
      args: [decodeEvmWithdrawal(payload), signature],
    });
    expect(await revertOf(second)).to.equal("CallRequestAlreadyUsed");

    const burn = await attest(oracle(), "depository-withdrawals/v2", { ...peers, ...withdrawal });
    expect(burn.status).to.equal(1);
    await hub.execute(burn.execution);
    expect(await hub.balanceOf(withdrawalAddress, NATIVE_HERE)).to.equal(0n);
    const repeated = simulateContract(hub.client, {
      ...hub.contract,
      functionName: "execute",
      args: toVerifierCall(burn.execution!),
    });
    expect(await revertOf(repeated)).to.equal("ExecutionRepeated");
  });

  it("returns the balance of an expired withdraw request", async () => {
    const [origin] = network.chains;
    const aliasOfUser = hubAlias(HERE, userAddress);
    const transactionId = await sendOn(origin, network, {
      to: origin.contracts.depository,
      data: encodeFunctionData({
        abi: depositoryAbi,
        functionName: "depositNative",
        args: [userAddress, zeroHash],
      }),
      value: 25n,
    });
    const peers = { requestPeerSignatures: true } as const;
    const deposit = await attest(oracle(), "depository-deposits/v1", { ...peers, chainId: HERE, transactionId });
    await hub.execute(deposit.execution);
    const before = await hub.balanceOf(aliasOfUser, NATIVE_HERE);
    const order = { chainId: HERE, currency: zeroAddress, amount: "25", nonce: word(31) };
    const owner = { ownerChainId: HERE, owner: userAddress, recipient: RECIPIENT };
    const raw = hashOwnerOrder({ operation: "withdrawal", ...order, ...owner });
    const request = { ...order, spenderChainId: HERE, spender: userAddress, receiver: RECIPIENT };
    const ownerSignature = await user.signMessage({ message: { raw } });
    const authorization = await attest(oracle(), "withdraw-request-authorization/v1", {
      ...peers,
      ...request,
      ownerSignature,
    });
    const { withdrawRequest, signatures } = authorization;
    const signed = { ...(withdrawRequest as Record<keyof typeof withdrawRequest, Hex>), amount: 25n };
    await hub.send(
      encodeFunctionData({ abi: localHubAbi, functionName: "withdraw", args: [signed, inHubOrder(signatures)] }),
    );
    expect(await hub.balanceOf(aliasOfUser, NATIVE_HERE)).to.equal(before - 25n);

    const validity = await readContract(hub.client, { ...hub.contract, functionName: "PAYLOAD_VALIDITY" });
    await hub.passTime(Number(validity) + 1);
    const expired = await attest(oracle(), "depository-withdrawals/v3", { ...peers, ...request });
    expect(expired.status).to.equal(2);
    await hub.execute(expired.execution);
    expect(await hub.balanceOf(aliasOfUser, NATIVE_HERE)).to.equal(before);
  });

  it("exists only on the first chain", async () => {
    const code = await Promise.all(
      network.chains.map(({ id, rpcUrl }) => getCode(chainClient(id, rpcUrl), { address: hub.address })),
    );
    expect(code.map((bytes) => bytes !== undefined)).to.deep.equal([true, false]);
    const verifier = await readContract(hub.client, { ...hub.contract, functionName: "verifier" });
    expect(lower(verifier)).to.equal(lower(network.chains[0].contracts.attestationVerifier));
  });

  it("is included in the configuration for an integrator's own oracle", async () => {
    const file = new URL("../../configs/chains.hub.localnet.json", import.meta.url);
    const { httpRpcUrl, auroraHttpRpcUrl, ...fields } = JSON.parse(await readFile(file, "utf8")) as Record<
      string,
      unknown
    >;
    expect([httpRpcUrl, auroraHttpRpcUrl]).to.deep.equal(["$LOCAL_31337_RPC_URL", "$LOCAL_31337_RPC_URL"]);
    expect(inLowerCase(fields)).to.deep.equal(inLowerCase(network.oracle!.hub));
  });
});
