import { useRelayChains } from "@relayprotocol/relay-kit-hooks";
import { MAINNET_RELAY_API } from "@relayprotocol/relay-sdk";
import { useMemo } from "react";
import type { Chain } from "viem";
import { createConfig, http, WagmiProvider } from "wagmi";

import { Account } from "./Account";
import { HooksSwap } from "./HooksSwap";
import { WidgetSwap } from "./WidgetSwap";

/** Name of the app in requests to the service. */
export const SOURCE = "swap.example";

export const SERVICE_URL: string = import.meta.env.VITE_SERVICE_URL ?? MAINNET_RELAY_API;

/** Two swap pages: one with the widget, and a custom one with the hooks. */
export function App() {
  const { chains, viemChains } = useRelayChains(SERVICE_URL, { referrer: SOURCE });
  const config = useMemo(() => {
    const [first, ...others] = (viemChains ?? []) as Chain[];
    if (first === undefined) return undefined;
    // Wallets come from EIP-6963.
    return createConfig({
      chains: [first, ...others],
      transports: Object.fromEntries([first, ...others].map(({ id }) => [id, http()])),
    });
  }, [viemChains]);
  if (chains === undefined || config === undefined) return <p>Loading chains…</p>;
  const Page = location.pathname === "/hooks" ? HooksSwap : WidgetSwap;
  return (
    <WagmiProvider config={config}>
      <Account />
      <Page chains={chains} />
    </WagmiProvider>
  );
}
