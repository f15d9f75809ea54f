import { expect } from "chai";
import {
  type Address,
  concat,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  sha256,
  stringToHex,
  toHex,
  zeroAddress,
  zeroHash,
} from "viem";
import { getBlock } from "viem/actions";

import { hubAlias, hubTokenId, withdrawalAddress } from "../../../packages/sdk/src/attestation.ts";
import { deterministicId } from "../../../packages/protocol/src/attestation/hubIds.ts";
import { hashEvmWithdrawal } from "../../../packages/protocol/src/attestation/evmWithdrawal.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { executeWithdrawal } from "../support/executeWithdrawal.ts";
import { CHAIN, ORACLE_SIGNER } from "../support/oracleNetwork.ts";
import { expectSigned, oracleSuite, owner, recipient } from "./support/oracleSuite.ts";
import { encodeEvmWithdrawal, type EvmWithdrawal } from "../../../packages/protocol/src/attestation/index.ts";

const ROUTE = "depository-withdrawals/v1";
const INITIATION = "withdrawal-initiation/v1";
const INITIATED = "withdrawal-initiated/v1";
const NONCE: Hex = `0x${"0".repeat(60)}beef`;
const { user, stranger } = localAccounts;
const alias = hubAlias(CHAIN, owner);
type Call = EvmWithdrawal["calls"][number];

describe("an attestation of a withdrawal", () => {
  let nonce = 0n;
  const suite = oracleSuite({
    async prepare(network) {
      const { depository, dollar } = network.contracts;
      const data = encodeFunctionData({ abi: localDollarAbi, functionName: "mint", args: [depository, 1_000n] });
      await network.send({ to: dollar, data });
      return { additionalData: { finalizationBlocks: 2, finalizationTime: 5 } };
    },
  });
  const { attest, attested, expectRejected } = suite;
  before(() => suite.deposit(1_000n));

  const native = (value: bigint): Call => ({ to: recipient, data: "0x", value, allowFailure: false });
  const inDollars = (amount: bigint): Call => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [recipient, amount] });
    return { to: suite.contracts.dollar, value: 0n, allowFailure: false, data };
  };
  const withdrawalOf = (call: Call, expiration = 4_000_000_000n): EvmWithdrawal => {
    nonce += 1n;
    return { calls: [call], nonce, expiration };
  };
  const accountFields = { chainId: CHAIN, withdrawer: owner, withdrawerChainId: CHAIN, recipient };
  const addressRequest = (currency: Address) => ({ ...accountFields, currency, withdrawalNonce: NONCE });
  const bodyOf = (withdrawal: EvmWithdrawal, currency: Address = zeroAddress) => ({
    chainId: CHAIN,
    withdrawal: encodeEvmWithdrawal(withdrawal),
    withdrawalAddressRequest: addressRequest(currency),
  });
  const accountOf = (currency: Address): Address =>
    withdrawalAddress({
      chainId: CHAIN,
      depository: suite.contracts.depository.toLowerCase() as Hex,
      ...{ currency, recipient, nonce: BigInt(NONCE), ownerAlias: alias },
    });
  const resultOf = (withdrawal: EvmWithdrawal, status: number) => ({
    ...{ withdrawalId: hashEvmWithdrawal(withdrawal), depository: suite.contracts.depository, status },
  });
  const expectPending = async (withdrawal: EvmWithdrawal, currency?: Address): Promise<void> => {
    const data = bodyOf(withdrawal, currency);
    expect(await attested(ROUTE, data)).to.deep.equal({ message: { data, result: resultOf(withdrawal, 0) } });
  };

  it("has no execution while the withdrawal is pending, and burns the paid amount once the payment is final", async () => {
    for (const [currency, call, amount] of [
      [zeroAddress, native(70n), 70n],
      [suite.contracts.dollar.toLowerCase() as Address, inDollars(80n), 80n],
    ] as const) {
      const withdrawal = withdrawalOf(call);
      await expectPending(withdrawal, currency);
      const transactionId = await executeWithdrawal(suite.network, withdrawal);
      await suite.network.mine(1, 1);
      await expectPending(withdrawal, currency);
      await suite.network.mine(1, 1);
      const { message, execution } = await attested(ROUTE, { ...bodyOf(withdrawal, currency), transactionId });
      expect(message.result).to.deep.equal(resultOf(withdrawal, 1));
      await expectSigned(execution, {
        key: deterministicId(hashEvmWithdrawal(withdrawal), transactionId),
        actions: [{ type: "burn", from: accountOf(currency), tokenId: hubTokenId(CHAIN, currency), amount }],
        signers: [ORACLE_SIGNER],
      });
    }
  });

  it("returns the unpaid amount when the expiration is final", async () => {
    const { timestamp } = await getBlock(suite.network.client);
    const withdrawal = withdrawalOf(native(30n), timestamp + 10n);
    // First, only the latest block is later than the expiration. Then the final block is later too, but too recent.
    for (const [blocks, seconds] of [
      [1, 11],
      [2, 1],
    ] as const) {
      await suite.network.mine(blocks, seconds);
      await expectPending(withdrawal);
    }
    await suite.network.mine(2, 4);
    const { message, execution } = await attested(ROUTE, bodyOf(withdrawal));
    expect(message.result.status).to.equal(2);
    const [from, to] = [accountOf(zeroAddress), alias.toLowerCase()];
    await expectSigned(execution, {
      key: deterministicId(hashEvmWithdrawal(withdrawal), undefined, "2"),
      actions: [{ type: "transfer", from, to, tokenId: hubTokenId(CHAIN, zeroAddress), amount: 30n }],
      signers: [ORACLE_SIGNER],
    });
  });

  it("is rejected for an account that does not belong to the withdrawal", async () => {
    const body = bodyOf(withdrawalOf(native(30n)));
    const message = "Withdrawal does not match the withdrawal address request";
    for (const [change, reason] of [
      [{ recipient: owner }, message],
      [{ currency: suite.contracts.dollar }, message],
      [{ chainId: "other" }, "Chain other is not available"],
    ] as const) {
      const withdrawalAddressRequest = { ...addressRequest(zeroAddress), ...change };
      await expectRejected(ROUTE, { ...body, withdrawalAddressRequest }, reason);
    }
  });

  it("is rejected for an invalid payload, and for a chain without a depository", async () => {
    const body = bodyOf(withdrawalOf(native(1n)));
    const odd = encodeEvmWithdrawal(withdrawalOf({ ...native(1n), data: "0x1234" }));
    for (const withdrawal of ["0x12", "nothing", odd]) {
      expect((await attest(ROUTE, { ...body, withdrawal })).status).to.equal(400);
    }
    await using without = await suite.start({ chain: { depository: undefined as unknown as string } });
    await expectRejected(ROUTE, body, "Chain has no depository configured", without);
  });

  const initiation = async (amount: string, signer = user) => ({
    settlementChainId: "relay",
    expectedAmount: amount,
    ...addressRequest(zeroAddress),
    signature: await signer.signMessage({
      message: { raw: sha256(stringToHex(keccak256(concat([alias, toHex(BigInt(amount), { size: 32 }), NONCE])))) },
    }),
  });

  it("can be initiated only by the owner, from the owner's balance", async () => {
    const body = await initiation("50");
    const tokenId = hubTokenId(CHAIN, zeroAddress);
    await suite.network.setHubBalance(alias, tokenId, 49n);
    await expectRejected(INITIATION, body, "Insufficient initial withdrawal balance");
    await suite.network.setHubBalance(alias, tokenId, 50n);
    const { message, execution } = await attested(INITIATION, body);
    const address = accountOf(zeroAddress);
    expect(message).to.deep.equal({ data: body, result: { withdrawalAddress: address } });
    await expectSigned(execution, {
      key: deterministicId("relay", tokenId, address),
      actions: [{ type: "transfer", from: alias.toLowerCase(), to: address, tokenId, amount: 50n }],
      signers: [ORACLE_SIGNER],
    });
    for (const foreign of [
      await initiation("50", stranger),
      ...[{ expectedAmount: "49" }, { signature: "0x" }, { signature: "nothing" }, { signature: zeroHash }].map(
        (change) => ({ ...body, ...change }),
      ),
    ]) {
      await expectRejected(INITIATION, foreign, "Invalid signature. Can't trigger withdrawal");
    }
    for (const route of [INITIATION, INITIATED] as const) {
      await expectRejected(route, { ...body, settlementChainId: "other" }, "Chain other is not available");
    }
  });

  it("is initiated if the withdrawal's account holds the amount", async () => {
    const { signature: _, ...body } = await initiation("60");
    const address = accountOf(zeroAddress);
    await suite.network.setHubBalance(address, hubTokenId(CHAIN, zeroAddress), 59n);
    await expectRejected(INITIATED, body, "Insufficient withdrawal address balance");
    await suite.network.setHubBalance(address, hubTokenId(CHAIN, zeroAddress), 61n);
    const { message } = await attested(INITIATED, body);
    expect(message.result).to.deep.equal({
      proofOfWithdrawalAddressBalance: concat([address, toHex(60n, { size: 32 }), NONCE]),
      withdrawalAddress: address,
    });
  });
});
