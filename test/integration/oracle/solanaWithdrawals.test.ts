import { createHash } from "node:crypto";

import { base58 } from "@scure/base";
import { expect } from "chai";
import { bytesToHex, concat, type Hex, hexToBytes, sha256, zeroHash } from "viem";

import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { programAddress } from "../../../packages/protocol/src/vms/solanaPrograms.ts";
import type { WithdrawalAttestation } from "../../../packages/protocol/src/attestation/messages/withdrawals.ts";
import { ask } from "../support/oracleNetwork.ts";
import { expectRejection, INTERNAL_ERROR, startFamilyOracle } from "./support/familyOracle.ts";
import { jsonRpc, type RecordedServer, startRecordedServer } from "./support/recordedServer.ts";
import { DEPOSITORY, encodeKey, keyOf, SYSTEM, USDC, VAULT } from "./support/solanaShapes.ts";
import { aliasOf, burnOf, expectExecution, idOf, tokenOf, transferOf, withdrawnOf } from "./support/vectors.ts";

const ROUTE = "/attestations/depository-withdrawals/v1";
const CHAIN = "solana";
const NOW = 1_790_000_000;
const SLOT = 300_000_000;
const NONCE: Hex = `0x${"0".repeat(60)}beef`;
const [alice, bob, SECOND] = [keyOf("alice"), keyOf("bob"), keyOf("second depository")];

/** Returns the Borsh encoding of a request as the depository's program reads it, with little-endian numbers. */
function requestOf(token: string | undefined, expiration: number): Hex {
  const numbers = Buffer.alloc(24);
  numbers.writeBigUInt64LE(2n ** 64n - 5n, 0);
  numbers.writeBigUInt64LE(7n, 8);
  numbers.writeBigInt64LE(BigInt(expiration), 16);
  const option: Hex = token === undefined ? "0x00" : concat(["0x01", encodeKey(token)]);
  return concat([zeroHash, encodeKey(bob), option, bytesToHex(numbers), encodeKey(VAULT)]);
}

describe("the oracle on withdrawals from Solana", () => {
  const accounts = new Map<string, { readonly owner: string; readonly data: [string, "base64"] }>();
  const order: string[] = [];
  let time: number | null = NOW;
  let node: RecordedServer;
  let oracle: Oracle;

  before(async () => {
    node = await startRecordedServer(
      jsonRpc((method, [first, options]) => {
        order.push(method);
        if (method === "getSlot") return SLOT;
        if (method === "getBlockTime") return time;
        expect(options).to.deep.equal({ commitment: "finalized", encoding: "base64", minContextSlot: SLOT });
        return { context: { slot: SLOT + 1 }, value: accounts.get(first as string) ?? null };
      }),
    );
    const depositories = { depository: DEPOSITORY, additionalDepositories: [SECOND] };
    const chain = { id: CHAIN, vmType: "solana-vm" as const, httpRpcUrl: node.url, ...depositories };
    oracle = await startFamilyOracle({ chain });
  });
  after(async () => {
    await oracle.close();
    node.close();
  });

  const attest = async (withdrawal: Hex, currency: string, recipient = bob, depository?: string) => {
    const request = { chainId: CHAIN, depository, currency, withdrawer: alice, withdrawerChainId: CHAIN, recipient };
    const { status, body } = await ask<WithdrawalAttestation>(oracle, ROUTE, {
      chainId: CHAIN,
      withdrawal,
      withdrawalAddressRequest: { ...request, withdrawalNonce: NONCE },
    });
    return { status, body };
  };

  interface Noted {
    readonly program?: string;
    readonly owner?: string;
    readonly isUsed?: number;
    readonly name?: string;
  }

  /** Stores the account that marks a withdrawal as executed, or another value at its address. */
  function note(
    withdrawal: Hex,
    { program = DEPOSITORY, owner, isUsed = 1, name = "account:UsedRequest" }: Noted = {},
  ): void {
    const seeds = [Buffer.from("used_request"), hexToBytes(sha256(withdrawal))];
    const selector = createHash("sha256").update(name).digest().subarray(0, 8);
    const data = Buffer.concat([selector, Buffer.of(isUsed)]).toString("base64");
    accounts.set(programAddress(seeds, program), { owner: owner ?? program, data: [data, "base64"] });
  }

  const accountOf = (currency: string) =>
    withdrawnOf(CHAIN, [
      ...([encodeKey(DEPOSITORY), encodeKey(currency), encodeKey(bob), aliasOf(CHAIN, encodeKey(alice))] as const),
      NONCE,
    ]);

  it("reports a withdrawal as pending until the depository records it or a finalized block is later than its expiration", async () => {
    for (const [token, currency] of [
      [undefined, SYSTEM],
      [USDC, USDC],
    ] as const) {
      const withdrawal = requestOf(token, NOW);
      const { status, body } = await attest(withdrawal, currency);
      expect({ status, result: body.message.result, keys: Object.keys(body) }).to.deep.equal({
        status: 200,
        keys: ["message"],
        result: { withdrawalId: sha256(withdrawal), depository: DEPOSITORY, status: 0 },
      });
    }
  });

  it("reports a withdrawal as executed if the depository has recorded it, even after its expiration", async () => {
    const withdrawal = requestOf(USDC, NOW - 100);
    note(withdrawal);
    const { body } = await attest(withdrawal, USDC);
    expect(body.message.result.status).to.equal(1);
    await expectExecution(body.execution, idOf(sha256(withdrawal), ""), [
      burnOf(accountOf(USDC), tokenOf(CHAIN, encodeKey(USDC)), 2n ** 64n - 5n),
    ]);
  });

  it("reads a withdrawal from an additional depository there", async () => {
    const withdrawal = requestOf(USDC, NOW - 50);
    note(withdrawal, { program: SECOND });
    const { body } = await attest(withdrawal, USDC, bob, SECOND);
    const result = { withdrawalId: sha256(withdrawal), depository: SECOND, status: 1 };
    expect(body.message.result).to.deep.equal(result);
  });

  it("reports a withdrawal as expired, and returns the balance, once a finalized block is later than its expiration", async () => {
    for (const [index, noted] of [{ isUsed: 0 }, { owner: keyOf("other") }, { name: "account:Other" }].entries()) {
      const withdrawal = requestOf(undefined, NOW - 1 - index);
      note(withdrawal, noted);
      const { body } = await attest(withdrawal, SYSTEM);
      expect(body.message.result.status).to.equal(2);
      const token = tokenOf(CHAIN, encodeKey(SYSTEM));
      await expectExecution(body.execution, idOf(sha256(withdrawal), "", "2"), [
        transferOf(accountOf(SYSTEM), aliasOf(CHAIN, encodeKey(alice)), token, 2n ** 64n - 5n),
      ]);
    }
  });

  it("reads the slot first, then the account at that slot or later", async () => {
    order.length = 0;
    await attest(requestOf(undefined, NOW), SYSTEM);
    expect([order[0], order.slice(1).toSorted()]).to.deep.equal(["getSlot", ["getAccountInfo", "getBlockTime"]]);
  });

  it("rejects another recipient or currency, and invalid payloads", async () => {
    const withdrawal = requestOf(undefined, NOW);
    const message = "Withdrawal does not match the withdrawal address request";
    await expectRejection(attest(withdrawal, SYSTEM, alice), message);
    await expectRejection(attest(withdrawal, USDC), message);
    const option = 2 + 2 * 64;
    const wrongOption: Hex = `0x${withdrawal.slice(2, option)}02${withdrawal.slice(option + 2)}`;
    for (const payload of [concat([withdrawal, "0x00"]), withdrawal.slice(0, -2) as Hex, wrongOption, "0x" as const]) {
      expect((await attest(payload, SYSTEM)).status).to.equal(400);
    }
  });

  it("fails if no node reports the block time", async () => {
    time = null;
    expect(await attest(requestOf(undefined, NOW), SYSTEM)).to.deep.equal(INTERNAL_ERROR);
    time = NOW;
  });

  it("derives the address of the record from the program's seeds", () => {
    const seeds = [Buffer.from("used_request"), base58.decode(USDC)];
    expect(programAddress(seeds, DEPOSITORY)).to.equal("4zn4QZ1rn6xfF6yxetxYctDo1PCSPtra7UdgqBtm7hNj");
  });
});
