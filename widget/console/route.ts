/** Which page is shown, and its filters. Both are in the fragment of the address. */
export type Route = {
  readonly page: string;
  /** What the page shows, such as the id of an order. */
  readonly id: string;
  readonly filters: Readonly<Record<string, string>>;
};

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [page = '', ...rest] = path.split('/');
  return {
    page: page === '' ? 'today' : page,
    id: decoded(rest.join('/')),
    filters: Object.fromEntries(
      [...new URLSearchParams(query)].filter(([, value]) => value !== ''),
    ),
  };
}

/** Leaves out empty filters. */
export function hashOf(
  page: string,
  id = '',
  filters: Readonly<Record<string, string>> = {},
): string {
  const kept = Object.entries(filters).filter(([, value]) => value !== '');
  const query = kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
  return `#/${page}${id === '' ? '' : `/${encodeURIComponent(id)}`}${query}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
