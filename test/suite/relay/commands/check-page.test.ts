/** A live checkout page is compared with this package: its tag, hash, script and policy. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Finding } from '../../../../relay/config/findings.js';
import { describe, it } from 'node:test';
import { BEGIN_HASH, BEGIN_TEXT } from '../../../../relay/contract/begin-text.js';
import { pageFindings, type PageCheck } from '../../../../relay/commands/check-page.js';

const PAGE = 'https://shop.example/checkout';
const RELAY = 'https://shop.example/pay';
const SCRIPT = new TextEncoder().encode('the element');
const sha384 = (text: string | Uint8Array): string =>
  `sha384-${createHash('sha384').update(text).digest('base64')}`;
const sha256 = (text: string): string =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`;
const EVIL = 'https://evil.example/skim.js';
const HASH = sha384(SCRIPT);
const SRC = '/pay/pay-checkout.0123456789abcdef.js';
const TAG = `<script src="${SRC}" integrity="${HASH}" crossorigin="anonymous" defer></script>`;
const CARD = '<pay-checkout order-token="eyJ"></pay-checkout>';
const POLICY = "default-src 'none'; script-src https://shop.example/pay/; connect-src 'self'";

const redirect = (location: string): Response =>
  new Response(null, { status: 302, headers: { location } });

type Site = { html?: string; policy?: string | null; script?: string; page?: Response };

async function findings(site: Site, more: Partial<PageCheck> = {}): Promise<Finding[]> {
  const { html = TAG + CARD, page, policy = POLICY, script } = site;
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' });
  if (policy !== null) headers.set('content-security-policy', policy);
  return pageFindings({
    page: PAGE,
    script: SCRIPT,
    publicUrl: RELAY,
    fetch: async (url) =>
      url === PAGE ? (page ?? new Response(html, { headers })) : new Response(script ?? SCRIPT),
    ...more,
  });
}

/** @returns the findings that are not ok, with their levels */
async function differences(site: Site, more: Partial<PageCheck> = {}): Promise<string[]> {
  return (await findings(site, more))
    .filter(({ level }) => level !== 'ok')
    .map(({ level, path, text }) => `${level} ${path}: ${text}`);
}

/** @returns the scripts that are named on a page that has our tag and `html` */
async function otherScripts(html: string): Promise<string[]> {
  const found = await findings({ html: TAG + CARD + html });
  assert.deepEqual(
    found.filter(({ level }) => level !== 'ok'),
    [],
  );
  return found.filter(({ path }) => path === 'page.other_script').map(({ text }) => text);
}

const differs = async (site: Site, ...expected: RegExp[]): Promise<void> => {
  const found = await differences(site);
  assert.equal(found.length, expected.length, found.join('\n'));
  for (const [at, pattern] of expected.entries()) assert.match(found[at] ?? '', pattern);
};

describe('check --page', () => {
  it('finds nothing on a page that has our tag, hash and policy', async () => {
    assert.deepEqual(await differences({}), []);
    assert.deepEqual(await differences({}, { publicUrl: undefined }), []);
    const integrity = HASH.replaceAll('+', '&#43;');
    const written = `<SCRIPT\n  defer src = ${SRC} integrity='${integrity}'></SCRIPT>`;
    assert.deepEqual(await differences({ html: written + CARD }), []);
  });

  for (const [what, html, expected] of [
    ['no tag', CARD, /no tag loads the element$/],
    ['a login page', '<input type=password>', /the page asks for a password/],
    ['a tag in a comment', `<!-- ${TAG} -->${CARD}`, /no tag loads/],
    ['a tag in a script', `<script>"${TAG.replace('</script>', '')}"</script>`, /no tag loads/],
    ['two tags', TAG + TAG + CARD, /2 tags load the element/],
    ['another file', `<script src="/pay/pay-checkout.js.evil.js"></script>`, /no tag loads/],
  ] as const)
    it(`finds ${what}`, () =>
      differs({ html }, new RegExp(`^error page.script: .*${expected.source}`)));

  it('finds another hash, also beside the right one', async () => {
    for (const integrity of [sha384('other'), `${HASH} ${sha384('other')}`])
      await differs({ html: TAG.replace(HASH, integrity) + CARD }, /^error page.integrity/);
  });

  it('warns of a tag without a hash, and still compares the script', async () => {
    const html = TAG.replace(/integrity="[^"]+"/, '') + CARD;
    await differs({ html }, /^warn page.integrity: .*integrity="sha384-/);
    await differs({ html, script: 'altered' }, /^warn page.integrity/, /^error page.script/);
  });

  it('finds a script that was altered, and one from another address', async () => {
    await differs({ script: 'altered' }, /^error page.script: .*the script of this package/);
    const html = TAG.replace(SRC, `https://evil.example${SRC}`) + CARD;
    await differs(
      { html },
      /^error page.script: it comes from https:\/\/evil.example\/pay/,
      /^error page.policy: script-src does not admit/,
    );
  });

  it('names an element that is missing, because a script may add it', () =>
    differs({ html: TAG }, /^warn page.element/));

  for (const [what, policy, expected] of [
    ['no policy', null, /no content-security-policy/],
    ['a policy without scripts', "img-src 'self'", /no content-security-policy/],
    ['a policy that lets any script run', "script-src * 'unsafe-inline'", /\* 'unsafe-inline'/],
    [
      'a policy whose scripts in tags may come from anywhere',
      "script-src 'self'; script-src-elem *; connect-src 'self'",
      /other scripts run: \*/,
    ],
    [
      'a policy by nonce that our tag lacks',
      "script-src 'self' 'nonce-a' 'strict-dynamic' https:; connect-src 'self'",
      /does not admit the element/,
    ],
    ['a policy by scheme', 'script-src https:; connect-src *', /other scripts run: https:/],
    [
      'a policy that admits calls of other schemes only',
      "script-src 'self'; connect-src wss: blob:",
      /connect-src does not admit https:\/\/shop.example/,
    ],
    [
      'a policy of another place',
      "script-src 'self' https://a.example/; connect-src https://a.example",
      /connect-src does not admit https:\/\/shop.example/,
    ],
    [
      'a policy without our script',
      "script-src https://shop.example/other/; connect-src 'self'",
      /does not admit the element/,
    ],
  ] as const)
    it(`finds ${what}`, () =>
      differs({ policy }, new RegExp(`^error page.policy: .*${expected.source}`)));

  it('finds a base that moves the script to another host', async () => {
    const html = `<base href="https://evil.example/">${TAG}${CARD}`;
    await differs(
      { html },
      /^error page.script: it comes from https:\/\/evil.example\/pay/,
      /^error page.policy: script-src does not admit/,
    );
  });

  it('finds a hash of the policy that the tag does not have', async () => {
    const policy = `script-src '${HASH}'; connect-src 'self'`;
    const html = TAG.replace(/integrity="[^"]+"/, '') + CARD;
    await differs({ html, policy }, /^warn page.integrity/, /^error page.policy: .*admit/);
  });

  for (const policy of [
    `script-src '${HASH}'; connect-src https://shop.example/pay/`,
    "script-src 'self'; connect-src HTTP:",
    "script-src 'self'; connect-src https://*.example",
    "script-src 'self' 'unsafe-inline' 'nonce-abc'; connect-src 'self'",
    "script-src * 'unsafe-inline', script-src 'self'; connect-src shop.example",
    `script-src https://shop.example${SRC}`,
  ])
    it(`accepts the policy ${policy}`, async () =>
      assert.deepEqual(await differences({ policy }), []));

  it('reads a policy that stands in the page, and its nonce', async () => {
    const meta = `<meta http-equiv="Content-Security-Policy" content="script-src 'NONCE-a1'">`;
    const html = meta + TAG.replace('<script', '<script nonce="a1"') + CARD;
    assert.deepEqual(await differences({ html, policy: null }), []);
    await differs({ html: meta + TAG + CARD, policy: null }, /^error page.policy/);
  });

  it('names the other scripts of the page, so that a change is seen', async () => {
    const evil = `<script src="${EVIL}?id=1"></script><script>steal()</script>`;
    assert.deepEqual(await otherScripts(evil), [EVIL, sha256('steal()')]);
  });

  for (const [what, before, after] of [
    ['an empty comment', '<!-->', '-->'],
    ['an empty comment with a dash', '<!--->', '-->'],
    ['a comment that ends with --!>', '<!-- x --!>', '-->'],
    ['a declaration with a comment in it', '<!x <!-- >', '-->'],
    ['a closing tag with a comment in it', '</b a="<!--">', '-->'],
    ['a name that begins as a closing tag does', '<title></titles></title>', ''],
    ['characters that are longer in lower case', `<title>${'İ'.repeat(120)}</title>`, ''],
    ['a template whose attribute closes it', '<template><a b="</template><!--"></template>', ''],
    ['an old element with text', '<xmp><!--</xmp>', ''],
    ['a title in svg', '<svg><title>', '</title></svg>'],
    ['a style in svg', '<svg><style>', '</style></svg>'],
    ['a style in math', '<math><style>', '</style></math>'],
    ['a script in svg', '<svg><script>', '</script></svg>'],
    ['data in svg', '<svg><![CDATA[ <!-- ]]>', '</svg>'],
  ] as const)
    it(`finds a script beside ${what}`, async () => {
      const found = await otherScripts(`${before}<script src="${EVIL}"></script>${after}`);
      assert.ok(found.includes(EVIL), found.join('\n'));
    });

  it('names a script that stands where a comment or a text seems to be', async () => {
    const hidden = [`in a comment or a text: ${EVIL}`];
    for (const html of [
      `<!-- @ -->`,
      '<select><title>@</title></select>',
      '<textarea>@</textarea>',
    ])
      assert.deepEqual(
        await otherScripts(html.replace('@', `<script defer src='${EVIL}?a'></script>`)),
        hidden,
      );
  });

  it('names scripts in svg by their address, and handlers by their hash', async () => {
    const html = `<svg><script href="${EVIL}"/></svg><img src=x onerror="steal()">`;
    assert.deepEqual(await otherScripts(html), [EVIL, `img onerror: ${sha256('steal()')}`]);
  });

  it('does not name data of the page, which changes at each answer', async () => {
    const child = '<script type="application/json">{"answer":1}</script>';
    const linked = '<script type="application/ld+json">{}</script>';
    assert.deepEqual(await otherScripts(child + linked), []);
    for (const type of ['', ' ', 'Module', 'text/JavaScript', 'text/plain', 'importmap'])
      assert.deepEqual(await otherScripts(`<script type="${type}">{}</script>`), [sha256('{}')]);
    const withAddress = `<script type="text/plain" src="${EVIL}"></script>`;
    assert.deepEqual(await otherScripts(withAddress), [EVIL]);
  });

  it('finds a tag of ours that no browser runs', async () => {
    for (const [attribute, expected] of [
      ['type="text/plain"', /^error page.script: no browser runs .* type="text\/plain"/],
      ['nomodule', /^error page.script: .* nomodule/],
    ] as const)
      await differs({ html: TAG.replace('<script', `<script ${attribute}`) + CARD }, expected);
    for (const type of ['module', 'text/javascript'])
      await differs({ html: TAG.replace('<script', `<script type="${type}"`) + CARD });
    for (const name of ['svg', 'template'])
      await differs({ html: `<${name}>${TAG}</${name}>${CARD}` }, /no tag loads the element/);
  });

  it('finds a tag of another origin whose hash no browser can compare', async () => {
    const publicUrl = 'https://pay.example';
    const policy = 'script-src https://pay.example/; connect-src https://pay.example/';
    const html = TAG.replace('/pay/', `${publicUrl}/`) + CARD;
    assert.deepEqual(await differences({ html, policy }, { publicUrl }), []);
    const bare = html.replace('crossorigin="anonymous"', '');
    assert.deepEqual(await differences({ html: bare, policy }, { publicUrl }), [
      'error page.script: no browser runs a script of https://pay.example with integrity; write ' +
        'crossorigin="anonymous"',
    ]);
    const asModule = bare.replace('<script', '<script type="module"');
    assert.deepEqual(await differences({ html: asModule, policy }, { publicUrl }), []);
    await differs({ html: TAG.replace('crossorigin="anonymous"', '') + CARD });
  });

  it('finds a policy under which the element stays empty', async () => {
    for (const names of ["'none'", 'my-app', ''])
      await differs(
        { policy: `${POLICY}; trusted-types ${names}` },
        /^error page.policy: trusted-types does not admit lit-html/,
      );
    for (const names of ['*', "my-app lit-html 'allow-duplicates'"])
      await differs({ policy: `${POLICY}; trusted-types ${names}` });
    await differs({ policy: `${POLICY}; require-trusted-types-for 'script'` });
  });

  it('finds another relay than public_url, and one that the policy does not admit', async () => {
    const other = 'https://shop.example/pay2';
    const policy = `${POLICY.split('; connect-src')[0]}; connect-src ${RELAY}/`;
    const ofCard = TAG + CARD.replace('order-token', `relay="${other}" order-token`);
    const ofScript = TAG.replace('defer', `data-relay="/pay2/" defer`) + CARD;
    for (const html of [ofCard, ofScript]) {
      await differs({ html }, /^error page.relay: the element asks .*\/pay2, and public_url is /);
      await differs(
        { html, policy },
        /^error page.relay/,
        /^error page.policy: connect-src does not admit https:\/\/shop.example/,
      );
      const found = await differences({ html, policy }, { publicUrl: undefined });
      assert.match(found.join(), /^error page.policy: connect-src does not admit [^,]*$/);
    }
    const named = `${TAG.replace('defer', 'data-relay="/elsewhere" defer')}
      <pay-checkout relay="/pay/" sku="tee"></pay-checkout>`;
    assert.deepEqual(await differences({ html: named, policy }), []);
    await differs({ html: ofCard.replace(other, 'http://[') }, /^error page.relay: http:\/\/\[ is/);
  });

  it('names the other hosts whose scripts run, and those that connect-src admits', async () => {
    const scripts = "script-src 'SELF' https://shop.example/pay/ shop.example https://cdn.example";
    for (const [connections, expected] of [
      ['', '; connect-src admits any host'],
      ["connect-src 'Self'", ''],
      ["connect-src 'self' shop.example https://evil.example", ' https://evil.example'],
      ["connect-src 'self' http: blob: data:", ' http:'],
    ] as const) {
      const found = await findings({ policy: `${scripts}; ${connections}` });
      const sends = expected.startsWith(' ') ? `; connect-src admits${expected}` : expected;
      assert.deepEqual(
        found.filter(({ path }) => path === 'page.policy').map(({ level, text }) => [level, text]),
        [['ok', `only named scripts run, also of https://cdn.example${sends}`]],
      );
    }
  });

  describe('on a page with the script behind the tag', () => {
    const begin = `<script>${BEGIN_TEXT}</script>`;
    const BLOCKED = /^warn page.begin: script-src does not admit .*'sha256-/;
    const withHash = POLICY.replace('/pay/;', `/pay/ '${BEGIN_HASH}';`);

    it('warns when the policy does not admit it', async () => {
      await differs({ html: TAG + CARD + begin }, BLOCKED);
      await differs({ html: TAG + CARD + begin, policy: `${withHash}, ${POLICY}` }, BLOCKED);
      const nonce = "script-src 'self' 'nonce-a'; connect-src 'self'";
      await differs({ html: TAG + CARD + begin, policy: nonce }, BLOCKED);
    });

    it('finds nothing when its hash or its nonce admits it', async () => {
      assert.deepEqual(await differences({ html: TAG + CARD + begin, policy: withHash }), []);
      const nonce = "script-src 'nonce-a'; connect-src 'self'";
      const html = (TAG + CARD + begin).replaceAll('<script', '<script nonce="a"');
      assert.deepEqual(await differences({ html, policy: nonce }), []);
    });

    it('does not name it as another script', async () => {
      const headers = { 'content-type': 'text/html', 'content-security-policy': withHash };
      const found = await pageFindings({
        page: PAGE,
        script: SCRIPT,
        fetch: async (url) =>
          url === PAGE ? new Response(TAG + CARD + begin, { headers }) : new Response(SCRIPT),
      });
      assert.ok(found.some(({ path, text }) => path === 'page.begin' && text === BEGIN_HASH));
      assert.ok(!found.some(({ path }) => path === 'page.other_script'));
    });
  });

  for (const [what, page, expected] of [
    [
      'a page that redirects to another origin',
      () => redirect('https://login.example/?token=s3cret'),
      /^error page: it redirects to https:\/\/login.example\/ \(and a query, which is not shown\)/,
    ],
    ['a refusal', () => new Response('no', { status: 403 }), /^error page: .*HTTP 403/],
    ['a picture', () => new Response('x', { headers: { 'content-type': 'image/png' } }), /no HTML/],
  ] as const)
    it(`finds ${what}`, () => differs({ page: page() }, expected));

  it('checks the page of the same origin that the page redirects to', async () => {
    const headers = { 'content-type': 'text/html', 'content-security-policy': POLICY };
    const html = TAG.replace(SRC, 'pay-checkout.js') + CARD;
    const fetch: PageCheck['fetch'] = async (url) => {
      if (url === PAGE) return redirect('/pay/?order=1');
      if (url === `${RELAY}/?order=1`) return new Response(html, { headers });
      return new Response(url === `${RELAY}/pay-checkout.js` ? SCRIPT : 'another page');
    };
    assert.deepEqual(await differences({}, { fetch }), []);
  });

  it('ends when the page redirects to itself again and again', async () => {
    let asked = 0;
    const fetch: PageCheck['fetch'] = async () => (asked++, redirect('/checkout'));
    const why = 'error page: it redirects to https://shop.example/checkout; check that page';
    assert.deepEqual(await differences({}, { fetch }), [why]);
    assert.equal(asked, 4);
  });

  it('stops to read a page of 50 MB', async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1_000_000;
        if (sent > 50_000_000) controller.close();
        else controller.enqueue(new Uint8Array(1_000_000));
      },
    });
    await differs({ page: new Response(body) }, /^error page: it is longer than 4 MB/);
    assert.ok(sent < 10_000_000, `${sent} bytes were read`);
  });

  it('reads a page of half-written tags to its end', async () => {
    for (const part of ['<script ', '<script a=b/', '<!--', '<script>', '<a b=" ', '< / ', '&#1;'])
      assert.notDeepEqual(await differences({ html: part.repeat(200_000) }), []);
  });

  it('names the cause when the page cannot be fetched', async () => {
    const fetch = async (): Promise<Response> => {
      throw new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') });
    };
    assert.match((await differences({}, { fetch })).join(), /^error page: .*ENOTFOUND/);
  });
});
