import { expect } from "chai";
import { SigningKey, TypedDataEncoder, computeAddress, recoverAddress } from "ethers";
import { readFileSync } from "node:fs";
import { type Hex, toHex } from "viem";

import type { Order } from "../../../packages/protocol/src/order/order.ts";
import type { LighterTransferData } from "../../../packages/protocol/src/attestation/toSubmitWithdrawRequest.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { type RecordedServer, startRecordedServer } from "./support/recordedServer.ts";
import { lighterWithdrawal } from "./support/lighterShapes.ts";
import { burnOf, idOf, transferOf, withdrawnOf } from "./support/vectors.ts";
import {
  creditedOf,
  type DepositMessage,
  fastMint,
  mint,
  settlementOf,
  SIGNED_FIELDS,
  tokenIdOf,
  aliasOf,
  move,
} from "./vectors/derive.ts";
import { respondBy, askVector, startVectorOracle, type Vector, type VectorFile } from "./vectors/file.ts";

const file = JSON.parse(readFileSync(new URL("../../vectors/oracle.json", import.meta.url), "utf8")) as VectorFile;
const { hub, vectors } = file;
const vms = new Map(file.chains.map(({ id, vmType }) => [id, vmType]));
const granted = vectors.filter(({ status }) => status === 200);

interface Execution {
  readonly idempotencyKey: string;
  readonly actions: readonly string[];
  readonly signatures: readonly { readonly oracleSigner: string; readonly signature: string }[];
}
const executionOf = ({ answer }: Vector) => (answer as { execution?: Execution }).execution;

const messages = new Map(
  granted
    .flatMap(({ answer }) => (answer as { messages?: DepositMessage[] }).messages ?? [])
    .map((message) => [`${message.data.transactionId} ${message.result.onchainId}`, message]),
);

describe("the oracle test vectors", () => {
  let upstream: RecordedServer;
  let oracle: Oracle;
  const unknown: string[] = [];

  before(async () => {
    const exchanges = new Map(file.exchanges.map((exchange) => [exchange.call, exchange]));
    upstream = await startRecordedServer(
      respondBy((call) => {
        const exchange = exchanges.get(call);
        if (exchange === undefined) unknown.push(call);
        return exchange ?? { status: 500, answer: {} };
      }),
    );
    oracle = await startVectorOracle(file, upstream.url);
  });
  after(async () => {
    await oracle.close();
    upstream.close();
  });

  it("match the oracle's responses, which need only the recorded exchanges", async () => {
    expect(vectors.length).to.be.at.least(300);
    const waiting = [...vectors];
    const work = async (): Promise<void> => {
      for (let vector = waiting.shift(); vector !== undefined; vector = waiting.shift()) {
        const { name, route, status, answer } = vector;
        const actual = await askVector(oracle, file, vector);
        expect(actual, `${route}: ${name}`).to.deep.equal({ status, answer });
      }
    };
    await Promise.all(Array.from({ length: 16 }, work));
    expect(unknown).to.deep.equal([]);
  }).timeout(120_000);

  it("have a signature over each execution, made with the file's key", () => {
    const key = new SigningKey(file.privateKey);
    const signer = computeAddress(key).toLowerCase();
    const domain = {
      name: "RelayOracle",
      version: hub.oracleVersion,
      chainId: hub.evmChainId,
      verifyingContract: hub.oracleAddress,
    };
    const executions = granted.flatMap((vector) => executionOf(vector) ?? []);
    expect(executions.length).to.be.at.least(200);
    for (const { idempotencyKey, actions, signatures } of executions) {
      const types = { Execution: [...SIGNED_FIELDS.Execution] };
      const digest = TypedDataEncoder.hash(domain, types, { idempotencyKey, actions });
      const [signature] = signatures;
      expect(signatures).to.have.length(1);
      expect(signature?.oracleSigner).to.equal(signer);
      expect(signature?.signature).to.equal(key.sign(digest).serialized);
      expect(recoverAddress(digest, signature?.signature ?? "0x").toLowerCase()).to.equal(signer);
    }
  });

  it("credit each deposit under the key of its transaction", () => {
    for (const vector of granted.filter(({ route }) => route === "depository-deposits/v1")) {
      const { messages: found } = vector.answer as { messages: readonly DepositMessage[] };
      const { chainId, transactionId } = vector.request as { chainId: string; transactionId: string };
      const execution = executionOf(vector);
      if (found.length === 0) {
        expect(execution).to.equal(undefined);
        continue;
      }
      const indexes = Array.from({ length: 32 }, (_, index) => idOf(chainId, transactionId, index));
      for (const { result } of found) expect(indexes, vector.name).to.include(result.onchainId);
      const actionsBy = (encode: typeof mint): string[] =>
        found.map((message) => {
          const { currency, amount } = message.result;
          return encode(creditedOf(vms, message), tokenIdOf(vms, chainId, currency), amount);
        });
      const limiter = hub.rateLimiter?.address ?? "";
      const isFast = execution?.actions[0]?.startsWith(`0x${"0".repeat(63)}3`) === true;
      expect(execution?.idempotencyKey, vector.name).to.equal(idOf(chainId, transactionId));
      expect(execution?.actions, vector.name).to.deep.equal(
        actionsBy(isFast ? (to, token, amount) => fastMint(to, token, amount, limiter) : mint),
      );
    }
  });

  it("settle each order according to its deposits, weights and fees", () => {
    const settled = granted.filter(({ route }) => route.startsWith("solver-"));
    expect(settled.length).to.be.at.least(60);
    for (const vector of settled) {
      const { order, inputs, force } = vector.request as {
        order: Order;
        inputs: { transactionId: string; onchainId: string; inputIndex: number }[];
        force?: unknown;
      };
      const paid = inputs.flatMap(({ transactionId, onchainId, inputIndex }) => {
        const message = messages.get(`${transactionId} ${onchainId}`);
        return message === undefined ? [] : [{ message, inputIndex }];
      });
      const isFill = vector.route === "solver-fills/v1";
      const isForced = force === true || force === "true";
      const { orderId, diff, ...derived } = settlementOf(vms, order, paid, { isFill, isForced });
      const { message } = vector.answer as { message: { result: object } };
      const expected = { orderId, status: 1, totalWeightedInputPaymentBpsDiff: diff };
      expect(message.result, vector.name).to.deep.equal(expected);
      const { idempotencyKey, actions } = executionOf(vector) ?? {};
      expect({ idempotencyKey, actions }, vector.name).to.deep.equal(derived);
    }
  });

  it("transfer balances between the hub's accounts", () => {
    for (const vector of granted.filter(({ route }) => route === "transfer/v1")) {
      const request = vector.request as Record<
        "amount" | "chainId" | "currency" | "nonce" | "owner" | "ownerChainId" | "recipient",
        string
      >;
      const { chainId, currency, amount, nonce, owner, ownerChainId, recipient } = request;
      const [token, from] = [tokenIdOf(vms, chainId, currency), aliasOf(vms, ownerChainId, owner)];
      const { idempotencyKey, actions } = executionOf(vector) ?? {};
      expect(actions, vector.name).to.deep.equal([move(from, recipient, token, amount)]);
      expect(idempotencyKey, vector.name).to.equal(idOf(hub.id, `${token}`, from, recipient, nonce));
    }
  });

  it("burn or return the amounts of withdrawals on Lighter", () => {
    const depository = file.chains.find(({ id }) => id === "lighter")?.depository ?? "";
    const settled = granted.filter(
      ({ route, request, answer }) =>
        route === "depository-withdrawals/v2" &&
        (request as { chainId: string }).chainId === "lighter" &&
        (answer as { status: number }).status !== 0,
    );
    expect(settled.length).to.be.at.least(18);
    for (const vector of settled) {
      const { currency, amount, owner, ownerChainId, recipient, nonce, transactionId, additionalData } =
        vector.request as Record<"amount" | "currency" | "owner" | "ownerChainId" | "recipient", string> & {
          readonly nonce: Hex;
          readonly transactionId?: string;
          readonly additionalData: { readonly "lighter-vm": LighterTransferData };
        };
      const stated = additionalData["lighter-vm"];
      const { id } = lighterWithdrawal({
        FromAccountIndex: Number(depository),
        ApiKeyIndex: stated.apiKeyIndex,
        ToAccountIndex: Number(recipient),
        AssetIndex: stated.assetIndex,
        FromRouteType: stated.fromRouteType,
        ToRouteType: stated.toRouteType,
        Amount: Number(amount),
        USDCFee: stated.usdcFee,
        Memo: [...Buffer.from(stated.memo.slice(2), "hex")],
        ExpiredAt: 0,
        Nonce: stated.nonce,
      });
      const [token, alias] = [tokenIdOf(vms, "lighter", currency), aliasOf(vms, ownerChainId, owner) as Hex];
      const encode = (index: string): Hex => toHex(BigInt(index), { size: 16 });
      const account = withdrawnOf("lighter", [encode(depository), encode(currency), encode(recipient), alias, nonce]);
      const isExecuted = (vector.answer as { status: number }).status === 1;
      expect(executionOf(vector)?.idempotencyKey, vector.name).to.equal(
        idOf(id, transactionId ?? "", ...(isExecuted ? [] : ["2"])),
      );
      expect(executionOf(vector)?.actions, vector.name).to.deep.equal([
        isExecuted ? burnOf(account, token, BigInt(amount)) : transferOf(account, alias, token, BigInt(amount)),
      ]);
    }
  });
});
