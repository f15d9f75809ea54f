import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { WagmiProvider } from "wagmi";

import { App } from "./App";
import { setUp } from "./setup";

const root = createRoot(document.getElementById("root")!);
try {
  const setup = await setUp();
  root.render(
    <StrictMode>
      <WagmiProvider config={setup.wagmi}>
        <QueryClientProvider client={new QueryClient()}>
          <App {...setup} />
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>,
  );
} catch (error) {
  root.render(<p role="alert">{error instanceof Error ? error.message : String(error)}</p>);
}
