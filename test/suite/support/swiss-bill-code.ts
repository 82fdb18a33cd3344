/** The text of a Swiss QR-bill as `swissqrbill` writes it: the package exports only the picture. */
import { generateQRData } from '../../../node_modules/swissqrbill/lib/esm/shared/qr-code.js';

/** The example of the package's documentation, with another payee and amount. */
export const swissBill = (name: string, amount: string, hasDebtor: boolean): string =>
  generateQRData({
    amount: Number(amount),
    creditor: {
      account: 'CH44 3199 9123 0008 8901 2',
      address: 'Musterstrasse',
      buildingNumber: 7,
      city: 'Musterstadt',
      country: 'CH',
      name,
      zip: 1234,
    },
    currency: 'CHF',
    ...(hasDebtor && {
      debtor: {
        address: 'Musterstrasse',
        buildingNumber: 1,
        city: 'Musterstadt',
        country: 'CH',
        name: 'Peter Muster',
        zip: 1234,
      },
    }),
    reference: '21 00000 00003 13947 14300 09017',
  });
