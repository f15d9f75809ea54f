import { useAccount, useConnect, useDisconnect } from "wagmi";

/** The connected account, or a button for each wallet in the browser. */
export function Account() {
  const { address } = useAccount();
  const { connect, connectors } = useConnect();
  const { disconnect } = useDisconnect();
  if (address !== undefined) {
    return (
      <header>
        <span>{address}</span> <button onClick={() => disconnect()}>Disconnect</button>
      </header>
    );
  }
  return (
    <header>
      {connectors.map((connector) => (
        <button key={connector.uid} onClick={() => connect({ connector })}>
          Connect {connector.name}
        </button>
      ))}
    </header>
  );
}
