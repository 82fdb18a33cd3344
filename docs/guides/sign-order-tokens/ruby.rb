# gem install jwt
require 'jwt'

now = Time.now.to_i
token = JWT.encode(
  {
    jti: 'order-10042', # your order's number: one number, one order
    aud: 'https://shop.example/pay', # public_url of the relay
    iat: now,
    exp: now + 3600, # 24 h at most
    amount: '19.90', # a decimal string, never a number
    currency: 'USD',
    product_name: 'T-shirt',
    customer_ref_id: 'customer-42'
  },
  ENV.fetch('ORDER_TOKEN_KEY'),
  'HS256',
  { typ: 'pay-order+jwt', kid: 'k1' }
)

puts token
