// Messages of PostgreSQL's protocol (PostgreSQL, section 54.7).

export const PARSE = 0x50;
export const DESCRIBE = 0x44;
export const BIND = 0x42;
export const SIMPLE_QUERY = 0x51;
export const CLOSE = 0x43;
export const STATEMENT = 0x53;

/** The text that starts at a position. */
export function textAt(message: Uint8Array, from: number): string {
  return Buffer.from(message.subarray(from, message.indexOf(0, from))).toString();
}

export function toText(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}

export function toMessage(type: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(parts);
  const message = Buffer.alloc(5 + body.length);
  message[0] = type;
  // The length covers itself.
  message.writeInt32BE(4 + body.length, 1);
  message.set(body, 5);
  return message;
}
