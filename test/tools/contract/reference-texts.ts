/** The reference's texts about each operation, error code and field of the configuration. */
import type { endpoints } from '../../../relay/contract/endpoints.js';
import type { FailureCode } from '../../../relay/contract/failure.js';

export const operations: Record<keyof typeof endpoints, string> = {
  checkout:
    'Answers the amount, product, ways to pay and order that the page shows. A page may send the ' +
    'JSON as text/plain, which needs no preflight.',
  pay: 'Places the order of an intent, or shows the one that it has.',
  query: 'Answers the order of an order_key; with wait, when the order has changed.',
  backendQuery: 'For the backend: answers an order, and all orders of its intent.',
  depositAddress: 'Answers the deposit address of a customer, with its tag.',
  orderTokens: 'For the backend: signs an order token.',
  payLinks: 'For the backend: makes a pay link.',
  revokePayLink: 'For the backend: revokes a pay link.',
  render:
    'For the backend: places an order with an option, if needed, and answers the element as HTML.',
  close: 'For the backend: closes an intent, so that it takes no more orders.',
  orders: 'For the backend: lists orders by their last change.',
  events: 'For the backend: lists the events, those of an intent in their order.',
  resendEvents: 'For the backend: delivers events again.',
};
/** Operations that need the secret key. */
export const forBackend: readonly (keyof typeof endpoints)[] = [
  'backendQuery',
  'orderTokens',
  'payLinks',
  'revokePayLink',
  'render',
  'close',
  'orders',
  'events',
  'resendEvents',
];

/** The routes that are not operations. */
export const otherRoutes: Record<string, string> = {
  'OPTIONS /v1/*': 'The preflight of a page on another origin.',
  'OPTIONS /locales/*': 'The preflight of a traced page.',
  'OPTIONS /wallets/*': 'The preflight of a traced page.',
  'ALL /v1/notify/:capability': 'A signal of the order service; the relay never trusts its body.',
  'GET /healthz': 'Whether the process answers.',
  'GET /readyz': 'Whether the relay can work: ledger, keys, order service.',
  'GET /r': 'The page that shows an order on another device.',
  'GET /p/:token': 'The page of a pay link.',
  'GET /p/:token/qr.svg': 'The QR code of a pay link.',
  'GET /pay-link.css': 'The style of the relay’s own pages.',
  'GET /wallets/:file': 'The wallets of an option, in a JSON file named by its id.',
  'GET *': 'The element’s script, its themes, and its texts for any language tag.',
};

/** Cause and cure of each code. */
export const codes: Record<FailureCode, readonly [cause: string, cure: string]> = {
  invalid_request: ['A field is missing, unknown or malformed.', 'Correct the named field.'],
  amount_out_of_bounds: ['An open amount is outside its bounds.', 'Change open_amount.'],
  quantity_out_of_bounds: ['More than max_quantity, or less than one.', 'Change the quantity.'],
  option_not_available: ['The option does not fit amount or currency.', 'Offer another option.'],
  currency_not_available: [
    'open_amount lacks the currency, or deposits the asset.',
    'Add it to open_amount or deposits.',
  ],
  return_host_refused: ['return_url leads to another host.', 'Add it to shop.return_hosts.'],
  customer_data_required: ['The option needs customer data.', 'Send the named field in customer.'],
  unauthorized: ['The secret key is missing or wrong.', 'Send Authorization: Bearer.'],
  token_invalid: ['Signature, claims or link are not valid.', 'Read the message; sign anew.'],
  token_expired: ['The token or link has expired.', 'Give the page a new token or link.'],
  origin_refused: ['The page is not of this shop.', 'Add its origin to shop.origins.'],
  not_configured: ['The feature is not configured.', 'Configure what the message names.'],
  not_found: ['There is no such path or link.', 'Check the address.'],
  option_unknown: ['No enabled option has this id.', 'Use an id of the checkout answer.'],
  sku_unknown: ['The catalogue lacks the sku.', 'Add it to the catalogue.'],
  order_unknown: ['No such order, or a wrong order_key.', 'Use the ids of the pay answer.'],
  intent_conflict: [
    'The jti was used with other content. Or an order was to be replaced after its catalogue item' +
      ' got another name, currency or metadata.',
    'Close the intent, and sign a new jti. The element begins a new purchase.',
  ],
  not_as_expected: [
    'The order charges something else than expect says, or than the page has shown. Or, with the' +
      ' field `resolved_as`, it is paid after a person resolved it as failed.',
    'A backend does not deliver, and looks at the order. A page loads the present price.',
  ],
  already_paid: [
    'The intent is paid. Or its order is in review, and the service says that it is paid.',
    'Query that intent with expect: deliver if it succeeded; end a review first.',
  ],
  intent_closed: ['The shop closed the intent, or the link has ended.', 'Make a new one.'],
  too_many_replacements: [
    'The intent has five open orders, five of the last hour, or twenty in all.',
    'Let the customer pay the last, or wait as `retry-after` says; else use another intent.',
  ],
  erased: ['The data of the customer was erased.', 'An erased event is not sent again.'],
  body_too_large: ['A body has more than 16,384 bytes.', 'Send less.'],
  content_type_refused: ['The content type is not JSON.', 'Send application/json.'],
  token_contradicted: [
    'A field differs from the token, or a deposit token does not name the asset.',
    'Leave the field out, or sign a token with the asset in currencies.',
  ],
  rate_limited: ['One address or intent sent too many requests.', 'Wait, or raise limits.'],
  internal: ['The relay failed.', 'Find the reference in its log.'],
  service_refused: ['The order service refused.', 'Find its message in the log.'],
  service_unreadable: ['The service’s answer has no documented form.', 'Find it in the log.'],
  address_unverified: ['A deposit address failed its check.', 'Ask the order service.'],
  service_unreachable: ['The request was not sent.', 'Try again; nothing was placed.'],
  service_unavailable: [
    'The order service is silent, the ledger cannot be used, a restored ledger lacks the order, ' +
      'or another relay of the ledger may have the key of the request.',
    'Try again; this request placed nothing.',
  ],
  ledger_unavailable: [
    'The ledger cannot be used now, or too many customers pay at once.',
    'Check the ledger; then try again.',
  ],
  service_timeout: ['The order service did not answer in time.', 'Try again.'],
};

/** Fields of the configuration; `*` is an index or a name that the shop chooses. */
export const fields: Record<string, string> = {
  $schema: 'The JSON Schema, for editors.',
  mode: 'test or live; a ledger belongs to one of them.',
  service: 'The order service.',
  'service.base_url': 'The address of the order service, before /v1.',
  'service.headers': 'Headers of every request, as secrets.',
  'service.timeout_ms':
    'How long an answer may take. A page waits for 15 s, a silent request ends after 60 s, and a' +
    ' stop waits for 20 s, so use at most 15,000. `sign` may take as long before.',
  'service.queries_per_second': 'How many queries all relays may send per second.',
  'service.connections': 'Connections kept open; queries use three quarters of them at most.',
  'service.idle_ms':
    'How long a connection may rest before it is closed; 0 opens one for each request.',
  'service.not_found_codes': 'Codes of a query that mean: no such order.',
  'service.resend_after_s':
    'A lost request that the service does not know is sent again `timeout_ms`, 4 s and so many' +
    ' seconds after its loss; one with customer data never is.',
  'service.require_echo':
    'An answer to pay or query without request_id, currency or order_amount puts the order in' +
    ' review.',
  'service.sign': 'In a module: makes headers from path and body.',
  'service.notify_ack': 'The body of the answer to a signal.',
  shop: 'The shop.',
  'shop.name': 'The title of the card.',
  'shop.origins': 'The origins of the shop’s pages.',
  'shop.return_hosts': 'Hosts that a return_url may lead to.',
  'shop.support_url': 'Where a customer finds help.',
  'shop.logo_url': 'Its logo.',
  'shop.image_hosts': 'More hosts of images.',
  public_url: 'Where browsers reach the relay.',
  ledger: 'sqlite:FILE, postgres://…, or a reference to it.',
  ledger_hints:
    'A PostgreSQL address through which relays tell each other of changes; not a pooler of' +
    ' transactions.',
  options: 'The ways to pay.',
  'options.*.id': 'The option’s name in requests and orders.',
  'options.*.label': 'The option’s name for customers, or its names by locale.',
  'options.*.payment_method': 'on_line, direct or on_chain.',
  'options.*.payment_type': 'The type of a direct payment.',
  'options.*.payment_channel': 'The channel of a direct payment.',
  'options.*.currencies': 'The currencies that it takes.',
  'options.*.pay_currency': 'The currency that the customer pays in.',
  'options.*.min': 'The smallest amount.',
  'options.*.max': 'The largest amount.',
  'options.*.customer': 'The customer data that the option asks for.',
  'options.*.expires_after_s':
    'After how many seconds the code is hidden. The service may still take the money, so write' +
    ' its own figure. Without one, an order is one of the five open ones until the service ends' +
    ' it.',
  'options.*.icon_url': 'The option’s picture.',
  'options.*.phone_action': 'What a phone does with the code: open, copy or save.',
  'options.*.code': 'What is checked in the option’s codes and links.',
  'options.*.code.check':
    '`required`: a code of a form that the relay cannot check is not shown. `when_known`: it is.',
  'options.*.code.payees':
    'Names that may be paid, or accounts after `account:`. Another payee puts the order in review.',
  'options.*.code.token':
    'The only token that the option’s codes may pay with; its currency is `pay_currency`.',
  'options.*.code.token.contract':
    'The token’s address `0x…`, with `@` and the number of its network, or its mint on Solana.',
  'options.*.code.token.decimals': 'The decimal places of the token: 6 for USDT on Ethereum.',
  'options.*.words': 'Texts that replace the element’s own.',
  'options.*.words.copy_code': 'The button that copies the code.',
  'options.*.words.scan': 'The sentence above the code.',
  'options.*.wallets': 'At most 200 banks or wallets that open the option’s link.',
  'options.*.wallets.*.name': 'The name of the wallet, which no other wallet of the option has.',
  'options.*.wallets.*.icon_url': 'The picture of the wallet.',
  'options.*.wallets.*.https': 'Takes the place of scheme and host of the link.',
  'options.*.wallets.*.scheme': 'Takes the place of the link’s scheme.',
  'options.*.wallets.*.android_package': 'The app that opens the link on Android.',
  'options.*.enabled': 'Whether the option is offered.',
  deposits: 'Crypto assets that customers may deposit.',
  'deposits.*.currency': 'The asset.',
  'deposits.*.label': 'The asset’s name for customers.',
  'deposits.*.network': 'The asset’s network.',
  'deposits.*.tag_label': 'The name of the tag.',
  'deposits.*.uri_family': 'The form of the asset’s addresses.',
  'deposits.*.chain_id': 'The chain, for ethereum.',
  'deposits.*.memo_type': 'The type of the tag, for stellar.',
  'deposits.*.verify': 'Whether the service verifies each address.',
  'deposits.*.minimum': 'The smallest deposit.',
  statuses: 'What each status of the service means; ask the service for its list.',
  links: 'Where customers may be sent.',
  'links.hosts':
    'Hosts that a payment page or an https link of a wallet may have; *.pay.example means every' +
    ' host below. A port other than 443 must be named. Without this field any https host is' +
    ' allowed at port 443.',
  'links.schemes': 'Schemes of wallets.',
  catalogue: 'Prices for pages without a backend, by sku.',
  'catalogue.*.amount': 'The price of one.',
  'catalogue.*.currency': 'Its currency.',
  'catalogue.*.product_name': 'What the customer reads.',
  'catalogue.*.max_quantity': 'The largest quantity of one order.',
  'catalogue.*.metadata': 'Texts of the shop, as in a token; given back in events and queries.',
  open_amount: 'Bounds of amounts that a page chooses, by currency.',
  'open_amount.*.min': 'The least amount.',
  'open_amount.*.max': 'The largest amount.',
  open_deposits: 'Whether a page may name the customer of a deposit.',
  guest_customer_prefix:
    'Is put before the customer_ref_id of a page or a guest in orders and events; not in deposits.',
  order_token_keys: 'Keys that verify order tokens.',
  'order_token_keys.*.kid': 'The name of the key in the token.',
  'order_token_keys.*.alg': 'HS256 or EdDSA.',
  'order_token_keys.*.secret': 'The secret, for HS256.',
  'order_token_keys.*.public_key': 'The public key as PEM, for EdDSA.',
  capability_keys:
    'Keys of each order_key, notify_url and link to an order: the first makes them, all are' +
    ' valid. The ledger has one more, which comes last.',
  'capability_keys.*.kid': 'The name of the key.',
  'capability_keys.*.secret': 'The secret, of at least 16 characters.',
  secret_key: 'The key of the shop’s backend, or two keys during a rotation.',
  request_id_key: 'The key of every request_id; at least 32 bytes.',
  operator: 'The operator’s listener, with metrics and the console.',
  'operator.port': 'The listener’s port.',
  'operator.key': 'One key for everything; its acts are written down as those of “operator”.',
  'operator.keys': 'A key for each person or program.',
  'operator.keys.*.name': 'Who has the key; an act is written down under this name.',
  'operator.keys.*.key': 'The key.',
  'operator.keys.*.role': '`read` sees everything; `act` also changes something.',
  'operator.keys_always_open':
    'Whether keys open the console that were switched off there; for when passkeys are lost.',
  'operator.hosts': 'Names by which a proxy with TLS reaches the console.',
  shop_events: 'Events to the shop’s backend.',
  'shop_events.url': 'Where the events go.',
  'shop_events.secret': 'The secret that signs the events, or two during a rotation.',
  'shop_events.unpaid_after_s':
    'How many seconds after its first pay an intent that is not paid is reported.',
  limits: 'Limits.',
  'limits.per_ip_per_minute': 'Requests of one address.',
  'limits.per_intent_per_minute': 'Requests for one intent.',
  'limits.deposit_addresses_per_minute': 'New deposit addresses.',
  'limits.new_intents_per_ip_per_hour': 'New intents of one address.',
  'limits.trusted_hops': 'How many of your own proxies are in front of the relay.',
  'limits.follow_days': 'How long an open order is followed.',
  'limits.retention_days':
    'How long orders and ended pay links are kept; orders up to 90 days while an older pay link' +
    ' that lives longer is open.',
  texts: 'The shop’s own sentences, by key and locale.',
};
