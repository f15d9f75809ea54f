// Compares the check of a v2 request signature in LI.FI's RelayFacet with the kit's library: gas and number of lines,
// with signatures from the local service. Also pays through the published facet. The facet's source is not part of this
// repository: `npm run bench:relay-facet -- <folder>` takes a checkout of lifinance/contracts at 3ced1b82c9f7; `--json`
// for JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import solc from "solc";
import { type Abi, type Address, erc20Abi, type Hex, maxUint256, zeroAddress, zeroHash } from "viem";
import { readContract, waitForTransactionReceipt, writeContract } from "viem/actions";

import { settings } from "../hardhat.config.ts";
import { deploy } from "../packages/protocol/src/chains/deploy.ts";
import { createServiceClient, getQuote, getSignatureV2 } from "../packages/sdk/src/index.ts";
import { encodeRequestV2, requireSignatureV2 } from "../packages/protocol/src/request/requestSignature.ts";
import { type Artifact, readArtifact } from "../packages/crosscall/src/artifacts.ts";
import { localDollarAbi } from "../packages/crosscall/src/abi/localDollar.generated.ts";
import { chainClient } from "../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { localnet } from "../packages/crosscall/src/localnet/index.ts";
import { toTable } from "./table.ts";

// solc's types have `any`.
const compile = solc.compile as (
  input: string,
  callbacks: { import: (path: string) => { contents: string } | { error: string } },
) => string;

const FACET = "src/Facets/RelayFacet.sol";

/** Contract that inherits the published check and measures its gas. */
const METER = `
pragma solidity ^0.8.17;
import { RelayFacet } from "./${FACET}";
import { ILiFi } from "./src/Interfaces/ILiFi.sol";
contract RelayFacetMeter is RelayFacet {
    constructor(address receiver, address solver) RelayFacet(receiver, solver) {}
    function measure(ILiFi.BridgeData memory data, RelayData calldata relay) external view returns (uint256) {
        // Reads the id's slot first, so that the result includes 100 gas for storage instead of 2,100.
        require(!consumedIds[relay.requestId]);
        uint256 before = gasleft();
        _check(data, relay);
        return before - gasleft();
    }
    function _check(ILiFi.BridgeData memory data, RelayData calldata relay) private view onlyValidQuote(data, relay) {}
}`;

/** Accounts and currencies of the SVM chain, as 32-byte public keys. */
const SVM = { chainId: 792_703_809, facetChainId: 1_151_111_081_099_710n };
const SVM_USER = "DYw8jCTfwHNRJhhmFcbXvVDTqWMEVFBX6ZKUmG5CNSKK";
const SVM_USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
/** Receiver address that marks a non-EVM receiver. */
const NON_EVM: Address = "0x11f111f111f111F111f111f111F111f111f111F1";

const AMOUNT = 5_000_000n;

const [folder = ""] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const lines = await measure(folder);
console.log(process.argv.includes("--json") ? JSON.stringify(lines, null, 2) : describe(lines));

interface Line {
  readonly name: string;
  readonly evmGas: number;
  readonly svmGas: number;
  readonly lines: number;
}

async function measure(checkout: string): Promise<Line[]> {
  await using network = await localnet();
  const [origin, evm] = network.chains;
  const reader = chainClient(origin.id, origin.rpcUrl);
  const wallet = chainClient(origin.id, origin.rpcUrl, network.accounts.user);
  const user = network.accounts.user.address;
  const { dollar } = origin.contracts;
  const meter = compileMeter(checkout);
  const facet = await deploy(wallet, { artifact: meter, args: [network.solver, network.solver] });
  const fillGas = readArtifact("mocks/harness/FillGas");
  const library = await deploy(wallet, { artifact: fillGas, args: [network.solver] });
  const service = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });

  const sign = async (payer: Address, destination: "evm" | "svm") => {
    const to =
      destination === "evm"
        ? { destinationChainId: evm.id, destinationCurrency: evm.contracts.dollar, recipient: user }
        : { destinationChainId: SVM.chainId, destinationCurrency: SVM_USDC, recipient: SVM_USER };
    const { steps } = await getQuote(service, {
      user: payer,
      refundTo: user,
      originChainId: origin.id,
      originCurrency: dollar,
      tradeType: "EXACT_INPUT",
      amount: AMOUNT.toString(),
      ...to,
    });
    const requestId = steps?.[0]?.requestId ?? "";
    const { requestData, signature } = requireSignatureV2(await getSignatureV2(service, { requestId }));
    return { words: encodeRequestV2(requestId, requestData), signature: signature as Hex };
  };
  const facetArguments = async (destination: "evm" | "svm") => {
    const { words, signature } = await sign(facet, destination);
    const bridgeData = {
      transactionId: zeroHash,
      bridge: "relay",
      integrator: "bench",
      referrer: zeroAddress,
      sendingAssetId: dollar,
      receiver: destination === "evm" ? user : NON_EVM,
      minAmount: AMOUNT,
      destinationChainId: destination === "evm" ? words.destinationChainId : SVM.facetChainId,
      hasSourceSwaps: false,
      hasDestinationCall: false,
    };
    const relayData = {
      requestId: words.requestId,
      nonEVMReceiver: destination === "evm" ? zeroHash : words.destinationUser,
      receivingAssetId: words.destinationCurrency,
      signature,
    };
    return [bridgeData, relayData] as const;
  };
  const ofFacet = async (destination: "evm" | "svm") => {
    const args = await facetArguments(destination);
    const gas = await readContract(reader, { address: facet, abi: meter.abi, functionName: "measure", args });
    return Number(gas);
  };
  const ofLibrary = async (destination: "evm" | "svm") => {
    const { words, signature } = await sign(library, destination);
    const args = [words, dollar, signature];
    const gas = await readContract(reader, { address: library, abi: fillGas.abi, functionName: "ofLibrary", args });
    return Number(gas);
  };

  // Pays through the facet with a signature from the local service.
  const write = async (address: Address, abi: Abi, functionName: string, args: readonly unknown[]) => {
    const hash = await writeContract(wallet, { address, abi, functionName, args: [...args] });
    const { status } = await waitForTransactionReceipt(wallet, { hash });
    if (status !== "success") throw new Error(`${functionName} reverted`);
  };
  await write(dollar, localDollarAbi, "mint", [user, 2n * AMOUNT]);
  await write(dollar, erc20Abi, "approve", [facet, maxUint256]);
  for (const destination of ["evm", "svm"] as const) {
    await write(facet, meter.abi, "startBridgeTokensViaRelay", await facetArguments(destination));
  }

  return [
    {
      name: "crosscall RequestSignature",
      evmGas: await ofLibrary("evm"),
      svmGas: await ofLibrary("svm"),
      lines: countLines(readFileSync("examples/SignedBridge.sol", "utf8"), /external \{\n(?<body>.*?)\n\n/su),
    },
    {
      name: "LI.FI RelayFacet",
      evmGas: await ofFacet("evm"),
      svmGas: await ofFacet("svm"),
      // The signature check, and the line that records the id.
      lines:
        1 + countLines(readFileSync(join(checkout, FACET), "utf8"), /onlyValidQuote\(.*?\{\n(?<body>.*?)\n {8}_;/su),
    },
  ];
}

/** Counts lines, except blank lines and comments. */
function countLines(source: string, pattern: RegExp): number {
  const body = pattern.exec(source)?.groups?.body;
  if (body === undefined) throw new Error(`the source does not match ${pattern}`);
  return body.split("\n").filter((line) => !/^\s*(\/\/|$)/u.test(line)).length;
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, CompiledContract>>>>;
}

interface CompiledContract {
  readonly abi: Abi;
  readonly evm: { readonly bytecode: { readonly object: string } };
}

/** Compiles with the kit's compiler and settings. */
function compileMeter(checkout: string): Artifact {
  const resolve = createRequire(import.meta.url).resolve;
  const input = {
    language: "Solidity",
    sources: { "Meter.sol": { content: METER } },
    settings: {
      ...settings,
      remappings: ["solady/=solady/src/"],
      outputSelection: { "Meter.sol": { RelayFacetMeter: ["abi", "evm.bytecode.object"] } },
    },
  };
  const find = (path: string): { contents: string } | { error: string } => {
    try {
      const file = path.startsWith("src/") ? join(checkout, path) : resolve(path);
      return { contents: readFileSync(file, "utf8") };
    } catch {
      return { error: `${path} is missing: pass a checkout of lifinance/contracts` };
    }
  };
  const output = JSON.parse(compile(JSON.stringify(input), { import: find })) as CompilerOutput;
  const compiled = output.contracts?.["Meter.sol"]?.RelayFacetMeter;
  if (compiled === undefined) {
    const errors = output.errors?.filter(({ severity }) => severity === "error") ?? [];
    throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  }
  return {
    ...readArtifact("mocks/harness/FillGas"),
    abi: compiled.abi,
    bytecode: `0x${compiled.evm.bytecode.object}`,
  };
}

function describe(all: readonly Line[]): string {
  const [ours] = all;
  const ratio = (figure: number, other = 0) => (figure / other).toFixed(2);
  return toTable([
    ["check of a v2 signature", "gas, EVM", "ratio", "gas, SVM", "ratio", "lines", "ratio"],
    ...all.map(({ name, evmGas, svmGas, lines: count }) => [
      name,
      evmGas.toLocaleString("en-US"),
      ratio(evmGas, ours?.evmGas),
      svmGas.toLocaleString("en-US"),
      ratio(svmGas, ours?.svmGas),
      String(count),
      ratio(count, ours?.lines),
    ]),
  ]);
}
