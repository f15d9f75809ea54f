import { expect } from "chai";
import { TypedDataEncoder } from "ethers";
import { type Address, type Hex, recoverAddress, zeroAddress } from "viem";

import type { EntryAttestation } from "../../../packages/protocol/src/attestation/messages/genericMapping.ts";
import { hubAlias } from "../../../packages/sdk/src/attestation.ts";
import { noFillEntry, nonceMappingEntry } from "../../../packages/protocol/src/attestation/genericMapping.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { ask, CHAIN, ORACLE_SIGNER, startTestOracle } from "../support/oracleNetwork.ts";

const NO_FILL = "/attestations/signatures/no-fill-or-refund/v1";
const NONCE_MAPPING = "/attestations/signatures/nonce-mapping/v2";
const MAPPING: Address = "0x1111111111111111111111111111111111111111";
const ORDER_ID: Hex = `0x${"ab".repeat(32)}`;
const { user, stranger } = localAccounts;
const wallet = user.address.toLowerCase() as Address;

/** These need no data from a chain. */
const nowhere = { rpcUrl: "http://127.0.0.1:1", contracts: { depository: zeroAddress } };

describe("an entry of the generic mapping", () => {
  let oracle: Oracle;
  let peer: Oracle;
  const hub = { genericMappingAddress: MAPPING };
  const chain = { hubChainId: 7 };

  before(async () => {
    const privateKey: Hex = `0x${"6b".repeat(32)}`;
    peer = await startTestOracle(nowhere, {
      hub,
      chain,
      settings: { signing: { module: "raw-private-key", privateKey } },
    });
    const peers = [{ baseUrl: peer.url, apiKey: "k" }];
    oracle = await startTestOracle(nowhere, { hub, chain, settings: { peers } });
  });
  after(async () => {
    await oracle.close();
    await peer.close();
  });

  const noFill = async (signer = user, chainId = 7) => ({
    solverChainId: CHAIN,
    solver: wallet,
    orderId: ORDER_ID,
    signature: await signer.signTypedData({
      domain: { name: "RelayNoFillOrRefund", version: "1", chainId, verifyingContract: zeroAddress },
      types: {
        NoFillOrRefund: [
          { name: "chainId", type: "string" },
          { name: "solver", type: "address" },
          { name: "orderId", type: "bytes32" },
        ],
      },
      primaryType: "NoFillOrRefund",
      message: { chainId: CHAIN, solver: wallet, orderId: ORDER_ID },
    }),
  });

  const nonceMapping = async (signer = user) => ({
    walletChainId: CHAIN,
    wallet,
    nonce: "12",
    id: ORDER_ID,
    depositor: MAPPING,
    signatureChainId: CHAIN,
    signature: await signer.signTypedData({
      domain: { name: "RelayNonceMapping", version: "2", chainId: 7, verifyingContract: zeroAddress },
      types: {
        NonceMapping: [
          { name: "chainId", type: "string" },
          { name: "wallet", type: "address" },
          { name: "depositor", type: "address" },
          { name: "id", type: "bytes32" },
          { name: "nonce", type: "uint256" },
        ],
      },
      primaryType: "NonceMapping",
      message: { chainId: CHAIN, wallet, depositor: MAPPING, id: ORDER_ID, nonce: 12n },
    }),
  });

  async function expectEntry(path: string, body: object, expected: object): Promise<void> {
    const { status, body: answer } = await ask<EntryAttestation>(oracle, path, {
      ...body,
      requestPeerSignatures: true,
    });
    const { signatures, ...entry } = answer.genericMapping;
    expect({ status, entry }).to.deep.equal({ status: 200, entry: expected });
    const digest = TypedDataEncoder.hash(
      { name: "RelayGenericMapping", version: "1", chainId: 31_337, verifyingContract: MAPPING },
      {
        SetEntry: [
          { name: "user", type: "address" },
          { name: "id", type: "bytes32" },
          { name: "data", type: "bytes" },
          { name: "nonce", type: "bytes32" },
        ],
      },
      entry,
    ) as Hex;
    const signers = await Promise.all(
      signatures.map(({ signature }) => recoverAddress({ hash: digest, signature: signature as Hex })),
    );
    expect(signers.map((signer) => signer.toLowerCase())).to.deep.equal([ORACLE_SIGNER, peer.signer]);
    const contract = { genericMappingChainId: "31337", genericMappingContract: MAPPING };
    expect(signatures.map(({ signature: _, ...rest }) => rest)).to.deep.equal([
      { ...contract, oracleSigner: ORACLE_SIGNER },
      { ...contract, oracleSigner: peer.signer },
    ]);
  }

  it("maps a solver's statement, signed by peers too", async () => {
    const entry = noFillEntry(hubAlias(CHAIN, wallet), ORDER_ID);
    await expectEntry(NO_FILL, await noFill(), entry);
  });

  it("binds a wallet's nonce", async () => {
    const entry = nonceMappingEntry({ user: hubAlias(CHAIN, wallet), nonce: "12", id: ORDER_ID, depositor: MAPPING });
    await expectEntry(NONCE_MAPPING, await nonceMapping(), entry);
  });

  it("is rejected for a statement by another signer, of another chain, or with another content", async () => {
    const foreign: [string, object][] = [
      [NO_FILL, await noFill(stranger)],
      [NO_FILL, await noFill(user, 8)],
      [NO_FILL, { ...(await noFill()), orderId: `0x${"cd".repeat(32)}` }],
      [NO_FILL, { ...(await noFill()), signature: "0x12" }],
      [NONCE_MAPPING, await nonceMapping(stranger)],
      [NONCE_MAPPING, { ...(await nonceMapping()), nonce: "13" }],
      [NONCE_MAPPING, { ...(await nonceMapping()), depositor: zeroAddress }],
    ];
    for (const [path, body] of foreign) {
      const { status, body: answer } = await ask(oracle, path, body);
      expect([status, answer]).to.deep.equal([400, { message: "Invalid signature" }]);
    }
    const elsewhere = await ask(oracle, NONCE_MAPPING, { ...(await nonceMapping()), signatureChainId: "other" });
    expect(elsewhere).to.deep.include({ status: 400, body: { message: "Chain other is not available" } });
  });

  it("fails if the configuration lacks the contract or the chain's number", async () => {
    await using withoutContract = await startTestOracle(nowhere, { chain });
    expect((await ask(withoutContract, NO_FILL, await noFill())).status).to.equal(500);
    await using withoutNumber = await startTestOracle(nowhere, { hub });
    expect((await ask(withoutNumber, NO_FILL, await noFill())).status).to.equal(500);
  });

  it("accepts statements of wallets on EVM chains only", async () => {
    const tron = { vmType: "tron-vm", depository: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb" } as const;
    await using onTron = await startTestOracle(nowhere, { hub, chain: tron });
    for (const [path, body] of [
      [NONCE_MAPPING, await nonceMapping()],
      [NO_FILL, await noFill()],
    ] as const) {
      expect(await ask(onTron, path, body)).to.deep.include({
        status: 400,
        body: { message: "Unsupported signature chain" },
      });
    }
  });
});
