import { executeSteps, UserRejectedError } from "@crosscall/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { parseUnits } from "viem";
import { useConnect, useConnection, useConnectors, useWalletClient } from "wagmi";

import { quoteSupply } from "./quoteSupply";
import type { Setup } from "./setup";

const USDC_DECIMALS = 6;

export function App({ config, client, origin }: Setup) {
  const { address } = useConnection();
  const { data: wallet } = useWalletClient();
  const [dollars, setDollars] = useState("25");
  const [status, setStatus] = useState("");

  const quote = useQuery({
    queryKey: ["quote", address, dollars],
    queryFn: ({ signal }) =>
      quoteSupply(client, config, { user: address!, amount: parseUnits(dollars, USDC_DECIMALS), signal }),
    enabled: address !== undefined && Number(dollars) > 0,
    refetchInterval: 20_000,
    retry: false,
  });

  const supply = useMutation({
    // Verifies that the steps match the request, sends them with the wallet, and waits until the request ends.
    mutationFn: () =>
      executeSteps(client, {
        quote: quote.data!,
        wallet: wallet!,
        onEvent(event) {
          if (event.kind === "sent") setStatus("sent");
          if (event.kind === "status") setStatus(event.status.status);
        },
      }),
  });
  const error = supply.error ?? quote.error;

  if (address === undefined) return <Wallets />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setStatus("confirm in your wallet");
        supply.mutate();
      }}
    >
      <h1>Supply USDC to Aave</h1>
      <p>{address}</p>
      <label>
        USDC <input inputMode="decimal" value={dollars} onChange={({ target }) => setDollars(target.value)} />
      </label>
      <p aria-label="Price">
        {quote.data?.details?.currencyIn?.amountFormatted ?? "…"} ETH on {origin.name}
      </p>
      <button disabled={quote.data === undefined || wallet === undefined || supply.isPending}>Supply</button>
      <p role="status">{supply.error instanceof UserRejectedError ? "cancelled" : status}</p>
      {error !== null && !(error instanceof UserRejectedError) && <p role="alert">{error.message}</p>}
    </form>
  );
}

function Wallets() {
  const { mutate: connect } = useConnect();
  const connectors = useConnectors();
  if (connectors.length === 0) return <p>Install a wallet to continue.</p>;
  return connectors.map((connector) => (
    <button key={connector.uid} onClick={() => connect({ connector })}>
      Connect {connector.name}
    </button>
  ));
}
