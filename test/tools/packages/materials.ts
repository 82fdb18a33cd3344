/** The bill of materials of a package (CycloneDX), and the licences of its libraries. */
import { execFileSync, type StdioOptions } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root, type Manifest } from './manifests.js';

const component = z
  .object({
    'bom-ref': z.string(),
    name: z.string(),
    version: z.string(),
    licenses: z
      .array(
        z.union([
          z.object({ license: z.object({ id: z.string() }).loose() }),
          z.object({ expression: z.string() }),
        ]),
      )
      .optional(),
  })
  .loose();
const bill = z
  .object({
    metadata: z.object({ timestamp: z.string(), component: component }).loose(),
    serialNumber: z.string(),
    components: z.array(component),
    dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
  })
  .loose();
type Bill = z.infer<typeof bill>;

const MAX_BILL_BYTES = 64_000_000;

/**
 * Asks npm for the bill of the whole repository, from its lock file. `--omit dev` would also leave
 * out libraries that a development tool needs too, such as lit.
 */
export function readBill(): Bill {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const stdio = ['ignore', 'pipe', 'ignore'] satisfies StdioOptions;
  const options = { cwd: root, encoding: 'utf8', stdio, maxBuffer: MAX_BILL_BYTES } as const;
  return bill.parse(JSON.parse(execFileSync('npm', args, options)));
}

/**
 * Narrows the repository's bill to one package.
 *
 * @param bundled names of the libraries that are part of the package's own files
 * @returns the bill as JSON, equal for equal sources: without time and serial number
 */
export function billOf(whole: Bill, manifest: Manifest, bundled: readonly string[]): string {
  const kept = componentsOf(whole, manifest, bundled);
  const refs = new Set(kept.map((each) => each['bom-ref']));
  const { name, version } = manifest;
  const own = { ref: `${name}@${version}`, dependsOn: [...directRefs(whole, manifest, bundled)] };
  const { serialNumber: _serial, metadata, ...rest } = whole;
  const { timestamp: _time, ...kindOfBill } = metadata;
  return JSON.stringify(
    {
      ...rest,
      metadata: {
        ...kindOfBill,
        component: {
          ...metadata.component,
          'bom-ref': own.ref,
          name,
          description: manifest.description,
          purl: `pkg:npm/${name}@${version}`,
        },
      },
      components: kept,
      dependencies: [own, ...whole.dependencies.filter(({ ref }) => refs.has(ref))],
    },
    null,
    1,
  );
}

/** Lists the licences of all libraries, with the full text for bundled code, as it requires. */
export function licencesOf(whole: Bill, manifest: Manifest, bundled: readonly string[]): string {
  const kept = componentsOf(whole, manifest, bundled);
  const nameOf = ({ licenses = [] }: Bill['components'][number]): string =>
    licenses.map((each) => ('license' in each ? each.license.id : each.expression)).join(', ');
  const list = kept.map((each) => `${each.name} ${each.version}: ${nameOf(each)}`);
  const texts = kept
    .filter(({ name }) => bundled.includes(name))
    .map(({ name, version }) => `${'-'.repeat(72)}\n${name} ${version}\n\n${licenceText(name)}`);
  return [
    `${manifest.name} is made with the work of others:\n\n${list.join('\n')}\n`,
    'Files of this package contain code of these:\n',
    ...texts,
  ].join('\n');
}

function licenceText(name: string): string {
  const folder = join(root, 'node_modules', name);
  const file = existsSync(folder) && readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (!file) return namedLicence(name);
  return readFileSync(join(folder, file), 'utf8').trim() + '\n';
}

const named = z.object({ license: z.string().min(1), author: z.string().min(1) });

/** For packages that name their licence and its holder, but do not contain the text. */
function namedLicence(name: string): string {
  const manifest = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');
  const { data } = named.safeParse(JSON.parse(manifest));
  if (!data) throw new Error(`${name}: has no licence file`);
  return `${data.license} licence. Copyright (c) ${data.author}\n`;
}

/**
 * Finds the components of the libraries. Of two versions it chooses the one that the repository
 * itself depends on, else the one that another of the libraries depends on.
 *
 * @throws Error when the bill does not have a library
 */
const refsByName = (whole: Bill, names: readonly string[]): Set<string> => {
  const needed = (refs: readonly string[]): Set<string> =>
    new Set(
      whole.dependencies.filter(({ ref }) => refs.includes(ref)).flatMap((each) => each.dependsOn),
    );
  const own = needed([rootRef(whole)]);
  const candidates = whole.components.filter((each) => names.includes(each.name));
  const others = needed(candidates.map((each) => each['bom-ref']));
  return new Set(
    names.map((name) => {
      const versions = candidates.filter((each) => each.name === name);
      const found =
        versions.find((each) => own.has(each['bom-ref'])) ??
        versions.find((each) => others.has(each['bom-ref'])) ??
        versions[0];
      if (!found) throw new Error(`${name}: not in the bill of materials`);
      return found['bom-ref'];
    }),
  );
};
const rootRef = (whole: Bill): string => whole.metadata.component['bom-ref'];

const directRefs = (whole: Bill, { dependencies }: Manifest, bundled: readonly string[]) =>
  refsByName(whole, [...Object.keys(dependencies), ...bundled]);

function componentsOf(
  whole: Bill,
  manifest: Manifest,
  bundled: readonly string[],
): Bill['components'] {
  const refs = refsByName(whole, Object.keys(manifest.dependencies));
  for (const ref of refs)
    for (const needed of whole.dependencies.find((each) => each.ref === ref)?.dependsOn ?? [])
      refs.add(needed);
  // a bundler takes single files of a library, so what the library depends on is not in the package
  for (const ref of refsByName(whole, bundled)) refs.add(ref);
  return whole.components.filter((each) => refs.has(each['bom-ref']));
}
