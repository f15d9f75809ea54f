import { RelayKitProvider, SwapWidget, type Token } from "@relayprotocol/relay-kit-ui";
import { adaptViemWallet, type RelayChain } from "@relayprotocol/relay-sdk";
import { useMemo, useState } from "react";
import { useConnect, useWalletClient } from "wagmi";

import { SERVICE_URL, SOURCE } from "./App";
import { toToken } from "./tokens";

/** The widget, from the first chain's native currency to the second chain's first token. */
export function WidgetSwap({ chains }: { readonly chains: RelayChain[] }) {
  const { connect, connectors } = useConnect();
  const { data: client } = useWalletClient();
  const wallet = useMemo(() => (client === undefined ? undefined : adaptViemWallet(client)), [client]);
  const [fromToken, setFromToken] = useState<Token | undefined>(() => toToken(chains[0], chains[0]?.currency));
  const [destination, setDestination] = useState<Token | undefined>(() =>
    toToken(chains[1], chains[1]?.erc20Currencies?.[0]),
  );
  return (
    <RelayKitProvider options={{ appName: "Swap", source: SOURCE, baseApiUrl: SERVICE_URL, chains }}>
      <SwapWidget
        supportedWalletVMs={["evm"]}
        wallet={wallet}
        fromToken={fromToken}
        setFromToken={setFromToken}
        toToken={destination}
        setToToken={setDestination}
        onSwapError={(error) => console.error(error)}
        onConnectWallet={() => {
          const [connector] = connectors;
          if (connector !== undefined) connect({ connector });
        }}
      />
    </RelayKitProvider>
  );
}
