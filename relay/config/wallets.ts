/** The banks or wallets of an option: each opens the order's link by a form of its own. */
import { z } from 'zod';
import { imageUrl } from './images.js';
import { isWalletScheme, linkAllowed, type LinkRules } from './links.js';
import { line } from './own-words.js';
import { refuser, unique } from './refinements.js';
import { webUrl } from './web-addresses.js';

const MAX_WALLETS = 200;

const SCHEME_PATH = /^([^:]*):\/\/[\w.~-]+(\/[\w.~-]+)*$/;

const isSchemeOrPath = (scheme: string): boolean =>
  isWalletScheme(SCHEME_PATH.exec(scheme)?.[1] ?? scheme);

const schemeOf = ({ scheme }: { scheme?: string | undefined }): string | undefined =>
  scheme?.split(':')[0];

const wallet = z
  .strictObject({
    name: line,
    icon_url: imageUrl.optional(),
    /** Takes the place of the link's scheme and host. */
    https: webUrl.optional(),
    /** Takes the place of the link's scheme; with a path, of scheme and host. */
    scheme: z
      .string()
      .refine(isSchemeOrPath, {
        error: 'a wallet scheme such as "sberpay", or one with a path such as "tez://upi/pay"',
      })
      .optional(),
    /** The Android app that opens the link. */
    android_package: z
      .string()
      .max(255)
      .regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/, { error: 'a package such as "ru.sberbankmobile"' })
      .optional(),
  })
  .refine(
    ({ android_package, https, scheme }) =>
      [android_package, https, scheme].some((road) => road !== undefined),
    { error: 'at least one of https, scheme and android_package' },
  );

type WalletConfig = z.output<typeof wallet>;

export const walletList = z.array(wallet).min(1).max(MAX_WALLETS).superRefine(unique('name'));

type WithWallets = {
  links: LinkRules;
  options: readonly {
    payment_type?: string | undefined;
    phone_action?: string | undefined;
    wallets?: readonly WalletConfig[] | undefined;
  }[];
};

/** Refuses a wallet whose links the order service could not answer with either. */
export function checkWallets({ links, options }: WithWallets, context: z.RefinementCtx): void {
  const refuse = refuser(context);
  for (const [path, wallet] of walletsOf(options)) {
    const { https } = wallet;
    const scheme = schemeOf(wallet);
    if (scheme !== undefined && !links.schemes.includes(scheme))
      refuse([...path, 'scheme'], `a scheme of links.schemes; add ${JSON.stringify(scheme)} there`);
    if (https !== undefined && !linkAllowed(https, links))
      refuse(
        [...path, 'https'],
        `a link that links.hosts allows; add ${new URL(https).host} there`,
      );
  }
}

/** @returns the paths of wallets that nobody will see, because no link of their order is opened */
export const unseenWallets = ({ links: { hosts, schemes }, options }: WithWallets): string[] =>
  options.flatMap(({ payment_type, phone_action = 'open', wallets }, at) => {
    const isCopied = payment_type === 'qrcode' && phone_action !== 'open';
    const isUnseen = isCopied || (hosts?.length === 0 && schemes.length === 0);
    return wallets && isUnseen ? [`options.${at}.wallets`] : [];
  });

/** Every wallet with its path. */
const walletsOf = (
  options: WithWallets['options'],
): (readonly [path: (string | number)[], WalletConfig])[] =>
  options.flatMap(({ wallets = [] }, option) =>
    wallets.map((wallet, at) => [['options', option, 'wallets', at], wallet] as const),
  );
