import { expect } from "chai";
import { type Hex, numberToHex, zeroAddress, zeroHash } from "viem";
import { getBlock } from "viem/actions";

import { ATTESTATION_ROUTES, type AttestationRoute } from "../../../packages/protocol/src/attestation/routes.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { Answers } from "../support/responses.ts";
import { executeWithdrawal } from "../support/executeWithdrawal.ts";
import { CHAIN, ORACLE_CONTRACT } from "../support/oracleNetwork.ts";
import type { DepositedOrder } from "../support/orders.ts";
import { signWithdrawal } from "../support/ownerDigest.ts";
import {
  ALLOCATOR_SPENDER,
  ALLOCATOR_V2,
  ALLOCATOR_V2_ABI,
  ALLOCATOR_V3,
  ALLOCATOR_V3_ABI,
  AURORA_CHAIN_ID,
  BUILDER,
  BUILDER_ABI,
  EXECUTOR,
  HUB_ABI,
  MAPPING,
  MAPPING_ABI,
} from "./support/hubContracts.ts";
import { depositOf, oracleSuite, owner, recipient } from "./support/oracleSuite.ts";
import { encodeEvmWithdrawal, type EvmWithdrawal } from "../../../packages/protocol/src/attestation/index.ts";

const FINALITY = { finalizationBlocks: 3, finalizationTime: 6 };
const WORD: Hex = `0x${"5e".repeat(32)}`;
const NEVER = 4_000_000_000n;
/** Time after which a deposit can be recovered without its solver. */
const WEEK_SECONDS = 604_800n;

/** Routes that do not read an order's chains, with the reason. All other routes need a case. */
const WITHOUT_CHAIN: Readonly<Partial<Record<AttestationRoute, string>>> = {
  "withdrawal-initiation/v1": "reads a balance of the hub at its latest block",
  "withdrawal-initiated/v1": "reads a balance of the hub at its latest block, and signs nothing",
  "withdraw-requests/v1": "reads the allocator of the hub at its latest block",
  "transfer/v1": "reads a balance of the hub at its latest block",
  "deposit-address-triggers/v1": "reads the deposit address manager of the hub at its latest block",
  "signatures/no-fill-or-refund/v1": "reads nothing: the solver signed the statement",
  "signatures/nonce-mapping/v2": "reads nothing: the wallet signed the statement",
};

/** Case that puts the data in a request on the chain. */
interface Case {
  readonly route: AttestationRoute;
  readonly what: string;
  /** Creates the case's prerequisites, which need not be final. */
  readonly prepare?: () => Promise<void>;
  /** Changes the chain, and returns the request to send. */
  readonly act: () => Promise<object>;
  /**
   * Whether the route reports data that is not final as pending, without a signature, instead of rejecting the request.
   */
  readonly isPending?: boolean;
}

describe("an attestation of data that is not final", () => {
  let nonce = 0n;
  let withdrawal: EvmWithdrawal;
  let paid: DepositedOrder;
  let build: (payload: Hex) => Promise<void>;

  const suite = oracleSuite({
    async prepare(network) {
      await Answers.at(network, ORACLE_CONTRACT, HUB_ABI, [
        { functionName: "HUB", result: ORACLE_CONTRACT },
        { functionName: "balanceOf", result: 1_000n },
      ]);
      await Answers.at(network, MAPPING, MAPPING_ABI, [{ functionName: "getEntry", result: ["0x01", 1n] }]);
      const allocator = await Answers.at(network, ALLOCATOR_V3, ALLOCATOR_V3_ABI, [
        { functionName: "payloadBuilders", result: BUILDER },
      ]);
      const allocatorV2 = await Answers.at(network, ALLOCATOR_V2, ALLOCATOR_V2_ABI, [
        { functionName: "payloadBuilders", result: BUILDER },
        { functionName: "signedPayloads", result: "0x1234" },
      ]);
      await Answers.at(network, BUILDER, BUILDER_ABI, [
        { functionName: "family", result: "ethereum-vm" },
        { functionName: "hashToSign", result: WORD },
      ]);
      build = async (payload) => {
        for (const contract of [allocator, allocatorV2]) {
          await contract.set({ functionName: "payloads", result: payload });
        }
      };
      let now = Number((await getBlock(network.client)).timestamp + 10n * WEEK_SECONDS) * 1_000;
      return {
        additionalData: FINALITY,
        chain: { hubChainId: 31_337 },
        hub: {
          genericMappingAddress: MAPPING,
          allocatorAddress: ALLOCATOR_V3,
          executorAddress: EXECUTOR,
          auroraHttpRpcUrl: network.rpcUrl,
          auroraEvmChainId: AURORA_CHAIN_ID,
          auroraAllocatorAddress: ALLOCATOR_V2,
          auroraAllocatorSpenderAddress: ALLOCATOR_SPENDER,
        },
        // The clock advances with each call, so the oracle never uses its cached latest block.
        clock: { now: () => (now += 10_000) },
      };
    },
  });
  const { attest, deposit } = suite;
  before(() => deposit(100_000n));

  const signedOf = ({ order, orderSignature }: DepositedOrder) => ({ order, orderSignature });
  const inputsOf = ({ transactionId, onchainId }: DepositedOrder) => [{ transactionId, onchainId, inputIndex: 0 }];
  const settle = ({ orderId }: DepositedOrder): Promise<Hex> => suite.pay(recipient, 1_000n, orderId);
  const withPaid = async (): Promise<void> => {
    paid = await suite.place();
    await suite.network.mine(4, 10);
  };

  const withWithdrawal = async (lifetime?: bigint): Promise<void> => {
    const expiration = lifetime === undefined ? NEVER : (await getBlock(suite.network.client)).timestamp + lifetime;
    nonce += 1n;
    withdrawal = { calls: [{ to: recipient, data: "0x", value: 70n, allowFailure: false }], nonce, expiration };
    await build(encodeEvmWithdrawal(withdrawal));
  };
  const request = { chainId: CHAIN, currency: zeroAddress };
  const statusV1 = () => ({
    chainId: CHAIN,
    withdrawal: encodeEvmWithdrawal(withdrawal),
    withdrawalAddressRequest: {
      ...request,
      withdrawer: owner,
      withdrawerChainId: CHAIN,
      recipient,
      withdrawalNonce: zeroHash,
    },
  });
  const statusV2 = async () => {
    const fields = {
      ...request,
      amount: "70",
      ownerChainId: CHAIN,
      owner,
      recipient,
      nonce: numberToHex(nonce, { size: 32 }),
    };
    return { ...fields, ownerSignature: await signWithdrawal(localAccounts.user, fields) };
  };
  const spent = { ...request, spenderChainId: CHAIN, spender: owner, receiver: recipient, nonce: WORD };
  const recoveryOf = (deposited: DepositedOrder) => ({
    ...signedOf(deposited),
    recoverMode: true,
    depositChainId: CHAIN,
    depositTransactionId: deposited.transactionId,
    depositOnchainId: deposited.onchainId,
  });
  const recovered = async () => ({
    ...{ ...request, amount: "1000", ownerChainId: CHAIN, owner, recipient, nonce: WORD },
    ...recoveryOf(await suite.place()),
  });
  const execute = () => executeWithdrawal(suite.network, withdrawal);
  const expire = () => suite.network.mine(1, 2_000);
  const settlementOf = async () => {
    const deposited = await suite.place();
    return { ...depositOf(deposited), ...signedOf(deposited), nonce: WORD };
  };
  const fillOf = async (deposited: DepositedOrder) => ({
    ...signedOf(deposited),
    inputs: inputsOf(deposited),
    fill: { transactionId: await settle(deposited) },
  });
  const refundOf = async (deposited: DepositedOrder) => ({
    ...signedOf(deposited),
    inputs: inputsOf(deposited),
    refunds: [{ transactionId: await settle(deposited), inputIndex: 0, refundIndex: 0 }],
  });

  const CASES: readonly Case[] = [
    {
      route: "depository-deposits/v1",
      what: "a deposit",
      act: async () => ({ chainId: CHAIN, transactionId: await deposit(5n) }),
    },
    { route: "solver-fills/v1", what: "a deposit and a fill", act: async () => fillOf(await suite.place()) },
    { route: "solver-fills/v1", what: "a fill", prepare: withPaid, act: () => fillOf(paid) },
    { route: "solver-refunds/v1", what: "a deposit and a refund", act: async () => refundOf(await suite.place()) },
    { route: "solver-refunds/v1", what: "a refund", prepare: withPaid, act: () => refundOf(paid) },
    {
      route: "depository-withdrawals/v1",
      what: "a payout",
      prepare: () => withWithdrawal(),
      act: () => execute().then(statusV1),
      isPending: true,
    },
    {
      route: "depository-withdrawals/v1",
      what: "an expiration",
      prepare: () => withWithdrawal(1_000n),
      act: () => expire().then(statusV1),
      isPending: true,
    },
    {
      route: "depository-withdrawals/v2",
      what: "a payout",
      prepare: () => withWithdrawal(),
      act: () => execute().then(statusV2),
      isPending: true,
    },
    {
      route: "depository-withdrawals/v2",
      what: "the deposit of a recovery",
      prepare: async () => {
        await withWithdrawal();
        await execute();
        await suite.network.mine(4, 10);
      },
      act: recovered,
    },
    {
      route: "depository-withdrawals/v3",
      what: "an expiration",
      prepare: () => withWithdrawal(1_000n),
      act: () => expire().then(() => ({ ...spent, amount: "70" })),
      isPending: true,
    },
    { route: "withdrawal-initiation/v2", what: "the deposit of a recovery", act: recovered },
    { route: "withdrawal-initiated/v2", what: "the deposit of a recovery", act: recovered },
    {
      route: "withdraw-request-authorization/v1",
      what: "the deposit of a recovery",
      act: async () => ({ ...spent, amount: "1000", ...recoveryOf(await suite.place()) }),
    },
    { route: "withdraw-and-fill/v1", what: "a deposit", act: settlementOf },
    { route: "withdraw-and-refund/v1", what: "a deposit", act: settlementOf },
    { route: "recover/v1", what: "a deposit", act: async () => depositOf(await suite.place()) },
  ];

  it("is tested for every route that reads a chain", () => {
    const walked = new Set<string>([...CASES.map(({ route }) => route), ...Object.keys(WITHOUT_CHAIN)]);
    expect([...walked].toSorted()).to.deep.equal(Object.keys(ATTESTATION_ROUTES).toSorted());
  });

  for (const { route, what, prepare, act, isPending = false } of CASES) {
    it(`is signed by ${route} only after ${what} is final`, async () => {
      const expectUnsigned = async (body: object, when: string): Promise<void> => {
        const { status, body: response } = await attest(route, body);
        expect(status, `${when}: ${JSON.stringify(response)}`).to.equal(isPending ? 200 : 400);
        expect(JSON.stringify(response), when).not.to.match(/signature|execution/u);
      };
      await prepare?.();
      const snapshot = await suite.network.control("evm_snapshot", []);
      const removed = await act();
      await expectUnsigned(removed, "just included");
      await suite.network.mine(2, 10);
      await expectUnsigned(removed, "one block too young");
      await suite.network.control("evm_revert", [snapshot]);
      await expectUnsigned(removed, "removed");
      await deposit(9n);
      await suite.network.mine(4, 10);
      await expectUnsigned(removed, "replaced");
      const body = await act();
      await expectUnsigned(body, "included again");
      await suite.network.mine(4, 10);
      const { status, body: response } = await attest(route, body);
      expect(status, JSON.stringify(response)).to.equal(200);
      expect(JSON.stringify(response)).to.match(/"signature":"0x[0-9a-f]{130}"/u);
    });
  }
});
