import base64
import hashlib
import hmac
import time


def is_genuine(headers, body, secret):
    """Tell whether an event comes from the relay.

    headers: with names in lower case; body: the raw bytes;
    secret: the text of shop_events.secret; after `whsec_` it is base64
    """
    secret = secret.strip()
    encoded = secret.startswith("whsec_")
    key = base64.b64decode(secret[6:], validate=True) if encoded else secret.encode()
    if not key:
        raise ValueError("the secret is empty")
    event_id, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    # a number of hundreds of digits would raise an error
    if not (at.isascii() and at.isdigit() and len(at) <= 12) or abs(time.time() - int(at)) > 300:
        return False
    signed = f"{event_id}.{at}.".encode() + body
    own = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    received = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(own, signature) for signature in received)
