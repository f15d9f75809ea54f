import { isFreePort } from "../../localnet/devchain/serveRpc.ts";
import type { ChainOptions } from "../../localnet/devchain/options.ts";
import type { RememberedNetwork } from "../../options/rememberedNetwork.ts";

/** Service port for the first start in a folder. */
const DEFAULT_PORT = 3000;

export interface WantedPorts {
  readonly port?: number;
  readonly oraclePort?: number;
  /** Port of the first chain; the next chains use the ports after it. */
  readonly rpcPort?: number;
  /** Address of the service and the chains; loopback by default. */
  readonly listen?: string;
}

export interface ChosenPorts {
  readonly port: number;
  readonly oraclePort: number;
  readonly chains: readonly ChainOptions[];
}

/** Returns the given ports, or the ports of the last start in this folder if they are free. */
export async function choosePorts(
  wanted: WantedPorts,
  chains: readonly ChainOptions[],
  { url, oracleUrl, rpcUrls }: RememberedNetwork,
): Promise<ChosenPorts> {
  return {
    port: wanted.port ?? portOf(url) ?? DEFAULT_PORT,
    oraclePort: wanted.oraclePort ?? (await freePortOf(oracleUrl)),
    chains: await Promise.all(
      chains.map(async (chain, index) =>
        chain.rpcUrl === undefined
          ? {
              ...chain,
              rpcPort:
                wanted.rpcPort === undefined
                  ? await freePortOf(rpcUrls[String(chain.id)], wanted.listen)
                  : wanted.rpcPort === 0
                    ? 0
                    : wanted.rpcPort + index,
            }
          : chain,
      ),
    ),
  };
}

async function freePortOf(url: string | undefined, address?: string): Promise<number> {
  const port = portOf(url) ?? 0;
  return (await isFreePort(port, address)) ? port : 0;
}

function portOf(url: string | undefined): number | undefined {
  return url === undefined ? undefined : Number(new URL(url).port) || undefined;
}
