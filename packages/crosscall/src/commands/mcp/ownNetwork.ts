import { isFreePort } from "../../localnet/devchain/serveRpc.ts";
import { LIVE_CHAIN_OPTIONS } from "../../localnet/devchain/likeMainnet.ts";
import type { Protocol } from "../../localnet/devchain/options.ts";
import { DEFAULT_CHAINS } from "../../localnet/defaults.ts";
import type { Localnet } from "../../localnet/index.ts";
import { compact } from "@crosscall/protocol/core";
import { readRemembered, rememberNetwork, rememberStop } from "../../options/rememberedNetwork.ts";
import { Stages } from "../../terminal/stages.ts";
import { choosePorts } from "../up/ports.ts";

export interface StartOptions {
  readonly likeMainnet?: boolean;
  readonly protocols?: readonly Protocol[];
}

/** The local network that a tool started. It runs in this process, and ends with it. */
export class OwnNetwork {
  readonly #signal: AbortSignal;
  #network: Promise<Localnet> | undefined;

  /** @param signal ends a start; a canceled call does not, because other calls may wait for the same network */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Returns the network, or undefined if none was started. */
  async current(): Promise<Localnet | undefined> {
    return this.#network;
  }

  /** Starts the network, or returns the running one. */
  async start(options: StartOptions): Promise<Localnet> {
    this.#network ??= start(options, this.#signal).catch((error: unknown) => {
      this.#network = undefined;
      throw error;
    });
    return this.#network;
  }

  /** Stops the network. Returns whether one was running. */
  async stop(): Promise<boolean> {
    const network = await this.#network?.catch(() => undefined);
    this.#network = undefined;
    if (network === undefined) return false;
    await network.close();
    await rememberStop();
    return true;
  }
}

/** Starts a network as `crosscall up` does, so that commands in this folder find it. */
async function start({ likeMainnet = false, protocols }: StartOptions, signal: AbortSignal): Promise<Localnet> {
  // Imported here, because most sessions start no network.
  const { startNetwork } = await import("../../terminal/startNetwork.ts");
  const remembered = readRemembered();
  const ports = await choosePorts({}, likeMainnet ? LIVE_CHAIN_OPTIONS : DEFAULT_CHAINS, remembered);
  const network = await startNetwork(new Stages({ isSilent: true, signal }), signal, {
    ...(likeMainnet ? { like: "mainnet" as const } : {}),
    ...compact({ protocols, adminKey: remembered.adminKey }),
    ...ports,
    port: (await isFreePort(ports.port)) ? ports.port : 0,
    limits: "documented",
  });
  await rememberNetwork(network, { hasApiKey: false, hasAdminKey: false });
  return network;
}
