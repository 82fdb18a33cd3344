import { connection } from 'next/server';
import { Suspense } from 'react';
import { Checkout } from './checkout';

async function Sale() {
  await connection(); // sells at each visit, and never during the build
  const { relay, sell } = await import('./shop');
  return <Checkout relay={relay} token={await sell()} />;
}

export default function Page() {
  return (
    <Suspense>
      <Sale />
    </Suspense>
  );
}
