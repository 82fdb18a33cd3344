import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ url }) => ({
  token: url.searchParams.get('token') ?? '',
});
