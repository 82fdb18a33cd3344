import { notFound } from 'next/navigation';
import { Suspense } from 'react';
import { Checkout } from './checkout';

type Props = { params: Promise<{ id: string }> };

async function Sale({ params }: Props) {
  const { id } = await params; // known at each visit, and never during the build
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
