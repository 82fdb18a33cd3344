import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ url }) => ({
  relay: url.searchParams.get('relay') ?? '',
  token: url.searchParams.get('token') ?? '',
});
