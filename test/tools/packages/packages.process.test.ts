/** The packages, as npm packs and installs them. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { compileFunction, createContext } from 'node:vm';
import type * as Shop from '../../../widget/shop/index.js';
import { buildPackages, tarballOf } from './build.js';
import { problemsOf } from './check.js';
import {
  elementEntries,
  elementManifest,
  medusaManifest,
  MEDUSA_PARTS,
  relayEntries,
  relayManifest,
  repository,
  root,
  vendureManifest,
} from './manifests.js';
import { medusaSource, vendureSource } from './plugins.js';
import { problemsInShop, WITHOUT_EXPORTS } from './shop-types.js';

const BUILD_TIMEOUT_MS = 600_000;
const MAX_ELEMENT_BYTES = 5_100_000;

const work = mkdtempSync(`${root}node_modules/.packages-`);
/** A shop that installed all; their dependencies are found in the folders above. */
const shop = join(work, 'shop');
const installed = (name: string): string => join(shop, 'node_modules', name);
const packages = [
  { name: 'pay-checkout', entries: elementEntries },
  { name: 'pay-checkout-relay', entries: relayEntries },
];
const filesOf = (name: string): string[] =>
  (readdirSync(installed(name), { recursive: true }) as string[]).filter((file) =>
    statSync(join(installed(name), file)).isFile(),
  );

before(
  async () => {
    for (const folder of await buildPackages(join(work, 'built'))) {
      execFileSync('npm', ['pack', '--silent', '--pack-destination', work], {
        cwd: folder,
        stdio: 'ignore',
      });
      const name = folder.split('/').at(-1) ?? '';
      mkdirSync(installed(name), { recursive: true });
      const tarball = join(work, tarballOf(folder));
      execFileSync('tar', ['xzf', tarball, '-C', installed(name), '--strip-components=1']);
    }
    writeFileSync(join(shop, 'package.json'), '{"type": "module"}');
  },
  { timeout: BUILD_TIMEOUT_MS },
);
after(() => rmSync(work, { recursive: true }));

const names = [...packages, medusaManifest, vendureManifest].map(({ name }) => name);
for (const name of names)
  describe(name, () => {
    it(`${name} passes the checks of publint and "are the types wrong"`, async () => {
      const tarball = join(work, `${name}-${repository.version}.tgz`);
      assert.deepEqual(await problemsOf(installed(name), tarball), []);
    });

    it(`${name} contains no relative link in its README`, () => {
      const text = readFileSync(join(installed(name), 'README.md'), 'utf8');
      const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
      assert.ok(links.length > 5);
      for (const link of links) {
        assert.match(link, /^https:\/\//);
        const own = new RegExp(`^${repository.homepage}/(?:blob|raw)/v[^/]+/([^#]+)`).exec(link);
        if (own) assert.ok(existsSync(root + (own[1] ?? '')), link);
      }
    });
  });

for (const { name, entries } of packages)
  describe(name, () => {
    it(`${name} contains only compiled files, licences and its bill of materials`, () => {
      const files = filesOf(name);
      for (const file of [
        'LICENSE',
        'README.md',
        'THIRD_PARTY_LICENSES.txt',
        'CHANGELOG.md',
      ].concat(['SKILL.md', 'llms.txt', 'docs/guides/first-shop/shop.mjs']))
        assert.ok(files.includes(file), file);
      // The relay serves the files that the build has compressed; a bundler does not need them.
      const compressed = name === 'pay-checkout' ? '' : '(\\.br|\\.gz)?';
      const built = new RegExp(
        `^[^/]+$|^docs/|^dist/.+\\.(d\\.c?ts|cjs|(js|css|json|svg)${compressed})$`,
      );
      // the built command, with the code that V8 compiled and the licences of what is in it
      const command =
        /^dist\/relay\/commands\/(load-command\.mjs|command\.cjs\.cache|licenses\.md)$/;
      const unexpected = files.filter((file) => !built.test(file) && !command.test(file));
      assert.deepEqual(unexpected, []);
      for (const file of files.filter((each) => each.endsWith('.js')))
        assert.doesNotMatch(
          readFileSync(join(installed(name), file), 'utf8'),
          /sourceMappingURL/,
          file,
        );
    });

    it(`${name} names each dependency and bundled library in its bill of materials`, () => {
      const read = (file: string): string => readFileSync(join(installed(name), file), 'utf8');
      const { components } = JSON.parse(read('sbom.cdx.json')) as {
        components: { name: string; version: string }[];
      };
      const { dependencies } = name === 'pay-checkout' ? elementManifest : relayManifest;
      const bundled = ['lit-element', 'lit-html'];
      for (const library of [...Object.keys(dependencies), ...bundled])
        assert.ok(
          components.some((each) => each.name === library),
          library,
        );
      for (const library of bundled)
        assert.match(
          read('THIRD_PARTY_LICENSES.txt'),
          new RegExp(`^${library} \\d.*\n\n.*Lic`, 'm'),
        );
    });

    for (const condition of ['node', 'worker', 'browser'])
      it(`${name} loads without a DOM when the condition is ${condition}`, () => {
        for (const subpath of Object.keys(entries)) {
          const specifier = join(name, subpath);
          const script = `await import('${specifier}');
            if ('document' in globalThis) throw new Error('left a document behind');`;
          const { status, stderr } = spawnSync(
            process.execPath,
            [`--conditions=${condition}`, '--input-type=module', '--eval', script],
            { cwd: shop, encoding: 'utf8' },
          );
          assert.equal(status, 0, `${specifier}: ${stderr}`);
        }
      });
  });

describe('pay-checkout', () => {
  it('pay-checkout depends on lit alone and installs less than 5.1 MB', () => {
    const { dependencies } = elementManifest;
    assert.deepEqual(Object.keys(dependencies), ['lit']);
    const libraries = ['lit', 'lit-html', 'lit-element', '@lit/reactive-element'];
    const more = ['@lit-labs/ssr-dom-shim', '@types/trusted-types'];
    const bytes = [
      installed('pay-checkout'),
      ...[...libraries, ...more].map((library) => `${root}node_modules/${library}`),
    ].flatMap((folder) =>
      (readdirSync(folder, { recursive: true }) as string[]).map((file) => {
        const stat = statSync(join(folder, file));
        return stat.isFile() ? stat.size : 0;
      }),
    );
    const total = bytes.reduce((sum, size) => sum + size, 0);
    assert.ok(total < MAX_ELEMENT_BYTES, `${total} bytes`);
  });

  it('pay-checkout exports the manifest, languages and a theme', () => {
    const languages = ['locales/en.json', 'locales/de.json'];
    for (const file of ['custom-elements.json', ...languages, 'themes/harbour.css'])
      assert.ok(existsSync(resolveInShop(`pay-checkout/${file}`)), file);
    const manifest = JSON.parse(
      readFileSync(resolveInShop('pay-checkout/custom-elements.json'), 'utf8'),
    ) as { modules: { path: string }[] };
    for (const { path } of manifest.modules)
      assert.ok(existsSync(join(installed('pay-checkout'), path)), path);
  });
});

/** Where each plugin has the compiled files of its source. */
const plugins = [
  { manifest: medusaManifest, source: medusaSource, out: MEDUSA_PARTS },
  { manifest: vendureManifest, source: vendureSource, out: 'dist' },
];
for (const {
  manifest: { name, peerDependencies },
  out,
  source,
} of plugins)
  describe(name, () => {
    const read = (file: string): string => readFileSync(join(installed(name), file), 'utf8');

    it(`${name} contains each compiled file of the plugin, and nothing else`, () => {
      const compiled = readdirSync(source, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .flatMap((file) => ['.js', '.d.ts'].map((end) => join(out, file.replace(/\.ts$/, end))));
      const texts = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
      assert.ok(compiled.length > 10);
      assert.deepEqual(filesOf(name).sort(), [...compiled, ...texts].sort());
      for (const file of compiled)
        assert.doesNotMatch(read(file), /process\.env|whsec_|sourceMapping/, file);
    });

    it(`${name} loads only its own modules and those of its peer dependencies`, () => {
      const loaded = filesOf(name)
        .filter((file) => file.endsWith('.js'))
        .flatMap((file) => [...read(file).matchAll(/require\("([^"]+)"\)/g)])
        .map(([, specifier = '']) => specifier)
        .filter((specifier) => !specifier.startsWith('.'))
        .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '');
      assert.deepEqual([...new Set(loaded)].sort(), Object.keys(peerDependencies).sort());
    });
  });

const resolveInShop = (specifier: string): string =>
  execFileSync(
    process.execPath,
    ['--input-type=module', '--eval', `console.log(import.meta.resolve('${specifier}'))`],
    { cwd: shop, encoding: 'utf8' },
  )
    .trim()
    .replace('file://', '');

describe('the tests of a shop', () => {
  /** Loads the copy in CommonJS where the globals of Node.js are missing, as in Jest’s jsdom. */
  function loadInSimulatedBrowser(): typeof Shop {
    const file = join(installed('pay-checkout'), 'dist/shop.cjs');
    const context = createContext({ Headers, Uint8Array, atob, btoa, console });
    const load = compileFunction(readFileSync(file, 'utf8'), ['exports', 'require'], {
      filename: file,
      parsingContext: context,
    });
    const exports: Partial<typeof Shop> = {};
    load(exports, createRequire(file));
    return exports as typeof Shop;
  }

  it('sign a token and check an event where there is no WebCrypto', async () => {
    const { receiveEvents, signOrderToken } = loadInSimulatedBrowser();
    const token = await signOrderToken(
      {
        aud: 'https://shop.example/pay',
        jti: 'order-10042',
        amount: '19.90',
        currency: 'USD',
        product_name: 'T-shirt',
        customer_ref_id: 'c-42',
      },
      { kid: 'k1', secret: 'a'.repeat(64) },
    );
    assert.match(token, /^eyJ[\w-]+\.[\w-]+\.[\w-]{43}$/);
    const receive = receiveEvents({
      secrets: `whsec_${btoa('a'.repeat(32))}`,
      store: {
        transaction: () => assert.fail('an unsigned event was stored'),
        add: () => Promise.resolve(true),
        lastSequence: () => Promise.resolve(0),
      },
      handle: () => assert.fail('an unsigned event was handled'),
    });
    assert.equal((await receive.parts('{}', {})).status, 401);
  });

  it('load one copy of the shop’s side by require and by import', () => {
    const script = `const { EventError } = require('pay-checkout/shop');
      import('pay-checkout/shop').then((all) => {
        if (all.EventError !== EventError) throw new Error('two copies');
      });`;
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--input-type=commonjs', '--eval', script],
      { cwd: shop, encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
  });

  it('find the types of every module when TypeScript does not read exports', () => {
    const imports = packages.flatMap(({ entries, name }) =>
      Object.keys(entries).map((subpath) => `import '${join(name, subpath)}';`),
    );
    const use = "import { signOrderToken } from 'pay-checkout/shop';\nsignOrderToken(1);";
    const source = [...imports, use].join('\n');
    const problems = problemsInShop(shop, source, { ...WITHOUT_EXPORTS, skipLibCheck: true });
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] ?? '', /^Expected 2 arguments/);
  });
});

describe('the command of pay-checkout-relay', () => {
  const bin = join(installed('pay-checkout-relay'), relayManifest.bin['pay-checkout-relay'] ?? '');
  const run = (...args: string[]): { status: number | null; stdout: string } =>
    spawnSync(process.execPath, [bin, ...args], { cwd: shop, encoding: 'utf8' });

  it('pay-checkout-relay ends with 0 when it is called with --help or --version', () => {
    assert.deepEqual([run('--help').status, run('start', '--help').status], [0, 0]);
    const { status, stdout } = run('--version');
    assert.deepEqual([status, stdout], [0, `${repository.version}\n`]);
    // npm makes the file of a bin executable, other installers keep its mode
    assert.notEqual(statSync(bin).mode & 0o111, 0);
  });

  it('pay-checkout-relay sri finds the element’s script in its own package', () => {
    const { status, stdout } = run('sri');
    assert.equal(status, 0);
    assert.match(stdout, /^<script src="\/pay-checkout\.[0-9a-f]{16}\.js" integrity="sha384-/);
    assert.ok(existsSync(join(dirname(bin), '../../pay-checkout.js')));
  });

  it('pay-checkout-relay mcp reads the documentation in its own package', () => {
    const asked = { name: 'read_documentation', arguments: { path: 'guides/go-live.md' } };
    const lines = [
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: asked },
    ].map((line) => JSON.stringify({ jsonrpc: '2.0', ...line }));
    const { status, stdout } = spawnSync(process.execPath, [bin, 'mcp'], {
      cwd: shop,
      encoding: 'utf8',
      input: `${lines.join('\n')}\n`,
    });
    assert.equal(status, 0);
    const answers = stdout.trim().split('\n');
    assert.equal(answers.length, 2);
    assert.match(answers[1] ?? '', /"text":"# Go live/);
  });

  it('pay-checkout-relay draws the QR code of a pay link', async () => {
    const file = join(installed('pay-checkout-relay'), 'dist/relay/pay-links/qr-svg.js');
    const { qrSvg } = (await import(pathToFileURL(file).href)) as {
      qrSvg: (text: string) => string;
    };
    assert.match(qrSvg('https://shop.example/pay/p/k3v7m2q4x5'), /^<svg .*<path d="M/);
  });

  it('pay-checkout-relay contains the JSON Schema of its configuration', () => {
    const file = resolveInShop('pay-checkout-relay/config.schema.json');
    const schema = JSON.parse(readFileSync(file, 'utf8')) as { required: string[] };
    assert.ok(schema.required.includes('public_url'));
  });
});
