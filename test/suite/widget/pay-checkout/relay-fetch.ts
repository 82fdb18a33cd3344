/** Answers an element in place of a relay that has the files of texts beside it. */
import { localeOf } from '../../../../relay/contract/locales.js';
import type { Fetch } from '../../../../widget/relay-client.js';
import { en } from '../../../../widget/texts/en.js';
import type { World } from '../../support/world.js';

/** The file of texts that a relay has at this path. */
export async function texts(path: string): Promise<Response> {
  const locale = localeOf(/([\w-]*)\.json$/.exec(path)?.[1] ?? '');
  if (locale === 'en') return Response.json({ locale, ...en });
  return fetch(`/widget/texts/locales/${locale}.json`);
}

/** What the element asks a relay with, which has the texts beside it. */
export const fetchOf =
  ({ relay }: World): Fetch =>
  (url, init) =>
    url.includes('/locales/') ? texts(url) : relay.fetch(new Request(url, init));
