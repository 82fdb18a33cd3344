/** Formats the figures of a proof; the proofs themselves return data. */
import type { Figure, Result, Section } from './proof.js';

const withUnit = (value: string, unit = ''): string =>
  unit === '' || unit.startsWith('/') ? value + unit : `${value} ${unit}`;

const boundText = ({ bound, unit }: Figure): string => {
  if (bound === undefined) return '';
  const text = typeof bound === 'string' ? bound : String(Math.round(bound * 100) / 100);
  return ` (bound ${withUnit(text, unit)})`;
};

function figureText(figure: Figure): string {
  const { digits = 0, name, of, unit, value } = figure;
  const whole = of === undefined ? '' : ` of ${of}`;
  return `${name} ${withUnit(value.toFixed(digits), unit)}${whole}${boundText(figure)}`;
}

function sectionText({ figures, name }: Section): string {
  const text = figures.map(figureText).join(', ');
  return name === undefined ? text : `${name}: ${text}`;
}

/** @returns one line per section, and one with the example of what went wrong */
export const reportLines = ({ example, sections }: Omit<Result, 'held'>): string[] => [
  ...sections.map(sectionText),
  ...(example === undefined || example === '' ? [] : [`example: ${example}`]),
];
