/** URLs that a hostile or broken service might answer with. */

/** Sets a mark that the proof looks for after every checkout. */
const HIT = 'window.__hit=1';
const SCHEMES = [
  'javascript',
  'JaVaScRiPt',
  'java\tscript',
  'java\nscript',
  ' javascript',
  '\u0001javascript',
  'javascript\u00a0',
  'vbscript',
  'data',
  'blob',
  'file',
  'ftp',
  'about',
  'view-source',
  'filesystem',
  'intent',
  'ws',
  'jar',
  'chrome',
  'ms-settings',
];

const bodies: Record<string, string[]> = {
  data: [
    'text/html,<script>window.__hit=1</script>',
    'text/html;base64,PHNjcmlwdD53aW5kb3cuX19oaXQ9MTwvc2NyaXB0Pg==',
  ],
  default: [HIT, `//%0a${HIT}`, `alert(1)//https://service.example/`],
};

const HOSTS = [
  'https://evil.example/',
  'https://service.example.evil.example/',
  'https://evilservice.example/',
  'https://service.example@evil.example/',
  'https://user:pass@service.example/',
  'https://service.example%2eevil.example/',
  'https://evil.example#service.example',
  'https://evil.example\\@service.example/',
  'https:\\\\service.example/',
  'https:service.example',
  'https:/service.example',
  'https:///service.example',
  '//service.example/',
  '/relative',
  'service.example',
  'http://service.example/',
  'http://evil.example/',
  'http://localhost.evil.example/',
  'http://127.0.0.1.evil.example/',
  'https://ＳＥＲＶＩＣＥ.example.evil/',
  'https://ѕervice.example/',
  'https://xn--service-abc.example/',
  'https://[::ffff:127.0.0.1]/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://service.example\u0000.evil.example/',
  'https://service.example\t.evil.example/',
  '\thttps://service.example/',
  'https://service.example /',
  'ht\ttps://service.example/',
  'https://service.example\n/',
  '',
  ' ',
  'https://',
  'https://.',
  '#',
  '?x',
  'mailto:a@evil.example',
  'tel:+1900',
  'sms:+1900',
  'sberpay:pay',
  'bank100000000111://x',
  'tg://resolve?domain=evil',
  'whatsapp://send',
  'market://details?id=evil',
  'itms-apps://evil',
  'steam://run/1',
  'ssh://evil.example',
  'ldap://evil.example',
  'gopher://evil.example',
];

/** @returns `count` different URLs */
export function hostileUrls(count: number): string[] {
  const found: string[] = [...HOSTS];
  for (let round = 0; found.length < count; round++)
    for (const scheme of SCHEMES) {
      const list = bodies[scheme] ?? bodies.default ?? [];
      const suffix = round >= list.length ? `//${round}` : '';
      found.push(`${scheme}:${list[round % list.length] ?? ''}${suffix}`);
    }
  return found.slice(0, count);
}
