/** The parts that the tests use of packages without types. */
declare module 'sepa-payment-qr-code' {
  const write: (data: {
    name: string;
    iban: string;
    amount: number;
    unstructuredReference?: string;
  }) => string;
  export default write;
}
declare module 'paynowqr' {
  export default class PaynowQR {
    constructor(data: {
      uen: string;
      amount: number;
      editable?: boolean;
      expiry?: string;
      refNumber?: string;
      company?: string;
    });
    output(): string;
  }
}
declare module 'eth-url-parser' {
  export const build: (data: {
    scheme: string;
    target_address: string;
    chain_id?: string;
    function_name?: string;
    parameters?: Readonly<Record<string, string>>;
  }) => string;
}
declare module 'bip21' {
  export const encode: (
    address: string,
    options: Readonly<Record<string, string>>,
    scheme?: string,
  ) => string;
}
