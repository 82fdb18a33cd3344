/** A reporter that names the file of the first failed test, and ends the process. */
export default async function* stopAtFailure(events) {
  for await (const { data, type } of events) {
    if (type !== 'test:fail' || data.details?.type === 'suite') continue;
    yield `failed: ${data.file} ${data.name}\n`;
    setImmediate(() => process.exit(1));
  }
}
