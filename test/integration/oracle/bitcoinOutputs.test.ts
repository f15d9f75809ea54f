import { expect } from "chai";
import { type Address, decodeAbiParameters, type Hex, parseAbiParameters } from "viem";

import { hubAlias, hubTokenId } from "../../../packages/sdk/src/attestation.ts";
import type { AuthorizationAttestation } from "../../../packages/protocol/src/attestation/messages/withdrawRequests.ts";
import type { InitiatedV2Attestation } from "../../../packages/protocol/src/attestation/messages/withdrawalsV2.ts";
import { withdrawalAddress } from "../../../packages/protocol/src/attestation/hubIds.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { ask, type OracleNetwork, startOracleNetwork } from "../support/oracleNetwork.ts";
import { signWithdrawal } from "../support/ownerDigest.ts";
import { type BitcoinOracles, startBitcoinOracles } from "./support/bitcoinServers.ts";
import { BitcoinChain, type TestTransaction, TIP, txidOf, witnessParty } from "./support/bitcoinShapes.ts";
import { SOLVER_CHAIN } from "./support/familyOracle.ts";
import { vmCodecOf } from "../../../packages/protocol/src/vms/index.ts";

const AUTHORIZATION = "/attestations/withdraw-request-authorization/v1";
const INITIATION = "/attestations/withdrawal-initiation/v2";
const INITIATED = "/attestations/withdrawal-initiated/v2";
const ALLOCATOR: Address = "0x00000000000000000000000000000000000a110c";
const CHAIN = "bitcoin";
const NONCE: Hex = `0x${"0b".repeat(32)}`;
const { user: owner } = localAccounts;
const [depository, funder, recipient] = [witnessParty("depository"), witnessParty("funder"), witnessParty("recipient")];
const currency = vmCodecOf("bitcoin-vm").nativeCurrency;

const [held, pending] = ["held", "pending"].map((name, index): TestTransaction => ({
  txid: txidOf(name),
  inputs: ["coinbase"],
  outputs: [
    { script: funder.script, satoshis: 700n },
    { script: depository.script, satoshis: 5_000n },
  ],
  ...(index === 0 ? { block: { height: TIP - 3, time: 1_790_000_000 } } : {}),
})) as [TestTransaction, TestTransaction];

interface Output {
  readonly txid: string;
  readonly vout: number;
  readonly value: string;
}

describe("the outputs that a withdrawal on Bitcoin spends", () => {
  const chain = new BitcoinChain();
  const { spent } = chain;
  let bitcoin: BitcoinOracles;
  let network: OracleNetwork;

  before(async () => {
    network = await startOracleNetwork();
    for (const transaction of [held, pending]) chain.add(transaction);
    bitcoin = await startBitcoinOracles(chain, {
      id: CHAIN,
      depository: depository.address,
      hubUrl: network.rpcUrl,
      hub: {
        allocatorAddress: ALLOCATOR,
        auroraEvmChainId: 1_313_161_554,
        auroraAllocatorSpenderAddress: ALLOCATOR,
      },
    });
  });
  beforeEach(() => spent.clear());
  after(async () => {
    await bitcoin.close();
    await network.close();
  });

  const output = (change: Partial<Output> = {}): Output => ({ txid: held.txid, vout: 1, value: "5000", ...change });
  const feeOutput = { txid: held.txid, vout: 0, value: "700", address: funder.address };

  async function signed(additionalData: object, receiver: "receiver" | "recipient") {
    const common = { chainId: CHAIN, currency, amount: "4000", nonce: NONCE, additionalData };
    const who = { ownerChainId: SOLVER_CHAIN, owner: owner.address, recipient: recipient.address };
    const ownerSignature = await signWithdrawal(owner, { ...common, ...who });
    return receiver === "recipient"
      ? { ...common, ...who, ownerSignature }
      : {
          ...common,
          spenderChainId: SOLVER_CHAIN,
          spender: owner.address,
          receiver: recipient.address,
          ownerSignature,
        };
  }

  async function authorize(oracle: Oracle, allocatorUtxos: readonly Output[], feeUtxos: readonly object[] = []) {
    const data = { "bitcoin-vm": { allocatorUtxos, feeUtxos, feeRate: 12, feeChangeAddress: funder.address } };
    const { status, body } = await ask<AuthorizationAttestation>(oracle, AUTHORIZATION, await signed(data, "receiver"));
    return { status, body };
  }

  async function initiate(oracle: Oracle, allocatorUtxos: readonly Output[], path = INITIATED) {
    const data = { "bitcoin-vm": { allocatorUtxos, feeRate: 12 } };
    const { status, body } = await ask<InitiatedV2Attestation>(oracle, path, await signed(data, "recipient"));
    return { status, body };
  }

  async function giveBalance(): Promise<void> {
    const codec = vmCodecOf("bitcoin-vm");
    const encode = (address: string) => codec.encodeAddress(address, "address");
    const account = withdrawalAddress({
      chainId: CHAIN,
      depository: encode(depository.address),
      currency: encode(currency),
      recipient: encode(recipient.address),
      ownerAlias: hubAlias(SOLVER_CHAIN, owner.address),
      nonce: BigInt(NONCE),
    });
    for (const holder of [account, hubAlias(SOLVER_CHAIN, owner.address)]) {
      await network.setHubBalance(holder, hubTokenId(CHAIN, encode(currency)), 4_000n);
    }
  }

  for (const [name, reader] of [
    ["a node", "byNode"],
    ["an explorer", "byExplorer"],
  ] as const) {
    describe(`reported by ${name}`, () => {
      it("are signed if they are final, unspent and stated correctly", async () => {
        const oracle = bitcoin[reader];
        const { status, body } = await authorize(oracle, [output()], [feeOutput]);
        expect(status, JSON.stringify(body)).to.equal(200);
        const [{ allocatorUtxos, feeUtxos }] = decodeAbiParameters(
          parseAbiParameters([
            "Data data",
            "struct Data { Output[] allocatorUtxos; Output[] feeUtxos; bytes feeChangeScript; uint64 feeRate; }",
            "struct Output { bytes32 txid; uint32 index; uint64 value; bytes scriptPubKey; }",
          ]),
          body.withdrawRequest.data as Hex,
        );
        expect([...allocatorUtxos, ...feeUtxos].map(({ value }) => value)).to.deep.equal([5_000n, 700n]);
        await giveBalance();
        expect((await initiate(oracle, [output()])).status).to.equal(200);
        expect((await initiate(oracle, [output()], INITIATION)).status).to.equal(200);
      });

      for (const [what, change, message] of [
        ["another value", { value: "500000" }, `Output ${held.txid}:1 has 5000 satoshis instead of 500000`],
        [
          "a value that is not a number",
          { value: "0x1388" },
          `Output ${held.txid}:1 has 5000 satoshis instead of 0x1388`,
        ],
        ["a missing index", { vout: 2 }, `Missing output ${held.txid}:2`],
        ["a missing transaction", { txid: txidOf("none") }, `Missing output ${txidOf("none")}:1`],
        ["an unconfirmed transaction", { txid: pending.txid }, `Transaction ${pending.txid} is not finalized`],
        [
          "an output of another account",
          { vout: 0, value: "700" },
          `Output ${held.txid}:0 does not pay ${depository.address}`,
        ],
      ] as const) {
        it(`are rejected with ${what}`, async () => {
          const oracle = bitcoin[reader];
          await giveBalance();
          const refused = { status: 400, body: { message } };
          expect(await authorize(oracle, [output(change)])).to.deep.equal(refused);
          expect(await initiate(oracle, [output(change)])).to.deep.equal(refused);
          expect(await initiate(oracle, [output(change)], INITIATION)).to.deep.equal(refused);
        });
      }

      it("are rejected if they are spent, listed twice, or pay another account's fee", async () => {
        const oracle = bitcoin[reader];
        const twice = await authorize(oracle, [output(), output({ txid: `0x${held.txid}` })]);
        expect(twice.body).to.deep.equal({ message: `Output ${held.txid}:1 is listed twice` });
        const foreign = await authorize(oracle, [output()], [{ ...feeOutput, address: recipient.address }]);
        expect(foreign.body).to.deep.equal({ message: `Output ${held.txid}:0 does not pay ${recipient.address}` });
        spent.add(`${held.txid}:1`);
        const late = await authorize(oracle, [output()]);
        expect(late).to.deep.equal({ status: 400, body: { message: `Output ${held.txid}:1 is spent` } });
      });
    });
  }
});
