/** Saves rows as a CSV file that a spreadsheet opens as they are. */
import Papa from 'papaparse';

/** @returns a column for each field that any row has, not only for those of the first row */
export function csvText(rows: readonly object[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  // the pattern of Papa Parse ends at a line break
  return Papa.unparse([...rows], { columns, escapeFormulae: /^[=+\-@\t\r]/ });
}

export function saveCsv(name: string, rows: readonly object[]): void {
  const url = URL.createObjectURL(new Blob([csvText(rows)], { type: 'text/csv' }));
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
