import { expect } from "chai";
import { type Address, encodeFunctionData, type Hex, zeroHash } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { getCode, readContract } from "viem/actions";

import { attestationVerifierAbi } from "../../../packages/protocol/src/abi/attestationVerifier.generated.ts";
import { readArtifact } from "../../../packages/crosscall/src/artifacts.ts";
import { deploy } from "../../../packages/protocol/src/chains/deploy.ts";
import {
  attest,
  type Attested,
  AttestationInvalidError,
  getOracleChains,
  getOracleLives,
  requireAttestation,
  type TrustedChain,
  verifyAttestation,
  type VerifyAttestationParameters,
  hashExecution,
  onchainId,
  toVerifierCall,
} from "../../../packages/sdk/src/attestation.ts";
import { createServiceClient, type ServiceClient, ServiceError } from "../../../packages/sdk/src/index.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import type { SignedExecution } from "../../../packages/protocol/src/attestation/messages/parts.ts";
import { failureOf } from "../support/failureOf.ts";
import {
  CHAIN,
  ORACLE_CONTRACT,
  ORACLE_SIGNER,
  type OracleNetwork,
  startOracleNetwork,
  startTestOracle,
} from "../support/oracleNetwork.ts";
import { attestEachKind, MAPPING } from "./support/attestedKinds.ts";
import type { TrustedHub } from "../../../packages/sdk/src/client/oracle/verification/trust.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const PEER_KEY: Hex = `0x${"5b".repeat(32)}`;
const PEER = privateKeyToAddress(PEER_KEY).toLowerCase() as Address;
const SIGNERS = [ORACLE_SIGNER as Address, PEER].sort();
const HUB: TrustedHub = {
  id: "relay",
  evmChainId: 31_337,
  oracleAddress: ORACLE_CONTRACT,
  oracleVersion: "2",
  genericMappingAddress: MAPPING,
};
/** Time long after the chain's last block. */
const LATE_MS = 4_000_000_000_000;
const STRANGER: Address = "0x000000000000000000000000000000000000dead";

describe("a verified attestation", () => {
  let network: OracleNetwork;
  let peer: Oracle;
  let oracle: Oracle;
  let client: ServiceClient;
  let chains: readonly TrustedChain[];
  let verifier: Address;
  let all: readonly Attested[];

  before(async () => {
    network = await startOracleNetwork();
    const common = {
      chain: { hubChainId: 31_337 },
      hub: { genericMappingAddress: MAPPING },
      additionalData: { finalizationBlocks: 0, finalizationTime: 0 },
      clock: { now: () => LATE_MS },
    };
    peer = await startTestOracle(network, {
      ...common,
      settings: { signing: { module: "raw-private-key", privateKey: PEER_KEY } },
    });
    oracle = await startTestOracle(network, {
      ...common,
      settings: { peers: [{ baseUrl: peer.url, apiKey: undefined }] },
    });
    client = createServiceClient({ baseUrl: oracle.url });
    chains = [{ id: CHAIN, vmType: "ethereum-vm", depositories: [network.contracts.depository] }];
    verifier = await deploy(network.client, {
      artifact: readArtifact("attestation/AttestationVerifier"),
      args: [SIGNERS, 2n, HUB.oracleVersion, BigInt(HUB.evmChainId), HUB.oracleAddress],
    });
    all = await attestEachKind(network, client);
  });
  after(async () => {
    await oracle.close();
    await peer.close();
    await network.close();
  });

  const verify = (attested: Attested, change: Partial<VerifyAttestationParameters> = {}) =>
    verifyAttestation({ attested, hub: HUB, chains, signers: SIGNERS, threshold: 2, ...change });
  const checksOf = async (...parameters: Parameters<typeof verify>): Promise<string[]> =>
    (await verify(...parameters)).faults.map(({ check, path }) => `${check} ${path}`);
  const ofKind = (kind: Attested["kind"]): Attested => all.find((attested) => attested.kind === kind)!;
  const onChain = (execution: SignedExecution, signers = SIGNERS): Promise<Hex> =>
    readContract(network.client, {
      address: verifier,
      abi: attestationVerifierAbi,
      functionName: "verify",
      args: toVerifierCall(execution, signers),
    });

  it("comes from an oracle that reports its health and its chains", async () => {
    expect(await getOracleLives(client)).to.deep.equal({ status: "ok" });
    expect(await getOracleLives(client, { withReport: true })).to.deep.equal({ status: "ok", version: "undefined" });
    const { depository } = network.contracts;
    expect(await getOracleChains(client)).to.deep.equal([{ id: CHAIN, vmType: "ethereum-vm", depository }]);
  });

  it("is valid for every kind, off-chain and on-chain, if both oracles signed", async () => {
    expect(all.map(({ kind }) => kind)).to.have.length(10);
    for (const attested of all) {
      const { isValid, faults, signers, strangers, digest, unsigned } = await verify(attested);
      expect({ isValid, faults, signers, strangers, unsigned }).to.deep.equal({
        isValid: true,
        faults: [],
        signers: SIGNERS,
        strangers: [],
        unsigned: attested.kind === "deposits" ? ["messages[0].result.onchainId"] : [],
      });
      const execution = executionOf(attested);
      if (execution === undefined) continue;
      const { idempotencyKey, actions } = execution;
      const message = { idempotencyKey: idempotencyKey as Hex, actions: actions as Hex[] };
      expect([digest, await onChain(execution)]).to.deep.equal(Array(2).fill(hashExecution(HUB, message)));
    }
  });

  it("is valid for a forced order in which all deposits count", async () => {
    await using keyed = await startTestOracle(network, { settings: { apiKeys: [{ key: "k", label: "solver" }] } });
    const { request, deposits } = ofKind("fill") as Extract<Attested, { kind: "fill" }>;
    const inputs = request.inputs.map((input) => ({ ...input, onchainId: "0x" }));
    const forced = { ...request, force: true, inputs: [...inputs, ...request.inputs] };
    const answer = await attest(createServiceClient({ baseUrl: keyed.url, apiKey: "k" }), "solver-fills/v1", forced);
    const attested: Attested = { kind: "fill", request: forced, answer, deposits };
    expect(await verify(attested, { threshold: 1 })).to.deep.include({ isValid: true, faults: [] });
    const unforced: Attested = { ...attested, request: { ...forced, force: false, inputs: request.inputs } };
    expect(await checksOf(unforced, { threshold: 1 })).to.include("request message.data.force");
  });

  it("is invalid if any of its fields changes", async () => {
    for (const attested of all) {
      // The attestation does not cover the field that requests peer signatures.
      const fields = leavesOf(attested.answer).filter(({ path }) => path.at(-1) !== "requestPeerSignatures");
      expect(fields.length > 9).to.equal(true);
      for (const { path, value } of fields) {
        const tampered = { ...attested, answer: withLeaf(attested.answer, path, tamper(value)) } as Attested;
        const { isValid, faults } = await verify(tampered, { threshold: 1 });
        expect([attested.kind, path.join("."), isValid, faults.length > 0]).to.deep.equal([
          attested.kind,
          path.join("."),
          false,
          true,
        ]);
      }
    }
  });

  it("is invalid on-chain if any field of its execution changes", async () => {
    const execution = executionOf(ofKind("fill"))!;
    for (const { path, value } of leavesOf(execution)) {
      // The contract does not receive a signature's domain fields.
      if (/^oracle(ChainId|Contract)$/u.test(path.at(-1) ?? "")) continue;
      const tampered = withLeaf(execution, path, tamper(value));
      const failure = await failureOf(onChain(tampered));
      expect([path.join("."), failure instanceof Error]).to.deep.equal([path.join("."), true]);
    }
  });

  it("reports the failed check", async () => {
    const deposits = ofKind("deposits");
    const change = (path: string[], value: unknown): Attested =>
      ({ ...deposits, answer: withLeaf(deposits.answer, path, value) }) as Attested;
    const other = { ...deposits, request: { ...deposits.request, transactionId: zeroHash } } as Attested;
    expect((await checksOf(other)).includes("request messages[0].data.transactionId")).to.equal(true);
    const result = ["messages", "0", "result"];
    expect(await checksOf(change([...result, "depository"], STRANGER))).to.deep.equal([
      "message messages[0].result.depository",
    ]);
    expect(await checksOf(change([...result, "onchainId"], zeroHash))).to.deep.equal([
      "message messages[0].result.onchainId",
    ]);
    expect(await checksOf(change([...result, "amount"], "a lot"))).to.deep.equal([
      "message messages[0].result.amount",
      "threshold execution",
    ]);
    expect(await checksOf(change(["execution", "actions", "0"], "0x"))).to.deep.equal([
      "execution execution.actions[0]",
    ]);
    expect(await checksOf(change(["execution", "signatures", "1", "oracleChainId"], "1"))).to.deep.equal([
      "domain execution.signatures[1]",
      "threshold execution.signatures",
    ]);
    expect(await checksOf(change(["execution", "signatures", "0", "signature"], "0x"))).to.deep.equal([
      "signature execution.signatures[0].signature",
      "threshold execution.signatures",
    ]);
    for (const hub of [{ evmChainId: 1 }, { oracleAddress: STRANGER }]) {
      const faults = await checksOf(deposits, { hub: { ...HUB, ...hub } });
      expect(faults.some((fault) => fault.startsWith("domain "))).to.equal(true);
    }
    expect(await checksOf(deposits, { hub: { ...HUB, oracleVersion: "1" } })).to.deep.equal([
      ...[0, 1].map((index) => `signature execution.signatures[${index}].signature`),
      "threshold execution.signatures",
    ]);
  });

  it("counts each trusted signer once", async () => {
    const deposits = ofKind("deposits");
    expect(await verify(deposits, { signers: [PEER, STRANGER], threshold: 1 })).to.deep.include({
      isValid: true,
      signers: [PEER],
      strangers: [ORACLE_SIGNER],
    });
    expect(await checksOf(deposits, { signers: [PEER, STRANGER] })).to.deep.equal(["threshold execution.signatures"]);
    const [signature] = executionOf(deposits)!.signatures;
    const twice = { ...executionOf(deposits), signatures: [signature, signature] };
    const repeated = { ...deposits, answer: { ...deposits.answer, execution: twice } } as Attested;
    expect(await checksOf(repeated)).to.deep.equal(["threshold execution.signatures"]);
    for (const threshold of [0, 3, 1.5]) {
      expect(await failureOf(verify(deposits, { threshold }))).to.include({
        code: "INVALID_INPUT",
        field: "threshold",
      });
    }
  });

  it("rejects a malleable form of a signature", async () => {
    const deposits = ofKind("deposits");
    const { signature } = executionOf(deposits)!.signatures[0]!;
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const high = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, "0");
    const v = signature.endsWith("1b") ? "1c" : "1b";
    const forms = [`${signature.slice(0, 66)}${high}${v}`, `${signature.slice(0, 130)}${v === "1c" ? "00" : "01"}`];
    for (const form of forms) {
      const answer = withLeaf(deposits.answer, ["execution", "signatures", "0", "signature"], form);
      expect((await verify({ ...deposits, answer } as Attested)).isValid).to.equal(false);
    }
  });

  it("calls trusted wallets if the caller passes a client for their chain", async () => {
    const artifact = readArtifact("mocks/harness/Wallet1271");
    const wallet = (await deploy(network.client, { artifact, args: [PEER] })).toLowerCase() as Address;
    const deposits = ofKind("deposits");
    const { signatures, ...execution } = executionOf(deposits)!;
    const signed = signatures.map((one) => (one.oracleSigner === PEER ? { ...one, oracleSigner: wallet } : one));
    const attested = { ...deposits, answer: { ...deposits.answer, execution: { ...execution, signatures: signed } } };
    const signers = [ORACLE_SIGNER, wallet];
    const asked = { signers, client: network.client };
    expect(await verify(attested as Attested, asked)).to.deep.include({ isValid: true, signers: [...signers].sort() });
    expect((await verify(attested as Attested, { signers })).isValid).to.equal(false);
    const forged = signed.map((one) => ({ ...one, signature: signatures[0]!.signature }));
    const answer = { ...deposits.answer, execution: { ...execution, signatures: forged } };
    expect((await verify({ ...deposits, answer } as Attested, asked)).isValid).to.equal(false);
    // The attack: the wallet's owner is also trusted, so one signature would count twice.
    const doubled = [...signatures.filter((one) => one.oracleSigner === PEER), ...signed];
    const twice = { ...deposits, answer: { ...deposits.answer, execution: { ...execution, signatures: doubled } } };
    const ofBoth = { signers: [wallet, PEER], client: network.client };
    expect(await verify(twice as Attested, ofBoth)).to.deep.include({ isValid: false, signers: [PEER] });
    // The attack: two trusted wallets have the same owner, so one signature would count twice.
    const second: Address = "0x000000000000000000000000000000000000a11e";
    await network.control("hardhat_setCode", [second, await getCode(network.client, { address: wallet })]);
    const [theirs] = signed.filter((one) => one.oracleSigner === wallet);
    const shared = [theirs, theirs, { ...theirs, oracleSigner: second }];
    const thrice = { ...deposits, answer: { ...deposits.answer, execution: { ...execution, signatures: shared } } };
    const ofWallets = { signers: [wallet, second], client: network.client };
    expect(await verify(thrice as Attested, ofWallets)).to.deep.include({ isValid: false, signers: [wallet] });
    expect(await checksOf(thrice as Attested, ofWallets)).to.deep.equal([
      "signature execution.signatures[2].signature",
      "threshold execution.signatures",
    ]);
    // Tests an unused account, a contract that is not a wallet, and a contract that returns the right value without
    // padding.
    const terse: Address = "0x0000000000000000000000000000000000007e5e";
    await network.control("hardhat_setCode", [terse, "0x631626ba7e5f526004601cf3"]);
    for (const name of [STRANGER, network.contracts.dollar, terse]) {
      const renamed = signed.map((one) => (one.oracleSigner === wallet ? { ...one, oracleSigner: name } : one));
      const others = { ...deposits, answer: { ...deposits.answer, execution: { ...execution, signatures: renamed } } };
      const trusted = { signers: [ORACLE_SIGNER, name], client: network.client };
      expect((await verify(others as Attested, trusted)).isValid).to.equal(false);
    }
  });

  it("proves nothing without an execution, and reports the unsigned fields of a deposit", async () => {
    const empty = { chainId: CHAIN, transactionId: await network.send({ to: STRANGER, value: 1n }) };
    const nothing = {
      kind: "deposits",
      request: empty,
      answer: await attest(client, "depository-deposits/v1", empty),
    } as const;
    expect(await checksOf(nothing)).to.deep.equal(["threshold execution"]);
    const request = {
      chainId: CHAIN,
      requestPeerSignatures: true,
      transactionId: await network.send({
        to: network.contracts.depository,
        data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [STRANGER, zeroHash] }),
        value: 5n,
      }),
    };
    const answer = await attest(client, "depository-deposits/v1", request);
    const [first] = chains;
    const second = [{ ...first!, depositories: [...first!.depositories, STRANGER] }];
    expect(await verify({ kind: "deposits", request, answer }, { chains: second })).to.deep.include({
      isValid: true,
      unsigned: ["result.onchainId", "result.depository", "extraData.timestamp"].map((field) => `messages[0].${field}`),
    });
    // The index of any deposit in the transaction can be valid.
    const id = onchainId(CHAIN, request.transactionId, 99_999);
    const renamed = withLeaf(answer, ["messages", "0", "result", "onchainId"], id);
    expect(await verify({ kind: "deposits", request, answer: renamed })).to.deep.include({
      isValid: true,
      unsigned: ["result.onchainId", "extraData.timestamp"].map((field) => `messages[0].${field}`),
    });
  });

  it("throws an error that lists the failed checks if validity is required", async () => {
    const parameters = { hub: HUB, chains, signers: SIGNERS, threshold: 2 };
    const deposits = ofKind("deposits");
    expect((await requireAttestation({ ...parameters, attested: deposits })).isValid).to.equal(true);
    const answer = withLeaf(deposits.answer, ["execution", "idempotencyKey"], zeroHash);
    const error = await failureOf(requireAttestation({ ...parameters, attested: { ...deposits, answer } as Attested }));
    expect(error).to.be.instanceOf(AttestationInvalidError);
    const { code, kind, faults } = error as AttestationInvalidError;
    expect([code, kind, faults.map(({ path }) => path)]).to.deep.equal([
      "ATTESTATION_INVALID",
      "deposits",
      ["execution.idempotencyKey"],
    ]);
  });

  it("must have a valid nonce", async () => {
    for (const [kind, path] of [
      ["withdrawal", ["withdrawalAddressRequest", "withdrawalNonce"]],
      ["initiation", ["withdrawalNonce"]],
      ["initiationV2", ["nonce"]],
    ] as const) {
      for (const nonce of ["nothing", "", "-1", `0x1${"0".repeat(64)}`]) {
        const attested = ofKind(kind);
        const asked = { ...attested, request: withLeaf(attested.request, path, nonce) } as Attested;
        expect(await failureOf(verify(asked))).to.include({
          code: "INVALID_INPUT",
          field: ["attested", "request", ...path].join("."),
        });
      }
    }
  });

  it("must match the chains and deposits in its request", async () => {
    expect(await failureOf(verify(ofKind("deposits"), { chains: [] }))).to.include({ field: "chains" });
    const fill = { ...ofKind("fill"), deposits: [] } as unknown as Attested;
    expect(await failureOf(verify(fill))).to.include({ field: "attested.deposits" });
  });

  it("fails with the oracle's error message, and is unsigned if the route signs nothing", async () => {
    const missing = await failureOf(
      attest(client, "depository-deposits/v1", { chainId: "base", transactionId: zeroHash }),
    );
    expect(missing).to.be.instanceOf(ServiceError);
    expect(missing).to.include({ status: 400, tries: 1 });
    const { request } = ofKind("initiation") as Extract<Attested, { kind: "initiation" }>;
    const { signature: _, requestPeerSignatures: __, ...initiated } = request;
    const { message } = await attest(client, "withdrawal-initiated/v1", { ...initiated, expectedAmount: "0" });
    expect(message.result.withdrawalAddress).to.equal(
      (ofKind("initiation") as Extract<Attested, { kind: "initiation" }>).answer.message.result.withdrawalAddress,
    );
  });
});

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

function executionOf({ answer }: Attested): SignedExecution | undefined {
  return "execution" in answer ? answer.execution : undefined;
}

function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value !== "object" || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

function withLeaf<Value>(value: Value, [name, ...rest]: readonly string[], leaf: unknown): Value {
  if (name === undefined) return leaf as Value;
  const inner = withLeaf(Reflect.get(value as object, name) as unknown, rest, leaf);
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (String(index) === name ? inner : item)) as Value;
  return { ...value, [name]: inner };
}

/** Returns a different value in the same format, by changing a digit or the end of a text. */
function tamper(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  const text = value as string;
  if (text === "0x") return "0x01";
  const at = text.startsWith("0x") ? Math.floor(text.length / 2) : text.length - 1;
  return `${text.slice(0, at)}${text[at] === "1" ? "2" : "1"}${text.slice(at + 1)}`;
}
