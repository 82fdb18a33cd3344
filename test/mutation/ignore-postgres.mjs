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

const needsNoMonths = (node) =>
  node.type === 'UnaryExpression' && node.operator === '!' && needsMonths(node.argument);

/** Whether an earlier statement of the block has returned when there are no months. */
const isAfterReturn = (block, statement) =>
  block.body
    .slice(0, block.body.indexOf(statement))
    .some(
      (earlier) =>
        earlier.type === 'IfStatement' &&
        needsNoMonths(earlier.test) &&
        earlier.consequent.type === 'ReturnStatement',
    );

/** Whether the parent executes the node only when there are months. */
function isGuarded(parent, node) {
  switch (parent.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return node === parent.consequent && needsMonths(parent.test);
    case 'LogicalExpression':
      return parent.operator === '&&' && node === parent.right && needsMonths(parent.left);
    case 'BlockStatement':
      return isAfterReturn(parent, node);
    case 'CallExpression': {
      const [condition, added] = parent.arguments;
      return parent.callee.property?.name === '$if' && node === added && needsMonths(condition);
    }
    default:
      return false;
  }
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'postgres', {
    shouldIgnore: (path) =>
      path.find(({ node, parent }) => parent !== null && isGuarded(parent, node))
        ? REASON
        : undefined,
  }),
];
