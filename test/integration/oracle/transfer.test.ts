import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";

import { base58 } from "@scure/base";
import { RawTx, RawWitness, Transaction, p2tr, p2wpkh, utils } from "@scure/btc-signer";
import { expect } from "chai";
import { type Address, type Hex, bytesToHex, keccak256, sha256, stringToHex, zeroAddress } from "viem";
import { privateKeyToAccount, privateKeyToAddress, sign as signHash } from "viem/accounts";

import { hubAlias, hubTokenId } from "../../../packages/sdk/src/attestation.ts";
import { deterministicId } from "../../../packages/protocol/src/attestation/hubIds.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { CHAIN, ORACLE_SIGNER } from "../support/oracleNetwork.ts";
import { expectSigned, oracleSuite, owner as evmOwner } from "./support/oracleSuite.ts";
import { vmCodecOf, type VmType } from "../../../packages/protocol/src/vms/index.ts";

const ROUTE = "transfer/v1";
const RECIPIENT: Address = "0x2222222222222222222222222222222222222222";
const { user, stranger } = localAccounts;
const from = hubAlias(CHAIN, evmOwner);

describe("an attestation of a transfer", () => {
  const suite = oracleSuite();
  const { attest, attested, expectRejected } = suite;

  const common = { chainId: CHAIN, currency: zeroAddress, amount: "40", recipient: RECIPIENT, nonce: "9" };
  const fieldsOf = (owner: string, change: object = {}) => ({ ...common, ownerChainId: CHAIN, owner, ...change });

  /** Returns the SHA-256 of the JSON with sorted keys, as text without 0x. */
  const digestOf = (fields: object): string => {
    const entries = Object.entries({ ...fields, operation: "transfer" }).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return createHash("sha256")
      .update(JSON.stringify(Object.fromEntries(entries)))
      .digest("hex");
  };
  const signedOnEvm = async (fields: object, signer = user) => ({
    ...fields,
    ownerSignature: await signer.signMessage({ message: { raw: `0x${digestOf(fields)}` } }),
  });

  it("moves at most the owner's balance, even in a token that exists only on the hub", async () => {
    for (const chainId of [CHAIN, "relay"]) {
      const body = await signedOnEvm(fieldsOf(evmOwner, { chainId }));
      const tokenId = hubTokenId(chainId, zeroAddress);
      await suite.network.setHubBalance(from, tokenId, 39n);
      await expectRejected(ROUTE, body, "Insufficient balance for requested transfer");
      await suite.network.setHubBalance(from, tokenId, 40n);
      await expectSigned((await attested(ROUTE, body)).execution, {
        key: deterministicId("relay", tokenId, from, RECIPIENT, "9"),
        actions: [{ type: "transfer", from: from.toLowerCase(), to: RECIPIENT, tokenId, amount: 40n }],
        signers: [ORACLE_SIGNER],
      });
    }
  });

  it("accepts any text as the nonce", async () => {
    const tokenId = hubTokenId(CHAIN, zeroAddress);
    for (const nonce of ["", "Transfer of 1 May", "0x0123", "9".repeat(100)]) {
      const { execution } = await attested(ROUTE, await signedOnEvm(fieldsOf(evmOwner, { nonce })));
      expect(execution.idempotencyKey).to.equal(deterministicId("relay", tokenId, from, RECIPIENT, nonce));
    }
  });

  it("is rejected if another account signed, or if other data was signed", async () => {
    const body = await signedOnEvm(fieldsOf(evmOwner));
    await expectRejected(ROUTE, await signedOnEvm(fieldsOf(evmOwner), stranger), "Invalid signature");
    for (const change of [
      { amount: "41" },
      { recipient: zeroAddress },
      { nonce: "10" },
      { ownerSignature: "nothing" },
      { ownerSignature: "0x12" },
    ]) {
      await expectRejected(ROUTE, { ...body, ...change }, "Invalid signature");
    }
    const nothing = await signedOnEvm(fieldsOf(evmOwner, { amount: "0" }));
    await expectRejected(ROUTE, nothing, "Transfer amount must be non-zero");
    expect((await attest(ROUTE, { ...body, recipient: "no address" })).status).to.equal(400);
  });

  /** Returns two error messages: for a signature over the request, and for a signature over another text. */
  const messagesOn = async (
    vmType: VmType,
    owner: string,
    ownerSignature: (text: string) => Promise<string> | string,
  ): Promise<string[]> => {
    const fields = fieldsOf(owner, { currency: vmCodecOf(vmType).nativeCurrency });
    await using other = await suite.start({ chain: { vmType, depository: undefined as unknown as string } });
    const messageOf = async (text: string): Promise<string> => {
      const body = { ...fields, ownerSignature: await ownerSignature(text) };
      const { status, body: response } = await attest(ROUTE, body, other);
      expect(status).to.equal(400);
      return (response as unknown as { message: string }).message;
    };
    return [await messageOf(digestOf(fields)), await messageOf("another text")];
  };
  // The oracle checks the signature first. With a valid signature, the error is that the balance is too low.
  const verified = ["Insufficient balance for requested transfer", "Invalid signature"];

  it("accepts signatures from Tron wallets", async () => {
    const privateKey: Hex = `0x${"77".repeat(32)}`;
    const owner = vmCodecOf("tron-vm").decodeAddress(`0x41${privateKeyToAddress(privateKey).slice(2)}`);
    const seen = await messagesOn("tron-vm", owner, (text) => {
      const hash = keccak256(stringToHex(`\u0019TRON Signed Message:\n${text.length}${text}`));
      return signHash({ hash, privateKey, to: "hex" });
    });
    expect(seen).to.deep.equal(verified);
  });

  it("accepts signatures from Solana wallets", async () => {
    const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 5)]);
    const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    const owner = base58.encode(createPublicKey(key).export({ type: "spki", format: "der" }).subarray(-32));
    for (const write of [base58.encode, bytesToHex, (bytes: Uint8Array) => bytesToHex(bytes).slice(2)]) {
      const seen = await messagesOn("solana-vm", owner, (text) => write(sign(null, Buffer.from(text), key)));
      expect(seen).to.deep.equal(verified);
    }
  });

  it("accepts signatures from Bitcoin wallets", async () => {
    const privateKey: Hex = `0x${"77".repeat(32)}`;
    const publicKey = Buffer.from(privateKeyToAccount(privateKey).publicKey.slice(2), "hex");
    const compressed = Buffer.concat([Buffer.from([2 + (publicKey[64]! & 1)]), publicKey.subarray(1, 33)]);
    const hash160 = createHash("ripemd160").update(createHash("sha256").update(compressed).digest()).digest();
    const owner = vmCodecOf("bitcoin-vm").decodeAddress(`0x00${hash160.toString("hex")}`);
    const seen = await messagesOn("bitcoin-vm", owner, async (text) => {
      const message = stringToHex(`\u0018Bitcoin Signed Message:\n${String.fromCharCode(text.length)}${text}`);
      const signature = await signHash({ hash: sha256(sha256(message)), privateKey, to: "hex" });
      return `${(Number.parseInt(signature.slice(-2), 16) + 4).toString(16)}${signature.slice(2, -2)}`;
    });
    expect(seen).to.deep.equal(verified);
  });

  it("accepts BIP-322 signatures from Bitcoin wallets, and rejects malformed signatures", async () => {
    const key = Buffer.alloc(32, 0x77);
    const whole = Buffer.from(privateKeyToAccount(`0x${key.toString("hex")}`).publicKey.slice(2), "hex");
    const compressed = Buffer.concat([Buffer.from([2 + (whole[64]! & 1)]), whole.subarray(1, 33)]);
    const hash = (...parts: readonly Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
    const tag = hash(Buffer.from("BIP0322-signed-message"));
    for (const { address: owner, script, ...payment } of [p2wpkh(compressed), p2tr(utils.pubSchnorr(key))]) {
      const signed = (text: string, by = key): string => {
        const finalScriptSig = Buffer.concat([Buffer.from([0, 32]), hash(tag, tag, Buffer.from(text))]);
        const input = { txid: new Uint8Array(32), index: 0xffff_ffff, finalScriptSig, sequence: 0 };
        const content = { version: 0, segwitFlag: false, inputs: [input], lockTime: 0 };
        const txid = hash(hash(RawTx.encode({ ...content, outputs: [{ amount: 0n, script }] }))).toReversed();
        const spending = new Transaction({ version: 0, allowUnknownOutputs: true });
        spending.addInput({ txid, index: 0, sequence: 0, witnessUtxo: { script, amount: 0n }, ...payment });
        spending.addOutput({ script: Uint8Array.of(0x6a), amount: 0n });
        spending.sign(by);
        spending.finalize();
        return Buffer.from(RawWitness.encode(spending.getInput(0).finalScriptWitness ?? [])).toString("hex");
      };
      const seen = await messagesOn("bitcoin-vm", owner, (text) => signed(text));
      expect(seen).to.deep.equal(verified);
      for (const change of [() => "0x12", () => "0100", () => "nothing", (text: string) => signed(text).slice(0, -2)]) {
        const [first] = await messagesOn("bitcoin-vm", owner, (text) => change(text));
        expect(first).to.equal("Invalid signature");
      }
    }
  });

  it("is rejected for owners on chains without supported signatures", async () => {
    const owners: [VmType, string][] = [
      // Script addresses, and addresses with keys in wallets that sign with BIP-137.
      ["bitcoin-vm", "bc1qp0ahvfh83088w49k405szqgg4f3pptr7p2g06tdxfjcd40z4lh4q95lsz9"],
      ["bitcoin-vm", "3P14159f73E4gFr7JterCCQh9QjiTjiZrG"],
      ["bitcoin-vm", "1F3sAm6ZtwLAUnj7d38pGFxtP3RVEvtsbV"],
      ["ton-vm", `0:${"ab".repeat(32)}`],
      ["xrp-vm", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"],
    ];
    for (const [vmType, owner] of owners) {
      const [first] = await messagesOn(vmType, owner, () => "0x12");
      expect(first).to.equal("Signature verification not supported for owner chain");
    }
  });
});
