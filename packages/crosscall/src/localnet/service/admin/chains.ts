import * as Type from "typebox";
import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY } from "@crosscall/protocol/chains";
import { parseAmount } from "@crosscall/protocol/encoding";
import { ServiceErrorSchema } from "@crosscall/protocol/common";
import type { ChainControls, ChainState } from "../../devchain/chainControls.ts";
import { findCurrency } from "../../devchain/currencies.ts";
import { refuseField, refuseUnknown } from "../../market/refusal.ts";
import type { ServiceRoute } from "../route.ts";
import type { ServiceParts } from "../serviceParts.ts";
import {
  BlocksSchema,
  ChainStateSchema,
  type ChainStateBody,
  FaucetAnswerSchema,
  FaucetSchema,
  LatencySchema,
  MiningSchema,
} from "./chainSchemas.ts";
import { refuseInvalid } from "./refuseInvalid.ts";

const PathSchema = Type.Object({ chainId: Type.Integer() });

export const chainControlsRoute: ServiceRoute<"chainControls" | "currencies"> = (app, parts) => {
  const params = PathSchema;
  const response = { 200: ChainStateSchema, "4xx": ServiceErrorSchema };
  const path = "/admin/chains/:chainId";
  const control = async (
    chainId: number,
    work: (controls: ChainControls) => Promise<ChainState>,
  ): Promise<ChainStateBody> => toBody(chainId, await refuseInvalid(work(requireControls(parts, chainId))));

  app.get(path, { schema: { summary: "Show the state of a chain", params, response } }, ({ params: { chainId } }) =>
    control(chainId, (controls) => controls.state()),
  );
  app.post(
    `${path}/mine`,
    { schema: { summary: "Add blocks", params, body: BlocksSchema, response } },
    ({ params: { chainId }, body }) => control(chainId, (controls) => controls.mine(body)),
  );
  app.post(
    `${path}/reorg`,
    { schema: { summary: "Replace the last blocks with empty ones", params, body: BlocksSchema, response } },
    ({ params: { chainId }, body }) => control(chainId, (controls) => controls.reorg(body)),
  );
  app.post(
    `${path}/mining`,
    { schema: { summary: "Mine at an interval, or at once", params, body: MiningSchema, response } },
    ({ params: { chainId }, body }) => {
      const { intervalMs } = requireOne(body);
      return control(chainId, (controls) => controls.setMining({ intervalMs }));
    },
  );
  app.post(
    `${path}/latency`,
    { schema: { summary: "Delay every RPC call of the chain", params, body: LatencySchema, response } },
    ({ params: { chainId }, body }) => control(chainId, (controls) => controls.setLatency(body)),
  );
  app.post(
    `${path}/faucet`,
    {
      schema: {
        summary: "Send native currency or tokens to an account",
        params,
        body: FaucetSchema,
        response: { 200: FaucetAnswerSchema, "4xx": ServiceErrorSchema },
      },
    },
    ({ params: { chainId }, body }) => refuseInvalid(give(parts, chainId, body)),
  );
};

async function give(
  parts: Pick<ServiceParts, "chainControls" | "currencies">,
  chainId: number,
  { address, currency: wanted = EVM_NATIVE_CURRENCY, amount }: Type.Static<typeof FaucetSchema>,
): Promise<Type.Static<typeof FaucetAnswerSchema>> {
  const controls = requireControls(parts, chainId);
  const known = parts.currencies.ofChain(chainId).map(({ currency }) => currency);
  const currency = findCurrency(known, wanted);
  await controls.fund(address as Address, currency.address, parseAmount(amount, "amount"));
  return { chainId, address, currency: currency.address, symbol: currency.symbol, decimals: currency.decimals, amount };
}

function requireControls({ chainControls }: Pick<ServiceParts, "chainControls">, chainId: number): ChainControls {
  const controls = chainControls.get(chainId);
  if (controls === undefined) throw refuseUnknown(`chain ${chainId}`);
  return controls;
}

function requireOne(body: Type.Static<typeof MiningSchema>): Type.Static<typeof MiningSchema> {
  if (Object.keys(body).length === 1) return body;
  throw refuseField("body", null, "must have exactly one field", "Set intervalMs or automatic: true.");
}

function toBody(chainId: number, state: ChainState): ChainStateBody {
  const { blockNumber, blockHash, miningIntervalMs = null, latencyMs } = state;
  return { chainId, blockNumber, blockHash, miningIntervalMs, latencyMs };
}
