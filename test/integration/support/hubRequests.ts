import { expect } from "chai";
import {
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  sha256,
  stringToHex,
  concat,
  zeroAddress,
} from "viem";
import { getBalance, readContract } from "viem/actions";

import {
  attest,
  type Attestation,
  type AttestationRoute,
  hashOwnerOrder,
  hubAlias,
  hubTokenId,
  orderAddress,
  toWithdrawRequest,
} from "../../../packages/sdk/src/attestation.ts";
import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import { toSubmitWithdrawRequest } from "../../../packages/protocol/src/attestation/toSubmitWithdrawRequest.ts";
import { hashOrder, type Order } from "../../../packages/protocol/src/index.ts";
import { localHubAbi } from "../../../packages/crosscall/src/abi/localHub.generated.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { Localnet } from "../../../packages/crosscall/src/localnet/index.ts";
import { inHubOrder, type LocalHub, payOut, sendOn, signPayload } from "./localHub.ts";
import { ask } from "./oracleNetwork.ts";
import { hashWithdrawRequest } from "../../../packages/protocol/src/attestation/index.ts";
import { vmCodecOf } from "../../../packages/protocol/src/vms/index.ts";
import { encodeFillContract } from "../../../packages/protocol/src/order/index.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

export const HERE = "local-31337";
export const THERE = "local-31338";
export const DEADLINE = 4_000_000_000;
const { user, solver } = localAccounts;
export const lower = (address: string): Address => address.toLowerCase() as Address;
export const [userAddress, solverAddress] = [lower(user.address), lower(solver.address)];
/** Account that has no funds and sends no transactions. */
export const RECIPIENT: Address = "0x00000000000000000000000000000000000c0ffe";
export const NATIVE_HERE = hubTokenId(HERE, zeroAddress);
export const NATIVE_THERE = hubTokenId(THERE, zeroAddress);
export const SOLVER_ALIAS = hubAlias(HERE, solverAddress);

export const word = (value: number): Hex => numberToHex(value, { size: 32 });

/** Deposit for an order. */
export interface Deposited {
  readonly order: Order;
  readonly orderId: Hex;
  readonly orderSignature: Hex;
  readonly transactionId: Hex;
  readonly onchainId: Hex;
  readonly orderAddress: Address;
}

/** Builds oracle requests for the settlement hub tests. Reads the network only when a test runs. */
export function hubRequests(network: Localnet, hub: () => LocalHub) {
  let salt = 0;
  const oracle = () => createServiceClient({ baseUrl: network.oracle!.url, apiKey: "mine", retry: false });
  const rejectionOf = async (route: AttestationRoute, body: object) => {
    const answer = await ask(network.oracle!, `/attestations/${route}`, body, { "x-api-key": "mine" });
    return [answer.status, answer.body.message];
  };
  const orderOf = (): Order => {
    salt += 1;
    const extraData = encodeFillContract(network.chains[0].contracts.router);
    const refund = { chainId: HERE, recipient: RECIPIENT, currency: zeroAddress, minimumAmount: "900" };
    const fee = { recipientChainId: HERE, recipient: RECIPIENT, currencyChainId: HERE, currency: zeroAddress };
    return {
      version: "v1",
      solverChainId: HERE,
      solver: solverAddress,
      salt: word(salt),
      inputs: [
        {
          payment: { chainId: HERE, currency: zeroAddress, amount: "1000", weight: "1" },
          refunds: [{ ...refund, deadline: DEADLINE, extraData }],
        },
      ],
      output: {
        chainId: THERE,
        payments: [{ recipient: RECIPIENT, currency: zeroAddress, minimumAmount: "800", expectedAmount: "810" }],
        calls: [],
        deadline: DEADLINE,
        extraData,
      },
      fees: [
        { ...fee, amount: "20" },
        { ...fee, amount: "30" },
      ],
    };
  };

  const depositNative = (chain: 0 | 1, id: Hex, value: bigint): Promise<Hex> => {
    const data = encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [userAddress, id] });
    const { depository } = network.chains[chain].contracts;
    return sendOn(network.chains[chain], network, { to: depository, data, value });
  };

  /** Makes a deposit that the hub holds for its order. */
  const deposited = async (isExecuted = true): Promise<Deposited> => {
    const order = orderOf();
    const orderId = hashOrder(order);
    const transactionId = await depositNative(0, orderId, 1_000n);
    const request = { chainId: HERE, transactionId, requestPeerSignatures: isExecuted };
    const { messages, execution } = await attest(oracle(), "depository-deposits/v1", request);
    if (isExecuted) await hub().execute(execution);
    const [message] = messages;
    return {
      order,
      orderId,
      orderSignature: await solver.signMessage({ message: { raw: orderId } }),
      transactionId,
      onchainId: message!.result.onchainId as Hex,
      orderAddress: orderAddress({
        chainId: HERE,
        depositor: userAddress,
        depositTimestamp: Number(message!.extraData.timestamp),
        depositId: orderId,
      }),
    };
  };
  const settlementOf = ({ order, orderSignature, transactionId, onchainId }: Deposited) => ({
    order,
    orderSignature,
    inputs: [{ transactionId, onchainId, inputIndex: 0 }],
  });
  const requestToExecutor = ({ transactionId, onchainId, order, orderSignature }: Deposited, nonce: Hex) => ({
    chainId: HERE,
    transactionId,
    onchainId,
    order,
    orderSignature,
    nonce,
  });

  const ownerSignature = (operation: "transfer" | "withdrawal", order: object, by = solver): Promise<Hex> => {
    const raw = hashOwnerOrder({ operation, ...order } as Parameters<typeof hashOwnerOrder>[0]);
    return by.signMessage({ message: { raw } });
  };
  const ownedBySolver = (nonce: Hex) => ({
    chainId: HERE,
    currency: zeroAddress,
    amount: "70",
    ownerChainId: HERE,
    owner: solverAddress,
    recipient: RECIPIENT,
    nonce,
  });
  const withdrawalV2 = async (nonce: Hex) => ({
    ...ownedBySolver(nonce),
    ownerSignature: await ownerSignature("withdrawal", ownedBySolver(nonce)),
  });
  const withdrawalV1 = (nonce: Hex) => ({
    chainId: HERE,
    currency: zeroAddress,
    withdrawer: solverAddress,
    withdrawerChainId: HERE,
    recipient: RECIPIENT,
    withdrawalNonce: nonce,
  });
  const initiationV1 = async (nonce: Hex) => {
    const raw = sha256(stringToHex(keccak256(concat([SOLVER_ALIAS, word(60), nonce]))));
    const signature = await solver.signMessage({ message: { raw } });
    return { settlementChainId: "relay", expectedAmount: "60", ...withdrawalV1(nonce), signature };
  };
  const withdrawRequest = {
    chainId: HERE,
    currency: zeroAddress,
    amount: "50",
    spenderChainId: HERE,
    spender: solverAddress,
    receiver: RECIPIENT,
    nonce: word(11),
  };
  const withdrawRequestHash = () =>
    hashWithdrawRequest(
      toWithdrawRequest({
        ...withdrawRequest,
        vmType: "ethereum-vm",
        depository: network.chains[0].contracts.depository,
        spenderCodec: vmCodecOf("ethereum-vm"),
        amount: 50n,
      }),
    );
  const submitRequest = () =>
    toSubmitWithdrawRequest({
      vmType: "ethereum-vm",
      chainId: 31_337n,
      depository: network.chains[0].contracts.depository,
      currency: zeroAddress,
      amount: 70n,
      spender: SOLVER_ALIAS,
      recipient: RECIPIENT,
      nonce: word(2),
    });
  /** Pays out a payload from the depository, and checks that the recipient receives the amount. */
  const expectPaid = async (chain: 0 | 1, payload: Hex, amount: bigint): Promise<Hex> => {
    const { id, rpcUrl } = network.chains[chain];
    const client = chainClient(id, rpcUrl);
    const before = await getBalance(client, { address: RECIPIENT });
    const transactionId = await payOut(
      network,
      network.chains[chain],
      payload,
      await signPayload(network, id, payload),
    );
    expect(await getBalance(client, { address: RECIPIENT })).to.equal(before + amount);
    return transactionId;
  };
  const executed = async (
    { executeAndWithdrawRequest: request }: Attestation<"withdraw-and-fill/v1">,
    chain: 0 | 1,
    amount: bigint,
  ): Promise<void> => {
    const { signatures, outAmountMinimum, fees, deadline, ...rest } = request;
    const signed = {
      ...(rest as Record<Exclude<keyof typeof rest, "inChainId" | "outChainId">, Hex>),
      inChainId: request.inChainId,
      outChainId: request.outChainId,
      outAmountMinimum: BigInt(outAmountMinimum),
      deadline: BigInt(deadline),
      fees: fees.map((fee) => ({ recipient: fee.recipient as Address, amount: BigInt(fee.amount) })),
    };
    await hub().send(
      encodeFunctionData({
        abi: localHubAbi,
        functionName: "executeAndWithdraw",
        args: [signed, inHubOrder(signatures)],
      }),
    );
    const hash = hashWithdrawRequest({
      chainId: request.outChainId,
      depository: signed.depository,
      currency: signed.outCurrency,
      amount,
      spenderChainId: "relay",
      spender: lower(hub().address),
      receiver: signed.receiver,
      data: "0x",
      nonce: signed.nonce,
    });
    expect(
      lower(
        await readContract(hub().client, {
          ...hub().contract,
          functionName: "orderAddressByWithdrawRequestHash",
          args: [hash],
        }),
      ),
    ).to.equal(request.orderAddress);
    expect(await hub().balanceOf(request.orderAddress as Address, NATIVE_HERE)).to.equal(0n);
    await expectPaid(chain, await hub().payloadOf(hash), amount);
  };
  const setEntry = async ({ genericMapping }: Attestation<"signatures/nonce-mapping/v2">): Promise<void> => {
    const { user: owner, id, data, nonce, signatures } = genericMapping;
    const args = [owner as Address, id as Hex, data as Hex, nonce as Hex, inHubOrder(signatures)] as const;
    await hub().send(encodeFunctionData({ abi: localHubAbi, functionName: "setEntry", args }));
  };
  const entryOf = (account: Address, id: Hex) =>
    readContract(hub().client, { ...hub().contract, functionName: "getEntry", args: [account, id] });

  const trigger = {
    input: { vmType: "ethereum-vm", chainId: HERE, currency: zeroAddress, amount: "70" },
    derivationFields: {
      inputVmType: "ethereum-vm",
      outputVmType: "ethereum-vm",
      outputChainId: THERE,
      outputCurrency: zeroAddress,
      outputRecipient: RECIPIENT,
      solver: solverAddress,
      pricingOracle: RECIPIENT,
      depositor: userAddress,
      refundRecipient: userAddress,
      priceImpactBps: "30",
    },
    orderId: word(13),
    nonce: "4",
    extraData: "0xabcd",
    currencies: [],
    prices: [],
  };

  return {
    oracle,
    rejectionOf,
    depositNative,
    deposited,
    settlementOf,
    requestToExecutor,
    ownerSignature,
    ownedBySolver,
    withdrawalV2,
    withdrawalV1,
    initiationV1,
    withdrawRequest,
    withdrawRequestHash,
    submitRequest,
    expectPaid,
    executed,
    setEntry,
    entryOf,
    trigger,
  };
}
