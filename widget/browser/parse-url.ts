/** Parses an address. `URL.canParse` and `URL.parse` are missing in browsers of 2022. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
