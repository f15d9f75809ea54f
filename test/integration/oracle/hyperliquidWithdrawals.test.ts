import { expect } from "chai";
import { type Address, concat, encodeAbiParameters, type Hex, hashStruct, parseAbiParameters } from "viem";

import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import type { WithdrawalAttestation } from "../../../packages/protocol/src/attestation/messages/withdrawals.ts";
import { ask } from "../support/oracleNetwork.ts";
import { expectRejection, SOLVER_CHAIN, startFamilyOracle } from "./support/familyOracle.ts";
import { type RecordedServer, startRecordedServer } from "./support/recordedServer.ts";
import { aliasOf, burnOf, expectExecution, idOf, tokenOf, transferOf, withdrawnOf } from "./support/vectors.ts";

const ROUTE = "/attestations/depository-withdrawals/v1";
const CHAIN = "hyperliquid";
const NATIVE: Hex = `0x${"0".repeat(32)}`;
const COIN: Hex = "0x0d01dc56dcaaca66ad901c959b4011ec";
const DEPOSITORY: Address = "0x1111111111111111111111111111111111111111";
const SECOND: Address = "0x2222222222222222222222222222222222222222";
const ALICE: Address = "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const BOB: Address = "0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
const NONCE: Hex = `0x${"0".repeat(60)}beef`;
const ENVELOPE = parseAbiParameters("(uint8 kind, bytes parameters)");
const USD_SEND = "string hyperliquidChain, string destination, string amount, uint64 time";
const SEND_ASSET =
  "string hyperliquidChain, string destination, string sourceDex, string destinationDex, string token, string amount, " +
  "string fromSubAccount, uint64 nonce";

/** Returns the fields of a type, in EIP-712 order. */
const fieldsOf = (text: string) =>
  text.split(", ").map((field) => {
    const [type = "", name = ""] = field.split(" ");
    return { type, name };
  });

/** Returns a withdrawal's payload, the exchange's action, and the signed hash. */
function withdrawalOf(name: "SendAsset" | "UsdSend", fields: Record<string, string>) {
  const nonceField = name === "UsdSend" ? "time" : "nonce";
  const types = fieldsOf(name === "UsdSend" ? USD_SEND : SEND_ASSET);
  const values: Record<string, unknown> = { hyperliquidChain: "Mainnet", destination: BOB, ...fields };
  values[nonceField] = BigInt(fields[nonceField] ?? 0);
  const parameters = encodeAbiParameters([{ type: "tuple", components: types }], [values]);
  const primaryType = `HyperliquidTransaction:${name}`;
  const id = hashStruct({ types: { [primaryType]: types }, primaryType, data: values });
  return {
    id,
    payload: encodeAbiParameters(ENVELOPE, [{ kind: name === "UsdSend" ? 0 : 1, parameters }]),
    action: {
      type: name === "UsdSend" ? "usdSend" : "sendAsset",
      signatureChainId: "0x1",
      ...values,
      [nonceField]: Number(fields[nonceField]),
    },
  };
}

describe("the oracle on withdrawals from Hyperliquid", () => {
  const latest = new Map<string, object[]>();
  const transactions = new Map<string, object>();
  let exchange: RecordedServer;
  let oracle: Oracle;
  let time = 1_761_563_890_000;

  before(async () => {
    exchange = await startRecordedServer(({ body }) => {
      const { type, user, hash } = JSON.parse(body) as Record<string, string>;
      if (type === "userDetails") return { body: { type, txs: latest.get(user ?? "") ?? [] } };
      return { body: { type, tx: transactions.get(hash ?? "") ?? null } };
    });
    const chain = { id: CHAIN, vmType: "hyperliquid-vm", httpRpcUrl: exchange.url, depository: DEPOSITORY } as const;
    oracle = await startFamilyOracle({ chain: { ...chain, additionalDepositories: [SECOND] } });
  });
  beforeEach(() => latest.clear());
  after(async () => {
    await oracle.close();
    exchange.close();
  });

  const dollars = (fields: Record<string, string> = {}) => {
    time += 1;
    return withdrawalOf("UsdSend", { amount: "1.50000000", time: `${time}`, ...fields });
  };

  /** Returns a transaction in the explorer's format. */
  const taken = (action: object, user: Address = DEPOSITORY, error: string | null = null) => {
    time += 1;
    const hash: Hex = `0x${time.toString(16).padStart(64, "0")}`;
    return { time, user, action, block: 776_752_679, hash, error };
  };

  const attest = async (withdrawal: Hex, currency: Hex, change: object = {}) => {
    const request = { chainId: CHAIN, currency, withdrawer: ALICE, withdrawerChainId: SOLVER_CHAIN, recipient: BOB };
    const { status, body } = await ask<WithdrawalAttestation>(oracle, ROUTE, {
      chainId: CHAIN,
      withdrawal,
      withdrawalAddressRequest: { ...request, withdrawalNonce: NONCE },
      ...change,
    });
    return { status, body };
  };
  const statusOf = async (withdrawal: Hex, currency: Hex = NATIVE, change: object = {}) =>
    (await attest(withdrawal, currency, change)).body.message.result.status;

  const accountOf = (currency: Hex) =>
    withdrawnOf(CHAIN, [DEPOSITORY, currency, BOB, aliasOf(SOLVER_CHAIN, ALICE), NONCE]);

  it("is pending while no transaction from the depository has the same signed fields", async () => {
    const { id, payload, action } = dollars();
    latest.set(DEPOSITORY, [
      taken({ ...action, amount: "1.50000001" }),
      taken(action, ALICE),
      taken({ type: "order", orders: [] }),
    ]);
    const { status, body } = await attest(payload, NATIVE);
    expect({ status, result: body.message.result, keys: Object.keys(body) }).to.deep.equal({
      status: 200,
      keys: ["message"],
      result: { withdrawalId: id, depository: DEPOSITORY, status: 0 },
    });
  });

  it("is executed if one of these transactions succeeded, in any currency", async () => {
    const market = { sourceDex: "spot", destinationDex: "spot", token: `COIN:${COIN}`, fromSubAccount: "" };
    const named = { ...market, sourceDex: "xyz" };
    for (const [withdrawal, currency, amount] of [
      [dollars(), NATIVE, 150_000_000n],
      [withdrawalOf("SendAsset", { ...market, amount: "7.25", nonce: "5" }), COIN, 725n],
      [withdrawalOf("SendAsset", { ...named, amount: "7.25", nonce: "6" }), concat([COIN, "0x78797a"]), 725n],
    ] as const) {
      latest.set(SECOND, [taken(withdrawal.action, SECOND)]);
      const { body } = await attest(withdrawal.payload, currency);
      expect(body.message.result.status).to.equal(1);
      await expectExecution(body.execution, idOf(withdrawal.id, ""), [
        burnOf(accountOf(currency), tokenOf(CHAIN, currency), amount),
      ]);
    }
  });

  it("is expired if the transaction failed, so that the balance returns", async () => {
    const { id, payload, action } = dollars();
    latest.set(DEPOSITORY, [taken(action, DEPOSITORY, "Insufficient balance")]);
    const { body } = await attest(payload, NATIVE);
    expect(body.message.result.status).to.equal(2);
    await expectExecution(body.execution, idOf(id, "", "2"), [
      transferOf(accountOf(NATIVE), aliasOf(SOLVER_CHAIN, ALICE), tokenOf(CHAIN, NATIVE), 150_000_000n),
    ]);
  });

  it("is executed if another attempt succeeded, regardless of its source", async () => {
    const { payload, action } = dollars();
    const [failed, succeeded] = [taken(action, DEPOSITORY, "Insufficient balance"), taken(action)];
    latest.set(DEPOSITORY, [failed, succeeded]);
    expect(await statusOf(payload)).to.equal(1);
    latest.set(DEPOSITORY, [failed]);
    latest.set(SECOND, [{ ...succeeded, user: SECOND }]);
    expect(await statusOf(payload)).to.equal(1);
    latest.delete(SECOND);
    transactions.set(succeeded.hash, succeeded);
    expect(await statusOf(payload, NATIVE, { transactionId: succeeded.hash })).to.equal(1);
    expect(await statusOf(payload)).to.equal(2);
  });

  it("reads the transaction that the caller names if it is not among the latest transactions", async () => {
    const { payload, action } = dollars();
    const [own, other, foreign] = [taken(action), taken(dollars().action), taken(action, ALICE)];
    for (const transaction of [own, other, foreign]) transactions.set(transaction.hash, transaction);
    expect(await statusOf(payload, NATIVE, { transactionId: own.hash })).to.equal(1);
    expect(await statusOf(payload, NATIVE, { transactionId: other.hash })).to.equal(0);
    expect(await statusOf(payload, NATIVE, { transactionId: foreign.hash })).to.equal(0);
    const transactionId = `0x${"ee".repeat(32)}`;
    const missing = `Missing transaction ${transactionId} on chain ${CHAIN}`;
    await expectRejection(attest(payload, NATIVE, { transactionId }), missing);
  });

  it("is rejected for tokens that do not belong to a market, and for invalid payloads", async () => {
    const market = { sourceDex: "", destinationDex: "", token: `COIN:${COIN}`, fromSubAccount: "" };
    const { payload } = withdrawalOf("SendAsset", { ...market, amount: "7.25", nonce: "5" });
    await expectRejection(attest(payload, COIN), "Only USDC is supported as a Perps token");
    const unknown = encodeAbiParameters(ENVELOPE, [{ kind: 2, parameters: "0x" }]);
    for (const other of ["0x", "0x12", unknown, dollars({ amount: "1" }).payload] as const) {
      expect((await attest(other, NATIVE)).status).to.equal(400);
    }
  });
});
