/** The reference's texts about commands, their flags, and the events of the log. */

export const commandTexts: Record<string, string> = {
  start: 'Runs the relay. Flags without a command do the same, and so does `relay`.',
  init: 'Asks four questions, and writes a configuration and new secrets.',
  check: 'Checks a configuration, and what it refers to.',
  sandbox: 'Runs a simulated order service, with the customer’s phone.',
  sri: 'Prints script tags with the hashes of the element’s scripts.',
  listen: 'Forwards a relay’s events to a backend on this machine.',
  trigger: 'Sends a fake event to a backend that is being developed.',
  sign: 'Signs order tokens for the rows of a file.',
  orders: 'Records a person’s decision about an order in review.',
  ledger: 'Copies, checks or moves the ledger.',
  mcp: 'Serves the documentation to a coding agent.',
};

const CONFIG = 'The configuration’s file.';

export const flagTexts: Record<string, Record<string, string>> = {
  start: {
    config: CONFIG,
    port: 'The port to listen on; by default 8787.',
    host: 'The address to listen on; by default 127.0.0.1.',
    restored: 'The ledger is a restored backup: the relay asks before it places an order.',
    'not-restored': 'The ledger is a copy that is only read: nothing is sent.',
  },
  init: {
    file: 'The file to write; by default relay.config.json.',
    yes: 'Asks nothing, and takes the defaults.',
    name: 'The shop’s name.',
    origin: 'The origin of the shop’s pages.',
    service: 'The order service; by default the sandbox.',
    currency: 'The currency of the shop’s prices.',
    'events-url': 'The URL of the shop’s webhook.',
    'public-url': 'Where browsers reach the relay.',
    catalogue: 'For pages without a backend: prices in the configuration.',
    option: 'A way to pay: card, crypto, or of the sandbox qr and wallet; may be repeated.',
  },
  check: {
    config: CONFIG,
    offline: 'Checks the configuration only.',
    page: 'A page of the shop, to be compared with this package.',
  },
  sandbox: {
    port: 'The port to listen on; by default 9000.',
    host: 'The address to listen on; by default 127.0.0.1.',
    'public-url': 'Where browsers reach the sandbox.',
    merchant: 'The payee in the sandbox’s codes.',
    deduplicate: 'Answers a repeated request_id with the first order.',
  },
  sri: {
    config: `${CONFIG} With it, the address is absolute.`,
    inventory: 'Prints the scripts as JSON, with hash, purpose and owner.',
  },
  listen: {
    config: CONFIG,
    forward: 'The URL that gets the events.',
    relay: 'The relay to ask; by default public_url.',
  },
  trigger: {
    config: CONFIG,
    to: 'The URL that gets the event; by default shop_events.url.',
    'intent-id': 'The intent of the event.',
    amount: 'The amount of the intent.',
    currency: 'The currency of the amount.',
  },
  sign: {
    config: CONFIG,
    amount: 'The amount of a single token.',
    currency: 'The currency of the amount.',
    'product-name': 'The product, as the customer reads it.',
    'customer-ref-id': 'The shop’s identifier of the customer.',
    jti: 'The order’s number.',
    'pay-currency': 'The currency that the customer pays in.',
    remark: 'A detail below the product.',
    options: 'The ways to pay that are allowed, separated by spaces.',
    'return-url': 'Where the customer goes after paying.',
    'expires-in': 'How many seconds the token is valid.',
  },
  orders: {
    config: CONFIG,
    as: 'The decision: succeeded or failed.',
    by: 'Who decided.',
    note: 'The reason for the decision.',
  },
  ledger: {
    config: CONFIG,
    'public-url': 'Of `move`: the address that the ledger belongs to.',
    'base-url': 'Of `move`: the address of the order service that the ledger belongs to.',
  },
  mcp: {},
};

/** The field `event` of a line of the log. */
export const logEvents: Record<string, string> = {
  lists: 'An open transaction of the ledger holds back the lists, or they go on.',
  listening: 'The relay accepts requests.',
  stopping: 'SIGTERM or SIGINT arrived; requests under way are finished.',
  stopped: 'The process ends.',
  request:
    'A request was answered: path, status, duration, and the reference that a customer sees.',
  order: 'An order changed: what changed it, outcome, status.',
  pay: 'An answer to pay was lost, refused or unreadable; `service_message` is the service’s text.',
  query: 'A query failed.',
  breaker: 'The circuit breaker opened or closed.',
  unmapped_status: 'A status that statuses does not name.',
  shop_event: 'An event was delivered, or the shop did not accept it.',
  webhook: 'A signal of the order service could not be handled.',
  deposit_address: 'A deposit address failed a check, or is shown unchecked.',
  no_option: 'A page was offered no way to pay; `message` says why no option takes the amount.',
  origin_refused: 'A page was refused, because shop.origins does not name its origin.',
  config: 'Something in the configuration should be changed.',
  assets: 'The element’s script is missing.',
  script_builds: 'Earlier builds of the script could not be read or kept.',
  ledger: 'The ledger could not be used, or its data is unusual.',
  hint: 'Hints between relays are not sent for now, or are sent again.',
  restored: 'Work after a restore: what was found, and what failed.',
  connection: 'The order service closed a connection that rested.',
  clock: 'The clock stepped back.',
  readyz: 'A check of /readyz failed; at most ten lines a second.',
  tick: 'Work between requests failed.',
};
