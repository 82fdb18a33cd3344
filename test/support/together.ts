/** Runs the Node tests of all files that are named as arguments, in this process. */
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
