/** Finds Firefox and WebKit, which Debian packages provide and npm does not. */
import { existsSync, readdirSync } from 'node:fs';

export const engineNames = ['chromium', 'firefox', 'webkit'] as const;
export type EngineName = (typeof engineNames)[number];

const packages: Record<Exclude<EngineName, 'chromium'>, string> = {
  firefox: 'firefox-esr',
  webkit: 'webkit2gtk-driver xvfb xauth',
};
/** @returns how to install the engine */
export const howToInstall = (name: EngineName): string =>
  name === 'chromium' ? '' : `On Debian: apt-get install --no-install-recommends ${packages[name]}`;

const missing = (name: keyof typeof packages): Error =>
  new Error(`no ${name} on this machine. ${howToInstall(name)}`);

/**
 * The engine of this run: `ENGINE`, by default Chromium.
 * @throws Error when `ENGINE` names no engine
 */
export function chosenEngine(): EngineName {
  const name = process.env.ENGINE ?? 'chromium';
  const known = engineNames.find((engine) => engine === name);
  if (!known) throw new Error(`ENGINE is ${name}; expected ${engineNames.join(', ')}`);
  return known;
}

/** @throws Error when Firefox is not installed */
export function findFirefox(): string {
  const path = [process.env.FIREFOX_PATH ?? '', '/usr/bin/firefox-esr', '/usr/bin/firefox'].find(
    (file) => existsSync(file),
  );
  if (path === undefined) throw missing('firefox');
  return path;
}

export type WebKit = { driver: string; browser: string };

/** @throws Error when the driver, the browser or the virtual display is missing */
export function findWebKit(): WebKit {
  const driver = '/usr/bin/WebKitWebDriver';
  const folders = existsSync('/usr/lib')
    ? readdirSync('/usr/lib').filter((name) => name.endsWith('-linux-gnu'))
    : [];
  const browser = folders
    .flatMap((name) =>
      ['4.1', '4.0', '6.0'].map((version) => `/usr/lib/${name}/webkit2gtk-${version}/MiniBrowser`),
    )
    .find((file) => existsSync(file));
  if (browser === undefined || !existsSync(driver) || !existsSync('/usr/bin/xvfb-run'))
    throw missing('webkit');
  return { driver, browser };
}

export const has: Record<EngineName, () => boolean> = {
  chromium: () => true,
  firefox: () => works(findFirefox),
  webkit: () => works(findWebKit),
};

function works(find: () => unknown): boolean {
  try {
    find();
    return true;
  } catch {
    return false;
  }
}
