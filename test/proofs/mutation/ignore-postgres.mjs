/**
 * Leaves out code that only PostgreSQL executes, because tests on PostgreSQL do not run here: what
 * is done when `hasMonths` is true.
 */
import { PluginKind, declareValuePlugin } from '@stryker-mutator/api/plugin';

const REASON = 'only PostgreSQL executes it';

/** Whether the condition can only be true with months. */
function needsMonths(node) {
  if (node.type === 'LogicalExpression' && node.operator === '&&')
    return needsMonths(node.left) || needsMonths(node.right);
  return node.name === 'hasMonths' || node.property?.name === 'hasMonths';
}

/** Whether the statement returns when there are no months. */
const returnsWithoutMonths = ({ consequent, test, type }) =>
  type === 'IfStatement' &&
  consequent.type === 'ReturnStatement' &&
  test.type === 'UnaryExpression' &&
  test.operator === '!' &&
  needsMonths(test.argument);

/** The parts of a node that are executed only when there are months. */
function partsWithMonths(node) {
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return needsMonths(node.test) ? [node.consequent] : [];
    case 'LogicalExpression':
      return node.operator === '&&' && needsMonths(node.left) ? [node.right] : [];
    case 'BlockStatement': {
      const returns = node.body.findIndex(returnsWithoutMonths);
      return returns < 0 ? [] : node.body.slice(returns + 1);
    }
    case 'CallExpression':
      return node.callee.property?.name === '$if' && needsMonths(node.arguments[0])
        ? [node.arguments[1]]
        : [];
    default:
      return [];
  }
}

/** Noted at the parent, because Stryker changes its condition before it comes to these parts. */
const withMonths = new WeakSet();

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'postgres', {
    shouldIgnore: ({ node }) => {
      for (const part of partsWithMonths(node)) withMonths.add(part);
      return withMonths.has(node) ? REASON : undefined;
    },
  }),
];
