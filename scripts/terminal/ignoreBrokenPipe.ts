/**
 * Lets a command go on when whoever reads its output has seen enough and left, as `head` does: what it still writes is
 * lost, and what it does, such as following a payment, is not cut off.
 */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: Error & { readonly code?: string }) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}
