const WIDTH = 24;

/** `[######------] 25 of 50`. */
export function progressBar(done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.min(Math.floor((done / total) * WIDTH), WIDTH);
  return `[${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}] ${done} of ${total}`;
}
