import * as Type from "typebox";

import { chainFamilyOf } from "@crosscall/protocol/chains";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { CHAIN_LIMITS, requireBetween } from "./devchain/chainLimits.ts";
import { type ChainOptions, type Finality, HARDFORKS } from "./devchain/options.ts";
import { findSimulatedChain } from "./market/simulatedChains.ts";
import { checkRules, type OptionRule, port, requireThat, wholeNumber } from "./optionRules.ts";
import { redactUrl } from "./redactUrl.ts";

const FORK_BLOCK_HINT = "Pass a block number together with forkUrl, or omit it.";

const CHAIN_RULES = {
  id: { ...wholeNumber(1, Number.MAX_SAFE_INTEGER, "Pass a chain id, for example 31337."), isRequired: true },
  depositConfirmations: wholeNumber(0, Number.MAX_SAFE_INTEGER, "Pass a number of blocks, for example 2."),
  forkBlock: wholeNumber(0, Number.MAX_SAFE_INTEGER, FORK_BLOCK_HINT),
  rpcPort: port,
  latencyMs: wholeNumber(0, CHAIN_LIMITS.latencyMs, "Pass milliseconds, for example 500."),
  gasPriceGwei: {
    schema: Type.Number({ minimum: 0.000_001, maximum: 1_000_000 }),
    reason: "must be a gas price from 0.000001 to 1000000 gwei",
    hint: "Pass for example 0.01, or omit it.",
  },
} satisfies Partial<Record<keyof ChainOptions, OptionRule>>;

const FINALITY_RULES = {
  blocks: wholeNumber(0, 10_000, "Pass a number of blocks, for example 10."),
  seconds: wholeNumber(0, 604_800, "Pass seconds, for example 60."),
} satisfies Partial<Record<keyof Finality, OptionRule>>;

const CHAIN_NAMES = {
  id: 1,
  rpcUrl: 1,
  rpcPort: 1,
  depositConfirmations: 1,
  forkUrl: 1,
  forkBlock: 1,
  miningIntervalMs: 1,
  blockTimeMs: 1,
  gasPriceGwei: 1,
  latencyMs: 1,
  hardfork: 1,
  finality: 1,
} as const;

/**
 * Checks the options of one chain.
 *
 * @param field place of the chain in the options, for example `chains[0]`
 * @throws {@link InvalidInputError} naming the option
 */
export function checkChain(chain: ChainOptions, field: string): void {
  const {
    id,
    rpcUrl,
    rpcPort,
    forkUrl,
    forkBlock,
    miningIntervalMs = 0,
    blockTimeMs = 0,
    gasPriceGwei,
    finality,
    hardfork,
  } = chain;
  rejectUnknownOptions(chain, CHAIN_NAMES, `${field}.`);
  checkRules(CHAIN_RULES, chain, `${field}.`);
  rejectUnknownOptions(finality, { blocks: 1, seconds: 1 }, `${field}.finality.`);
  checkRules(FINALITY_RULES, finality ?? {}, `${field}.finality.`);
  const { name } = chainFamilyOf(id);
  requireThat(
    name === "evm" || name === "unknown",
    `${field}.id`,
    id,
    `is a chain of family ${name}, which the network ${findSimulatedChain(id) !== undefined ? "already simulates" : "does not serve"}`,
    "Pass the id of an EVM chain, or one of your own.",
  );
  requireThat(
    hardfork === undefined || HARDFORKS.includes(hardfork),
    `${field}.hardfork`,
    hardfork,
    "is unknown",
    `Use ${HARDFORKS.join(", ")}.`,
  );
  requireThat(
    hardfork === undefined || rpcUrl === undefined,
    `${field}.hardfork`,
    hardfork,
    "must not be combined with rpcUrl",
    "Start the node at rpcUrl with the hardfork.",
  );
  requireThat(
    forkUrl === undefined || isHttpUrl(forkUrl),
    `${field}.forkUrl`,
    redactUrl(forkUrl ?? ""),
    "must be an HTTP URL",
    "Pass the JSON-RPC URL of the chain to fork.",
  );
  requireThat(
    rpcPort === undefined || rpcUrl === undefined,
    `${field}.rpcPort`,
    rpcPort,
    "must not be set together with rpcUrl",
    "Omit it: the node at rpcUrl has its own port.",
  );
  requireThat(
    forkUrl === undefined || rpcUrl === undefined,
    `${field}.forkUrl`,
    redactUrl(forkUrl ?? ""),
    "must not be combined with rpcUrl",
    "Pass rpcUrl or forkUrl; the node at rpcUrl may be a fork itself.",
  );
  requireThat(
    forkBlock === undefined || forkUrl !== undefined,
    `${field}.forkBlock`,
    forkBlock,
    "must not be set without forkUrl",
    FORK_BLOCK_HINT,
  );
  requireThat(
    rpcUrl === undefined || (blockTimeMs === 0 && gasPriceGwei === undefined),
    blockTimeMs === 0 ? `${field}.gasPriceGwei` : `${field}.blockTimeMs`,
    blockTimeMs === 0 ? gasPriceGwei : blockTimeMs,
    "must not be combined with rpcUrl",
    "Start the node at rpcUrl with it.",
  );
  requireThat(
    rpcUrl === undefined || finality === undefined,
    `${field}.finality`,
    finality,
    "must not be combined with rpcUrl",
    "Start the node at rpcUrl with it.",
  );
  requireThat(
    miningIntervalMs === 0 || blockTimeMs === 0,
    `${field}.blockTimeMs`,
    blockTimeMs,
    "must not be combined with miningIntervalMs",
    "Pass one of the two.",
  );
  const { minimumIntervalMs, intervalMs } = CHAIN_LIMITS;
  for (const [name, value] of Object.entries({ miningIntervalMs, blockTimeMs })) {
    if (value !== 0) requireBetween(`${field}.${name}`, value, minimumIntervalMs, intervalMs);
  }
  requireThat(
    rpcUrl === undefined || isHttpUrl(rpcUrl),
    `${field}.rpcUrl`,
    redactUrl(rpcUrl ?? ""),
    "must be an HTTP URL",
    "Pass the URL of a local node, for example http://127.0.0.1:8545.",
  );
}

function isHttpUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/u.test(new URL(url).protocol);
}
