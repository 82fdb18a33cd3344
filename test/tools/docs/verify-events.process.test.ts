/**
 * The guide's checks of events accept what the relay signs and nothing else. A program runs when
 * this machine has its language. Otherwise its test is skipped and says so; in CI the test fails.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { signMessage } from '../../../relay/webhooks/sign.js';

const guide = fileURLToPath(new URL('../../../docs/guides/verify-events/', import.meta.url));
const PHP_FILE = fileURLToPath(
  new URL('../../../docs/quick-start/php/pay-checkout.php', import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), 'verify-'));
after(() => rmSync(folder, { recursive: true }));

type Case = { headers: Record<string, string>; body: string; secret: string };

const GO_MAIN = `package main

import ("encoding/json"; "fmt"; "net/http"; "os")

func main() {
	var cases []struct { Headers map[string]string; Body, Secret string }
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil { panic(err) }
	for _, each := range cases {
		header := http.Header{}
		for name, value := range each.Headers { header.Set(name, value) }
		genuine, err := isGenuine(header, []byte(each.Body), each.Secret)
		if err != nil { fmt.Println("error") } else { fmt.Println(genuine) }
	}
}
`;
const PYTHON_MAIN = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location('guide', sys.argv[1])
guide = importlib.util.module_from_spec(spec)
spec.loader.exec_module(guide)
for each in json.load(sys.stdin):
    try:
        print(str(guide.is_genuine(each['headers'], each['body'].encode(), each['secret'])).lower())
    except ValueError:
        print('error')
`;
const PHP_MAIN = `
require $argv[1];
foreach (json_decode(file_get_contents('php://stdin'), true) as $each) {
    try {
        $is = PayCheckout\\is_genuine($each['headers'], $each['body'], $each['secret']);
        echo json_encode($is), "\\n";
    } catch (InvalidArgumentException $error) {
        echo "error\\n";
    }
}
`;

const goFolder = (): string => {
  copyFileSync(`${guide}go.go`, join(folder, 'guide.go'));
  writeFileSync(join(folder, 'main.go'), GO_MAIN);
  writeFileSync(join(folder, 'go.mod'), 'module guide\n\ngo 1.19\n');
  return folder;
};

/** Debian's own Python when it exists, the one that the CI installs; else the first in the path. */
const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';

const languages: Record<string, { probe: string[]; command(): string[] }> = {
  php: {
    probe: ['php', '--version'],
    command: () => ['php', '-r', PHP_MAIN, '--', PHP_FILE],
  },
  python: {
    probe: [PYTHON, '--version'],
    command: () => [PYTHON, '-c', PYTHON_MAIN, `${guide}python.py`],
  },
  go: { probe: ['go', 'version'], command: () => (goFolder(), ['go', 'run', '.']) },
};

const runToEnd = ([program = '', ...args]: string[], input = '') =>
  spawnSync(program, args, {
    encoding: 'utf8',
    cwd: folder,
    input,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GOFLAGS: '-mod=mod',
      GOPROXY: 'off',
      // without this, Python writes into the guide's folder
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });

const WHSEC = `whsec_${Buffer.from('bytes of a secret').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('bytes of another').toString('base64')}`;
const body = '{"type":"order.succeeded","data":{"product_name":"Чай"}}';
const now = Math.floor(Date.now() / 1000);

/** The cases, each with the answer that every program must give. */
async function cases(): Promise<[Case, string][]> {
  const signed = (secret: string | string[], at = now) =>
    signMessage(secret, { id: 'evt_1', at, body });
  const headers = await signed(WHSEC);
  const withHeaders = (more: Record<string, string>): Case => ({
    headers: { ...headers, ...more },
    body,
    secret: WHSEC,
  });
  const plain = 'a-plain-secret';
  return [
    [withHeaders({}), 'true'],
    [{ headers: await signed([OTHER, WHSEC]), body, secret: WHSEC }, 'true'],
    [{ headers: await signed(plain), body, secret: plain }, 'true'],
    [{ headers: await signed(plain), body, secret: `${plain}\n` }, 'true'],
    [{ headers, body: `${body} `, secret: WHSEC }, 'false'],
    [{ headers, body, secret: OTHER }, 'false'],
    [{ headers: {}, body, secret: WHSEC }, 'false'],
    [withHeaders({ 'webhook-id': 'evt_2' }), 'false'],
    [withHeaders({ 'webhook-timestamp': String(now + 1) }), 'false'],
    [withHeaders({ 'webhook-timestamp': 'soon' }), 'false'],
    [withHeaders({ 'webhook-timestamp': '9'.repeat(400) }), 'false'],
    [withHeaders({ 'webhook-signature': 'v1,' }), 'false'],
    [{ headers: await signed(WHSEC, now - 400), body, secret: WHSEC }, 'false'],
    [{ headers: await signed(WHSEC, now + 400), body, secret: WHSEC }, 'false'],
    [{ headers, body, secret: '' }, 'error'],
    [{ headers, body, secret: 'whsec_' }, 'error'],
    [{ headers, body, secret: 'whsec_n%t base64' }, 'error'],
  ];
}

describe('the guide to events', () => {
  for (const [language, { probe, command }] of Object.entries(languages)) {
    const isMissing = runToEnd(probe).status !== 0;
    // nobody notices a skipped test in CI
    const mustRun = process.env.CI === 'true';
    const skip = isMissing && !mustRun ? `this machine has no ${probe[0] ?? ''}` : false;
    it(`the ${language} program accepts genuine events and no others`, { skip }, async () => {
      const all = await cases();
      const { stderr, stdout } = runToEnd(command(), JSON.stringify(all.map(([input]) => input)));
      assert.deepEqual(
        stdout.trim().split('\n'),
        all.map(([, answer]) => answer),
        stderr,
      );
    });
  }

  it('the official library of Standard Webhooks accepts an event of the relay', async () => {
    const headers = await signMessage([OTHER, WHSEC], { id: 'evt_1', at: now, body });
    for (const secret of [WHSEC, OTHER])
      assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
    const stranger = new Webhook(`whsec_${Buffer.from('a stranger').toString('base64')}`);
    assert.throws(() => stranger.verify(body, headers), /No matching signature/);
    assert.throws(() => new Webhook(WHSEC).verify(`${body} `, headers), /No matching signature/);
  });
});
