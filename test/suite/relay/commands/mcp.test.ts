/** A coding agent reads the documentation by the Model Context Protocol, and nothing else. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDocsPages } from '../../../../relay/commands/docs-pages.js';
import { createMcpServer } from '../../../../relay/commands/mcp-server.js';

const server = createMcpServer({ pages: readDocsPages(), version: '1.2.3' });

type Answer = { id: unknown; result?: Record<string, unknown>; error?: { code: number } };
const ask = (method: string, params?: unknown): Answer =>
  JSON.parse(
    server.answer(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })) ?? '{}',
  ) as Answer;
const textOf = (name: string, args: object): string => {
  const { result } = ask('tools/call', { name, arguments: args });
  const [content] = result?.content as { text: string }[];
  return content?.text ?? '';
};

describe('the documentation for agents', () => {
  it('begins a session in the protocol of the client, and in the newest when unknown', () => {
    for (const [asked, agreed] of [
      ['2025-03-26', '2025-03-26'],
      ['2099-01-01', '2025-06-18'],
    ]) {
      const { result } = ask('initialize', { protocolVersion: asked, capabilities: {} });
      assert.equal(result?.protocolVersion, agreed);
      assert.deepEqual(result?.serverInfo, { name: 'pay-checkout-relay', version: '1.2.3' });
    }
    const notified = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    assert.equal(server.answer(notified), null);
    assert.deepEqual(ask('ping').result, {});
  });

  it('offers tools that only read, and finds what it offers', () => {
    const { tools } = ask('tools/list').result as {
      tools: { name: string; annotations: object }[];
    };
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['search_documentation', 'read_documentation'],
    );
    for (const { annotations } of tools)
      assert.deepEqual(annotations, { readOnlyHint: true, openWorldHint: false });
    const found = textOf('search_documentation', { query: 'rotate secrets' });
    assert.match(found, /^guides\/run-the-relay\.md \(Run the relay: Rotate secrets\)/);
    assert.match(
      textOf('read_documentation', { path: 'guides/run-the-relay.md' }),
      /^# Run the relay/,
    );
    assert.match(textOf('search_documentation', { query: 'xyzzy' }), /^No section/);
  });

  it('lists every page as a resource, and reads it', () => {
    const { resources } = ask('resources/list').result as { resources: { uri: string }[] };
    assert.ok(resources.length > 50);
    for (const { uri } of resources) assert.ok(ask('resources/read', { uri }).result, uri);
  });

  it('reads no other file', () => {
    for (const path of ['../package.json', '/etc/passwd', 'guides/../../package.json', '']) {
      const params = { name: 'read_documentation', arguments: { path } };
      assert.equal(ask('tools/call', params).error?.code, -32602);
      assert.equal(
        ask('resources/read', { uri: `pay-checkout://docs/${path}` }).error?.code,
        -32602,
      );
    }
    assert.equal(ask('resources/read', { uri: 'file:///etc/passwd' }).error?.code, -32602);
  });

  it('answers a message that it cannot read with an error, and goes on', () => {
    const code = (line: string): unknown =>
      (JSON.parse(server.answer(line) ?? '{}') as Answer).error?.code;
    assert.equal(code('not json'), -32700);
    assert.equal(code('[]'), -32600);
    assert.equal(code('{"id":1,"method":"ping"}'), -32600);
    assert.equal(ask('orders/list').error?.code, -32601);
    assert.equal(ask('constructor').error?.code, -32601);
    assert.equal(ask('tools/call', { name: 'pay', arguments: {} }).error?.code, -32602);
    assert.equal(ask('initialize').error?.code, -32602);
  });
});
