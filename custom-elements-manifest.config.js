/** `npm run manifest`: describes `<pay-checkout>` for editors and documentation tools. */

/** Makes the manifest name the files that the package ships, and leaves out private members. */
const publishedOnly = () => ({
  name: 'published-only',
  packageLinkPhase({ customElementsManifest: { modules } }) {
    const published = (path) => path.replace(/^\/?(widget\/.+)\.[jt]s$/, 'dist/$1.js');
    for (const { declarations, exports } of modules) {
      for (const { declaration } of exports)
        if (declaration?.module) declaration.module = published(declaration.module);
      for (const item of declarations) {
        item.members = item.members?.filter(({ privacy }) => privacy !== 'private');
        // The analyzer adds an event without a name for each `dispatchEvent` of an event class.
        item.events = item.events?.filter(({ name }) => name);
        // The constructor sets the properties that have no default in the class.
        for (const value of [...(item.attributes ?? []), ...(item.members ?? [])])
          if (value.type?.text.endsWith(' | null') && value.readonly !== true)
            value.default ??= 'null';
      }
    }
    for (const module of modules) module.path = published(module.path);
  },
});

export default {
  globs: ['widget/define.ts', 'widget/pay-checkout.ts', 'widget/events.ts'],
  litelement: true,
  outdir: 'dist',
  packagejson: false,
  plugins: [publishedOnly()],
};
