/**
 * Leaves out the wording of error messages and log lines: people read it, and no rule depends on
 * it. The codes, fields and levels beside it stay under test.
 */
import { PluginKind, declareValuePlugin } from '@stryker-mutator/api/plugin';

const REASON = 'the wording of a message';
/** The argument that holds the message, by the name of the class or function. */
const MESSAGE_ARGUMENT = {
  Error: 0,
  Failure: 1,
  OrderServiceError: 1,
  GenerationError: 0,
  LedgerBusyError: 0,
  NotInReview: 0,
  invalid: 1,
  stored: 1,
  refused: 0,
};

/** Functions that return the wording of a message. */
const MESSAGE_FUNCTIONS = ['whyRefused'];

const isText = (node) =>
  node.type === 'StringLiteral' ||
  node.type === 'TemplateLiteral' ||
  (node.type === 'BinaryExpression' && node.operator === '+');

const isMessageOf = (call, node) => {
  if (call.type !== 'NewExpression' && call.type !== 'CallExpression') return false;
  if (call.callee.type === 'Super') return call.arguments[0] === node;
  const index = MESSAGE_ARGUMENT[call.callee.name];
  return index !== undefined && call.arguments[index] === node;
};

const isMessageField = (parent, node) =>
  parent.type === 'ObjectProperty' && parent.key.name === 'message' && parent.value === node;

const isReturnedMessage = (path) =>
  path?.node.type === 'ReturnStatement' &&
  MESSAGE_FUNCTIONS.includes(path.getFunctionParent()?.node.id?.name);

/** Stryker passes each part of a sum of texts alone, so the whole is found through its parents. */
function isMessage(path) {
  let { node, parentPath } = path;
  while (parentPath && isText(parentPath.node)) ({ node, parentPath } = parentPath);
  if (parentPath?.node.type === 'ConditionalExpression') ({ node, parentPath } = parentPath);
  if (isReturnedMessage(parentPath)) return true;
  const parent = parentPath?.node;
  return parent !== undefined && (isMessageOf(parent, node) || isMessageField(parent, node));
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'messages', {
    shouldIgnore: (path) => (isText(path.node) && isMessage(path) ? REASON : undefined),
  }),
];
