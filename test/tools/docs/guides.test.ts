/** The examples in the guides work with the relay. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../relay/config/parse-config.js';
import { lineFor } from '../../../relay/config/lines.js';
import { clientAddress } from '../../../relay/http/client-address.js';
import { signMessage } from '../../../relay/webhooks/sign.js';
import { withNumbers } from '../contract/example-config.js';
import { environments } from '../../proofs/frameworks/environments.js';
import { fieldsOfEvents, shopEvents, wireFields } from '../contract/wire-texts.js';
import { codeBlocks } from './code-blocks.js';

const guide = (name: string): string =>
  readFileSync(new URL(`../../../docs/guides/${name}.md`, import.meta.url), 'utf8');
/** The guide's first block of this language that contains a text. */
const block = (name: string, language: string, text = ''): string => {
  const blocks = guide(name).matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'));
  const found = [...blocks].map(([, code = '']) => code).find((code) => code.includes(text));
  assert.ok(found, `${name} has a block of ${language}`);
  return found;
};

const root = new URL('../../../', import.meta.url);
const proposed = (path: string): string => lineFor(path.split('.')) ?? '';
/** All Markdown files, by their path from the root. */
const pages = ['', 'demo', 'docs', 'relay', 'test', 'widget'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`.replace(/^\/$/, './'), root), {
    recursive: folder !== '',
    encoding: 'utf8',
  })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => (folder === '' ? name : `${folder}/${name}`)),
);

describe('the guides', () => {
  it('accepts the configuration of the guide, with and without its optional fields', () => {
    const config = withNumbers(JSON.parse(block('configure-the-relay', 'json')) as object);
    const secret = (): string => 'a-secret-of-at-least-thirty-two-bytes';
    assert.equal(parseConfig(config, secret).mode, 'live');
    const lines = guide('configure-the-relay');
    for (const [name, value] of Object.entries({
      operator: { port: 9090, key: { env: 'OPERATOR_KEY' } },
      shop_events: {
        url: 'https://shop.example/hooks/pay',
        secret: { env: 'SHOP_EVENTS_SECRET' },
        unpaid_after_s: 3600,
      },
    })) {
      assert.ok(lines.replace(/\s+/g, '').includes(`"${name}":${JSON.stringify(value)}`), name);
      parseConfig({ ...config, [name]: value }, secret);
    }
  });

  it('names no status or code of a real service as if it were known', () => {
    // what a reader copies must be refused until it is replaced, or be the sandbox's, by name
    const shown = codeBlocks('json', 'js', 'ts', 'yaml').filter(({ code }) =>
      /["']?(statuses|not_found_codes)["']?:/.test(code),
    );
    assert.ok(shown.length > 0);
    const texts = [
      ...shown.map(({ code, page }) => [page, code] as const),
      ['the reference', readFileSync(new URL('docs/reference.md', root), 'utf8')] as const,
      [
        'lines of messages',
        ['statuses', 'service.not_found_codes'].map(proposed).join('\n'),
      ] as const,
    ];
    for (const [where, text] of texts) {
      assert.doesNotMatch(text, /["']\d+["']?: ?["'](succeeded|failed|expired)/, where);
      assert.doesNotMatch(text, /not_found_codes["']?: ?\[["']?\d/, where);
    }
  });

  it('mounts the relay in Next.js as the shop of the framework tests does', () => {
    const shop = new URL('test/proofs/frameworks/apps/next/', root);
    for (const file of ['app/pay/[[...path]]/route.ts', 'instrumentation.ts']) {
      // that shop also reads the events that it missed
      const lines = readFileSync(new URL(file, shop), 'utf8')
        .replaceAll('\n\n', '\n')
        .replace(/^.*catchUp.*\n/gm, '');
      const first = `\`\`\`js\n// Next.js, in ${file}\n`;
      assert.ok(guide('mount-the-relay').includes(first + lines + '```'), lines);
    }
    const setting = "serverExternalPackages: ['pay-checkout-relay'";
    assert.ok(guide('mount-the-relay').includes(`${setting}]`));
    const { edit } = environments.find(({ folder }) => folder === 'next') ?? {};
    assert.ok(edit?.to.includes(setting));
  });

  it('says that the service has no refund wherever a payment is to go back', () => {
    const texts = [
      ...pages.map((page) => [page, readFileSync(new URL(page, root), 'utf8')] as const),
      ...Object.entries({ ...shopEvents, ...wireFields, ...fieldsOfEvents }),
    ].filter(([where]) => where !== 'CHANGELOG.md');
    for (const [where, text] of texts) {
      assert.doesNotMatch(text, /refund (?:it|this|such|them)\b/i, where);
      // Medusa has refunds, and its guide says what becomes of them here
      if (/pa(?:y|id)\s+(?:\w+\s+){0,3}back\b/i.test(text))
        assert.match(text, /service has no refund|#pay-a-customer-back/, where);
    }
  });

  it('names the outcome wherever it says to deliver on an answer of the relay', () => {
    // an order that nobody has paid is answered with 200 too
    const sentences = pages
      .filter((page) => page !== 'CHANGELOG.md')
      .flatMap((page) => {
        const text = readFileSync(new URL(page, root), 'utf8').replace(/\n\n/g, '. ');
        return text.split(/\.\s/).map((sentence) => [page, sentence] as const);
      })
      .filter(([, sentence]) => /\bdeliver/i.test(sentence) && /\/v1\/query/.test(sentence));
    assert.ok(sentences.length > 4);
    for (const [page, sentence] of sentences) assert.match(sentence, /(?<!order\.)succeeded/, page);
  });

  it('reports a payment of no known order, or to pay back, where it marks orders as paid', () => {
    const handlers = codeBlocks('js', 'ts', 'php').filter(
      ({ code }) => /order\.succeeded/.test(code) && /\bupdate/.test(code),
    );
    assert.ok(handlers.length > 8);
    for (const { code, page } of handlers) {
      assert.match(code, /no (open )?order/, page);
      assert.match(code, /needs_?refund\(.*pay back/is, page);
      // else an order that a person has resolved as failed would be delivered for
      assert.match(code, /needs_?refund\([^)]*\)\)\s*(return|\{.{0,200}return;)/is, page);
    }
  });

  it('begins with a short README, whose first commands run the demo and the tests', () => {
    const readme = readFileSync(new URL('README.md', root), 'utf8');
    assert.ok(readme.split('\n').length <= 130);
    const [run, test] = [...readme.matchAll(/^```sh\n([^]*?)\n```$/gm)].map(([, code]) => code);
    assert.deepEqual([run, test], ['npm ci && npm start', 'npm ci && npm test']);
  });

  it('links only to files that exist', () => {
    assert.ok(pages.length > 15);
    for (const page of pages) {
      const file = new URL(page, root);
      for (const [, link = ''] of readFileSync(file, 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g))
        if (!link.startsWith('https://'))
          assert.ok(existsSync(new URL(link, file)), `${page}: ${link}`);
    }
  });

  it('the guide’s nginx lines make the relay see the client’s real address', () => {
    const lines = block('run-the-relay', 'nginx');
    const set = /proxy_set_header X-Forwarded-For (\S+);/.exec(lines)?.[1];
    assert.equal(set, '$remote_addr');
    const hops = /"limits": \{ "trusted_hops": (\d+) \}/.exec(guide('run-the-relay'))?.[1];
    // nginx replaces the header that the client sent by the client's address
    assert.equal(clientAddress('127.0.0.1', '203.0.113.7', Number(hops)), '203.0.113.7');
  });

  it('the guide’s signature check accepts the relay’s signatures and no others', async () => {
    const source = encodeURIComponent(block('receive-shop-events', 'js', 'isGenuine'));
    const program = `data:text/javascript,${source}`;
    const { isGenuine } = (await import(program)) as {
      isGenuine(headers: Record<string, string | undefined>, body: string, secret: string): boolean;
    };
    const body = '{"type":"order.succeeded"}';
    const at = Math.floor(Date.now() / 1000);
    for (const secret of [
      'a-plain-secret',
      `whsec_${Buffer.from('bytes of a secret').toString('base64')}`,
    ]) {
      const headers = await signMessage(secret, { id: 'evt_1', at, body });
      assert.equal(isGenuine(headers, body, secret), true);
      assert.equal(isGenuine(headers, `${body} `, secret), false);
      assert.equal(isGenuine(headers, body, `${secret}x`.replace('whsec_', 'whsec_AA')), false);
      assert.equal(isGenuine({ ...headers, 'webhook-id': 'evt_2' }, body, secret), false);
      assert.equal(isGenuine({ ...headers, 'webhook-signature': undefined }, body, secret), false);
      // the right number of characters, but more bytes
      assert.equal(
        isGenuine({ ...headers, 'webhook-signature': 'é'.repeat(47) }, body, secret),
        false,
      );
      for (const wrong of [at - 301, NaN]) {
        const old = await signMessage(secret, { id: 'evt_1', at: wrong, body });
        assert.equal(isGenuine(old, body, secret), false, String(wrong));
      }
      const both = await signMessage(['the-new-secret', secret], { id: 'evt_1', at, body });
      for (const known of ['the-new-secret', secret])
        assert.equal(isGenuine(both, body, known), true);
      assert.equal(isGenuine(both, body, 'another-secret'), false);
    }
    for (const empty of ['', 'whsec_'])
      assert.throws(() => isGenuine({ 'webhook-timestamp': String(at) }, body, empty), /empty/);
  });
});
