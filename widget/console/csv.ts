/** Saves rows as a CSV file that a spreadsheet opens as they are. */
import Papa from 'papaparse';

export function saveCsv(name: string, rows: readonly object[]): void {
  const text = Papa.unparse([...rows], { escapeFormulae: true });
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
