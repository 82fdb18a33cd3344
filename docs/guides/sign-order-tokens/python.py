# pip install PyJWT
import os
import time

import jwt

now = int(time.time())
token = jwt.encode(
    {
        "jti": "order-10042",  # your order's number: one number, one order
        "aud": "https://shop.example/pay",  # public_url of the relay
        "iat": now,
        "exp": now + 3600,  # 24 h at most
        "amount": "19.90",  # a decimal string, never a number
        "currency": "USD",
        "product_name": "T-shirt",
        "customer_ref_id": "customer-42",
    },
    os.environ["ORDER_TOKEN_KEY"],
    algorithm="HS256",
    headers={"typ": "pay-order+jwt", "kid": "k1"},
)

print(token)
