/** How tests start the command `pay-checkout-relay` in a process of its own. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BUILT_ALREADY } from './built-widget.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The command as it is published: one file, which starts in a fifth of the source's time. */
export const BUILT_RELAY = 'dist/relay/commands/main.js';

const isBuilt = process.env[BUILT_ALREADY] !== undefined;

/** Builds the command, unless `npm test` has built it. */
export function buildCommand(): void {
  if (isBuilt) return;
  execFileSync('npm', ['run', '--silent', 'build:command'], { cwd: root, stdio: 'inherit' });
}

/** The script of the command below the project's folder; the source when nothing was built. */
export const RELAY_SCRIPT = isBuilt ? BUILT_RELAY : 'relay/commands/main.ts';

/** The arguments of Node that run a script; a TypeScript file needs a loader. */
export const nodeArguments = (script: string): readonly string[] =>
  script.endsWith('.ts') ? ['--import', 'tsx', script] : [script];

/** The arguments of Node that start the command in any working directory. */
export const RELAY_COMMAND: readonly string[] = nodeArguments(root + RELAY_SCRIPT);
