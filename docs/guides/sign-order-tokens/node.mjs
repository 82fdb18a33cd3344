// npm install jose
import { SignJWT } from 'jose';

const key = new TextEncoder().encode(process.env.ORDER_TOKEN_KEY);

const token = await new SignJWT({
  amount: '19.90', // a decimal string, never a number
  currency: 'USD',
  product_name: 'T-shirt',
  customer_ref_id: 'customer-42',
})
  .setProtectedHeader({ alg: 'HS256', typ: 'pay-order+jwt', kid: 'k1' })
  .setJti('order-10042') // your order's number: one number, one order
  .setAudience('https://shop.example/pay') // public_url of the relay
  .setIssuedAt()
  .setExpirationTime('1h') // 24 h at most
  .sign(key);

console.log(token);
