import * as Type from "typebox";

import { InvalidStateError } from "@crosscall/protocol/core";
import { callAdmin } from "../../../admin/callAdmin.ts";
import { PROTOCOLS, type Protocol } from "../../../localnet/devchain/options.ts";
import type { Localnet } from "../../../localnet/index.ts";
import { requireScenario, SCENARIOS } from "../../../localnet/scenarios/catalogue.ts";
import { parseParameters, schemaOf } from "../../../localnet/scenarios/parameters.ts";
import { SCENARIO_FAMILIES, type ScenarioFamily } from "../../../localnet/scenarios/scenario.ts";
import { ADMIN_ROUTES } from "../../../localnet/service/admin/routes.ts";
import {
  HoldSchema,
  NewScenarioSchema,
  NewTimeSchema,
  ReleaseSchema,
} from "../../../localnet/service/admin/schemas.ts";
import { findNetwork } from "../../../options/network.ts";
import { readNetworkStatus } from "../../status/networkStatus.ts";
import type { OwnNetwork } from "../ownNetwork.ts";
import type { Places } from "../places.ts";
import { commandOf, defineTool, type Tool, type ToolOutput } from "../tool.ts";

const { clock, fills, scenarios } = ADMIN_ROUTES;

/** Tools that read a local network. */
export function networkTools(places: Places, own: OwnNetwork): readonly Tool[] {
  return [
    defineTool({
      name: "network_status",
      description: "Show the running local network: service, chains with their contracts and blocks, and requests.",
      input: {},
      async run(_input, signal) {
        return describeNetwork((await places.local()).url, await own.current(), signal);
      },
    }),
    defineTool({
      name: "list_scenarios",
      description: "List the scenarios that a local network can simulate, and what to do about each.",
      input: {
        family: Type.Optional(
          Type.Unsafe<ScenarioFamily>(
            Type.Union(
              SCENARIO_FAMILIES.map((family) => Type.Literal(family)),
              { description: "Default: the names of all families." },
            ),
          ),
        ),
      },
      run({ family }) {
        const names = Map.groupBy(SCENARIOS, (scenario) => scenario.family);
        const facts =
          family === undefined
            ? { scenarios: Object.fromEntries([...names].map(([key, list]) => [key, list.map(({ name }) => name)])) }
            : {
                scenarios: SCENARIOS.filter((scenario) => scenario.family === family).map(
                  ({ name, what, hint, parameters }) => ({ name, what, hint, parameters }),
                ),
              };
        const flags = family === undefined ? [] : ["--family", family];
        return { ok: true, facts, command: commandOf("scenarios", "list", ...flags) };
      },
    }),
    defineTool({
      name: "list_fills",
      description: "List the holds of a local network and the held fills, the oldest first.",
      input: {},
      async run(_input, signal) {
        const facts = await callAdmin(await places.local(), fills.list, { query: { limit: 50 } }, signal);
        return { ok: true, facts, command: commandOf("fills", "list") };
      },
    }),
  ];
}

/** Tools that start, stop and change a local network. */
export function controlTools(places: Places, own: OwnNetwork): readonly Tool[] {
  return [
    defineTool({
      name: "start_network",
      description:
        "Start a local network: EVM chains with the service's contracts, the service, its solver and oracles. It runs until stop_network, or until this server stops. If a network is already running, it is returned unchanged.",
      isControl: true,
      input: {
        likeMainnet: Type.Optional(Type.Boolean({ description: "Copy ids, tokens and gas prices of live chains." })),
        protocols: Type.Optional(
          Type.Array(Type.Unsafe<Protocol>(Type.Union(PROTOCOLS.map((protocol) => Type.Literal(protocol)))), {
            description: "Protocols to deploy in addition to Uniswap v3 and a vault.",
          }),
        ),
      },
      async run(options, signal) {
        const running = await findRunning(own, signal);
        if (running !== undefined) return running;
        const network = await own.start(options);
        const { likeMainnet, protocols = [] } = options;
        return {
          ...(await describeNetwork(network.url, network, signal)),
          command: commandOf(
            "up",
            ...(likeMainnet === true ? ["--like-mainnet"] : []),
            ...(protocols.length === 0 ? [] : ["--protocols", ...protocols]),
          ),
        };
      },
    }),
    defineTool({
      name: "stop_network",
      description: "Stop the local network that start_network started. Its requests and chains are lost.",
      isControl: true,
      input: {},
      async run() {
        if (await own.stop())
          return { ok: true, summary: "stopped", command: "Ctrl-C in the terminal of crosscall up" };
        throw new InvalidStateError({
          message: "this server started no network",
          hint: "Stop a network of `crosscall up` with Ctrl-C in its terminal.",
        });
      },
    }),
    defineTool({
      name: "set_scenario",
      description: "Set a scenario on the local network, for the next requests or for all until it is cleared.",
      isControl: true,
      input: NewScenarioSchema.properties,
      async run({ name, parameters = {}, next }, signal) {
        const scenario = requireScenario(name, "name");
        const parsed = parseParameters(schemaOf(scenario.name), parameters, "parameters");
        const body = { name: scenario.name, parameters: parsed, ...(next === undefined ? {} : { next }) };
        const facts = await callAdmin(await places.local(), scenarios.set, { body }, signal);
        const given = Object.entries(parsed).flatMap(([key, value]) => [
          "--parameter",
          `${key}=${Array.isArray(value) ? value.join(";") : String(value)}`,
        ]);
        const limit = next === undefined ? [] : ["--next", String(next)];
        return { ok: true, facts, command: commandOf("scenarios", "set", name, ...limit, ...given) };
      },
    }),
    defineTool({
      name: "clear_scenarios",
      description: "Clear one scenario of the local network, or all. Requests that `stuck` holds continue.",
      isControl: true,
      input: { name: Type.Optional(Type.String()) },
      async run({ name }, signal) {
        const query = name === undefined ? {} : { name: requireScenario(name, "name").name };
        const facts = await callAdmin(await places.local(), scenarios.clear, { query }, signal);
        return { ok: true, facts, command: commandOf("scenarios", "clear", name) };
      },
    }),
    defineTool({
      name: "hold_fills",
      description: "Hold new fills of the local network, so that release_fills decides when and how each is filled.",
      isControl: true,
      input: HoldSchema.properties,
      async run({ filter = {} }, signal) {
        const facts = await callAdmin(await places.local(), fills.hold, { body: { filter } }, signal);
        const flags = Object.entries(filter).flatMap(([field, values]) =>
          [values].flat().flatMap((value) => ["--filter", `${field}=${String(value)}`]),
        );
        return { ok: true, facts, command: commandOf("fills", "hold", ...flags) };
      },
    }),
    defineTool({
      name: "release_fills",
      description:
        "Release held fills: one of requestId, oldest and all. Each is filled as quoted, filled with another amount, or fails.",
      isControl: true,
      input: ReleaseSchema.properties,
      async run(body, signal) {
        const facts = await callAdmin(await places.local(), fills.release, { body }, signal);
        const { requestId, oldest, all, amount, belowMinimum, scenario, deposit } = body;
        const command = commandOf(
          "fills",
          "release",
          requestId,
          ...(oldest === true ? ["--oldest"] : []),
          ...(all === true ? ["--all"] : []),
          ...(amount === undefined ? [] : ["--amount", amount]),
          ...(belowMinimum === true ? ["--below-minimum"] : []),
          ...(scenario === undefined ? [] : ["--scenario", scenario]),
          ...(deposit === undefined ? [] : ["--deposit", deposit]),
        );
        return { ok: facts.released.length > 0, facts, command };
      },
    }),
    defineTool({
      name: "clock",
      description: "Show or set the clock of the local network's service. Without arguments, only show it.",
      isControl: true,
      input: NewTimeSchema.properties,
      async run(body, signal) {
        const { now, offsetMs, reset } = body;
        const admin = await places.local();
        const isChange = Object.keys(body).length > 0;
        const facts = isChange
          ? await callAdmin(admin, clock.set, { body }, signal)
          : await callAdmin(admin, clock.read, {}, signal);
        const flags = [
          ...(now === undefined ? [] : ["--set", String(now)]),
          ...(offsetMs === undefined ? [] : ["--offset", String(Math.round(offsetMs / 1_000))]),
          ...(reset === true ? ["--reset"] : []),
        ];
        return {
          ok: true,
          facts: { ...facts, time: new Date(facts.now).toISOString() },
          command: commandOf("clock", ...flags),
        };
      },
    }),
  ];
}

/** Finds a network that this server or `crosscall up` in this folder has started. */
async function findRunning(own: OwnNetwork, signal: AbortSignal): Promise<ToolOutput | undefined> {
  const network = await own.current();
  if (network !== undefined) return describeNetwork(network.url, network, signal);
  const found = findNetwork(undefined);
  if (found === undefined) return undefined;
  try {
    return await describeNetwork(found.url, undefined, signal);
  } catch (error) {
    // The process of the network can have ended.
    if (error instanceof InvalidStateError) return undefined;
    throw error;
  }
}

async function describeNetwork(url: string, network: Localnet | undefined, signal: AbortSignal): Promise<ToolOutput> {
  const status = await readNetworkStatus(url, signal);
  return {
    ok: true,
    facts: {
      ...status,
      // Simulated chains have no blocks.
      chains: status.chains.filter(({ blockNumber }) => blockNumber !== null),
      ...(network === undefined
        ? {}
        : {
            consoleUrl: network.consoleUrl,
            apiKey: network.apiKey,
            user: network.accounts.user.address,
            contracts: Object.fromEntries(network.chains.map(({ id, contracts }) => [id, contracts])),
          }),
    },
    command: commandOf("status"),
  };
}
