import { readFile } from "node:fs/promises";

import { expect } from "chai";
import {
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  parseEther,
  sha256,
  stringToHex,
  concat,
  zeroAddress,
  zeroHash,
  createWalletClient,
  http,
} from "viem";
import { getBalance, getCode, readContract, simulateContract } from "viem/actions";

import { depositoryAbi } from "../../sdk/src/abi/depository.generated.ts";
import {
  attest,
  type Attestation,
  type AttestationBody,
  type AttestationRoute,
  decodeEvmWithdrawal,
  encodeEvmWithdrawal,
  hashOwnerOrder,
  hashWithdrawRequest,
  hubAlias,
  hubTokenId,
  NO_FILL_TYPES,
  NONCE_MAPPING_TYPES,
  orderAddress,
  toVerifierCall,
  toWithdrawRequest,
  vmCodecOf,
} from "../../sdk/src/attestation.ts";
import { createServiceClient, executeSteps } from "../../sdk/src/index.ts";
import { encodeFillContract, hashOrder, type Order } from "../../sdk/src/protocol/index.ts";
import { noFillEntryId, nonceMappingEntryId } from "../../sdk/src/protocol/attestation/genericMapping.ts";
import { ATTESTATION_ROUTES } from "../../sdk/src/protocol/attestation/routes.ts";
import { toSubmitWithdrawRequest } from "../../sdk/src/protocol/attestation/toSubmitWithdrawRequest.ts";
import { hashTrigger } from "../../sdk/src/protocol/attestation/trigger.ts";
import { hashSubmitWithdrawRequest } from "../../sdk/src/protocol/attestation/withdrawRequest.ts";
import { localHubAbi } from "../../src/abi/localHub.generated.ts";
import { localAccounts } from "../../src/devchain/accounts.ts";
import { chainClient } from "../../src/devchain/chainClient.ts";
import { getQuote } from "../support/complete.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { inHubOrder, type LocalHub, openLocalHub, payOut, revertOf, sendOn, signPayload } from "./support/localHub.ts";
import { ask } from "./support/oracleNetwork.ts";

const HERE = "local-31337";
const THERE = "local-31338";
const DEADLINE = 4_000_000_000;
const { user, solver } = localAccounts;
const lower = (address: string): Address => address.toLowerCase() as Address;
const [userAddress, solverAddress] = [lower(user.address), lower(solver.address)];
/** Neither has funds nor sends anything. */
const RECIPIENT: Address = "0x00000000000000000000000000000000000c0ffe";
const NATIVE_HERE = hubTokenId(HERE, zeroAddress);
const NATIVE_THERE = hubTokenId(THERE, zeroAddress);
const SOLVER_ALIAS = hubAlias(HERE, solverAddress);

const inLowerCase = (record: object): object =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "string" ? value.toLowerCase() : value,
    ]),
  );

const word = (value: number): Hex => numberToHex(value, { size: 32 });

interface Deposited {
  readonly order: Order;
  readonly orderId: Hex;
  readonly orderSignature: Hex;
  readonly transactionId: Hex;
  readonly onchainId: Hex;
  readonly orderAddress: Address;
}

/** What a test of a route sends, and what the hub and the depository then do with the answer. */
interface Case<Route extends AttestationRoute> {
  readonly refused: { readonly change: object; readonly message: string };
  readonly body: () => Promise<AttestationBody<Route>>;
  /** All signatures of the answer, if the route signs. */
  readonly signatures: (answer: Attestation<Route>) => readonly { readonly oracleSigner: string }[] | undefined;
  readonly settle: (answer: Attestation<Route>) => Promise<void>;
}

describe("the settlement hub of a local network", () => {
  const network = useNetwork({ apiKeys: ["mine"] });
  let hub: LocalHub;
  let salt = 0;

  before(() => {
    hub = openLocalHub(network);
  });

  const oracle = () => createServiceClient({ baseUrl: network.oracle!.url, apiKey: "mine", retry: false });

  const refusalOf = async (route: AttestationRoute, body: object) => {
    const answer = await ask(network.oracle!, `/attestations/${route}`, body, { "x-api-key": "mine" });
    return [answer.status, answer.body.message];
  };

  describe("for each route of the oracles", () => {
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

    /** A deposit that the hub holds for its order. */
    const deposited = async (isExecuted = true): Promise<Deposited> => {
      const order = orderOf();
      const orderId = hashOrder(order);
      const transactionId = await depositNative(0, orderId, 1_000n);
      const request = { chainId: HERE, transactionId, requestPeerSignatures: isExecuted };
      const { messages, execution } = await attest(oracle(), "depository-deposits/v1", request);
      if (isExecuted) await hub.execute(execution);
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
    /** Pays a payload from the depository, and requires that the recipient gets the amount. */
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
      await hub.send(
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
        spender: lower(hub.address),
        receiver: signed.receiver,
        data: "0x",
        nonce: signed.nonce,
      });
      expect(
        lower(
          await readContract(hub.client, {
            ...hub.contract,
            functionName: "orderAddressByWithdrawRequestHash",
            args: [hash],
          }),
        ),
      ).to.equal(request.orderAddress);
      expect(await hub.balanceOf(request.orderAddress as Address, NATIVE_HERE)).to.equal(0n);
      await expectPaid(chain, await hub.payloadOf(hash), amount);
    };
    const setEntry = async ({ genericMapping }: Attestation<"signatures/nonce-mapping/v2">): Promise<void> => {
      const { user: owner, id, data, nonce, signatures } = genericMapping;
      const args = [owner as Address, id as Hex, data as Hex, nonce as Hex, inHubOrder(signatures)] as const;
      await hub.send(encodeFunctionData({ abi: localHubAbi, functionName: "setEntry", args }));
    };
    const entryOf = (account: Address, id: Hex) =>
      readContract(hub.client, { ...hub.contract, functionName: "getEntry", args: [account, id] });

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

    let recovered: Deposited;
    const executionOf = (answer: { execution?: { signatures: { oracleSigner: string }[] } }) =>
      answer.execution?.signatures;
    const execute = async ({ execution }: { execution?: Parameters<LocalHub["execute"]>[0] }): Promise<void> => {
      await hub.execute(execution);
    };
    const statementDomain = { chainId: 31_337, verifyingContract: zeroAddress };

    /** In the order in which they depend on each other. */
    const cases: { readonly [Route in AttestationRoute]: Case<Route> } = {
      "depository-deposits/v1": {
        refused: { change: { chainId: "base" }, message: "Chain base is not available" },
        // On the other chain: the executor pays from it later.
        body: async () => ({ chainId: THERE, transactionId: await depositNative(1, zeroHash, 5_000n) }),
        signatures: executionOf,
        async settle(answer) {
          await execute(answer);
          expect(await hub.balanceOf(hubAlias(THERE, userAddress), NATIVE_THERE)).to.equal(5_000n);
        },
      },
      "solver-fills/v1": {
        refused: { change: { orderSignature: "0x12" }, message: "Invalid order signature" },
        async body() {
          const order = await deposited();
          const fill = { to: RECIPIENT, value: 810n, data: order.orderId, account: solver };
          const transactionId = await sendOn(network.chains[1], network, fill);
          return { ...settlementOf(order), fill: { transactionId } };
        },
        signatures: executionOf,
        async settle(answer) {
          await execute(answer);
          expect(await hub.balanceOf(SOLVER_ALIAS, NATIVE_HERE)).to.equal(950n);
          expect(await hub.balanceOf(hubAlias(HERE, RECIPIENT), NATIVE_HERE)).to.equal(50n);
        },
      },
      "solver-refunds/v1": {
        refused: { change: { refunds: [] }, message: "Missing refund information for order input payment 0" },
        async body() {
          const order = await deposited();
          const refund = { to: RECIPIENT, value: 900n, data: order.orderId, account: solver };
          const transactionId = await sendOn(network.chains[0], network, refund);
          return { ...settlementOf(order), refunds: [{ transactionId, inputIndex: 0, refundIndex: 0 }] };
        },
        signatures: executionOf,
        async settle(answer) {
          await execute(answer);
          expect(await hub.balanceOf(SOLVER_ALIAS, NATIVE_HERE)).to.equal(1_950n);
        },
      },
      "withdrawal-initiation/v1": {
        refused: { change: { expectedAmount: "61" }, message: "Invalid signature. Can't trigger withdrawal" },
        body: () => initiationV1(word(1)),
        signatures: executionOf,
        async settle(answer) {
          await execute(answer);
          const { withdrawalAddress } = answer.message.result;
          expect(await hub.balanceOf(withdrawalAddress as Address, NATIVE_HERE)).to.equal(60n);
        },
      },
      "withdrawal-initiated/v1": {
        refused: { change: { expectedAmount: "61" }, message: "Insufficient withdrawal address balance" },
        async body() {
          const { signature: _, ...body } = await initiationV1(word(1));
          return body;
        },
        // The route has no signature.
        signatures: () => undefined,
        settle({ message }) {
          const { proofOfWithdrawalAddressBalance, withdrawalAddress } = message.result;
          expect(proofOfWithdrawalAddressBalance).to.equal(concat([withdrawalAddress as Hex, word(60), word(1)]));
          return Promise.resolve();
        },
      },
      "depository-withdrawals/v1": {
        refused: {
          change: { withdrawalAddressRequest: { ...withdrawalV1(word(1)), recipient: userAddress } },
          message: "Withdrawal does not match the withdrawal address request",
        },
        async body() {
          const payload = encodeEvmWithdrawal({
            calls: [{ to: RECIPIENT, data: "0x", value: 60n, allowFailure: false }],
            nonce: 1n,
            expiration: BigInt(DEADLINE),
          });
          await expectPaid(0, payload, 60n);
          return { chainId: HERE, withdrawal: payload, withdrawalAddressRequest: withdrawalV1(word(1)) };
        },
        signatures: executionOf,
        async settle(answer) {
          const before = await hub.balanceOf(SOLVER_ALIAS, NATIVE_HERE);
          await execute(answer);
          expect([answer.message.result.status, await hub.balanceOf(SOLVER_ALIAS, NATIVE_HERE)]).to.deep.equal([
            1,
            before,
          ]);
        },
      },
      "withdrawal-initiation/v2": {
        refused: { change: { ownerSignature: undefined }, message: "ownerSignature is required" },
        body: () => withdrawalV2(word(2)),
        signatures: executionOf,
        async settle(answer) {
          await execute(answer);
          expect(await hub.balanceOf(answer.withdrawalAddress as Address, NATIVE_HERE)).to.equal(70n);
        },
      },
      "withdrawal-initiated/v2": {
        refused: { change: { amount: "69" }, message: "Invalid signature" },
        body: () => withdrawalV2(word(2)),
        signatures: ({ payloadParams }) => payloadParams.signatures,
        async settle({ payloadParams }) {
          const args = [submitRequest(), inHubOrder(payloadParams.signatures)] as const;
          await hub.send(encodeFunctionData({ abi: localHubAbi, functionName: "submitWithdrawRequest", args }));
          const payloadId = hashSubmitWithdrawRequest(submitRequest());
          const payload = await hub.payloadOf(payloadId);
          const signature = await signPayload(network, 31_337, payload);
          await hub.send(
            encodeFunctionData({ abi: localHubAbi, functionName: "submitSignature", args: [payloadId, signature] }),
          );
          await expectPaid(0, payload, 70n);
        },
      },
      "depository-withdrawals/v2": {
        refused: { change: { nonce: word(3) }, message: "Invalid signature" },
        body: () => withdrawalV2(word(2)),
        signatures: executionOf,
        async settle(answer) {
          expect(answer.status).to.equal(1);
          await execute(answer);
          expect(await refusalOf("withdrawal-initiated/v2", await withdrawalV2(word(2)))).to.deep.equal([
            400,
            "Withdrawn amount different from withdrawal address balance",
          ]);
        },
      },
      "withdraw-request-authorization/v1": {
        refused: { change: { receiver: userAddress }, message: "Invalid signature" },
        async body() {
          const { spender: owner, spenderChainId: ownerChainId, receiver: recipient, ...rest } = withdrawRequest;
          const signature = await ownerSignature("withdrawal", { ...rest, owner, ownerChainId, recipient });
          return { ...withdrawRequest, ownerSignature: signature };
        },
        signatures: ({ signatures }) => signatures,
        async settle({ withdrawRequest: request, signatures }) {
          const before = await hub.balanceOf(SOLVER_ALIAS, NATIVE_HERE);
          const signed = { ...(request as Record<keyof typeof request, Hex>), amount: BigInt(request.amount) };
          const args = [signed, inHubOrder(signatures)] as const;
          await hub.send(encodeFunctionData({ abi: localHubAbi, functionName: "withdraw", args }));
          expect(await hub.balanceOf(SOLVER_ALIAS, NATIVE_HERE)).to.equal(before - 50n);
        },
      },
      "withdraw-requests/v1": {
        refused: {
          change: { hashIndexes: [1] },
          message: "Hash to sign not set for withdraw request at index 1",
        },
        body: () => Promise.resolve({ ...withdrawRequest, hashIndexes: [0] }),
        signatures: ({ withdrawRequest: { signatures } }) => signatures,
        async settle({ withdrawRequest: { hashesToSign } }) {
          const payload = await hub.payloadOf(withdrawRequestHash());
          const signature = await network.accounts.allocator.sign!({ hash: hashesToSign[0] as Hex });
          expect(signature).to.equal(await signPayload(network, 31_337, payload));
          await expectPaid(0, payload, 50n);
        },
      },
      "depository-withdrawals/v3": {
        refused: { change: { nonce: word(12) }, message: "Withdraw request not yet available" },
        body: () => Promise.resolve(withdrawRequest),
        // The allocator burned the balance when it took the request.
        signatures: () => undefined,
        settle(answer) {
          expect(answer).to.deep.equal({ status: 1 });
          return Promise.resolve();
        },
      },
      "withdraw-and-refund/v1": {
        refused: { change: { onchainId: zeroHash }, message: "Could not find corresponding deposit" },
        body: async () => requestToExecutor(await deposited(false), word(21)),
        signatures: ({ executeAndWithdrawRequest }) => executeAndWithdrawRequest.signatures,
        async settle(answer) {
          await execute(answer);
          await executed(answer, 0, 970n);
        },
      },
      "transfer/v1": {
        refused: { change: { amount: "0" }, message: "Transfer amount must be non-zero" },
        // To the executor, which pays from it next.
        async body() {
          const moved = {
            chainId: THERE,
            currency: zeroAddress,
            amount: "800",
            ownerChainId: THERE,
            owner: userAddress,
            recipient: hubAlias("relay", lower(hub.address)),
            nonce: "9",
          };
          return { ...moved, ownerSignature: await ownerSignature("transfer", moved, user) };
        },
        signatures: executionOf,
        async settle(answer) {
          await execute(answer);
          expect(await hub.balanceOf(hubAlias("relay", lower(hub.address)), NATIVE_THERE)).to.equal(800n);
        },
      },
      "withdraw-and-fill/v1": {
        refused: { change: { orderSignature: "0x12" }, message: "Invalid order signature" },
        body: async () => requestToExecutor(await deposited(false), word(22)),
        signatures: ({ executeAndWithdrawRequest }) => executeAndWithdrawRequest.signatures,
        async settle(answer) {
          await execute(answer);
          await executed(answer, 1, 800n);
        },
      },
      "signatures/no-fill-or-refund/v1": {
        refused: { change: { solver: userAddress }, message: "Invalid signature" },
        async body() {
          recovered = await deposited();
          const { orderId } = recovered;
          const signature = await solver.signTypedData({
            domain: { ...statementDomain, name: "RelayNoFillOrRefund", version: "1" },
            types: NO_FILL_TYPES,
            primaryType: "NoFillOrRefund",
            message: { chainId: HERE, solver: solverAddress, orderId },
          });
          return { solverChainId: HERE, solver: solverAddress, orderId, signature };
        },
        signatures: ({ genericMapping }) => genericMapping.signatures,
        async settle(answer) {
          await setEntry(answer);
          const [data, createdAt] = await entryOf(SOLVER_ALIAS, noFillEntryId(recovered.orderId));
          expect([data, createdAt > 0n]).to.deep.equal(["0x01", true]);
        },
      },
      "recover/v1": {
        refused: {
          change: { order: undefined },
          message: "Order data and signature are required for deposits less than 7 days old",
        },
        body() {
          const { transactionId, onchainId, order, orderSignature } = recovered;
          return Promise.resolve({ chainId: HERE, transactionId, onchainId, order, orderSignature });
        },
        signatures: executionOf,
        async settle(answer) {
          const before = await hub.balanceOf(hubAlias(HERE, userAddress), NATIVE_HERE);
          await execute(answer);
          expect(await hub.balanceOf(hubAlias(HERE, userAddress), NATIVE_HERE)).to.equal(before + 1_000n);
        },
      },
      "signatures/nonce-mapping/v2": {
        refused: { change: { nonce: "8" }, message: "Invalid signature" },
        async body() {
          const mapped = { depositor: userAddress, id: word(14) };
          const signature = await user.signTypedData({
            domain: { ...statementDomain, name: "RelayNonceMapping", version: "2" },
            types: NONCE_MAPPING_TYPES,
            primaryType: "NonceMapping",
            message: { ...mapped, chainId: HERE, wallet: userAddress, nonce: 7n },
          });
          const wallet = { walletChainId: HERE, wallet: userAddress, nonce: "7", signatureChainId: HERE };
          return { ...mapped, ...wallet, signature };
        },
        signatures: ({ genericMapping }) => genericMapping.signatures,
        async settle(answer) {
          await setEntry(answer);
          const [data] = await entryOf(hubAlias(HERE, userAddress), nonceMappingEntryId("7"));
          expect(data).to.equal(concat([word(14), userAddress]));
        },
      },
      "deposit-address-triggers/v1": {
        refused: { change: { nonce: "5" }, message: "Trigger hash does not map to the provided order id" },
        async body() {
          const { input, derivationFields, nonce, orderId } = trigger;
          const hash = hashTrigger({
            ...trigger,
            input: { ...input, currency: zeroAddress, amount: 70n },
            derivationFields: {
              ...(derivationFields as Record<keyof typeof derivationFields, Hex>),
              priceImpactBps: 30n,
            },
            nonce: BigInt(nonce),
            extraData: "0xabcd",
            prices: [],
          });
          await hub.send(
            encodeFunctionData({ abi: localHubAbi, functionName: "recordTrigger", args: [hash, orderId] }),
          );
          return trigger;
        },
        signatures: ({ trigger: { signatures } }) => signatures,
        settle({ trigger: { depositAddressManager } }) {
          expect(depositAddressManager).to.equal(hub.address);
          return Promise.resolve();
        },
      },
    };

    /** Refuses a changed body, attests the right one with both signatures, and uses the answer. */
    async function check<Route extends AttestationRoute>(route: Route): Promise<Attestation<Route>> {
      const { refused, body, signatures, settle } = cases[route];
      const request = { ...(await body()), requestPeerSignatures: true };
      expect(await refusalOf(route, { ...request, ...refused.change })).to.deep.equal([400, refused.message]);
      const answer = await attest(oracle(), route, request);
      const signers = signatures(answer)
        ?.map(({ oracleSigner }) => oracleSigner)
        .toSorted();
      expect(signers ?? network.oracle!.signers).to.deep.equal(network.oracle!.signers);
      await settle(answer);
      return answer;
    }

    for (const route of Object.keys(cases) as AttestationRoute[]) {
      it(`attests ${route} or refuses it, and settles what was signed`, async () => {
        await check(route);
      });
    }

    it("has every route of the oracle", () => {
      expect(Object.keys(cases).toSorted()).to.deep.equal(Object.keys(ATTESTATION_ROUTES).toSorted());
    });
  });

  it("follows a request of the service to the solver's payment from the depository", async () => {
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
    expect(await revertOf(second)).to.equal("RequestAlreadyExecuted");

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

  it("returns the balance of a withdraw request that expired", async () => {
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

  it("is on the first chain only", async () => {
    const code = await Promise.all(
      network.chains.map(({ id, rpcUrl }) => getCode(chainClient(id, rpcUrl), { address: hub.address })),
    );
    expect(code.map((bytes) => bytes !== undefined)).to.deep.equal([true, false]);
    const verifier = await readContract(hub.client, { ...hub.contract, functionName: "verifier" });
    expect(lower(verifier)).to.equal(lower(network.chains[0].contracts.attestationVerifier));
  });

  it("is named in the configuration for an oracle of one's own", async () => {
    const file = new URL("../../configs/chains.hub.localnet.json", import.meta.url);
    const { httpRpcUrl, auroraHttpRpcUrl, ...fields } = JSON.parse(await readFile(file, "utf8")) as Record<
      string,
      unknown
    >;
    expect([httpRpcUrl, auroraHttpRpcUrl]).to.deep.equal(["$LOCAL_31337_RPC_URL", "$LOCAL_31337_RPC_URL"]);
    expect(inLowerCase(fields)).to.deep.equal(inLowerCase(network.oracle!.hub));
  });
});
