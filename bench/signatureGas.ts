// Compares the gas to verify the service's request signature in a contract, with the kit's library and with other
// libraries. `npm run bench:signature`, with `-- --json` for JSON output.
import { readFileSync } from "node:fs";

import { network } from "hardhat";
import { type Hex, concat, numberToHex, pad, size, slice } from "viem";

import { toTable } from "./table.ts";

/** Order of the secp256k1 curve. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Libraries, with the harness function that measures each. */
const CHECKS = [
  { name: "crosscall RequestSignature", method: "ofLibrary" },
  { name: "OpenZeppelin ECDSA, memory", method: "ofOpenZeppelin" },
  { name: "OpenZeppelin ECDSA, calldata", method: "ofOpenZeppelinCalldata" },
  { name: "Solady ECDSA, memory", method: "ofSolady" },
  { name: "Solady ECDSA, calldata", method: "ofSoladyCalldata" },
  { name: "Solady SignatureCheckerLib", method: "ofSoladyChecker" },
] as const;

interface Vector {
  readonly signer: Hex;
  readonly requestId: Hex;
  readonly requestData: {
    readonly originChainId: number;
    readonly originUser: Hex;
    readonly originCurrency: Hex;
    readonly originAmount: string;
    readonly destinationChainId: number;
    readonly destinationUser: Hex;
  };
  readonly signature: Hex;
}

/** One line of the output. A library that accepts only 65 bytes has no gas for 64. */
interface Line {
  readonly name: string;
  readonly gas: number;
  readonly compactGas: number | undefined;
  readonly refusesHighS: boolean;
}

const vector = JSON.parse(
  readFileSync(new URL("../test/vectors/request-signature.json", import.meta.url), "utf8"),
) as Vector;

const lines = await measure();
console.log(process.argv.includes("--json") ? JSON.stringify(lines, null, 2) : describe(lines));

async function measure(): Promise<Line[]> {
  const { ethers } = await network.create();
  const meter = await ethers.deployContract("SignatureGas", [vector.signer]);
  const { requestId, requestData, signature } = vector;
  const request = {
    ...requestData,
    requestId,
    originUser: pad(requestData.originUser),
    originCurrency: pad(requestData.originCurrency),
    destinationUser: pad(requestData.destinationUser),
  };
  const { compact, highS } = formsOf(signature);
  const gasOf = async (method: (typeof CHECKS)[number]["method"], form: Hex): Promise<number | undefined> => {
    try {
      return Number(await meter[method](request, form));
    } catch {
      return undefined;
    }
  };
  return Promise.all(
    CHECKS.map(async ({ name, method }) => {
      const gas = await gasOf(method, signature);
      if (gas === undefined) throw new Error(`${name} rejects the live service's signature`);
      const compactGas = await gasOf(method, compact);
      return { name, gas, compactGas, refusesHighS: (await gasOf(method, highS)) === undefined };
    }),
  );
}

/** Returns the same signature in 64 bytes, and with `s` in the upper half of the curve order. */
function formsOf(signature: Hex): { compact: Hex; highS: Hex } {
  if (size(signature) !== 65) throw new Error("the signature of the vector does not have 65 bytes");
  const r = slice(signature, 0, 32);
  const s = BigInt(slice(signature, 32, 64));
  const v = Number(slice(signature, 64));
  return {
    compact: concat([r, numberToHex(s | (BigInt(v - 27) << 255n), { size: 32 })]),
    highS: concat([r, numberToHex(CURVE_ORDER - s, { size: 32 }), numberToHex(55 - v, { size: 1 })]),
  };
}

function describe(all: readonly Line[]): string {
  const [ours] = all;
  const rows = all.map(({ name, gas, compactGas, refusesHighS }) => [
    name,
    amount(gas),
    ratio(gas, ours?.gas),
    amount(compactGas),
    ratio(compactGas, ours?.compactGas),
    refusesHighS ? "rejected" : "accepted",
  ]);
  return toTable([["gas, hashing included", "65 bytes", "ratio", "64 bytes", "ratio", "high s"], ...rows]);
}

function amount(gas: number | undefined): string {
  return gas?.toLocaleString("en-US") ?? "rejected";
}

function ratio(gas: number | undefined, ours: number | undefined): string {
  return gas === undefined || ours === undefined ? "-" : (gas / ours).toFixed(2);
}
