import { expect } from "chai";
import {
  type Address,
  concat,
  encodeAbiParameters,
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

import { depositoryAbi } from "../../../packages/protocol/src/abi/depository.generated.ts";
import type {
  InitiatedAttestation,
  InitiationAttestation,
  WithdrawalAttestation,
} from "../../../packages/protocol/src/attestation/messages/withdrawals.ts";
import {
  decodeAction,
  encodeEvmWithdrawal,
  type EvmWithdrawal,
  hubAlias,
  hubTokenId,
  withdrawalAddress,
} from "../../../packages/sdk/src/attestation.ts";
import { deterministicId } from "../../../packages/protocol/src/attestation/deterministicId.ts";
import { hashEvmWithdrawal } from "../../../packages/protocol/src/attestation/evmWithdrawal.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { executeWithdrawal } from "../support/executeWithdrawal.ts";
import {
  ask,
  CHAIN,
  executionSigners,
  ORACLE_SIGNER,
  type OracleNetwork,
  startOracleNetwork,
  startTestOracle,
} from "../support/oracleNetwork.ts";

const ROUTE = "/attestations/depository-withdrawals/v1";
const INITIATION = "/attestations/withdrawal-initiation/v1";
const INITIATED = "/attestations/withdrawal-initiated/v1";
const { user, stranger } = localAccounts;
const owner = user.address.toLowerCase() as Address;
const recipient = stranger.address.toLowerCase() as Address;
const NONCE: Hex = `0x${"0".repeat(60)}beef`;

describe("an attestation of a withdrawal", () => {
  let network: OracleNetwork;
  let oracle: Oracle;
  let depository: Address;
  let dollar: Address;
  let now: number;
  let nonce = 0n;

  before(async () => {
    network = await startOracleNetwork();
    oracle = await startTestOracle(network, { additionalData: { finalizationBlocks: 2, finalizationTime: 5 } });
    ({ depository, dollar } = network.contracts);
    now = Number((await getBlock(network.client)).timestamp);
    await network.send({
      to: depository,
      data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [zeroAddress, zeroHash] }),
      value: 1_000n,
    });
    await network.send({
      to: dollar,
      data: encodeFunctionData({ abi: localDollarAbi, functionName: "mint", args: [depository, 1_000n] }),
    });
  });
  after(async () => {
    await oracle.close();
    await network.close();
  });

  const native = (amount: bigint): EvmWithdrawal["calls"][number] => ({
    to: recipient,
    data: "0x",
    value: amount,
    allowFailure: false,
  });
  const inDollars = (amount: bigint): EvmWithdrawal["calls"][number] => ({
    to: dollar,
    value: 0n,
    allowFailure: false,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [recipient, amount] }),
  });
  const withdrawalOf = (call: EvmWithdrawal["calls"][number], expiration = 4_000_000_000): EvmWithdrawal => {
    nonce += 1n;
    return { calls: [call], nonce, expiration: BigInt(expiration) };
  };

  const addressRequest = (currency: Address) => ({
    chainId: CHAIN,
    currency,
    withdrawer: owner,
    withdrawerChainId: CHAIN,
    recipient,
    withdrawalNonce: NONCE,
  });
  const bodyOf = (withdrawal: EvmWithdrawal, currency: Address = zeroAddress, change: object = {}) => ({
    ...{
      chainId: CHAIN,
      withdrawal: encodeEvmWithdrawal(withdrawal),
      withdrawalAddressRequest: addressRequest(currency),
    },
    ...change,
  });
  const attest = (body: object) => ask<WithdrawalAttestation>(oracle, ROUTE, body);
  const accountOf = (currency: Address): Address =>
    withdrawalAddress({
      chainId: CHAIN,
      depository: depository.toLowerCase() as Hex,
      currency,
      recipient,
      nonce: BigInt(NONCE),
      ownerAlias: hubAlias(CHAIN, owner),
    });

  const pending = (withdrawal: EvmWithdrawal, currency: Address = zeroAddress) => ({
    message: {
      data: bodyOf(withdrawal, currency),
      result: { withdrawalId: hashEvmWithdrawal(withdrawal), depository, status: 0 },
    },
  });

  it("has no execution while it is pending, and burns the paid amount when it is final", async () => {
    for (const [currency, call] of [
      [zeroAddress, native(70n)],
      [dollar.toLowerCase() as Address, inDollars(80n)],
    ] as const) {
      const withdrawal = withdrawalOf(call);
      expect((await attest(bodyOf(withdrawal, currency))).body).to.deep.equal(pending(withdrawal, currency));
      const transactionId = await executeWithdrawal(network, withdrawal);
      await network.mine(1, 1);
      expect((await attest(bodyOf(withdrawal, currency))).body).to.deep.equal(pending(withdrawal, currency));
      await network.mine(1, 1);
      const { status, body } = await attest(bodyOf(withdrawal, currency, { transactionId }));
      const withdrawalId = hashEvmWithdrawal(withdrawal);
      expect({ status, result: body.message.result }).to.deep.equal({
        status: 200,
        result: { withdrawalId, depository, status: 1 },
      });
      const execution = body.execution!;
      expect(execution.idempotencyKey).to.equal(deterministicId(withdrawalId, transactionId));
      const [burn] = execution.actions.map((action) => decodeAction(action as Hex));
      expect(burn).to.deep.include({ type: "burn", tokenId: hubTokenId(CHAIN, currency) });
      expect(burn).to.have.property("amount", currency === zeroAddress ? 70n : 80n);
      expect(burn?.type === "burn" && burn.from.toLowerCase()).to.equal(accountOf(currency));
      expect(await executionSigners(execution)).to.deep.equal([ORACLE_SIGNER]);
    }
  });

  it("returns the unpaid amount when the expiration is final", async () => {
    now = Number((await getBlock(network.client)).timestamp);
    const withdrawal = withdrawalOf(native(30n), now + 10);
    await network.mine(1, 11);
    // The latest block is past the expiration, but not the final one.
    expect((await attest(bodyOf(withdrawal))).body).to.deep.equal(pending(withdrawal));
    await network.mine(2, 1);
    // The final block is past it too, but too recent.
    expect((await attest(bodyOf(withdrawal))).body).to.deep.equal(pending(withdrawal));
    await network.mine(2, 4);
    const { body } = await attest(bodyOf(withdrawal));
    expect(body.message.result.status).to.equal(2);
    const execution = body.execution!;
    expect(execution.idempotencyKey).to.equal(deterministicId(hashEvmWithdrawal(withdrawal), undefined, "2"));
    const [transfer] = execution.actions.map((action) => decodeAction(action as Hex));
    expect(transfer).to.deep.include({ type: "transfer", to: hubAlias(CHAIN, owner), amount: 30n });
    expect(transfer?.type === "transfer" && transfer.from.toLowerCase()).to.equal(accountOf(zeroAddress));
  });

  it("is rejected for an account that is not the withdrawal's", async () => {
    const withdrawal = withdrawalOf(native(30n));
    const message = "Withdrawal does not match the withdrawal address request";
    for (const change of [{ recipient: owner }, { currency: dollar }, { chainId: "other" }]) {
      const withdrawalAddressRequest = { ...addressRequest(zeroAddress), ...change };
      const { status, body } = await attest(bodyOf(withdrawal, zeroAddress, { withdrawalAddressRequest }));
      expect([status, body]).to.deep.equal([
        400,
        { message: change.chainId === undefined ? message : "Chain other is not available" },
      ]);
    }
  });

  it("is rejected for a payload that is invalid, and if the chain has no depository", async () => {
    for (const payload of ["0x12", "nothing", encodeEvmWithdrawal(withdrawalOf({ ...native(1n), data: "0x1234" }))]) {
      expect((await attest(bodyOf(withdrawalOf(native(1n)), zeroAddress, { withdrawal: payload }))).status).to.equal(
        400,
      );
    }
    await using without = await startTestOracle(network, { chain: { depository: undefined as unknown as string } });
    expect(await ask(without, ROUTE, bodyOf(withdrawalOf(native(1n))))).to.deep.include({
      status: 400,
      body: { message: "Chain has no depository configured" },
    });
  });

  const initiation = async (amount: string, signer = user) => {
    const packed = concat([hubAlias(CHAIN, owner), toHex(BigInt(amount), { size: 32 }), NONCE]);
    return {
      settlementChainId: "relay",
      expectedAmount: amount,
      ...addressRequest(zeroAddress),
      signature: await signer.signMessage({ message: { raw: sha256(stringToHex(keccak256(packed))) } }),
    };
  };
  const refusalOf = async (path: string, body: object) => {
    const { status, body: answer } = await ask(oracle, path, body);
    return [status, answer.message];
  };

  it("is initiated by its owner, out of the owner's balance", async () => {
    const body = await initiation("50");
    await network.setHubBalance(hubAlias(CHAIN, owner), hubTokenId(CHAIN, zeroAddress), 49n);
    expect(await refusalOf(INITIATION, body)).to.deep.equal([400, "Insufficient initial withdrawal balance"]);
    await network.setHubBalance(hubAlias(CHAIN, owner), hubTokenId(CHAIN, zeroAddress), 50n);
    const answer = await ask<InitiationAttestation>(oracle, INITIATION, body);
    const address = accountOf(zeroAddress);
    expect(answer.body.message).to.deep.equal({ data: body, result: { withdrawalAddress: address } });
    const execution = answer.body.execution!;
    const tokenId = hubTokenId(CHAIN, zeroAddress);
    expect(execution.idempotencyKey).to.equal(deterministicId("relay", tokenId, address));
    const TRANSFER = ["uint8", "address", "address", "uint256", "uint256"].map((type) => ({ type }));
    expect(execution.actions).to.deep.equal([
      encodeAbiParameters(TRANSFER, [2, hubAlias(CHAIN, owner), address, tokenId, 50n]),
    ]);
    expect(await executionSigners(execution)).to.deep.equal([ORACLE_SIGNER]);
  });

  it("is not initiated by anyone else, or for another hub", async () => {
    const body = await initiation("50");
    const invalid = [400, "Invalid signature. Can't trigger withdrawal"];
    expect(await refusalOf(INITIATION, await initiation("50", stranger))).to.deep.equal(invalid);
    expect(await refusalOf(INITIATION, { ...body, expectedAmount: "49" })).to.deep.equal(invalid);
    for (const signature of ["0x", "nothing", zeroHash]) {
      expect(await refusalOf(INITIATION, { ...body, signature })).to.deep.equal(invalid);
    }
    const foreign = { ...body, settlementChainId: "other" };
    expect(await refusalOf(INITIATION, foreign)).to.deep.equal([400, "Chain other is not available"]);
    expect(await refusalOf(INITIATED, foreign)).to.deep.equal([400, "Chain other is not available"]);
  });

  it("is initiated when its account holds the amount", async () => {
    const { signature: _, ...body } = await initiation("60");
    const address = accountOf(zeroAddress);
    await network.setHubBalance(address, hubTokenId(CHAIN, zeroAddress), 59n);
    expect(await refusalOf(INITIATED, body)).to.deep.equal([400, "Insufficient withdrawal address balance"]);
    await network.setHubBalance(address, hubTokenId(CHAIN, zeroAddress), 61n);
    const answer = await ask<InitiatedAttestation>(oracle, INITIATED, body);
    expect(answer.body).to.deep.equal({
      message: {
        data: body,
        result: {
          proofOfWithdrawalAddressBalance: concat([address, toHex(60n, { size: 32 }), NONCE]),
          withdrawalAddress: address,
        },
      },
    });
  });
});
