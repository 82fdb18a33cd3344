/** The relay's operations: the routes, the tests and the contract snapshot use this table. */
import { paths } from './paths.js';
import * as backend from './backend-requests.js';
import * as payLinks from './pay-links.js';
import * as requests from './requests.js';
import * as responses from './responses.js';

export const endpoints = {
  checkout: {
    path: paths.checkout,
    request: requests.checkoutRequest,
    response: responses.checkoutResponse,
  },
  pay: { path: paths.pay, request: requests.payRequest, response: responses.orderResponse },
  query: { path: paths.query, request: requests.queryRequest, response: responses.queryResponse },
  backendQuery: {
    path: paths.query,
    request: requests.backendQueryRequest,
    response: responses.backendQueryResponse,
  },
  depositAddress: {
    path: paths.depositAddress,
    request: requests.depositAddressRequest,
    response: responses.depositAddressResponse,
  },
  orderTokens: {
    path: paths.orderTokens,
    request: backend.orderTokenRequest,
    response: responses.orderTokenResponse,
  },
  render: {
    path: paths.render,
    request: backend.renderRequest,
    response: responses.renderResponse,
  },
  payLinks: {
    path: paths.payLinks,
    request: payLinks.payLinkRequest,
    response: payLinks.payLinkResponse,
  },
  revokePayLink: {
    path: paths.revokePayLink,
    request: payLinks.revokePayLinkRequest,
    response: payLinks.revokePayLinkResponse,
  },
  close: { path: paths.close, request: backend.closeRequest, response: responses.closeResponse },
  orders: {
    path: paths.orders,
    request: backend.ordersRequest,
    response: responses.ordersResponse,
  },
  events: {
    path: paths.events,
    request: backend.eventsRequest,
    response: responses.eventsResponse,
  },
  resendEvents: {
    path: paths.resendEvents,
    request: backend.resendEventsRequest,
    response: responses.resendEventsResponse,
  },
} as const;
