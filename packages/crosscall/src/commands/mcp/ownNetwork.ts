import { isFreePort } from "../../localnet/devchain/listenGuarded.ts";
import { LIVE_CHAIN_OPTIONS } from "../../localnet/devchain/likeMainnet.ts";
import type { Protocol } from "../../localnet/devchain/options.ts";
import { DEFAULT_CHAINS } from "../../localnet/defaults.ts";
import type { Localnet } from "../../localnet/index.ts";
import { compact } from "@crosscall/protocol/core";
import { readRemembered, rememberNetwork } from "../../options/rememberedNetwork.ts";
import { Stages } from "../../terminal/stages.ts";
import { choosePorts } from "../up/ports.ts";

export interface StartOptions {
  readonly likeMainnet?: boolean;
  readonly protocols?: readonly Protocol[];
}

/** The local network that a tool started. It runs in this process, and ends with it. */
export class OwnNetwork {
  #network: Promise<Localnet> | undefined;

  /** Returns the network, or undefined if none was started. */
  async current(): Promise<Localnet | undefined> {
    return this.#network;
  }

  /** Starts the network, or returns the running one. */
  async start(options: StartOptions, signal: AbortSignal): Promise<Localnet> {
    this.#network ??= start(options, signal);
    try {
      return await this.#network;
    } catch (error) {
      this.#network = undefined;
      throw error;
    }
  }

  /** Stops the network. Returns whether one was running. */
  async stop(): Promise<boolean> {
    const network = await this.#network?.catch(() => undefined);
    this.#network = undefined;
    await network?.close();
    return network !== undefined;
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
