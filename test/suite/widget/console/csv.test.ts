/** What a file of the console has for a spreadsheet. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvText } from '../../../../widget/console/csv.js';

const linesOf = (rows: readonly object[]): string[] => csvText(rows).split('\r\n');

describe('csvText', () => {
  it('has a column for each field, also when the first row lacks it', () => {
    const lines = linesOf([
      { hour: '01:00', paid: 0 },
      { hour: '02:00', paid: 2, USD: '71.50' },
      { hour: '03:00', paid: 1, EUR: '7.10' },
    ]);
    assert.deepEqual(lines, ['hour,paid,USD,EUR', '01:00,0,,', '02:00,2,71.50,', '03:00,1,,7.10']);
  });

  it('keeps a spreadsheet from computing a text', () => {
    assert.deepEqual(linesOf([{ name: '=1+1' }]), ['name', `"'=1+1"`]);
    assert.equal(csvText([{ name: '=1+1\n' }]), `name\r\n"'=1+1\n"`);
  });
});
