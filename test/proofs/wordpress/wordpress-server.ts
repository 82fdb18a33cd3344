/** Installs Debian's WordPress into a folder, with the plugin as the guide says, and serves it. */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestCheckout } from '../../../relay/testing/index.js';
import { until } from '../../suite/support/wait.js';
import { codeBlocks } from '../../tools/docs/code-blocks.js';
import { root } from '../../tools/packages/manifests.js';

const DEBIAN = '/usr/share/wordpress';
const ADMIN_PASSWORD = 'a-password-of-the-test';
const PLUGIN = `require ABSPATH . 'wp-admin/includes/plugin.php';
  $is = 'pay-checkout/plugin.php';`;
const own = (file: string): string => fileURLToPath(new URL(`site/${file}`, import.meta.url));

const THEME = {
  'style.css': '/* Theme Name: Plain */\n',
  // the head is sent before the content, as in most themes
  'index.php': `<!doctype html>
<html <?php language_attributes(); ?>><head><?php wp_head(); ?></head>
<body><?php while (have_posts()) { the_post(); the_content(); } wp_footer(); ?></body></html>
`,
};

/** @returns what this machine lacks, null when a WordPress can be booted */
export function missing(): string | null {
  if (!existsSync(`${DEBIAN}/wp-settings.php`)) return 'WordPress (Debian: wordpress)';
  const probes = [
    ['MariaDB (Debian: mariadb-server)', 'mariadbd', ['--version']],
    [
      'PHP with mysqli (Debian: php-cli php-mysql)',
      'php',
      ['-r', "exit(extension_loaded('mysqli') ? 0 : 1);"],
    ],
  ] as const;
  for (const [name, program, args] of probes)
    if (spawnSync(program, args).status !== 0) return name;
  return null;
}

/** The guide's blocks of one language, without the indent of its list. */
const guideBlocks = (language: string): string[] =>
  codeBlocks(language)
    .filter(({ page }) => page === 'docs/guides/wordpress.md')
    .map(({ code }) => code.replace(/^ {3}/gm, ''));

/** The secrets by the names of the files that `init` writes. */
export const secretsOf = (checkout: TestCheckout): Record<string, string> => ({
  'order-token-key': checkout.order_token_key.secret,
  'secret-key': checkout.secret_key,
  'shop-events-secret': checkout.events_secret,
});

function configOf(folder: string, socket: string, url: string, checkout: TestCheckout): string {
  const [settings = ''] = guideBlocks('php');
  return `<?php
define('DB_NAME', 'shop');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:${socket}');
define('WP_HOME', '${url}');
define('WP_SITEURL', '${url}');
// the tasks run when the proof says so
define('DISABLE_WP_CRON', true);
define('WP_CRON_LOCK_TIMEOUT', 0);
define('WP_HTTP_BLOCK_EXTERNAL', true);
// the events of the proof are of mode test
define('WP_ENVIRONMENT_TYPE', 'local');
$table_prefix = 'wp_';
${settings
  .replace('https://shop.example/pay', checkout.relay)
  .replace("'k1'", `'${checkout.order_token_key.kid}'`)
  .replace('/srv/relay/secrets', join(folder, 'secrets'))}
defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
require ABSPATH . 'wp-settings.php';
`;
}

function copyFiles(site: string): void {
  const isPlain = (path: string): boolean => !/\/(\.htaccess|wp-config\.php|akismet)$/.test(path);
  cpSync(DEBIAN, site, { recursive: true, dereference: true, filter: isPlain });
  const theme = join(site, 'wp-content/themes/plain');
  const codeOfShop = join(site, 'wp-content/mu-plugins');
  for (const made of [theme, codeOfShop]) mkdirSync(made, { recursive: true });
  for (const [name, text] of Object.entries(THEME)) writeFileSync(join(theme, name), text);
  writeFileSync(join(codeOfShop, 'shop.php'), guideBlocks('php')[1] ?? '');
  copyFileSync(own('accidents.php'), join(codeOfShop, 'accidents.php'));
  const [copy = ''] = guideBlocks('sh');
  execFileSync('sh', ['-ec', copy.replaceAll('~/pay-checkout/', root)], { cwd: site });
}

export type WordPress = {
  url: string;
  /** Where the relay's events go. */
  hook: string;
  /** Runs PHP inside WordPress. @returns what it prints */
  php(code: string): Promise<string>;
  activate(): Promise<string>;
  deactivate(): Promise<string>;
  /** The Cookie header of the administrator. */
  logIn(): Promise<string>;
  /** Takes a file away while `run` runs; the path begins at the folder of the proof. */
  without<T>(path: string, run: () => Promise<T>): Promise<T>;
  /** What PHP has logged. */
  output(): string;
  stop(): void;
};

export async function startWordPress(
  folder: string,
  socket: string,
  url: string,
  checkout: TestCheckout,
): Promise<WordPress> {
  const site = join(folder, 'site');
  copyFiles(site);
  writeFileSync(join(site, 'wp-config.php'), configOf(folder, socket, url, checkout));
  mkdirSync(join(folder, 'secrets'));
  for (const [name, secret] of Object.entries(secretsOf(checkout)))
    writeFileSync(join(folder, 'secrets', name), `${secret}\n`);
  const run = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('php', args, { cwd: site })).stdout;
  await run(own('install.php'), ADMIN_PASSWORD);
  const { port } = new URL(url);
  const server = spawn('php', ['-S', `127.0.0.1:${port}`, '-t', site, own('router.php')], {
    cwd: site,
    // one request waits for another one: two deliveries of one event, the tasks
    env: { ...process.env, PHP_CLI_SERVER_WORKERS: '6' },
    // the workers end with their group
    detached: true,
  });
  let output = '';
  server.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  const stop = (): void => {
    try {
      process.kill(-(server.pid ?? 0), 'SIGKILL');
    } catch {
      // it has ended already
    }
  };
  process.once('exit', stop);
  await until(async () => (await fetch(url).catch(() => null))?.ok === true, 'WordPress to answer');
  const php = (code: string): Promise<string> => run('-r', `require 'wp-load.php'; ${code}`);
  return {
    url,
    hook: `${url}/wp-json/pay-checkout/v1/events`,
    php,
    activate: () => php(`${PLUGIN} echo is_wp_error(activate_plugin($is)) ? 'refused' : '';`),
    deactivate: () => php(`${PLUGIN} deactivate_plugins($is);`),
    logIn: async () => {
      const response = await fetch(`${url}/wp-login.php`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
        body: new URLSearchParams({ log: 'admin', pwd: ADMIN_PASSWORD, testcookie: '1' }),
      });
      return response.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; ');
    },
    without: async (path, runs) => {
      const [here, away] = [join(folder, path), join(folder, 'away')];
      renameSync(here, away);
      try {
        return await runs();
      } finally {
        renameSync(away, here);
      }
    },
    output: () => output,
    stop,
  };
}
