import { readFile } from 'node:fs/promises';
import { connection } from 'next/server';
import { Suspense } from 'react';
import { signOrderToken } from 'pay-checkout/shop';
import { Checkout } from './checkout';

const relay = 'http://localhost:3000/pay'; // public_url of the relay

async function Sale() {
  await connection(); // signs at each visit, and never during the build
  const secret = await readFile('secrets/order-token-key', 'utf8');
  const token = await signOrderToken(
    {
      aud: relay,
      jti: crypto.randomUUID(), // later the number of the order in your database
      amount: '19.90',
      currency: 'USD',
      product_name: 'T-shirt',
      customer_ref_id: 'c-42',
    },
    { kid: 'k1', secret: secret.trim() },
  );
  return <Checkout relay={relay} token={token} />;
}

export default function Page() {
  return (
    <Suspense>
      <Sale />
    </Suspense>
  );
}
