import { Checkout } from './checkout';

type Props = { searchParams: Promise<{ relay?: string; token?: string }> };

export default async function Page({ searchParams }: Props) {
  const { relay = '', token = '' } = await searchParams;
  return <Checkout relay={relay} token={token} />;
}
