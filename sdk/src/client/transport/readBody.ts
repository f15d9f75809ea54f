/**
 * @param maxBytes after decompression
 *
 * @returns undefined if the body is longer; the rest is not read
 */
export async function readBody(response: Response, maxBytes: number): Promise<string | undefined> {
  // The platforms' types of streams differ.
  const body = response.body as ReadableStream<Uint8Array> | null;
  if (body === null) return "";
  const reader = body.getReader();
  if (Number(response.headers.get("content-length") ?? 0) > maxBytes) {
    await reader.cancel();
    return undefined;
  }
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
