import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import { Suspense } from 'react';
import { Checkout } from './checkout';

type Props = { params: Promise<{ id: string }> };

async function Sale({ params }: Props) {
  const { id } = await params;
  await connection(); // a token holds the time, so it is made at each visit
  const { relay, tokenOf } = await import('../../shop');
  const token = await tokenOf(id);
  if (token === null) notFound();
  return <Checkout relay={relay} token={token} />;
}

export default function Page({ params }: Props) {
  return (
    <Suspense>
      <Sale params={params} />
    </Suspense>
  );
}
