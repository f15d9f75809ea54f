/**
 * Lets a command continue when the reader of its output closes it, as `head` does: its work, such as following a
 * payment, must not be cut off.
 */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: Error & { readonly code?: string }) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}
