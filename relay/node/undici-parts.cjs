/**
 * The parts of undici that the relay uses. The command is built with this file in place of undici's
 * index, which also loads fetch, WebSocket, caches and mocks: 3 MB of memory.
 */
'use strict';
const buildConnector = require('undici/lib/core/connect');
const Client = require('undici/lib/dispatcher/client');

module.exports = { Client, buildConnector };
