/** Prices as the shop shows them. */
const format = new Intl.NumberFormat('en', { style: 'currency', currency: 'RUB', currencyDisplay: 'narrowSymbol' });
type Numeric = `${number}`;
export const rubles = (amount: string): string => format.format(amount as Numeric);
