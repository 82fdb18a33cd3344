/** The dashboard and the alerts name metrics, labels and values that a relay prints. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { commands } from '../../../relay/commands/command-table.js';
import { outputs } from '../../../relay/operator/shapes.js';
import { flagTexts } from '../contract/operator-texts.js';
import { temporaryFolder } from '../../suite/support/temporary-folder.js';
import { printed, runCommand } from '../../suite/support/run-command.js';
import { openIntent, SECRETS, testConfig } from '../../suite/support/world.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = temporaryFolder('dashboards');

const alertsSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^PayCheckout[A-Z]\w+$/),
          expr: z.string(),
          for: z.string().regex(/^\d+m$/),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.strictObject({ summary: z.string(), guide: z.string() }),
        }),
      ),
    }),
  ),
});
const dashboardSchema = z.object({
  panels: z.array(
    z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) }),
  ),
});

const rules = alertsSchema
  .parse(parse(readFileSync(join(root, 'docs/deploy/alerts.yml'), 'utf8')))
  .groups.flatMap((group) => group.rules);
const { panels } = dashboardSchema.parse(
  JSON.parse(readFileSync(join(root, 'docs/deploy/grafana.json'), 'utf8')),
);
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ targets, title }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** Labels that Prometheus itself adds. */
const OF_PROMETHEUS = ['instance', 'job', 'le'];

/** The values of each label, by metric, as `/metrics` prints them. */
const series = new Map<string, Map<string, Set<string>>>();

before(async () => {
  const sandbox = runCommand(['sandbox', '--port', '0']);
  const base_url = await printed(sandbox, /sandbox on (http:\S+?),/);
  const config = join(folder, 'relay.json');
  const operator = { port: 0, key: { env: 'SECRET' } };
  const file = { ...testConfig, service: { base_url }, links: {}, operator };
  writeFileSync(config, JSON.stringify(file));
  const relay = runCommand(['start', '--port', '0', '--config', config], SECRETS);
  const url = await printed(relay, /"url":"(http:[^"]+)"/);
  const body = JSON.stringify({ ...openIntent, attempt: crypto.randomUUID(), option: 'card' });
  const headers = { 'content-type': 'application/json' };
  const paid = await fetch(`${url}/v1/pay`, { method: 'POST', headers, body });
  assert.equal(paid.status, 200);
  const operatorUrl = await printed(relay, /"operator_url":"(http:[^"]+)"/);
  const authorization = `Bearer ${SECRETS.SECRET ?? ''}`;
  const answer = await fetch(`${operatorUrl}/metrics`, { headers: { authorization } });
  for (const [, name = '', labels = ''] of (await answer.text()).matchAll(
    /^(pay_checkout_\w+)(?:\{(.*)\})? \S+$/gm,
  )) {
    const known = series.get(name) ?? new Map<string, Set<string>>();
    series.set(name, known);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g))
      known.set(label, (known.get(label) ?? new Set()).add(value));
  }
});

describe('the dashboard and the alerts', () => {
  it('names metrics that the relay prints, with their labels', () => {
    for (const [title, expr] of expressions) {
      const named = [...expr.matchAll(/pay_checkout_\w+/g)].map(([name]) => name);
      assert.ok(named.length > 0, title);
      const labels = named.map((name) => {
        const known = series.get(name);
        assert.ok(known, `${title}: ${name}`);
        return [...known.keys()];
      });
      const inMatchers = [...expr.matchAll(/(\w+)(?:=~?|!=)"/g)].map(([, label = '']) => label);
      const inGroups = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) =>
        list.split(/, */),
      );
      for (const label of [...inMatchers, ...inGroups])
        assert.ok([...OF_PROMETHEUS, ...labels.flat()].includes(label), `${title}: ${label}`);
    }
  });

  it('compares labels with values that the relay prints', () => {
    for (const [title, expr] of expressions)
      for (const [, name = '', matchers = ''] of expr.matchAll(/(pay_checkout_\w+)\{([^}]*)\}/g))
        for (const [, label = '', value = ''] of matchers.matchAll(/(\w+)="([^"]*)"/g))
          assert.ok(series.get(name)?.get(label)?.has(value), `${title}: ${label}="${value}"`);
  });

  it('says in each alert what to do, and names a guide that exists', () => {
    for (const { alert, annotations } of rules) {
      const { guide, summary } = annotations;
      assert.match(summary, /^[A-Z].*[.,] .*\.$/, `${alert}: what happened, and what to do`);
      const [file = '', anchor] = guide.split('#');
      const headings = [...readFileSync(join(root, file), 'utf8').matchAll(/^#+ (.+)$/gm)];
      const anchors = headings.map(([, text = '']) => text.toLowerCase().replaceAll(' ', '-'));
      assert.ok(anchor === undefined || anchors.includes(anchor), `${alert}: ${guide}`);
    }
  });

  it('names commands and flags that exist', () => {
    const named = rules.flatMap(({ annotations }) =>
      [...annotations.summary.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.split(' ')),
    );
    const found = named.filter(([name = '', ...rest]) => name in commands || rest.length > 0);
    assert.ok(found.length > 0);
    for (const [name = '', action, ...flags] of found) {
      assert.ok(
        (action === undefined ? name : `${name} ${action}`) in outputs,
        `${name} ${action}`,
      );
      for (const flag of flags) assert.ok(flag.slice(2) in (flagTexts[name] ?? {}), flag);
    }
  });

  const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
  it('passes the check of promtool', { skip: !hasPromtool }, () => {
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', 'docs/deploy/alerts.yml'], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });
});
