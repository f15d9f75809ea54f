/** Whatever the spelling, and with or without a slash at the end. */
export function isSameUrl(one: string, other: string): boolean {
  return normalized(one) === normalized(other);
}

function normalized(url: string): string {
  return URL.canParse(url) ? new URL(url).href.replace(/\/$/u, "") : url;
}
