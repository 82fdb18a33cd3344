/**
 * The parts of undici that the relay uses. The command is built with this file in place of undici's
 * index, which also loads fetch, WebSocket, caches and mocks: 3 MB of memory.
 */
'use strict';
const api = require('undici/lib/api');
const buildConnector = require('undici/lib/core/connect');
const Client = require('undici/lib/dispatcher/client');
const Dispatcher = require('undici/lib/dispatcher/dispatcher');

// as undici's index does
Object.assign(Dispatcher.prototype, api);

module.exports = { Client, buildConnector };
