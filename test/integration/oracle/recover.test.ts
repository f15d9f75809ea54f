import { type Address, type Hex, zeroAddress, zeroHash } from "viem";

import { hubAlias, hubTokenId, orderAddress } from "../../../packages/sdk/src/attestation.ts";
import { deterministicId } from "../../../packages/protocol/src/attestation/hubIds.ts";
import { noFillEntryId } from "../../../packages/protocol/src/attestation/genericMapping.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { Answers } from "../support/responses.ts";
import { CHAIN, ORACLE_SIGNER } from "../support/oracleNetwork.ts";
import { type DepositedOrder, simpleOrder } from "../support/orders.ts";
import { MAPPING, MAPPING_ABI } from "./support/hubContracts.ts";
import { DEPOSITS, depositOf, expectSigned, oracleSuite, owner as depositor } from "./support/oracleSuite.ts";

const ROUTE = "recover/v1";
const WEEK_SECONDS = 604_800;
const TOO_YOUNG = "Order data and signature are required for deposits less than 7 days old";
const solver = localAccounts.solver.address.toLowerCase() as Address;
const tokenId = hubTokenId(CHAIN, zeroAddress);

describe("an attestation of a recovered deposit", () => {
  let mapping: Answers<typeof MAPPING_ABI>;
  /** Time on the oracle's clock, in Unix seconds. */
  let now = 0;
  const suite = oracleSuite({
    async prepare(network) {
      mapping = await Answers.at(network, MAPPING, MAPPING_ABI, [{ functionName: "getEntry", result: ["0x", 0n] }]);
      return { hub: { genericMappingAddress: MAPPING }, clock: { now: () => now * 1000 } };
    },
  });
  const { attested, expectRejected } = suite;

  /** Returns a deposit that is exactly a week old. */
  async function paid(): Promise<DepositedOrder> {
    const deposited = await suite.place();
    now = deposited.timestamp + WEEK_SECONDS;
    return deposited;
  }
  const accountOf = ({ orderId, timestamp }: DepositedOrder): Address =>
    orderAddress({ chainId: CHAIN, depositor, depositTimestamp: timestamp, depositId: orderId });
  const hold = (deposited: DepositedOrder, amount: bigint) =>
    suite.network.setHubBalance(accountOf(deposited), tokenId, amount);
  const bodyOf = (deposited: DepositedOrder, change: object = {}) => ({
    ...depositOf(deposited),
    order: deposited.order,
    orderSignature: deposited.orderSignature,
    ...change,
  });

  async function expectRecovered(deposited: DepositedOrder, body: object): Promise<void> {
    const [from, to] = [accountOf(deposited), hubAlias(CHAIN, depositor).toLowerCase()];
    await expectSigned((await attested(ROUTE, body)).execution, {
      key: deterministicId(deposited.onchainId, "recover"),
      actions: [{ type: "transfer", from, to, tokenId, amount: 1000n }],
      signers: [ORACLE_SIGNER],
    });
  }

  it("returns the deposit if the solver states that it neither filled nor refunded the order", async () => {
    const deposited = await paid();
    await hold(deposited, 999n);
    await expectRejected(ROUTE, bodyOf(deposited), "Insufficient balance at order address for recovery");
    await hold(deposited, 1000n);
    await expectRejected(ROUTE, bodyOf(deposited), "No fill or refund entry not found for this order");
    const args = [hubAlias(CHAIN, solver), noFillEntryId(deposited.orderId)];
    await mapping.set({ functionName: "getEntry", args, result: ["0x01", 1n] });
    await expectRecovered(deposited, bodyOf(deposited));
    for (const [change, message] of [
      [{ order: simpleOrder(suite.network, 999n) }, "Deposit depositId does not match the computed orderId"],
      [{ orderSignature: "nothing" }, "Invalid order signature"],
      [{ order: undefined }, TOO_YOUNG],
      [{ orderSignature: undefined }, TOO_YOUNG],
      [{ onchainId: zeroHash }, `Deposit with onchainId ${zeroHash} not found in transaction`],
    ] as const) {
      await expectRejected(ROUTE, bodyOf(deposited, change), message);
    }
  });

  it("returns the deposit without a statement from the solver after seven days on the oracle's clock", async () => {
    const deposited = await paid();
    await hold(deposited, 1000n);
    await expectRejected(ROUTE, depositOf(deposited), TOO_YOUNG);
    now += 1;
    await expectRecovered(deposited, depositOf(deposited));
  });

  it("is rejected for deposits without an order", async () => {
    const transactionId: Hex = await suite.deposit(5n);
    const { messages } = await attested(DEPOSITS, { chainId: CHAIN, transactionId });
    const { onchainId } = messages[0]!.result;
    await expectRejected(ROUTE, { chainId: CHAIN, transactionId, onchainId }, "Deposit does not have a depositId");
  });
});
