import { resolve } from "node:path";

import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { InvalidInputError } from "@crosscall/protocol/core";
import { isHash } from "../commands/replay/readInput.ts";
import { CACHE_FOLDER } from "../commands/replay/replayOptions.ts";
import { runReplay } from "../commands/replay/run.ts";
import { asPluginError, forkableUrl, type ProjectNetwork, requireNetwork } from "./projectNetwork.ts";

interface ReplayArguments {
  readonly what: string;
  readonly amount: string | undefined;
  readonly block: string | undefined;
  readonly recipient: string | undefined;
  readonly apiUrl: string | undefined;
  readonly html: string | undefined;
  readonly envelope: boolean;
  readonly json: boolean;
  readonly noCompile: boolean;
}

/** Runs `hardhat crosscall replay`. */
export function runReplayTask(given: ReplayArguments, hre: HardhatRuntimeEnvironment): Promise<void> {
  return asPluginError(async () => {
    const { what, envelope, json } = given;
    const network = requireNetwork(hre);
    const rpcUrl = await forkableUrl(network);
    const amount = readWhole(given.amount, "--amount");
    const block = readWhole(given.block, "--block") ?? pinnedBlock(what, network);
    if (!given.noCompile) await hre.tasks.getTask("build").run({ quiet: true, noTests: true });
    const { CROSSCALL_API_URL, CROSSCALL_API_KEY } = process.env;
    const apiUrl = given.apiUrl ?? CROSSCALL_API_URL;
    await runReplay(what, {
      rpcUrl: [rpcUrl],
      abi: [...(await hre.artifacts.getAllArtifactPaths())],
      cache: resolve(hre.config.paths.root, CACHE_FOLDER),
      envelope,
      json,
      ...(apiUrl === undefined ? {} : { apiUrl }),
      ...(CROSSCALL_API_KEY === undefined ? {} : { apiKey: CROSSCALL_API_KEY }),
      ...(amount === undefined ? {} : { amount }),
      ...(block === undefined ? {} : { block }),
      ...(given.recipient === undefined ? {} : { recipient: given.recipient }),
      ...(given.html === undefined ? {} : { html: given.html }),
    });
  });
}

/** Returns the block of the project's fork for a plan. A past fill has its own block. */
function pinnedBlock(what: string, { config }: ProjectNetwork): bigint | undefined {
  return isHash(what) || config.type === "http" ? undefined : config.forking?.blockNumber;
}

function readWhole(text: string | undefined, field: string): bigint | undefined {
  if (text === undefined) return undefined;
  if (/^(0|[1-9]\d{0,77})$/u.test(text)) return BigInt(text);
  throw new InvalidInputError({ field, value: text, reason: "it is not a whole number", hint: "Use digits only." });
}
