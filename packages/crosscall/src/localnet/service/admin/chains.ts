import type { Static } from "typebox";
import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY, isEvmNative } from "@crosscall/protocol/chains";
import { parseAmount } from "@crosscall/protocol/encoding";
import type { ChainControls, ChainState } from "../../devchain/chainControls.ts";
import { findCurrency } from "../../devchain/tokens.ts";
import { rejectField, rejectUnknown } from "../../market/rejection.ts";
import type { LedgerUser, Pricer } from "../../market/market.ts";
import type { ChainController } from "../serviceParts.ts";
import { rejectInvalid } from "./rejectInvalid.ts";
import type { AdminHandlers } from "./routes.ts";
import type { ChainStateBody, FaucetSchema, FundedSchema, MiningSchema } from "./schemas.ts";

type ChainParts = Pricer & ChainController & LedgerUser;

export function chainHandlers(parts: ChainParts): AdminHandlers["chains"] {
  const control = async (
    { chainId }: { readonly chainId: number },
    work: (controls: ChainControls) => Promise<ChainState>,
  ): Promise<ChainStateBody> => toBody(chainId, await rejectInvalid(work(requireControls(parts, chainId))));
  return {
    state: ({ params }) => control(params, (controls) => controls.state()),
    mine: ({ params, body }) => control(params, (controls) => controls.mine(body)),
    reorg: ({ params, body }) => control(params, (controls) => controls.reorg(body)),
    mining({ params, body }) {
      const { intervalMs } = requireOne(body);
      return control(params, (controls) => controls.setMining({ intervalMs }));
    },
    latency: ({ params, body }) => control(params, (controls) => controls.setLatency(body)),
    faucet: ({ params, body }) => rejectInvalid(give(parts, params.chainId, body)),
  };
}

async function give(
  parts: ChainParts,
  chainId: number,
  { address, currency: wanted = EVM_NATIVE_CURRENCY, amount }: Static<typeof FaucetSchema>,
): Promise<Static<typeof FundedSchema>> {
  const funder = parts.ledgers.get(chainId) ?? requireControls(parts, chainId);
  const known = parts.currencies.ofChain(chainId).map(({ currency }) => currency);
  // The command line passes the zero address for the native currency of every chain.
  const currency = isEvmNative(wanted) ? parts.currencies.nativeOf(chainId).currency : findCurrency(known, wanted);
  await funder.fund(address as Address, currency.address, parseAmount(amount, "amount"));
  return { chainId, address, currency: currency.address, symbol: currency.symbol, decimals: currency.decimals, amount };
}

function requireControls({ chainControls }: ChainParts, chainId: number): ChainControls {
  const controls = chainControls.get(chainId);
  if (controls === undefined) throw rejectUnknown(`chain ${chainId}`);
  return controls;
}

function requireOne(body: Static<typeof MiningSchema>): Static<typeof MiningSchema> {
  if (Object.keys(body).length === 1) return body;
  throw rejectField("body", null, "must have exactly one field", "Set intervalMs or automatic: true.");
}

function toBody(chainId: number, state: ChainState): ChainStateBody {
  const { blockNumber, blockHash, miningIntervalMs = null, latencyMs } = state;
  return { chainId, blockNumber, blockHash, miningIntervalMs, latencyMs };
}
