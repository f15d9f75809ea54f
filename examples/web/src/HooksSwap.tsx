import { useExecutionStatus, useQuote, useRequests, useTokenList, useTokenPrice } from "@relayprotocol/relay-kit-hooks";

import { useMemo, useState } from "react";
// The hooks use a newer version of the SDK than the widget.
import { adaptViemWallet, createClient, type RelayChain } from "relay-sdk-of-hooks";
import { parseEther, zeroAddress } from "viem";
import { useAccount, useWalletClient } from "wagmi";

import { SERVICE_URL, SOURCE } from "./App";

const AMOUNT = parseEther("1").toString();

/** Custom page that sells one unit of the first chain's native currency for a token on the second chain. */
export function HooksSwap({ chains }: { readonly chains: RelayChain[] }) {
  const { address } = useAccount();
  const { data: walletClient } = useWalletClient();
  const wallet = useMemo(() => walletClient && adaptViemWallet(walletClient), [walletClient]);
  const client = useMemo(
    () => createClient({ baseApiUrl: SERVICE_URL, source: SOURCE, chains }) as Parameters<typeof useQuote>[0],
    [chains],
  );
  const [token, setToken] = useState<string>();
  const [progress, setProgress] = useState("");
  const [requestId, setRequestId] = useState<string>();
  const [origin, destination] = chains;

  const { data: tokens } = useTokenList(SERVICE_URL, { chainIds: [destination?.id ?? 0], referrer: SOURCE });
  const { data: price } = useTokenPrice(SERVICE_URL, { address: zeroAddress, chainId: origin?.id ?? 0 });
  const {
    data: quote,
    error,
    executeQuote,
  } = useQuote(
    client,
    wallet,
    address === undefined || token === undefined || origin === undefined || destination === undefined
      ? undefined
      : {
          user: address,
          originChainId: origin.id,
          destinationChainId: destination.id,
          originCurrency: zeroAddress,
          destinationCurrency: token,
          tradeType: "EXACT_INPUT",
          amount: AMOUNT,
        },
  );
  const { data: status } = useExecutionStatus(
    client,
    requestId === undefined ? undefined : { requestId },
    undefined,
    undefined,
    { refetchInterval: 500 },
  );
  const { data: requests } = useRequests(
    address === undefined ? undefined : { user: address, limit: 20 },
    SERVICE_URL,
    { refetchInterval: 500 },
  );

  const swap = async () => {
    setRequestId(quote?.steps?.[0]?.requestId);
    try {
      await executeQuote?.(({ currentStep }) => setProgress(currentStep?.action ?? ""));
      setProgress("completed");
    } catch (failure) {
      setProgress(failure instanceof Error ? failure.message : String(failure));
    }
  };

  return (
    <main>
      <p>
        1 {origin?.currency?.symbol} = ${price?.price}
      </p>
      <label>
        Buy
        <select value={token} onChange={({ target }) => setToken(target.value)}>
          <option value="">Select a token</option>
          {tokens?.map(({ address: value, symbol }) => (
            <option key={value} value={value}>
              {symbol}
            </option>
          ))}
        </select>
      </label>
      <p aria-label="Quote">{quote?.details?.currencyOut?.amountFormatted ?? error?.message}</p>
      <button disabled={quote === undefined || wallet === undefined} onClick={() => void swap()}>
        Swap
      </button>
      <p aria-label="Progress">{progress}</p>
      <p aria-label="Status">{status?.status}</p>
      <ul aria-label="Requests">
        {requests.map(({ id, status: outcome }) => (
          <li key={id}>{outcome}</li>
        ))}
      </ul>
    </main>
  );
}
