/** Makes a local node mine a block at an interval, in seconds, instead of for each transaction. */
export async function setBlockTime(rpcUrl: string, seconds: number): Promise<void> {
  for (const [method, value] of [
    ["evm_setAutomine", false],
    ["evm_setIntervalMining", seconds],
  ] as const) {
    const response = await fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [value] }),
    });
    const { error } = (await response.json()) as { error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  }
}
