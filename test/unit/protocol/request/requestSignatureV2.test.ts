import { readFileSync } from "node:fs";

import { expect } from "chai";
import { type Hex, concat, keccak256, numberToHex } from "viem";

import {
  encodeRequest,
  encodeRequestV2,
  hashRequest,
  hashRequestV2,
  recoverRequestSignerV2,
  RequestSignatureV2Schema,
  type SignedRequestDataV2,
  type SignedWords,
} from "../../../../packages/protocol/src/request/requestSignature.ts";
import { InvalidInputError, MalformedDataError } from "../../../../packages/protocol/src/core/errors.ts";
import { caught, factsOf, rejected } from "../../../support/rejection.ts";
import { checkEveryField } from "../everyField.ts";
import { SVM_USDC, USDC } from "../fixtures.ts";

interface Vector {
  readonly name: string;
  readonly requestId: Hex;
  readonly requestData: SignedRequestDataV2;
  readonly given?: SignedWords;
  readonly words: readonly Hex[];
  readonly digest: Hex;
  readonly signer: string;
  readonly signature: Hex;
}

const { requests } = JSON.parse(
  readFileSync(new URL("../../../vectors/request-digests-v2.json", import.meta.url), "utf8"),
) as { readonly requests: readonly Vector[] };

const [first] = requests as readonly [Vector];
const { requestId, requestData, signature, signer } = first;
const WORD: Hex = `0x${"ab".repeat(32)}`;
const BITCOIN = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

describe("a version 2 request signature", () => {
  it("matches the vectors that the contracts' tests also read", async () => {
    expect(requests).to.have.length(8);
    for (const { name, words, digest, given, ...signed } of requests) {
      const encoded = Object.values(encodeRequestV2(signed.requestId, signed.requestData, given)) as (bigint | Hex)[];
      const encodedWords = encoded.map((value) =>
        typeof value === "bigint" ? numberToHex(value, { size: 32 }) : value,
      );
      expect([name, encodedWords]).to.deep.equal([name, words]);
      expect([name, hashRequestV2(signed.requestId, signed.requestData, given)]).to.deep.equal([name, digest]);
      expect([name, keccak256(concat(words))]).to.deep.equal([name, digest]);
      const recovered = await recoverRequestSignerV2({ ...signed, words: given });
      expect([name, recovered.toLowerCase()]).to.deep.equal([name, signed.signer]);
    }
  });

  it("covers every field", async () => {
    const other = "0x0000000000000000000000000000000000000001";
    const changes: Partial<SignedRequestDataV2>[] = [
      { originChainId: 2 },
      { originUser: other },
      { originCurrency: other },
      { destinationChainId: 100 },
      { destinationUser: other },
      { destinationCurrency: other },
    ];
    expect(changes.flatMap(Object.keys).sort()).to.deep.equal(Object.keys(requestData).sort());
    for (const change of changes) {
      const changed = { requestId, requestData: { ...requestData, ...change }, signature };
      expect((await recoverRequestSignerV2(changed)).toLowerCase()).not.to.equal(signer);
    }
  });

  it("reports a missing field", async () => {
    for (const field of Object.keys(requestData)) {
      const error = await rejected(
        recoverRequestSignerV2({ requestId, requestData: { ...requestData, [field]: undefined }, signature }),
      );
      expect(error).to.be.instanceOf(MalformedDataError);
      expect((error as MalformedDataError).path).to.equal(`requestData.${field}`);
    }
  });

  it("uses given words instead of the fields, in both versions", () => {
    const words = { originUser: WORD, originCurrency: WORD, destinationUser: WORD, destinationCurrency: WORD };
    expect(encodeRequestV2(requestId, requestData, words)).to.deep.equal({
      requestId,
      originChainId: 1n,
      destinationChainId: 10n,
      ...words,
    });
    const toBitcoin = { ...requestData, originAmount: "5", destinationChainId: 8_253_038, destinationUser: BITCOIN };
    expect(encodeRequest(requestId, toBitcoin, { destinationUser: WORD })).to.deep.include({
      originAmount: 5n,
      destinationUser: WORD,
    });
    expect(hashRequest(requestId, toBitcoin, { destinationUser: WORD })).to.equal(
      keccak256(
        concat([...first.words.slice(0, 4), numberToHex(5n, { size: 32 }), numberToHex(8_253_038, { size: 32 }), WORD]),
      ),
    );
  });

  describe("rejects", () => {
    const cases: readonly [string, Partial<SignedRequestDataV2>, string, SignedWords?][] = [
      ["a short EVM address", { destinationUser: "0x1234" }, "requestData.destinationUser"],
      [
        "a short SVM address",
        { destinationChainId: 792_703_809, destinationUser: "0x1234", destinationCurrency: SVM_USDC },
        "requestData.destinationUser",
      ],
      ["a wallet on the exchange chain", { destinationChainId: 3_586_256 }, "requestData.destinationUser"],
      ["a field that is not text", { originUser: 5 as never }, "requestData.originUser"],
      ["a Bitcoin address without its word", { destinationChainId: 8_253_038 }, "requestData.destinationUser"],
      [
        "a Bitcoin currency without its word",
        { destinationChainId: 8_253_038, destinationCurrency: "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8" },
        "requestData.destinationCurrency",
        { destinationUser: WORD },
      ],
      ["a Tron address without its word", { originChainId: 728_126_428 }, "requestData.originUser"],
      ["a word that is not 32 bytes", {}, "words.destinationUser", { destinationUser: USDC }],
      ["a negative chain id", { originChainId: -1 }, "requestData.originChainId"],
      ["a fractional chain id", { destinationChainId: 1.5 }, "requestData.destinationChainId"],
      ["a chain id as text", { originChainId: "1" as never }, "requestData.originChainId"],
    ];
    for (const [name, change, field, words] of cases) {
      it(name, () => {
        const error = caught(() => hashRequestV2(requestId, { ...requestData, ...change }, words));
        expect(error).to.be.instanceOf(InvalidInputError);
        expect(factsOf(error)).to.include({ code: "INVALID_INPUT", field });
        const data = { ...requestData, originAmount: "1", ...change };
        if (!field.endsWith("Currency")) {
          expect(factsOf(caught(() => hashRequest(requestId, data, words)))).to.include({ field });
        }
      });
    }

    it("an id and a signature with the wrong length", async () => {
      for (const [signed, field] of [
        [{ requestId: "0x12", requestData, signature }, "requestId"],
        [{ requestId, requestData, signature: "0x12" }, "signature"],
        [{ requestId, requestData, signature: `0x${"ff".repeat(65)}` }, "signature"],
      ] as const) {
        expect(factsOf(await rejected(recoverRequestSignerV2(signed)))).to.include({ code: "INVALID_INPUT", field });
      }
    });
  });

  it("is rejected unless its response has all fields and a 65-byte signature", () => {
    checkEveryField(RequestSignatureV2Schema, { requestData, signature }, []);
  });
});
