/** The way to pay that the customer chose last, kept in this browser; a store may be denied. */
const KEY = 'pay-checkout:choice';

export function rememberedChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function rememberChoice(option: string): void {
  try {
    localStorage.setItem(KEY, option);
  } catch {
    // then the first option is marked next time
  }
}
