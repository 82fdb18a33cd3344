/** For a refused field: a line that is accepted in its place. */

const REFERENCE = '{"env": "NAME"}';
const OPTION = '{"id": "card", "label": "Card", "payment_method": "on_line"}';
const TOKEN_KEY = `{"kid": "k1", "alg": "HS256", "secret": ${REFERENCE}}`;

/**
 * Lines by path; `*` is any name or index. `ledger` has none: whoever copied one over the address
 * of a database would start on an empty ledger, and orders would be placed again.
 */
const LINES: Readonly<Record<string, string>> = {
  mode: '"mode": "test"',
  service: '"service": {"base_url": "https://service.example"}',
  'service.base_url': '"base_url": "https://service.example"',
  'service.headers': `"headers": {"x-api-key": ${REFERENCE}}`,
  'service.timeout_ms': '"timeout_ms": 10000',
  'service.queries_per_second': '"queries_per_second": 20',
  'service.connections': '"connections": 256',
  'service.idle_ms': '"idle_ms": 500',
  'service.not_found_codes': '"not_found_codes": ["CODE"]',
  'service.resend_after_s': '"resend_after_s": 5',
  shop: '"shop": {"name": "Bean & Leaf", "origins": ["https://shop.example"]}',
  'shop.name': '"name": "Bean & Leaf"',
  'shop.origins': '"origins": ["https://shop.example"]',
  'shop.return_hosts': '"return_hosts": ["shop.example"]',
  'shop.support_url': '"support_url": "https://shop.example/help"',
  'shop.logo_url': '"logo_url": "https://shop.example/logo.svg"',
  'shop.image_hosts': '"image_hosts": ["cdn.shop.example"]',
  public_url: '"public_url": "https://shop.example/pay"',
  options: `"options": [${OPTION}]`,
  'options.*.payment_method': '"payment_method": "on_line"',
  'options.*.payment_type': '"payment_type": "qrcode"',
  'options.*.payment_channel': '"payment_channel": "sbp_qr"',
  'options.*.min': '"min": "10"',
  'options.*.max': '"max": "60000"',
  'options.*.customer': '"customer": ["phone"]',
  'options.*.expires_after_s': '"expires_after_s": 900',
  'options.*.icon_url': '"icon_url": "https://cdn.shop.example/pix.svg"',
  'options.*.wallets': '"wallets": [{"name": "Sber", "scheme": "sberpay"}]',
  deposits: '"deposits": [{"currency": "XRP", "network": "XRP Ledger"}]',
  statuses: '"statuses": {"11": "pending"}',
  'statuses.*': '"statuses": {"11": "pending"}',
  links: '"links": {"hosts": ["pay.example"]}',
  'links.schemes': '"schemes": ["sberpay"]',
  catalogue:
    '"catalogue": {"tee": {"amount": "19.90", "currency": "USD", "product_name": "T-shirt"}}',
  'catalogue.*.amount': '"amount": "19.90"',
  'catalogue.*.currency': '"currency": "USD"',
  'catalogue.*.max_quantity': '"max_quantity": 5',
  open_amount: '"open_amount": {"USD": {"min": "1", "max": "500"}}',
  order_token_keys: `"order_token_keys": [${TOKEN_KEY}]`,
  'order_token_keys.*.public_key': '"public_key": {"file": "shop.pem"}',
  capability_keys: `"capability_keys": [{"kid": "c1", "secret": ${REFERENCE}}]`,
  secret_key: `"secret_key": ${REFERENCE}`,
  request_id_key: `"request_id_key": ${REFERENCE}`,
  operator: `"operator": {"port": 9090, "key": ${REFERENCE}}`,
  'operator.keys.*.key': `"key": ${REFERENCE}`,
  shop_events: `"shop_events": {"url": "https://shop.example/hooks", "secret": ${REFERENCE}}`,
  'shop_events.url': '"url": "https://shop.example/hooks"',
  'shop_events.unpaid_after_s': '"unpaid_after_s": 3600',
  limits: '"limits": {"retention_days": 400}',
  'limits.retention_days': '"retention_days": 400',
};

/**
 * A field without a line of its own has the line of its parent, if that line contains the field. A
 * line without the field would tell the operator to change another field.
 *
 * @returns the line to write; null when there is none, as for an unknown field
 */
export function lineFor(path: readonly PropertyKey[]): string | null {
  const field = path.findLast((name) => typeof name === 'string') ?? '';
  for (let length = path.length; length > 0; length--) {
    const names = path.slice(0, length).map(String);
    const line = LINES[names.join('.')] ?? LINES[withAny(names, 1)] ?? LINES[withAny(names, 2)];
    if (line === undefined) continue;
    return length === path.length || line.includes(`"${field}"`) ? line : null;
  }
  return null;
}

/** A part of a path such as options.0.min is an index, or a name that the shop chose. */
const withAny = (names: readonly string[], part: number): string =>
  names.map((name, at) => (at === part ? '*' : name)).join('.');
