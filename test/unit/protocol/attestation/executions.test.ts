import { readFileSync } from "node:fs";

import { expect } from "chai";
import { TypedDataEncoder } from "ethers";
import { type Address, type Hex, keccak256, recoverAddress, stringToHex } from "viem";

import { hashExecution, toVerifierCall } from "../../../../packages/sdk/src/attestation.ts";
import {
  createExecutionHasher,
  EXECUTION_TYPES,
  executionDomain,
} from "../../../../packages/protocol/src/attestation/index.ts";

/** Computed with another library. The contracts' tests read the same vectors. */
const vectors = JSON.parse(readFileSync(new URL("../../../vectors/executions.json", import.meta.url), "utf8")) as {
  readonly type: string;
  readonly typeHash: Hex;
  readonly domain: {
    readonly version: string;
    readonly chainId: number;
    readonly oracle: Address;
    readonly separator: Hex;
  };
  readonly signers: readonly Address[];
  readonly executions: readonly {
    readonly name: string;
    readonly idempotencyKey: Hex;
    readonly actions: readonly Hex[];
    readonly digest: Hex;
    readonly signatures: readonly Hex[];
  }[];
};
const { version, chainId, oracle, separator } = vectors.domain;
const domain = { oracleVersion: version, evmChainId: chainId, oracleAddress: oracle };

describe("an execution", () => {
  it("has the type and domain of the shared vectors", () => {
    const type = TypedDataEncoder.from({ Execution: [...EXECUTION_TYPES.Execution] }).encodeType("Execution");
    expect([type, keccak256(stringToHex(type))]).to.deep.equal([vectors.type, vectors.typeHash]);
    expect(TypedDataEncoder.hashDomain(executionDomain(domain))).to.equal(separator);
  });

  it("hashes to the shared vectors' digests, for which their signatures recover to their signers", async () => {
    expect(vectors.executions).to.have.length(4);
    const hash = createExecutionHasher(domain);
    for (const { name, digest, signatures, ...execution } of vectors.executions) {
      expect([name, hash(execution), hashExecution(domain, execution)]).to.deep.equal([name, digest, digest]);
      const recovered = await Promise.all(signatures.map((signature) => recoverAddress({ hash: digest, signature })));
      expect(recovered.map((address) => address.toLowerCase())).to.deep.equal(vectors.signers);
    }
  });
});

describe("verifier calls", () => {
  const [first, second, third] = vectors.signers as [Address, Address, Address];
  const signatureOf = (oracleSigner: string, signature: Hex) => ({
    oracleChainId: "relay",
    oracleContract: oracle,
    oracleSigner,
    signature,
  });
  const signed = {
    idempotencyKey: `0x${"11".repeat(32)}`,
    actions: ["0x01"],
    signatures: [
      signatureOf(third, "0x03"),
      signatureOf(first, "0x01"),
      signatureOf(first.toUpperCase().replace("0X", "0x"), "0x04"),
      signatureOf(second, "0x02"),
    ],
  };

  it("contain each signer once, in ascending order", () => {
    expect(toVerifierCall(signed)).to.deep.equal([
      { idempotencyKey: signed.idempotencyKey, actions: ["0x01"] },
      [
        { signer: first, signature: "0x01" },
        { signer: second, signature: "0x02" },
        { signer: third, signature: "0x03" },
      ],
    ]);
  });

  it("skip actions that the verifier does not support", () => {
    const [, signatures] = toVerifierCall(signed, [third.toUpperCase().replace("0X", "0x") as Address, second]);
    expect(signatures.map(({ signer }) => signer)).to.deep.equal([second, third]);
  });
});
