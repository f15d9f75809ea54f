import { createHash } from "node:crypto";

import { Transaction } from "@scure/btc-signer";
import { expect } from "chai";
import { bytesToHex, encodeAbiParameters, type Hex, hexToBytes, keccak256, stringToHex, toHex } from "viem";

import { decodeAction, hubAlias, hubTokenId } from "../../../packages/sdk/src/attestation.ts";
import { deterministicId, withdrawalAddress } from "../../../packages/protocol/src/attestation/hubIds.ts";
import { toSubmitWithdrawRequest } from "../../../packages/protocol/src/attestation/toSubmitWithdrawRequest.ts";
import { hashSubmitWithdrawRequest } from "../../../packages/protocol/src/attestation/withdrawRequest.ts";
import type { WithdrawalStatusAttestation } from "../../../packages/protocol/src/attestation/messages/withdrawalsV2.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { Answers } from "../support/responses.ts";
import {
  ask,
  executionSigners,
  ORACLE_SIGNER,
  type OracleNetwork,
  startOracleNetwork,
} from "../support/oracleNetwork.ts";
import { signWithdrawal } from "../support/ownerDigest.ts";
import { type BitcoinOracles, startBitcoinOracles } from "./support/bitcoinServers.ts";
import { BitcoinChain, type TestTransaction, TIP, txidOf, witnessParty } from "./support/bitcoinShapes.ts";
import { SOLVER_CHAIN } from "./support/familyOracle.ts";
import {
  ALLOCATOR_V2,
  ALLOCATOR_V2_ABI,
  ALLOCATOR_V3,
  ALLOCATOR_V3_ABI,
  AURORA_CHAIN_ID,
  BUILDER,
  BUILDER_ABI,
} from "./support/hubContracts.ts";
import { vmCodecOf } from "../../../packages/protocol/src/vms/index.ts";

const V1 = "/attestations/depository-withdrawals/v1";
const V2 = "/attestations/depository-withdrawals/v2";
const V3 = "/attestations/depository-withdrawals/v3";
const CHAIN = "bitcoin";
const BLOCK = { height: TIP - 3, time: 1_790_000_000 };
const NONCE: Hex = `0x${"0b".repeat(32)}`;
const { user: owner } = localAccounts;
const [depository, funder, recipient] = [witnessParty("depository"), witnessParty("funder"), witnessParty("recipient")];
const currency = vmCodecOf("bitcoin-vm").nativeCurrency;

const funding: TestTransaction = {
  txid: txidOf("funding"),
  inputs: ["coinbase"],
  outputs: [
    { script: funder.script, satoshis: 700n },
    { script: depository.script, satoshis: 5_000n },
  ],
  block: BLOCK,
};
const inputs = [
  { txid: funding.txid, vout: 1 },
  { txid: funding.txid, vout: 0 },
];
const outputs = [
  { script: recipient.script, satoshis: 3_800n },
  { script: depository.script, satoshis: 1_700n },
];

const littleEndian = (value: bigint | number, size: number): Hex =>
  bytesToHex(hexToBytes(toHex(value, { size })).toReversed());

/** Returns the transaction in the allocator's encoding. */
function payloadOf(spent = inputs, stated = [5_000n, 700n]): Hex {
  const bytes = (name: string) => ({ name, type: "bytes" }) as const;
  const components = [
    { name: "inputs", type: "tuple[]", components: ["txid", "index", "script", "value"].map(bytes) },
    { name: "outputs", type: "tuple[]", components: ["value", "script"].map(bytes) },
  ] as const;
  return encodeAbiParameters([{ type: "tuple", components }], [
    {
      inputs: spent.map(({ txid, vout }, index) => ({
        txid: bytesToHex(hexToBytes(`0x${txid}`).toReversed()),
        index: littleEndian(vout, 4),
        script: funding.outputs[vout]!.script,
        value: littleEndian(stated[index]!, 8),
      })),
      outputs: outputs.map(({ script, satoshis }) => ({ value: littleEndian(satoshis, 8), script })),
    },
  ] as never);
}

const signatures = inputs.map((_, index) => ({
  signature: `0x30060201${`${index + 1}`.padStart(2, "0")}0201${`${index + 5}`.padStart(2, "0")}01` as Hex,
  publicKey: "0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798" as Hex,
}));

/** Builds the signed PSBT with a library. */
function signedPsbt(): Hex {
  const transaction = new Transaction({ version: 1, allowUnknownOutputs: true, disableScriptCheck: true });
  for (const [index, { txid, vout }] of inputs.entries()) {
    const witnessUtxo = { script: hexToBytes(funding.outputs[vout]!.script), amount: [5_000n, 700n][index]! };
    transaction.addInput({ txid, index: vout, sequence: 0xff_ff_ff_fd, sighashType: 1, witnessUtxo });
  }
  for (const { script, satoshis: amount } of outputs) transaction.addOutput({ script: hexToBytes(script), amount });
  for (const [index, { signature, publicKey }] of signatures.entries()) {
    const key = hexToBytes(publicKey);
    const bip32Derivation: [Uint8Array, { fingerprint: number; path: number[] }][] = [
      [key, { fingerprint: 0, path: [] }],
    ];
    transaction.updateInput(index, { partialSig: [[key, hexToBytes(signature)]], bip32Derivation }, true);
  }
  return `0x${Buffer.from(transaction.toPSBT(0)).toString("hex")}`;
}

const executing: TestTransaction = {
  txid: txidOf("executing"),
  inputs: inputs.map((input, index) => ({ ...input, witness: Object.values(signatures[index]!) })),
  outputs,
  block: BLOCK,
};
const { block: _, ...unconfirmed } = { ...executing, txid: txidOf("unconfirmed") };
const others: readonly TestTransaction[] = [
  { ...executing, txid: txidOf("fewer inputs"), inputs: inputs.slice(1) },
  { ...executing, txid: txidOf("less paid"), outputs: [{ ...outputs[0]!, satoshis: 3_799n }, outputs[1]!] },
  { ...executing, txid: txidOf("others paid"), outputs: [{ ...outputs[0]!, script: funder.script }, outputs[1]!] },
  { ...executing, txid: txidOf("more outputs"), outputs: [...outputs, { script: funder.script, satoshis: 1n }] },
];

describe("withdrawals on Bitcoin", () => {
  const chain = new BitcoinChain();
  for (const transaction of [funding, executing, unconfirmed, ...others]) chain.add(transaction);
  const { spent, spenders } = chain;
  let bitcoin: BitcoinOracles;
  let network: OracleNetwork;
  let older: Answers<typeof ALLOCATOR_V2_ABI>;
  let newer: Answers<typeof ALLOCATOR_V3_ABI>;
  let builder: Answers<typeof BUILDER_ABI>;

  before(async () => {
    network = await startOracleNetwork();
    older = await Answers.at(network, ALLOCATOR_V2, ALLOCATOR_V2_ABI, [
      { functionName: "payloadBuilders", result: BUILDER },
      { functionName: "signedPayloads", result: "0x1234" },
    ]);
    newer = await Answers.at(network, ALLOCATOR_V3, ALLOCATOR_V3_ABI, [
      { functionName: "payloadBuilders", result: BUILDER },
    ]);
    builder = await Answers.at(network, BUILDER, BUILDER_ABI, [
      { functionName: "family", result: "bitcoin-vm" },
      { functionName: "hashToSign", result: NONCE },
    ]);
    bitcoin = await startBitcoinOracles(chain, {
      id: CHAIN,
      depository: depository.address,
      hubUrl: network.rpcUrl,
      hub: {
        allocatorAddress: ALLOCATOR_V3,
        auroraHttpRpcUrl: network.rpcUrl,
        auroraEvmChainId: AURORA_CHAIN_ID,
        auroraAllocatorAddress: ALLOCATOR_V2,
      },
    });
  });
  beforeEach(async () => {
    spent.clear();
    spenders.clear();
    await build(payloadOf());
  });
  after(async () => {
    await bitcoin.close();
    await network.close();
  });

  async function build(result: Hex): Promise<void> {
    await older.set({ functionName: "payloads", result });
    await newer.set({ functionName: "payloads", result });
  }

  const common = { chainId: CHAIN, currency, amount: "4000", nonce: NONCE };
  const allocatorUtxos = [{ txid: funding.txid, vout: 1, value: "5000" }];

  async function olderBody() {
    const additionalData = { "bitcoin-vm": { allocatorUtxos, feeRate: 12 } };
    const fields = {
      ...{ ...common, additionalData },
      ...{ ownerChainId: SOLVER_CHAIN, owner: owner.address, recipient: recipient.address },
    };
    return { ...fields, ownerSignature: await signWithdrawal(owner, fields) };
  }
  function newerBody() {
    const data = { allocatorUtxos, feeUtxos: [], feeRate: 12, feeChangeAddress: funder.address };
    const who = { spenderChainId: SOLVER_CHAIN, spender: owner.address, receiver: recipient.address };
    return { ...common, ...who, additionalData: { "bitcoin-vm": data } };
  }

  const statusOf = async (oracle: Oracle, path: string, change: object = {}) => {
    const body = path === V2 ? await olderBody() : newerBody();
    return ask<WithdrawalStatusAttestation>(oracle, path, { ...body, ...change });
  };

  for (const [name, reader] of [
    ["a node", "byNode"],
    ["an explorer", "byExplorer"],
  ] as const) {
    describe(`reported by ${name}`, () => {
      it("burn the payment and its fee, under the id of the signed PSBT, after a final transaction executes the withdrawal", async () => {
        const { status, body } = await statusOf(bitcoin[reader], V2, { transactionId: executing.txid });
        expect([status, body.status], JSON.stringify(body)).to.deep.equal([200, 1]);
        const id = createHash("sha256").update(signedPsbt()).digest("hex");
        expect(body.execution!.idempotencyKey).to.equal(deterministicId(`0x${id}`, executing.txid));
        const encode = (address: string) => vmCodecOf("bitcoin-vm").encodeAddress(address, "address");
        const from = withdrawalAddress({
          chainId: CHAIN,
          depository: encode(depository.address),
          currency: encode(currency),
          recipient: encode(recipient.address),
          ownerAlias: hubAlias(SOLVER_CHAIN, owner.address),
          nonce: BigInt(NONCE),
        });
        const [burn] = body.execution!.actions.map((action) => decodeAction(action as Hex));
        const tokenId = hubTokenId(CHAIN, encode(currency));
        expect(burn).to.deep.include({ type: "burn", tokenId, amount: 4_000n });
        expect(burn?.type === "burn" && burn.from.toLowerCase()).to.equal(from);
        expect(await executionSigners(body.execution!)).to.deep.equal([ORACLE_SIGNER]);
      });

      it("need no execution if they are withdraw requests", async () => {
        const { status, body } = await statusOf(bitcoin[reader], V3, { transactionId: executing.txid });
        expect({ status, body }).to.deep.equal({ status: 200, body: { status: 1 } });
      });

      it("are pending while no transaction spends the inputs, and never expire", async () => {
        for (const path of [V2, V3]) {
          const { status, body } = await statusOf(bitcoin[reader], path);
          expect({ status, body }).to.deep.equal({ status: 200, body: { status: 0 } });
        }
        for (const { txid, vout } of inputs) spent.add(`${txid}:${vout}`);
        const message = "transactionId is required: the inputs of the withdrawal are spent";
        for (const path of [V2, V3]) {
          const { status, body } = await statusOf(bitcoin[reader], path);
          expect({ status, body }).to.deep.equal({ status: 400, body: { message } });
        }
      });

      it("are rejected with another transaction, or with a transaction that is not final", async () => {
        const refusals: [string, string][] = [
          [txidOf("nothing"), `Missing transaction ${txidOf("nothing")}`],
          [unconfirmed.txid, `Transaction ${unconfirmed.txid} is not finalized`],
          ...others.map(({ txid }): [string, string] => [txid, `Transaction ${txid} does not execute the withdrawal`]),
        ];
        for (const path of [V2, V3]) {
          for (const [transactionId, message] of refusals) {
            const { status, body } = await statusOf(bitcoin[reader], path, { transactionId });
            expect({ status, body }).to.deep.equal({ status: 400, body: { message } });
          }
        }
      });

      it("are rejected if the amounts in their payload differ from those on the chain", async () => {
        await build(payloadOf(inputs, [5_001n, 700n]));
        const message = `Transaction ${executing.txid} spends amounts that differ from the withdrawal`;
        const { status, body } = await statusOf(bitcoin[reader], V2, { transactionId: executing.txid });
        expect({ status, body }).to.deep.equal({ status: 400, body: { message } });
      });
    });
  }

  it("are found through an explorer, without a transaction id, after a confirmed transaction spends their inputs", async () => {
    spenders.set(`${inputs[0]!.txid}:${inputs[0]!.vout}`, executing.txid);
    const [older, newer] = [await statusOf(bitcoin.byExplorer, V2), await statusOf(bitcoin.byExplorer, V3)];
    const id = createHash("sha256").update(signedPsbt()).digest("hex");
    expect([older.status, older.body.status, older.body.execution?.idempotencyKey]).to.deep.equal([
      200,
      1,
      deterministicId(`0x${id}`, undefined),
    ]);
    expect([newer.status, newer.body]).to.deep.equal([200, { status: 1 }]);
    spenders.set(`${inputs[0]!.txid}:${inputs[0]!.vout}`, others[0]!.txid);
    const message = `Transaction ${others[0]!.txid} does not execute the withdrawal`;
    expect(await statusOf(bitcoin.byExplorer, V2)).to.deep.include({ status: 400, body: { message } });
  });

  it("are pending until every input is signed", async () => {
    const chainId = BigInt(keccak256(stringToHex(CHAIN)));
    const second: Hex = `0x${"0c".repeat(32)}`;
    const request = toSubmitWithdrawRequest({
      vmType: "bitcoin-vm",
      ...{ chainId, depository: depository.address, currency, amount: 4_000n, nonce: NONCE },
      ...{ recipient: recipient.address, spender: hubAlias(SOLVER_CHAIN, owner.address) },
      additionalData: { "bitcoin-vm": { allocatorUtxos, feeRate: 12 } },
    });
    const ofSecond = [chainId, depository.address, payloadOf(), 1];
    await builder.set({ functionName: "hashToSign", args: ofSecond, result: second });
    const signed = { functionName: "signedPayloads", args: [hashSubmitWithdrawRequest(request), second] } as const;
    await older.set({ ...signed, result: "0x" });
    const before = await statusOf(bitcoin.byNode, V2, { transactionId: executing.txid });
    expect([before.status, before.body]).to.deep.equal([200, { status: 0 }]);
    await older.set({ ...signed, result: "0x1234" });
    const after = await statusOf(bitcoin.byNode, V2, { transactionId: executing.txid });
    expect([after.status, after.body.status]).to.deep.equal([200, 1]);
  });

  it("are rejected if they spend no output of the depository", async () => {
    await build(payloadOf(inputs.slice(1), [700n]));
    const { txid } = others[0]!;
    const message = `Transaction ${txid} spends no output of the depository`;
    const { status, body } = await statusOf(bitcoin.byNode, V2, { transactionId: txid });
    expect({ status, body }).to.deep.equal({ status: 400, body: { message } });
  });

  it("are rejected if the allocator builds payloads for another VM family", async () => {
    await builder.set({ functionName: "family", result: "ethereum-vm" });
    for (const path of [V2, V3]) {
      const { status, body } = await statusOf(bitcoin.byNode, path, { transactionId: executing.txid });
      expect({ status, body }).to.deep.equal({ status: 400, body: { message: "Vm type not implemented" } });
    }
    await builder.set({ functionName: "family", result: "bitcoin-vm" });
  });

  it("are rejected if the caller supplies the payload", async () => {
    const { status, body } = await ask(bitcoin.byNode, V1, {
      chainId: CHAIN,
      withdrawal: payloadOf(),
      transactionId: executing.txid,
      withdrawalAddressRequest: {
        ...{ chainId: CHAIN, currency, withdrawer: owner.address, withdrawerChainId: SOLVER_CHAIN },
        ...{ recipient: recipient.address, withdrawalNonce: NONCE },
      },
    });
    const message = "Withdrawals on bitcoin-vm are not supported by this endpoint";
    expect({ status, body }).to.deep.equal({ status: 400, body: { message } });
  });
});
